import { EventEmitter } from "node:events";
import { afterCommit } from "../database/transactions.ts";
import type { Job } from "./jobs.ts";

const queueEvents = new EventEmitter<{ job: [Job["lane"]] }>();
// Tests run many servers in one process.
queueEvents.setMaxListeners(0);

/** Wakes this process's workers of a lane, once the transaction that is running here has committed. */
export function wakeWorkers(lane: Job["lane"]): void {
  afterCommit(() => queueEvents.emit("job", lane));
}

/** Calls `listener` with the lane of each job that this process queues; returns a function that removes the listener. */
export function onJobQueued(listener: (lane: Job["lane"]) => void): () => void {
  queueEvents.on("job", listener);
  return () => queueEvents.off("job", listener);
}
