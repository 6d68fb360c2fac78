import type { Hono } from "hono";
import { compress } from "hono/compress";
import { isDatabaseUnavailable } from "../platform/database/database.ts";
import { isSameOrigin } from "../platform/http/origin.ts";
import { problem } from "../platform/http/problem.ts";
import { withWholeBody } from "../platform/http/request-body.ts";
import { refuse } from "./answers.ts";
import type { Callers } from "./callers.ts";
import { canonicalPath } from "./canonical-path.ts";
import { pageCaller } from "./page-calls.ts";
import type { AppInput, Env } from "./parts.ts";

/** Methods without a body. */
const reading = new Set(["GET", "HEAD"]);

/** Everything that is neither API nor probe. */
export function servePagesAndFiles(app: Hono<Env>, parts: AppInput, callers: Callers): void {
  const { ctx, cachedPages, files, pages } = parts;
  const { config, log, sessions } = ctx;
  app.get("*", (c, next) => {
    const canonical = canonicalPath(new URL(c.req.url));
    if (canonical === null) return next();
    c.header("Cache-Control", "public, max-age=86400");
    return Promise.resolve(c.redirect(canonical, 301));
  });
  // Before compression: these pages are compressed already.
  app.get("*", async (c, next) => (await cachedPages?.answer(c.req.raw)) ?? next());
  for (const { path, serve } of files) app.use(path, serve);
  app.use("*", compress());
  // TRACE, which a Request cannot have; pages do not need it, since it only echoes the request.
  app.on("TRACE", "*", (c) => {
    const headers = { Allow: "GET, HEAD" };
    return refuse(c, problem("method_not_allowed", "This address takes GET, HEAD.", { headers }));
  });
  app.all("*", async (c) => {
    if (!isSameOrigin(c.req.raw, config.publicUrl)) {
      return refuse(c, problem("forbidden", "This call must come from the shop’s own pages."));
    }
    const viewer = await sessions
      .viewer(c.req.header("cookie") ?? null, callers.addressOf(c))
      .catch((error: unknown) => {
        if (!isDatabaseUnavailable(error)) throw error;
        log.warn({ err: error, requestId: c.get("requestId") }, "the database is unavailable");
        return null;
      });
    // Origin check for forms sent without JavaScript; the gate checks API calls.
    const request = reading.has(c.req.method) ? c.req.raw : await withWholeBody(c.req.raw);
    if ("problem" in request) return refuse(c, request);
    return pages.personal(request, viewer, pageCaller(parts, callers, c));
  });
}
