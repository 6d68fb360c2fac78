import type { Logger } from "pino";

/**
 * An unhandled rejection ends a Node process. The shop awaits its own promises; a library's mistake must not take it
 * down. graphile-worker 0.18 makes one when the database disappears while it returns jobs: the workers are then
 * replaced and the jobs taken over.
 */
export function logUnhandledRejections(log: Logger): void {
  process.on("unhandledRejection", (err) => log.error({ err }, "unhandled promise rejection"));
}
