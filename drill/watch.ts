import { setTimeout as delay } from "node:timers/promises";
import { type Call, call, isBroken } from "./call.ts";
import type { Site } from "./site.ts";

const callEveryMs = 100;
/** A call that takes longer is aborted. */
const callMs = 10_000;

/** Failures seen by a shopper who adds to a cart ten times a second; times of `performance.now()`. */
export type Observations = {
  failures: Call[];
  /** Longest time (ms) from a failure to the next successful call. */
  longestOutageMs: number;
};

/** Watches the shop through its balancer by calls that write, until `stop`. */
export function watchShop({ balancer }: Site): { stop(): Promise<Observations> } {
  const answers: Call[] = [];
  const openCalls = new Set<Promise<void>>();
  let isOver = false;

  async function addToCart(visit: number): Promise<void> {
    const result = await call(balancer.url, "/api/cart/add", {
      method: "POST",
      body: JSON.stringify({ productId: 1, quantity: 1 }),
      headers: {
        "Content-Type": "application/json",
        "X-Forwarded-For": `10.200.${(visit >> 8) & 255}.${visit & 255}`,
      },
      limitMs: callMs,
    });
    answers.push(result);
  }

  async function watch(): Promise<void> {
    for (let visit = 0; !isOver; visit += 1) {
      const openCall = addToCart(visit).finally(() => openCalls.delete(openCall));
      openCalls.add(openCall);
      await delay(callEveryMs);
    }
    await Promise.all(openCalls);
  }
  const watching = watch();

  return {
    async stop() {
      isOver = true;
      await watching;
      return { failures: answers.filter(isBroken), longestOutageMs: longestOutage(answers) };
    },
  };
}

/** `calls` in the order in which they ended. */
function longestOutage(calls: readonly Call[]): number {
  let longest = 0;
  let since: number | null = null;
  for (const result of calls) {
    const endedAt = result.at + result.ms;
    if (since !== null) longest = Math.max(longest, endedAt - since);
    if (!isBroken(result)) since = null;
    else since ??= endedAt;
  }
  return longest;
}
