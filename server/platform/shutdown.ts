import type { Logger } from "pino";

/** Everything has to be over by then: whoever sent the signal kills after 10 s. */
const stopMs = 9_000;
/** npm passes on a Ctrl+C that the terminal has already sent to every process of the command. */
const sameSignalMs = 1_000;

/**
 * Collects how to close what has been opened. The first SIGTERM or SIGINT closes it, the last opened first, and ends
 * the process with exit code 0; a second one, a second later, ends it at once.
 */
export function shutdownOnSignal(log: Logger) {
  const steps: { name: string; close(): Promise<void> | void }[] = [];
  let startedAt: number | null = null;

  async function close(): Promise<void> {
    for (const { name, close } of steps.splice(0).reverse()) {
      try {
        await close();
      } catch (error) {
        log.error({ err: error, step: name }, "could not be closed");
      }
    }
  }

  async function stop(): Promise<void> {
    if (startedAt !== null) {
      if (Date.now() - startedAt > sameSignalMs) process.exit(1);
      return;
    }
    startedAt = Date.now();
    setTimeout(() => {
      log.error("stopping took too long; what was left open ends here");
      process.exit(1);
    }, stopMs).unref();
    await close();
    process.exit(0);
  }
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);

  return {
    /** `close` is called when the process stops. */
    opened(name: string, close: () => Promise<void> | void) {
      steps.push({ name, close });
    },
    /** Closes everything without ending the process. */
    close,
    isStopping: () => startedAt !== null,
  };
}
