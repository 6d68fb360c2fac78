import { getRequestListener } from "@hono/node-server";

// The server's listener puts Hono's own Request and Response in the place of Node's. Every test runs with
// them, as the shop does, not only those that happen to come after one that listens.
getRequestListener(() => new Response());
