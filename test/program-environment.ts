import { join } from "node:path";

/** Environment of a shop in a separate process, without variables of this one that would configure it. */
export function programEnvironment(): Record<string, string | undefined> {
  return {
    PATH: process.env.PATH,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    // No draining, because no load balancer needs time to notice that the shop stops.
    DRAIN_S: "0",
  };
}

/** Node's options for short programs, which do not gain from optimizing code; compiling it takes a sixth of their time. */
export const shortProgramOptions = ["--no-maglev", "--no-turbofan", "--single-threaded-gc"];

/**
 * Node's options for the shop's commands, which then load modules through the cache that `main.ts` and the tests use; without
 * it, loading takes three times the processor time.
 */
export const commandOptions = [
  `--import=${join(import.meta.dirname, "../scripts/commands/cache-imports.ts")}`,
];
