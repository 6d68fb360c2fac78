import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { cacheImports } from "./platform/process/start-performance.ts";

// Until run.ts has something to close.
process.on("SIGTERM", () => process.exit(0));
// Both before any module that they are for is resolved. The compile cache lasts until the next `npm ci`; where it
// cannot be written, the shop starts without it.
enableCompileCache(join(import.meta.dirname, "../build/compiled"));
cacheImports();
await import("./run.ts");
