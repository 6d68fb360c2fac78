import { afterCommit } from "../database/transactions.ts";

const listeners = new Set<() => void>();

/** Wakes this process's workers, once the transaction that is running here has committed. */
export function wakeWorkers(): void {
  afterCommit(() => {
    for (const listener of listeners) listener();
  });
}

/** Calls `listener` when this process has queued jobs; returns a function that removes the listener. */
export function onJobQueued(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
