import { setTimeout as delay } from "node:timers/promises";
import { patienceMs } from "../test/patience.ts";

/** Waits until `isTrue`; throws an error that names `what` after `limitMs`. */
export async function waitUntil(
  what: string,
  isTrue: () => Promise<boolean>,
  limitMs = 2 * patienceMs,
): Promise<void> {
  for (const deadline = performance.now() + limitMs; ; await delay(20)) {
    if (await isTrue()) return;
    if (performance.now() > deadline) throw new Error(`${what}: not within ${limitMs / 1_000} s`);
  }
}
