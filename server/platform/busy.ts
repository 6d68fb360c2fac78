import { performance } from "node:perf_hooks";

/** A process that computes for more than this part of the time has others waiting for it. */
const busyFrom = 0.7;
/** A shorter time tells little. */
const sampleMs = 250;

let sampled = performance.eventLoopUtilization();
let sampledAt = performance.now();
let utilization = 0;

/** Whether this process has had more to do lately than it can do at once, so that what can wait had better wait. */
export function isBusy(): boolean {
  const now = performance.now();
  if (now - sampledAt >= sampleMs) {
    const total = performance.eventLoopUtilization();
    utilization = performance.eventLoopUtilization(total, sampled).utilization;
    sampled = total;
    sampledAt = now;
  }
  return utilization > busyFrom;
}
