import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { cacheImports } from "./platform/process/start-performance.ts";

// Replaced by run.ts with its own handler.
process.on("SIGTERM", () => process.exit(0));
// Both must be set up before the modules that they affect are loaded. The compile cache lasts until the next `npm ci`; if
// it cannot be written, the shop starts without it.
enableCompileCache(join(import.meta.dirname, "../build/compiled"));
cacheImports();
await import("./run.ts");
