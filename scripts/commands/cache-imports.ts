import { cacheImports } from "../../server/platform/process/start-performance.ts";

// Imported by Node first (`--import`), as hooks do not concern the modules of the file that sets them. Loading the server takes a
// command or a test worker 2 s of processor time with this, and 6 s without.
cacheImports();
