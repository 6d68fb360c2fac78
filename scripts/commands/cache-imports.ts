import { cacheImports } from "../../server/platform/process/start-performance.ts";

// Preloaded by Node (`--import`), because hooks do not affect modules that the registering file imports. With this, a command
// or a test worker needs 2 s of processor time to load the server, and 6 s without.
cacheImports();
