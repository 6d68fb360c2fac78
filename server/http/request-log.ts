import type { ShopContext } from "../context.ts";

/** Logs and counts an answered request; `begunAt` is a time of `performance.now()`. */
export type NoteRequest = (request: {
  requestId: string;
  method: string;
  /** The route's pattern, never the address, which may contain a token: "/api/orders/:id", or "page". */
  route: string;
  status: number;
  begunAt: number;
}) => void;

export function requestLog({ log, metrics }: Pick<ShopContext, "log" | "metrics">): NoteRequest {
  return ({ requestId, method, route, status, begunAt }) => {
    const seconds = (performance.now() - begunAt) / 1000;
    metrics.countRequest(method, route, status, seconds);
    const ms = Math.round(seconds * 1000);
    log[logLevel(method, route, status)]({ requestId, method, route, status, ms }, "request");
  };
}

/** Successful reads are logged at debug level. Not being ready is no error: the server is starting or stopping. */
function logLevel(method: string, route: string, status: number): "error" | "info" | "debug" {
  if (status >= 500 && route !== "/readyz") return "error";
  return method === "GET" || method === "HEAD" ? "debug" : "info";
}
