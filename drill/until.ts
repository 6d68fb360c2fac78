import { setTimeout as delay } from "node:timers/promises";
import { patienceMs } from "../test/patience.ts";

/** Waits until `isTrue` returns true; after `limitMs`, throws an error with `description`. */
export async function waitUntil(
  description: string,
  isTrue: () => Promise<boolean>,
  limitMs = 2 * patienceMs,
): Promise<void> {
  for (const deadline = performance.now() + limitMs; ; await delay(20)) {
    if (await isTrue()) return;
    if (performance.now() > deadline) throw new Error(`${description}: not within ${limitMs / 1_000} s`);
  }
}
