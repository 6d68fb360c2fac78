import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";

/** Limit for closing everything, after the notice for balancers; supervisors kill after 10 s or more. */
const stopMs = 9_000;
/** npm forwards a Ctrl+C that the terminal has already sent to every process of the command. */
const sameSignalMs = 1_000;
/** Shorter after Ctrl+C, because the user is waiting. */
const interactiveDrainMs = 500;

/** Time (ms) for a start to reach a point where it can be aborted; the parts that it has opened are then closed. */
const startMs = 4_000;

/** Thrown to abort a start because the process has to stop. */
export class StartCancelled extends Error {
  override name = "StartCancelled";
}

/**
 * Collects the parts to close. The first SIGTERM or SIGINT closes them in reverse order and exits with 0, even during the
 * start; another one, at least a second later, exits immediately. `drainMs`: how long balancers get to notice after SIGTERM.
 */
export function shutdownOnSignal(log: Logger, drainMs: number) {
  const steps: { name: string; close(): Promise<void> | void }[] = [];
  let starting: Promise<void> | null = null;
  let stoppingSince: number | null = null;
  let noticeMs = 0;

  async function close(): Promise<void> {
    for (const { name, close } of steps.splice(0).reverse()) {
      try {
        await close();
      } catch (error) {
        log.error({ err: error, step: name }, "could not be closed");
      }
    }
  }

  async function stop(signal: NodeJS.Signals): Promise<void> {
    if (stoppingSince !== null) {
      if (Date.now() - stoppingSince > sameSignalMs) process.exit(1);
      return;
    }
    stoppingSince = Date.now();
    noticeMs = signal === "SIGINT" ? Math.min(drainMs, interactiveDrainMs) : drainMs;
    if (noticeMs > interactiveDrainMs)
      log.info({ seconds: noticeMs / 1_000 }, "stopping; requests are served until balancers know");
    setTimeout(() => {
      log.error("stopping took too long; exiting now");
      process.exit(1);
    }, noticeMs + stopMs).unref();
    await Promise.race([starting, delay(startMs)]);
    await close();
    process.exit(0);
  }

  async function fail(message: string): Promise<void> {
    // Closing makes other parts fail; the signal determines the exit code.
    if (stoppingSince !== null) return;
    stoppingSince = Date.now();
    await Promise.race([close(), delay(stopMs)]);
    process.stderr.write(`${message}\n`);
    process.exit(1);
  }
  // Replaces the listener of main.ts, but only after the new one was added: a signal without any listener would be lost.
  const earlierListeners = process.listeners("SIGTERM");
  process.on("SIGTERM", stop);
  for (const listener of earlierListeners) process.off("SIGTERM", listener);
  process.on("SIGINT", stop);

  return {
    /** Registers an opened part: `close` is called when the process stops. Throws StartCancelled if it is stopping already. */
    closeLater(name: string, close: () => Promise<void> | void) {
      steps.push({ name, close });
      if (stoppingSince !== null) throw new StartCancelled();
    },
    /** A signal aborts `start` (through `closeLater`) and waits for its end before closing the opened parts. */
    async whileStarting(start: Promise<void>): Promise<void> {
      starting = start;
      await start;
      starting = null;
    },
    /**
     * Closes what can be closed in time, prints `message` and exits with 1, for the supervisor to restart the
     * shop. Does nothing after a signal.
     */
    fail,
    isStopping: () => stoppingSince !== null,
    /** How long (ms) requests are still served after the signal. */
    noticeMs: () => noticeMs,
  };
}

/** An unhandled rejection ends a Node process. The shop awaits its own promises; a library's mistake must not end it. */
export function logUnhandledRejections(log: Logger): void {
  process.on("unhandledRejection", (err) => log.error({ err }, "unhandled promise rejection"));
}
