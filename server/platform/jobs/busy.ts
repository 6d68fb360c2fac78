import { performance } from "node:perf_hooks";
import { countStartedCalls } from "../database/running-call.ts";

/** Share of processor time above which the process is busy. */
const busyUtilization = 0.7;
/** Calls per second that health probes alone cause; only more than these count as traffic. */
const probesPerSecond = 4;
/** Minimum duration of a measurement. */
const sampleMs = 250;

let lastUtilization = performance.eventLoopUtilization();
let sampledAt = performance.now();
let calls = countStartedCalls();
let isBusyWithCalls = false;

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
    const perSecond = ((countStartedCalls() - calls) * 1_000) / elapsedMs;
    isBusyWithCalls = utilization > busyUtilization && perSecond > probesPerSecond;
    lastUtilization = total;
    sampledAt = now;
    calls = countStartedCalls();
  }
  return isBusyWithCalls;
}
