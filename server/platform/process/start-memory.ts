import { flushCompileCache } from "node:module";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Ends the start, during which memory is spent for speed: writes the compile cache, returns memory that only starting needed
 * to the system, which V8 would keep, and from then on lets the heap grow by at most half before it is collected.
 */
export function releaseStartMemory(): void {
  flushCompileCache();
  setFlagsFromString("--heap-growing-percent=50");
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect === "function") collect({ type: "major", execution: "sync", flavor: "last-resort" });
}
