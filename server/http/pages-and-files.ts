import type { Context, Hono } from "hono";
import { compress } from "hono/compress";
import type { UncheckedInput } from "../api-row.ts";
import type { CallInProcess } from "../pages/render.ts";
import { isDatabaseUnavailable } from "../platform/database/database.ts";
import { runAsCall } from "../platform/database/running-call.ts";
import type { ApiProblem } from "../platform/http/api-response.ts";
import { isOriginAllowed } from "../platform/http/origin.ts";
import { type Problem, problem, problemStatus } from "../platform/http/problem.ts";
import { withBufferedBody } from "../platform/http/request-body.ts";
import { toRunningCall } from "./api-calls.ts";
import type { AppInput, Env } from "./app-types.ts";
import type { Callers } from "./callers.ts";
import { checkInput, type Outgoing, passGate } from "./gate.ts";
import { problemResponse, toProblem } from "./responses.ts";

const methodsWithoutBody = new Set(["GET", "HEAD"]);

/** Everything that is neither API nor probe. */
export function servePagesAndFiles(app: Hono<Env>, input: AppInput, callers: Callers): void {
  const { ctx, cachedPages, files, pages } = input;
  const { config, log, sessions } = ctx;
  app.get("*", (c, next) => {
    const canonical = canonicalPath(new URL(c.req.url));
    if (canonical === null) return next();
    c.header("Cache-Control", "public, max-age=86400");
    return Promise.resolve(c.redirect(canonical, 301));
  });
  // Before compression: these pages are compressed already.
  app.get("*", async (c, next) => (await cachedPages?.respond(c.req.raw)) ?? next());
  for (const { path, serve } of files) app.use(path, serve);
  app.use("*", compress());
  // A Request cannot have the method TRACE, so the pages below would throw.
  app.on("TRACE", "*", (c) => {
    const headers = { Allow: "GET, HEAD" };
    return problemResponse(c, problem("method_not_allowed", "This address takes GET, HEAD.", { headers }));
  });
  app.all("*", async (c) => {
    if (!isOriginAllowed(c.req.raw, config.publicUrl)) {
      return problemResponse(c, problem("forbidden", "This call must come from the shop’s own pages."));
    }
    const viewer = await sessions
      .viewer(c.req.header("cookie") ?? null, callers.clientIp(c))
      .catch((error: unknown) => {
        if (!isDatabaseUnavailable(error)) throw error;
        log.warn({ err: error, requestId: c.get("requestId") }, "the database is unavailable");
        return null;
      });
    // Origin check for forms sent without JavaScript; the gate checks API calls.
    const request = methodsWithoutBody.has(c.req.method) ? c.req.raw : await withBufferedBody(c.req.raw);
    if ("problem" in request) return problemResponse(c, request);
    return pages.renderPersonal(request, viewer, pageCaller(input, callers, c));
  });
}

/** Files named by content, API calls and provider ids: their paths may be case-sensitive. */
const caseSensitivePrefixes = [
  "/api/",
  "/assets/",
  "/images/",
  "/share/",
  "/sandbox/",
  "/.well-known/",
  "/__",
];

/**
 * The canonical path and query, or null if it is canonical already: lower case, no trailing slash. The redirect stays
 * in this shop: it begins with exactly one slash, and paths with extra slashes are left for the 404 page.
 */
export function canonicalPath(url: URL): string | null {
  const { pathname, search } = url;
  if (caseSensitivePrefixes.some((prefix) => pathname.startsWith(prefix)) || pathname.endsWith(".data"))
    return null;
  const trimmed = pathname.replace(/(?<!\/)\/+$/, "");
  if (trimmed === "") return pathname === "/" ? null : `/${search}`;
  if (/\/\/|\\|%2f|%5c/i.test(trimmed)) return null;
  // Escapes such as %C3 are upper case and mean the same either way.
  const path = trimmed.replace(/%[0-9a-f]{2}|[A-Z]+/gi, (part) =>
    part.startsWith("%") ? part : part.toLowerCase(),
  );
  return path === pathname ? null : path + search;
}

/** Calls an API row in process for the page being rendered, as its caller, through the same gate as over HTTP. */
function pageCaller({ api, ctx }: AppInput, callers: Callers, c: Context<Env>): CallInProcess {
  return async (key: string, unchecked: UncheckedInput = {}) => {
    const row = api.find((apiRow) => apiRow.key === key);
    if (!row) throw new Error(`there is no call ${key}`);
    const caller = callers.readCaller(c, pickStrings(unchecked.params));
    const input = { ...unchecked, params: caller.pathParams, query: pickStrings(unchecked.query) };
    const { result, cookies } = await runAsCall(toRunningCall(row), () =>
      passGate(ctx, row, caller, () => checkInput(row, input)),
    ).catch((error: unknown): Outgoing => {
      return { result: toProblem(error, c.get("requestId"), ctx.log), cookies: [] };
    });
    if (!("problem" in result)) return { result: { ok: true, body: result.body }, cookies };
    return { result: { ok: false, problem: apiProblem(result) }, cookies };
  };
}

function apiProblem({ problem: error, headers, fields = {}, available = {}, ...rest }: Problem): ApiProblem {
  const retryAfterSeconds = headers?.["Retry-After"] === undefined ? null : Number(headers["Retry-After"]);
  return { status: problemStatus(error), error, fields, available, retryAfterSeconds, ...rest };
}

/** A value as in a query string; null and undefined are omitted. */
function pickStrings(values: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values ?? {}).flatMap(([name, value]) =>
      value === undefined || value === null ? [] : [[name, String(value)]],
    ),
  );
}
