import { setTimeout as delay } from "node:timers/promises";
import { type Call, call, isBroken } from "./call.ts";
import type { Site } from "./site.ts";

const askEveryMs = 100;
/** A call that takes longer is given up. */
const askMs = 10_000;

/** What somebody saw who put something into a cart ten times a second; times of `performance.now()`. */
export type Seen = {
  failures: Call[];
  /** The longest time (ms) from a failure to the next call that went well. */
  longestOutageMs: number;
};

/** Watches the shop through its balancer, with calls that write. `stop` answers what was seen. */
export function watchShop({ balancer }: Site): { stop(): Promise<Seen> } {
  const answers: Call[] = [];
  const asked = new Set<Promise<void>>();
  let isOver = false;

  async function ask(visit: number): Promise<void> {
    const made = await call(balancer.url, "/api/cart/add", {
      method: "POST",
      body: JSON.stringify({ productId: 1, quantity: 1 }),
      headers: {
        "Content-Type": "application/json",
        "X-Forwarded-For": `10.200.${(visit >> 8) & 255}.${visit & 255}`,
      },
      limitMs: askMs,
    });
    answers.push(made);
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
      return { failures: answers.filter(isBroken), longestOutageMs: longestOutage(answers) };
    },
  };
}

/** `calls` in the order in which they ended. */
function longestOutage(calls: readonly Call[]): number {
  let longest = 0;
  let since: number | null = null;
  for (const made of calls) {
    const endedAt = made.at + made.ms;
    if (since !== null) longest = Math.max(longest, endedAt - since);
    if (!isBroken(made)) since = null;
    else since ??= endedAt;
  }
  return longest;
}
