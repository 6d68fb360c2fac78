import { setTimeout as delay } from "node:timers/promises";
import type { Site } from "./site.ts";

/** A request and its outcome as the caller saw it. */
export type Call = {
  /** Result of `performance.now()`. */
  startedAt: number;
  ms: number;
  path: string;
  /** Status code; null if there was no response, or the connection broke. */
  status: number | null;
  /** The response's body, or the error. */
  body: string;
  retryAfter: string | null;
};

/** Makes a call. Never throws: errors become part of the result. */
export async function call(
  url: string,
  path: string,
  request: RequestInit & { limitMs: number },
): Promise<Call> {
  const { limitMs, ...init } = request;
  const startedAt = performance.now();
  try {
    const response = await fetch(url + path, { ...init, signal: AbortSignal.timeout(limitMs) });
    const body = await response.text();
    const retryAfter = response.headers.get("retry-after");
    return { startedAt, ms: performance.now() - startedAt, path, status: response.status, body, retryAfter };
  } catch (error) {
    const body = error instanceof Error ? String(error.cause ?? error) : String(error);
    return { startedAt, ms: performance.now() - startedAt, path, status: null, body, retryAfter: null };
  }
}

/** Whether the call got no response, or a 5xx. */
export function isBroken({ status }: Call): boolean {
  return status === null || status >= 500;
}

const callEveryMs = 100;
/** Maximum number of open calls: more would only slow a busy machine down. */
const maxOpenCalls = 10;
/** A call that takes longer is aborted. */
const callTimeoutMs = 10_000;

/** Failures seen by a shopper who adds to a cart ten times a second. */
type Observations = {
  failures: Call[];
  /** Longest time (ms) from a failure to the next successful call. */
  longestOutageMs: number;
};

/** Adds to a cart through the shop's balancer again and again until `stop`, and records the responses. */
export function watchShop({ balancer }: Site): { stop(): Promise<Observations> } {
  const calls: Call[] = [];
  const openCalls = new Set<Promise<void>>();
  let isStopped = false;

  async function addToCart(visit: number): Promise<void> {
    const result = await call(balancer.url, "/api/cart/add", {
      method: "POST",
      body: JSON.stringify({ productId: 1, quantity: 1 }),
      headers: {
        "Content-Type": "application/json",
        "X-Forwarded-For": `10.200.${(visit >> 8) & 255}.${visit & 255}`,
      },
      limitMs: callTimeoutMs,
    });
    calls.push(result);
  }

  async function watch(): Promise<void> {
    for (let visit = 0; !isStopped; visit += 1) {
      if (openCalls.size >= maxOpenCalls) await Promise.race(openCalls);
      const openCall = addToCart(visit).finally(() => openCalls.delete(openCall));
      openCalls.add(openCall);
      await delay(callEveryMs);
    }
    await Promise.all(openCalls);
  }
  const loop = watch();

  return {
    async stop() {
      isStopped = true;
      await loop;
      return { failures: calls.filter(isBroken), longestOutageMs: longestOutage(calls) };
    },
  };
}

/** Longest time (ms) from a failure to the next successful call. `calls`: in the order in which they ended. */
function longestOutage(calls: readonly Call[]): number {
  let longest = 0;
  let outageStart: number | null = null;
  for (const result of calls) {
    const endedAt = result.startedAt + result.ms;
    if (outageStart !== null) longest = Math.max(longest, endedAt - outageStart);
    if (!isBroken(result)) outageStart = null;
    else outageStart ??= endedAt;
  }
  return longest;
}
