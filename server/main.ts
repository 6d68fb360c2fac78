import { quickenImports } from "./platform/quick-imports.ts";

// Before the first of the modules that it is for is looked up.
quickenImports();
await import("./run.ts");
