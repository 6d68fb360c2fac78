import { timingSafeEqual } from "node:crypto";
import { type Context, Hono, type Next } from "hono";
import type { Config } from "../platform/config.ts";
import { runAsCall } from "../platform/database/running-call.ts";
import { isLoopback } from "../platform/http/client-address.ts";
import { problem } from "../platform/http/problem.ts";
import { inertContentSecurityPolicy, securityHeaders } from "../platform/http/security-headers.ts";
import { runAsWork, workAttributes } from "../platform/process/running-work.ts";
import { withSpan } from "../platform/process/tracing.ts";
import { serveApi } from "./api-calls.ts";
import type { App, AppInput, Env } from "./app-types.ts";
import { cachedResponder } from "./cached-responder.ts";
import { type Callers, createCallers } from "./callers.ts";
import { servePagesAndFiles } from "./pages-and-files.ts";
import { requestIds, requestLog } from "./request-log.ts";
import { errorResponse, problemResponse } from "./responses.ts";

/** The HTTP app. Every response passes through here, errors included. */
export function createApp(input: AppInput): App {
  const { ctx, cachedPages } = input;
  const { config, log } = ctx;
  const app = new Hono<Env>();
  const commonHeaders = withLowerCaseNames(securityHeaders(config));
  const callers = createCallers(config);
  const recordRequest = requestLog(ctx);
  const nextRequestId = requestIds();

  app.use((c, next) => {
    const requestId = nextRequestId();
    return runAsWork({ requestId }, () => respond(c, next, requestId));
  });
  async function respond(c: Context<Env>, next: Next, requestId: string): Promise<void> {
    const startedAt = performance.now();
    c.set("requestId", requestId);
    c.set("route", "page");
    const call = { name: pageSubject(c.req.path), writes: !isReading(c.req.method) };
    await withSpan(
      "request",
      { "http.request.method": c.req.method, "request.id": requestId },
      async (span) => {
        await runAsCall(call, next);
        // Logs the route, because the URL may contain a token.
        const route = c.get("route");
        span?.updateName(`${c.req.method} ${route}`);
        span?.setAttributes({
          "http.route": route,
          "http.response.status_code": c.res.status,
          ...workAttributes(),
        });
      },
    );
    // Pages with a token in their URL set a stricter referrer policy.
    for (const [name, value] of Object.entries(commonHeaders)) {
      if (!c.res.headers.has(name)) c.res.headers.set(name, value);
    }
    if (!c.res.headers.has("Content-Security-Policy")) {
      c.res.headers.set("Content-Security-Policy", inertContentSecurityPolicy);
    }
    c.res.headers.set("X-Request-Id", requestId);
    recordRequest({
      requestId,
      method: c.req.method,
      route: c.get("route"),
      status: c.res.status,
      startedAt,
    });
  }
  app.use(async (c, next) => {
    if (!callers.mustGoToHttps(c.env)) return next();
    const { pathname, search } = new URL(c.req.url);
    if (isProbe(c.req.method, pathname)) return next();
    return c.redirect(`${config.publicUrl}${pathname}${search}`, 308);
  });
  app.onError((error, c) => errorResponse(c, error, log));

  const api = serveApi(app, input, callers);
  serveProbes(app, input, callers);
  servePagesAndFiles(app, input, callers);

  return {
    fetch: (request, env = {}) => app.fetch(request, env),
    request: async (path, init, env = {}) =>
      app.fetch(new Request(new URL(path, config.publicUrl), init), env),
    respondFromCache: cachedResponder({
      peek(url, now) {
        if (url.startsWith("/api/")) return api.peek(url, now);
        const page = cachedPages?.peek(url, now);
        return page ? { page, route: "page" } : null;
      },
      callers,
      commonHeaders,
      nextRequestId,
      recordRequest,
    }),
  };
}

/** "/checkout/success" -> "/checkout". Calls to it may wait for locked orders, so connections are limited by this name. */
function pageSubject(path: string): string {
  return path.split("/", 2).join("/");
}

/** Whether the method leaves the database unchanged. */
function isReading(method: string): boolean {
  return method === "GET" || method === "HEAD";
}

function withLowerCaseNames(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** Load balancers and metrics collectors request these from each server over plain http, from anywhere. */
function isProbe(method: string, path: string): boolean {
  return ["/healthz", "/readyz", "/metrics"].includes(path) || (method === "OPTIONS" && path === "/");
}

/** Endpoints for load balancers and metrics collectors. Metrics count them apart from people's requests. */
function serveProbes(app: Hono<Env>, input: AppInput, callers: Callers): void {
  const { readiness, showsPages } = input;
  const { config, metrics } = input.ctx;
  app.get("/healthz", (c) => {
    c.set("route", "/healthz");
    return c.json({ status: "ok" });
  });
  app.get("/readyz", async (c) => {
    c.set("route", "/readyz");
    // Checks no dependency: during an outage the server still serves its cached pages.
    if (c.req.query("for") === "pages") {
      const hasPages = showsPages();
      return c.json({ status: hasPages ? "ready" : "not ready" }, hasPages ? 200 : 503);
    }
    const { isReady, degraded } = await readiness();
    const details = Object.keys(degraded).length > 0 && { degraded };
    return c.json({ status: isReady ? "ready" : "not ready", ...details }, isReady ? 200 : 503);
  });
  // HAProxy's default health check.
  app.on("OPTIONS", "/", async (c) => {
    c.set("route", "/readyz");
    const { isReady } = await readiness();
    return c.body(null, isReady ? 204 : 503, { Allow: "GET, HEAD, OPTIONS" });
  });
  app.get("/metrics", async (c) => {
    c.set("route", "/metrics");
    const forwardedFor = c.req.header("x-forwarded-for") ?? null;
    const authorization = c.req.header("authorization") ?? null;
    if (!mayReadMetrics(config, { address: callers.clientIp(c), forwardedFor, authorization })) {
      return problemResponse(c, problem("unauthorized", "Send the metrics token as a bearer token."));
    }
    return c.body(await metrics.text(), 200, { "Content-Type": metrics.contentType });
  });
}

/** Whether a caller may read /metrics: from this machine, or with the token. */
function mayReadMetrics(
  config: Pick<Config, "metricsToken" | "trustProxy">,
  caller: { address: string; forwardedFor: string | null; authorization: string | null },
): boolean {
  // An undeclared proxy on this machine makes every caller look local.
  const isLocal =
    isLoopback(caller.address) && (config.trustProxy.length > 0 || caller.forwardedFor === null);
  return isLocal || (config.metricsToken !== null && isBearer(config.metricsToken, caller.authorization));
}

function isBearer(token: string, authorization: string | null): boolean {
  const expected = Buffer.from(`Bearer ${token}`);
  const header = Buffer.from(authorization ?? "");
  return header.length === expected.length && timingSafeEqual(header, expected);
}
