import { setTimeout as delay } from "node:timers/promises";
import type { Site } from "./site.ts";

const askEveryMs = 100;
/** A call that takes longer is given up. */
const askMs = 10_000;

/** What somebody saw who put something into a cart ten times a second; times of `performance.now()`. */
export type Seen = {
  asked: number;
  failed: number;
  /** The longest time (ms) from a failure to the next call that went well. */
  longestOutageMs: number;
  /** Of the last failure; null without any. */
  lastFailureAt: number | null;
};

/** Watches the shop through its balancer, with calls that write. `stop` answers what was seen. */
export function watchShop({ balancer }: Site): { stop(): Promise<Seen> } {
  const answers: { at: number; isGood: boolean }[] = [];
  const asked = new Set<Promise<void>>();
  let isOver = false;

  async function ask(visit: number): Promise<void> {
    const answer = await fetch(`${balancer.url}/api/cart/add`, {
      method: "POST",
      body: JSON.stringify({ productId: 1, quantity: 1 }),
      headers: {
        "Content-Type": "application/json",
        "X-Forwarded-For": `10.200.${(visit >> 8) & 255}.${visit & 255}`,
      },
      signal: AbortSignal.timeout(askMs),
    }).catch(() => null);
    await answer?.body?.cancel();
    answers.push({ at: performance.now(), isGood: answer !== null && answer.status < 500 });
  }

  async function watch(): Promise<void> {
    for (let visit = 0; !isOver; visit += 1) {
      const question = ask(visit).finally(() => asked.delete(question));
      asked.add(question);
      await delay(askEveryMs);
    }
    await Promise.all(asked);
  }
  const watching = watch();

  return {
    async stop() {
      isOver = true;
      await watching;
      const failures = answers.filter(({ isGood }) => !isGood);
      return {
        asked: answers.length,
        failed: failures.length,
        longestOutageMs: longestOutage(answers),
        lastFailureAt: failures.at(-1)?.at ?? null,
      };
    },
  };
}

/** Answers in the order in which they came. */
function longestOutage(answers: readonly { at: number; isGood: boolean }[]): number {
  let longest = 0;
  let since: number | null = null;
  for (const { at, isGood } of answers) {
    if (since !== null) longest = Math.max(longest, at - since);
    if (isGood) since = null;
    else since ??= at;
  }
  return longest;
}
