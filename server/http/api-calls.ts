import type { Hono } from "hono";
import { maxReviewPhotos } from "../../domain/reviews/review-form.ts";
import type { AnyApiRow } from "../api-row.ts";
import type { ShopContext } from "../context.ts";
import { type CachedPage, toResponse as pageToResponse } from "../pages/cached-page.ts";
import { slugPattern } from "../pages/public-pages.ts";
import { runAsCall } from "../platform/database/running-call.ts";
import { networkPrefix } from "../platform/http/client-address.ts";
import { notFoundProblem, problem, rateLimited } from "../platform/http/problem.ts";
import { discardBody } from "../platform/http/request-body.ts";
import type { AppInput, Env } from "./app-types.ts";
import type { Callers } from "./callers.ts";
import { checkInput, passGate, readInput } from "./gate.ts";
import { problemResponse, toResponse } from "./responses.ts";

/** Maximum number of concurrent uploads of one row, each with its file in memory; a limit per hour would not stop a burst. */
const maxUploads = 8;
/**
 * Maximum number of concurrent uploads of one network to a row that is open to all, so that its slow senders do not exclude other
 * networks. A review's form sends all its photos at once.
 */
const maxUploadsPerNetwork = maxReviewPhotos;
const manyUploads = "Many files are being uploaded right now. Please try again in a minute.";

const docsPolicy = "default-src 'none'; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'";

/**
 * Serves everything below /api/: each row (API call) with its access checks, the API's description, and 404 for the rest.
 * `peek` returns a cached answer, or null without calling the row.
 */
export function serveApi(
  app: Hono<Env>,
  input: AppInput,
  callers: Callers,
): { peek(url: string, now: number): { page: CachedPage; route: string } | null } {
  const { cache, ctx, openApi } = input;
  for (const row of input.api) {
    /** Networks of the open uploads. */
    const uploads: string[] = [];
    app.on(row.method, row.path, async (c) => {
      c.set("route", row.path);
      const cacheKey = cache && row.cache ? rowCacheKey(c.req.path, row) : null;
      if (cache && cacheKey !== null) {
        const page = await cache.get(cacheKey, () => anonymousResponse(ctx, row, c.req.param()), {
          neverStale: true,
        });
        // Refusals are not cached: each contains its request's id.
        if (page.status === 200) return pageToResponse(page, c.req.raw);
      }
      const request = c.req.raw;
      const caller = callers.readCaller(c, c.req.param());
      let isUploading = false;
      const network = networkPrefix(caller.address);
      const read = async () => {
        const networkUploads = uploads.filter((upload) => upload === network).length;
        const hasNetworkTooMany = row.access === "anyone" && networkUploads >= maxUploadsPerNetwork;
        if (row.upload && (hasNetworkTooMany || uploads.length >= maxUploads))
          return rateLimited(manyUploads, 30);
        isUploading = row.upload !== undefined;
        if (isUploading) uploads.push(network);
        return readInput(row, request, caller.pathParams);
      };
      const { result, cookies } = await runAsCall(toRunningCall(row), () =>
        passGate(ctx, row, caller, read),
      ).finally(() => {
        if (isUploading) uploads.splice(uploads.indexOf(network), 1);
      });
      if (row.upload && "problem" in result) await discardBody(request);
      const response = "problem" in result ? problemResponse(c, result) : toResponse(result);
      for (const cookie of cookies) response.headers.append("Set-Cookie", cookie);
      return response;
    });
  }
  app.get("/api/openapi.json", (c) => c.json(openApi.document()));
  app.get("/api/docs", (c) => {
    c.header("Content-Security-Policy", docsPolicy);
    return c.html(openApi.page());
  });
  for (const [path, methods] of methodsByPath(input.api)) {
    const allowed = methods.join(", ");
    app.all(path, (c) => {
      c.set("route", path);
      const headers = { Allow: allowed };
      return problemResponse(c, problem("method_not_allowed", `This address takes ${allowed}.`, { headers }));
    });
  }
  app.all("/api/*", (c) => {
    c.set("route", "/api/*");
    return problemResponse(c, notFoundProblem("call. See /api/docs"));
  });
  const cachedRows = cache ? input.api.filter((row) => row.cache) : [];
  return {
    peek(url, now) {
      const query = url.indexOf("?");
      const path = query < 0 ? url : url.slice(0, query);
      // Only paths of cached rows have an entry.
      const page = cache?.peek(path, now);
      const row = page && cachedRows.find((cachedRow) => rowCacheKey(path, cachedRow) !== null);
      return page && row ? { page, route: row.path } : null;
    },
  };
}

/** Cache key of a path's response; null for a path of another row, and for an unusual spelling that is not cached. */
function rowCacheKey(path: string, { path: pattern }: AnyApiRow): string | null {
  const parameter = pattern.indexOf("/:");
  if (parameter < 0) return path === pattern ? path : null;
  const prefix = pattern.slice(0, parameter + 1);
  return path.startsWith(prefix) && slugPattern.test(path.slice(prefix.length)) ? path : null;
}

/** A row's response to an anonymous caller, for the cache. */
async function anonymousResponse(ctx: ShopContext, row: AnyApiRow, pathParams: Record<string, string>) {
  ctx.changes.dependOn(...(row.cache ?? []));
  const caller = {
    headers: new Headers(),
    address: "127.0.0.1",
    isOriginAllowed: true,
    isFromOtherSite: false,
    pathParams,
  };
  const { result } = await runAsCall(toRunningCall(row), () =>
    passGate(ctx, row, caller, () => checkInput(row, { params: pathParams })),
  );
  if ("problem" in result) return { response: new Response(null, { status: 404 }), isCacheable: false };
  return { response: toResponse(result), isCacheable: true };
}

/** A row's call, as the pool of database connections sees it (docs/decisions/0027-database-access.md). */
export const toRunningCall = (row: AnyApiRow) => ({ name: callSubject(row), writes: row.method !== "GET" });

/**
 * The subject of a call, such as "/api/stripe" or "/api/admin/orders": calls that wait for the same database rows mostly share
 * one. The provider's webhook has its own: it only stores events and must not wait for checkouts.
 */
function callSubject({ path, access }: AnyApiRow): string {
  if (access === "provider") return path;
  return path.split("/", path.startsWith("/api/admin/") ? 4 : 3).join("/");
}

/** Literal paths come first: `/api/orders/:id` would also match `/api/orders/find`. */
function methodsByPath(api: readonly AnyApiRow[]): [path: string, methods: string[]][] {
  const documentRoutes = ["/api/openapi.json", "/api/docs"].map((path) => ({ path, method: "GET" }));
  return [...Map.groupBy([...documentRoutes, ...api], ({ path }) => path)]
    .map(([path, rows]): [string, string[]] => [path, rows.map(({ method }) => method)])
    .sort(([a], [b]) => Number(a.includes(":")) - Number(b.includes(":")));
}
