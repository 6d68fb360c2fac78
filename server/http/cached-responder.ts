import type { IncomingMessage, ServerResponse } from "node:http";
import { type CachedPage, selectVariant } from "../pages/cached-page.ts";
import { inertContentSecurityPolicy } from "../platform/http/security-headers.ts";
import type { Callers } from "./callers.ts";
import type { RecordRequest } from "./request-log.ts";

/** Serves a request from the cache, synchronously; false: the request must take the usual path. */
export type RespondFromCache = (incoming: IncomingMessage, outgoing: ServerResponse) => boolean;

/**
 * Most requests are for cached bytes. They are served on Node's own request and response, because wrapping these and
 * passing every middleware would cost more than all other work.
 */
export function cachedResponder({
  peek,
  callers,
  common,
  nextRequestId,
  note,
}: {
  /** The cached page for a URL (path and query), and the route for its metrics. `now`: of `performance.now()`. */
  peek(url: string, now: number): { page: CachedPage; route: string } | null;
  callers: Callers;
  /** Headers of every response, in lower case. */
  common: Record<string, string>;
  nextRequestId(): string;
  note: RecordRequest;
}): RespondFromCache {
  /**
   * A response's headers merged with the common ones, as Node writes them: alternating names and values. The last value is the
   * request's id.
   */
  const rawHeaders = new WeakMap<Record<string, string>, string[]>();
  const toRawHeaders = (headers: Record<string, string>): string[] => {
    const cached = rawHeaders.get(headers);
    if (cached) return cached;
    const all = { "content-security-policy": inertContentSecurityPolicy, ...common, ...headers };
    const raw = [...Object.entries(all).flat(), "x-request-id", ""];
    rawHeaders.set(headers, raw);
    return raw;
  };
  return (incoming, outgoing) => {
    const { method = "", url = "" } = incoming;
    if ((method !== "GET" && method !== "HEAD") || !url.startsWith("/")) return false;
    if (callers.mustGoToHttps({ incoming })) return false;
    const startedAt = performance.now();
    const response = peek(url, startedAt);
    if (response === null) return false;
    const { headers } = incoming;
    const {
      status,
      headers: ownHeaders,
      body,
    } = selectVariant(response.page, {
      method,
      acceptEncoding: headers["accept-encoding"]?.toString() ?? null,
      ifNoneMatch: headers["if-none-match"] ?? null,
    });
    const requestId = nextRequestId();
    const raw = toRawHeaders(ownHeaders);
    // Node writes the headers within this call and keeps none, so all requests share the list.
    raw[raw.length - 1] = requestId;
    outgoing.writeHead(status, raw);
    outgoing.end(body ?? undefined);
    note({ requestId, method, route: response.route, status, startedAt });
    return true;
  };
}
