import { cacheImports } from "./platform/import-cache.ts";

// Before the first of the modules that it is for is looked up.
cacheImports();
await import("./run.ts");
