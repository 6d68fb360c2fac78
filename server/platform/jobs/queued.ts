import { EventEmitter } from "node:events";
import { afterCommit } from "../database/transactions.ts";
import type { Job } from "./jobs.ts";

const queued = new EventEmitter<{ job: [Job["lane"]] }>();
// Tests run many servers in one process.
queued.setMaxListeners(0);

/** Wakes this process's workers of a lane, once the transaction that is running here has committed. */
export function wakeWorkers(lane: Job["lane"]): void {
  afterCommit(() => queued.emit("job", lane));
}

/** Calls `listener` with the lane of each job that this process has queued; returns what ends that. */
export function onJobQueued(listener: (lane: Job["lane"]) => void): () => void {
  queued.on("job", listener);
  return () => queued.off("job", listener);
}
