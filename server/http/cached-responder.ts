import type { IncomingMessage, ServerResponse } from "node:http";
import { type CachedPage, selectVariant } from "../pages/cached-page.ts";
import { inertContentSecurityPolicy } from "../platform/http/security-headers.ts";
import type { Callers } from "./callers.ts";
import type { RecordRequest } from "./request-log.ts";

/** Serves a request from the cache, synchronously. Returns false if the request must take the usual path. */
export type RespondFromCache = (incoming: IncomingMessage, outgoing: ServerResponse) => boolean;

/**
 * Most requests are for cached bytes. They are served on Node's own request and response, because wrapping these and
 * passing every middleware would cost more than all other work.
 */
export function cachedResponder({
  peek,
  callers,
  commonHeaders,
  nextRequestId,
  recordRequest,
}: {
  /** The cached page for a URL (path and query), and the route for its metrics. `now`: result of `performance.now()`. */
  peek(url: string, now: number): { page: CachedPage; route: string } | null;
  callers: Callers;
  /** Headers of every response, in lower case. */
  commonHeaders: Record<string, string>;
  nextRequestId(): string;
  recordRequest: RecordRequest;
}): RespondFromCache {
  /**
   * A response's headers merged with the common ones, as Node writes them: alternating names and values. The last value is the
   * request's id.
   */
  const rawHeadersCache = new WeakMap<Record<string, string>, string[]>();
  const toRawHeaders = (headers: Record<string, string>): string[] => {
    const cached = rawHeadersCache.get(headers);
    if (cached) return cached;
    const allHeaders = {
      "content-security-policy": inertContentSecurityPolicy,
      ...commonHeaders,
      ...headers,
    };
    const rawHeaders = [...Object.entries(allHeaders).flat(), "x-request-id", ""];
    rawHeadersCache.set(headers, rawHeaders);
    return rawHeaders;
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
    const rawHeaders = toRawHeaders(ownHeaders);
    // Node writes the headers within this call and does not keep the list, so all requests share it.
    rawHeaders[rawHeaders.length - 1] = requestId;
    outgoing.writeHead(status, rawHeaders);
    outgoing.end(body ?? undefined);
    recordRequest({ requestId, method, route: response.route, status, startedAt });
    return true;
  };
}
