import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { cacheImports } from "./platform/import-cache.ts";

// Both before the first of the modules that they are for is looked up. Compiled modules last until the next `npm ci`;
// where they cannot be written, the shop starts without.
enableCompileCache(join(import.meta.dirname, "../node_modules/.cache/compiled"));
cacheImports();
await import("./run.ts");
