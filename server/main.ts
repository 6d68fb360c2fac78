import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { cacheImports } from "./platform/import-cache.ts";

// Both before the first of the modules that they are for is looked up. Where compiled modules cannot be written, the shop
// starts without.
enableCompileCache(join(import.meta.dirname, "../build/compiled"));
cacheImports();
await import("./run.ts");
