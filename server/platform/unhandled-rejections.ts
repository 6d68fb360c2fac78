import type { Logger } from "pino";

/**
 * A rejected promise that nobody waits for ends a Node process. What the shop began itself is waited for; a library's
 * slip must not take a shop down that serves others. graphile-worker 0.18 makes one when the database goes away while it
 * hands jobs back: the workers begin again by themselves, and the jobs are taken up from the dead ones.
 */
export function logUnhandledRejections(log: Logger): void {
  process.on("unhandledRejection", (err) => log.error({ err }, "unhandled promise rejection"));
}
