import { AsyncLocalStorage } from "node:async_hooks";

/** What is being answered: the subject of a call, "/api/contact", or of a page, "/checkout". */
export type RunningCall = { name: string; writes: boolean };

const running = new AsyncLocalStorage<RunningCall>();

/** Runs `work` for a call from outside; what it asks of the database is asked on that call's behalf. */
export function runAsCall<T>(call: RunningCall, work: () => T): T {
  return running.run(call, work);
}

/** Undefined in background work. */
export function runningCall(): RunningCall | undefined {
  return running.getStore();
}
