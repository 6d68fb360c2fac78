import { AsyncLocalStorage } from "node:async_hooks";

/** `name`: the first parts of the path, which say what the call is about: "/api/contact", or "/checkout" for a page. */
export type RunningCall = { name: string; writes: boolean };

const running = new AsyncLocalStorage<RunningCall>();
let callCount = 0;

/** Runs `work` for a call; its database queries use that call's connections. */
export function runAsCall<T>(call: RunningCall, work: () => T): T {
  callCount += 1;
  return running.run(call, work);
}

/** Number of calls since the process started. */
export function countStartedCalls(): number {
  return callCount;
}

/** Undefined in background work. */
export function runningCall(): RunningCall | undefined {
  return running.getStore();
}
