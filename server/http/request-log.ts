import { randomUUID } from "node:crypto";
import type { ShopContext } from "../context.ts";

/** Logs and counts a completed request. `startedAt`: result of `performance.now()`. */
export type RecordRequest = (request: {
  requestId: string;
  method: string;
  /** The route's pattern, never the URL, which may contain a token: "/api/orders/:id", or "page". */
  route: string;
  status: number;
  startedAt: number;
}) => void;

export function requestLog({ log, metrics }: Pick<ShopContext, "log" | "metrics">): RecordRequest {
  return ({ requestId, method, route, status, startedAt }) => {
    const seconds = (performance.now() - startedAt) / 1000;
    metrics.countRequest(method, route, status, seconds);
    const level = logLevel(method, route, status);
    if (!log.isLevelEnabled(level)) return;
    log[level]({ requestId, method, route, status, ms: Math.round(seconds * 1000) }, "request");
  };
}

/** Successful reads are logged at debug level. Not being ready is not an error: the server is starting or stopping. */
function logLevel(method: string, route: string, status: number): "error" | "info" | "debug" {
  if (status >= 500 && route !== "/readyz") return "error";
  return method === "GET" || method === "HEAD" ? "debug" : "info";
}

const threeDigits = Array.from({ length: 16 ** 3 }, (_, number) => number.toString(16).padStart(3, "0"));

/**
 * Request ids as UUIDs: random per process, except the last 12 digits, which are a counter. A random id per request would cost
 * more than finding a page in the cache.
 */
export function requestIds(): () => string {
  const prefix = randomUUID().slice(0, -12);
  let start = "";
  let count = -1;
  return () => {
    count += 1;
    const low = count % threeDigits.length;
    if (low === 0) start = prefix + (count / threeDigits.length).toString(16).padStart(9, "0");
    return start + threeDigits[low];
  };
}
