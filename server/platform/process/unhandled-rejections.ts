import type { Logger } from "pino";

/** An unhandled rejection ends a Node process. The shop awaits its own promises; a library's mistake must not end it. */
export function logUnhandledRejections(log: Logger): void {
  process.on("unhandledRejection", (err) => log.error({ err }, "unhandled promise rejection"));
}
