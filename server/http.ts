import { randomUUID } from "node:crypto";
import type { Http2Bindings, HttpBindings } from "@hono/node-server";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { compress } from "hono/compress";
import type { Logger } from "pino";
import type { ActivityLog } from "./admin/activity.ts";
import type { SessionGate } from "./admin/sessions.ts";
import { passGate } from "./api-gate.ts";
import { canonicalPath } from "./canonical-path.ts";
import type { EverybodysPages } from "./everybodys-pages.ts";
import { mayReadMetrics } from "./operations.ts";
import type { PageCall, Pages } from "./pages.ts";
import { ProviderRefused, ProviderUnavailable } from "./payments/provider.ts";
import type { Answer, AnyApiRoute } from "./platform/api-route.ts";
import { clientAddressReader, isLoopback } from "./platform/client-address.ts";
import type { Config } from "./platform/config.ts";
import { isDatabaseAway } from "./platform/database.ts";
import type { Metrics } from "./platform/metrics.ts";
import { isSameOrigin } from "./platform/origin.ts";
import { type Problem, problem, problemBody, problemStatus } from "./platform/problem.ts";
import type { RateLimits } from "./platform/rate-limit.ts";
import { bodyBytesMax } from "./platform/request-body.ts";
import { inertContentSecurityPolicy, securityHeaders } from "./platform/security-headers.ts";

export type AppParts = {
  config: Config;
  log: Logger;
  metrics: Metrics;
  limits: RateLimits;
  activity: ActivityLog;
  sessions: SessionGate;
  api: AnyApiRoute[];
  openApi: { document(): unknown; page(): string };
  files: { path: string; serve: MiddlewareHandler }[];
  /** Everything that is neither API nor file. */
  pages: Pages;
  /** The public ones among them, from memory; null in development, where every page is made anew. */
  everybodys: EverybodysPages | null;
  /** False while the database does not answer or the process is stopping. */
  isReady(): Promise<boolean>;
};

/** What Node tells of a request beside the request; none where tests ask. */
type Peer = Partial<HttpBindings | Http2Bindings>;

export type App = {
  /** Answers at once, without a promise, where it can. */
  fetch(request: Request, env?: Peer): Response | Promise<Response>;
  request(path: string, init?: RequestInit, env?: Peer): Promise<Response>;
};
type Env = { Bindings: Peer; Variables: { requestId: string; route: string } };

/** The whole HTTP face of the shop. Everything that answers goes through here, errors included. */
export function createApp(parts: AppParts): App {
  const { config, log, metrics } = parts;
  const app = new Hono<Env>();
  const common = lowerCased(securityHeaders(config));
  const readAddress = clientAddressReader(config.trustProxy);
  const { activity, limits, sessions } = parts;
  const gate = { publicUrl: config.publicUrl, activity, limits, sessions };
  const peerOf = (env: Peer | undefined) => env?.incoming?.socket.remoteAddress ?? "127.0.0.1";
  const addressOf = (c: Context<Env>) =>
    readAddress.of(peerOf(c.env), c.req.header("x-forwarded-for") ?? null);

  const note = (requestId: string, method: string, route: string, status: number, begunAt: number) => {
    const seconds = (performance.now() - begunAt) / 1000;
    metrics.countRequest(method, route, status, seconds);
    const ms = Math.round(seconds * 1000);
    log[logLevel(method, route, status)]({ requestId, method, route, status, ms }, "request");
  };

  app.use(async (c, next) => {
    const begunAt = performance.now();
    // Taken from a pool: as many random bytes of its own would cost each request a twentieth of its time.
    const requestId = randomUUID();
    c.set("requestId", requestId);
    c.set("route", "page");
    await next();
    // A page that holds a token in its address has a stricter referrer policy of its own.
    for (const [name, value] of Object.entries(common)) {
      if (!c.res.headers.has(name)) c.res.headers.set(name, value);
    }
    if (!c.res.headers.has("Content-Security-Policy")) {
      c.res.headers.set("Content-Security-Policy", inertContentSecurityPolicy);
    }
    c.res.headers.set("X-Request-Id", requestId);
    note(requestId, c.req.method, c.get("route"), c.res.status, begunAt);
  });

  // A browser that came over plain http is sent to https; a trusted proxy, or this machine itself, is answered.
  const isSecure = config.publicUrl.startsWith("https:");
  const mustGoToHttps = (peer: string) => isSecure && !isLoopback(peer) && !readAddress.isTrusted(peer);
  app.use(async (c, next) => {
    if (!mustGoToHttps(peerOf(c.env))) return next();
    const { pathname, search } = new URL(c.req.url);
    // Probes come over plain http from wherever the load balancer is.
    if (pathname === "/healthz" || pathname === "/readyz") return next();
    return c.redirect(`${config.publicUrl}${pathname}${search}`, 308);
  });

  const refuse = (requestId: string, refusal: Problem): Response =>
    Response.json(problemBody(refusal, requestId), {
      status: problemStatus(refusal.problem),
      headers: { ...refusal.headers, "Cache-Control": "no-store" },
    });

  const failure = (error: unknown, requestId: string): Problem => {
    if (error instanceof ProviderUnavailable) {
      log.warn({ err: error, requestId }, "the payment provider is away");
      return problem("provider_unavailable", "The payment provider cannot be reached. Please try again.");
    }
    log.error({ err: error, requestId }, "a request failed");
    if (error instanceof ProviderRefused) {
      return problem("payment_failed", "The payment provider refused this.");
    }
    return isDatabaseAway(error)
      ? problem("unavailable", "The shop is briefly unavailable. Please try again in a moment.", {
          headers: { "Retry-After": "5" },
        })
      : problem("internal", "Something went wrong on our side. Please try again.");
  };

  app.onError((error, c) => {
    const refusal = failure(error, c.get("requestId"));
    if (c.req.path.startsWith("/api/")) return refuse(c.get("requestId"), refusal);
    return c.text(
      `${refusal.message}\nReference: ${c.get("requestId")}`,
      problemStatus(refusal.problem) as 500,
      { ...refusal.headers, "Cache-Control": "no-store" },
    );
  });

  for (const row of parts.api) {
    app.on(row.method, row.path, async (c) => {
      c.set("route", row.path);
      const { answer, cookies } = await passGate(gate, row, {
        request: c.req.raw,
        pathParams: c.req.param(),
        address: addressOf(c),
      });
      const response = "problem" in answer ? refuse(c.get("requestId"), answer) : toResponse(answer);
      for (const cookie of cookies) response.headers.append("Set-Cookie", cookie);
      return response;
    });
  }

  app.get("/api/openapi.json", (c) => c.json(parts.openApi.document()));
  app.get("/api/docs", (c) => {
    c.header(
      "Content-Security-Policy",
      "default-src 'none'; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'",
    );
    return c.html(parts.openApi.page());
  });

  for (const [path, methods] of methodsByPath(parts.api)) {
    const allowed = methods.join(", ");
    app.all(path, (c) => {
      c.set("route", path);
      const refusal = problem("method_not_allowed", `This address takes ${allowed}.`, {
        headers: { Allow: allowed },
      });
      return refuse(c.get("requestId"), refusal);
    });
  }
  app.all("/api/*", (c) => {
    c.set("route", "/api/*");
    return refuse(c.get("requestId"), problem("not_found", "There is no such call. See /api/docs."));
  });

  app.get("/healthz", (c) => c.json({ status: "ok" }));
  app.get("/readyz", async (c) => {
    c.set("route", "/readyz");
    return (await parts.isReady()) ? c.json({ status: "ready" }) : c.json({ status: "not ready" }, 503);
  });
  app.get("/metrics", async (c) => {
    const forwardedFor = c.req.header("x-forwarded-for") ?? null;
    const authorization = c.req.header("authorization") ?? null;
    if (!mayReadMetrics(config, { address: addressOf(c), forwardedFor, authorization })) {
      return refuse(c.get("requestId"), problem("unauthorized", "Send the metrics token as a bearer token."));
    }
    return c.body(await metrics.text(), 200, { "Content-Type": metrics.contentType });
  });

  app.get("*", (c, next) => {
    const canonical = canonicalPath(new URL(c.req.url));
    if (canonical === null) return next();
    c.header("Cache-Control", "public, max-age=86400");
    return Promise.resolve(c.redirect(canonical, 301));
  });
  // Before what compresses: these pages are compressed already.
  app.get("*", async (c, next) => (await parts.everybodys?.answer(c.req.raw)) ?? next());
  for (const { path, serve } of parts.files) app.use(path, serve);
  app.use("*", compress());
  // Forms sent without JavaScript: the API's own calls are limited by its gate.
  const limitBody = bodyLimit({
    maxSize: bodyBytesMax,
    onError: (c) =>
      refuse(c.get("requestId"), problem("too_large", "The request is too large: at most 64 KiB.")),
  });
  app.use("*", (c, next) =>
    c.req.method === "GET" || c.req.method === "HEAD" ? next() : limitBody(c, next),
  );
  app.all("*", async (c) => {
    if (!isSameOrigin(c.req.raw, config.publicUrl)) {
      return refuse(
        c.get("requestId"),
        problem("forbidden", "This call must come from the shop’s own pages."),
      );
    }
    const viewer = await parts.sessions.viewer(c.req.header("cookie") ?? null).catch((error: unknown) => {
      if (!isDatabaseAway(error)) throw error;
      log.warn({ err: error, requestId: c.get("requestId") }, "the database is away");
      return null;
    });
    return parts.pages.personal(c.req.raw, viewer, (call) => callForPage(app, c, call));
  });

  const fetch: App["fetch"] = (request, env = {}) => {
    const begunAt = performance.now();
    if (!mustGoToHttps(peerOf(env))) {
      const requestId = randomUUID();
      const kept = parts.everybodys?.answerNow(request, { ...common, "x-request-id": requestId });
      if (kept) {
        note(requestId, request.method, "page", kept.status, begunAt);
        return kept;
      }
    }
    return app.fetch(request, env);
  };
  return {
    fetch,
    request: async (path, init, env) => fetch(new Request(new URL(path, config.publicUrl), init), env),
  };
}

function lowerCased(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** What a page asks of the API passes through the same gate as the same call made by a script. */
async function callForPage(
  app: Hono<Env>,
  c: Context<Env>,
  { method, path, body }: PageCall,
): Promise<Response> {
  const headers = new Headers({ "Content-Type": "application/json" });
  for (const name of ["cookie", "origin", "sec-fetch-site", "host", "x-forwarded-for"]) {
    const value = c.req.header(name);
    if (value !== undefined) headers.set(name, value);
  }
  if (method === "GET") return app.request(path, { headers }, c.env);
  return app.request(path, { method, headers, body: JSON.stringify(body) }, c.env);
}

/** Addresses spelled out come first: `/api/orders/:id` would answer for `/api/orders/find` as well. */
function methodsByPath(api: AnyApiRoute[]): [path: string, methods: string[]][] {
  const described = ["/api/openapi.json", "/api/docs"].map((path) => ({ path, method: "GET" }));
  return [...Map.groupBy([...described, ...api], ({ path }) => path)]
    .map(([path, rows]): [string, string[]] => [path, rows.map(({ method }) => method)])
    .sort(([a], [b]) => Number(a.includes(":")) - Number(b.includes(":")));
}

/** Reading is quiet. A server that says it is not ready is no error: it is starting or going. */
function logLevel(method: string, route: string, status: number): "error" | "info" | "debug" {
  if (status >= 500 && route !== "/readyz") return "error";
  return method === "GET" || method === "HEAD" ? "debug" : "info";
}

function toResponse({ status, body, stream, headers }: Answer): Response {
  const init = { status, headers: { "Cache-Control": "no-store", ...headers } };
  if (stream) return new Response(stream, init);
  return body === undefined ? new Response(null, init) : Response.json(body, init);
}
