import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type CachedPage, chooseForm } from "../pages/cached-page.ts";
import { inertContentSecurityPolicy } from "../platform/http/security-headers.ts";
import type { Callers } from "./callers.ts";
import type { NoteRequest } from "./request-log.ts";

/** Answers a request from the cache, synchronously; false: the request must take the usual path. */
export type AnswerNow = (incoming: IncomingMessage, outgoing: ServerResponse) => boolean;

/**
 * Most requests are for cached bytes. They are answered on Node's own request and response, because wrapping these and
 * passing every middleware would cost more than all other work.
 */
export function answerFromMemory({
  peek,
  callers,
  common,
  note,
}: {
  /** The cached page for a URL (path and query), and the route for its metrics. */
  peek(url: string): { page: CachedPage; route: string } | null;
  callers: Callers;
  /** Headers of every answer, in lower case. */
  common: Record<string, string>;
  note: NoteRequest;
}): AnswerNow {
  /** Headers of each encoding merged with the common ones, as Node writes them: alternating names and values. */
  const rawHeaders = new WeakMap<Record<string, string>, string[]>();
  const rawOf = (headers: Record<string, string>): string[] => {
    const cachedHeaders = rawHeaders.get(headers);
    if (cachedHeaders) return cachedHeaders;
    const raw = Object.entries({
      "content-security-policy": inertContentSecurityPolicy,
      ...common,
      ...headers,
    }).flat();
    rawHeaders.set(headers, raw);
    return raw;
  };
  return (incoming, outgoing) => {
    const { method = "", url = "", headers } = incoming;
    if ((method !== "GET" && method !== "HEAD") || !url.startsWith("/")) return false;
    const begunAt = performance.now();
    if (callers.mustGoToHttps({ incoming })) return false;
    const answer = peek(url);
    if (answer === null) return false;
    const form = chooseForm(answer.page, {
      method,
      acceptEncoding: headers["accept-encoding"]?.toString() ?? null,
      ifNoneMatch: headers["if-none-match"] ?? null,
    });
    const requestId = randomUUID();
    outgoing.writeHead(form.status, [...rawOf(form.headers), "x-request-id", requestId]);
    outgoing.end(form.body ?? undefined);
    note({ requestId, method, route: answer.route, status: form.status, begunAt });
    return true;
  };
}
