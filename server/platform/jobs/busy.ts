import { performance } from "node:perf_hooks";
import { callsBegun } from "../database/running-call.ts";

/** Above this share of processor time the process is busy. */
const busyFrom = 0.7;
/** At this number of calls per second or fewer there is no rush, since probes call all the time. */
const rushFrom = 4;
/** Minimum duration of a measurement. */
const sampleMs = 250;

let lastUtilization = performance.eventLoopUtilization();
let sampledAt = performance.now();
let calls = callsBegun();
let isRush = false;

/**
 * Whether this process has recently been busy with calls, so that less urgent work should wait. Background work alone does not
 * count, because it would delay itself.
 */
export function isBusy(): boolean {
  const now = performance.now();
  const elapsedMs = now - sampledAt;
  if (elapsedMs >= sampleMs) {
    const total = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(total, lastUtilization);
    const perSecond = ((callsBegun() - calls) * 1_000) / elapsedMs;
    isRush = utilization > busyFrom && perSecond > rushFrom;
    lastUtilization = total;
    sampledAt = now;
    calls = callsBegun();
  }
  return isRush;
}
