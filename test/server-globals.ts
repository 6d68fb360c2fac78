import { getRequestListener } from "@hono/node-server";

// The server's listener replaces Node's Request and Response by Hono's. This makes all tests use them like the shop, and
// not only those after a test that listens.
getRequestListener(() => new Response());
