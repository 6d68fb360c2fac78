import { performance } from "node:perf_hooks";

/** Above this share of processor time the process is busy. */
const busyFrom = 0.7;
/** A shorter measurement says little. */
const sampleMs = 250;

let sampled = performance.eventLoopUtilization();
let sampledAt = performance.now();
let utilization = 0;

/** Whether this process was busy lately, so that less urgent work should wait. */
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
