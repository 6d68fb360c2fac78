import { quickenImports } from "./platform/import-cache.ts";

// Before the first of the modules that it is for is looked up.
quickenImports();
await import("./run.ts");
