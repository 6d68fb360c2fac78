import { randomBytes } from "node:crypto";
import type { HttpBindings } from "@hono/node-server";
import { Hono, type MiddlewareHandler } from "hono";
import { compress } from "hono/compress";
import type { Logger } from "pino";
import type { SessionGate } from "./admin/sessions.ts";
import { ProviderRefused, ProviderUnavailable } from "./payments/provider.ts";
import type { AnyApiRoute, ApiCall } from "./platform/api-route.ts";
import { clientAddressReader, isLoopback, limitKey } from "./platform/client-address.ts";
import type { Config } from "./platform/config.ts";
import { isDatabaseAway } from "./platform/database.ts";
import type { Metrics } from "./platform/metrics.ts";
import { isSameOrigin } from "./platform/origin.ts";
import { type Problem, problem, problemBody, problemStatus } from "./platform/problem.ts";
import type { RateLimits } from "./platform/rate-limit.ts";
import { parseInput, parseJson, readBody } from "./platform/request-body.ts";
import { inertContentSecurityPolicy, securityHeaders } from "./platform/security-headers.ts";
import type { Viewer } from "./platform/viewer.ts";

export type AppParts = {
  config: Config;
  log: Logger;
  metrics: Metrics;
  limits: RateLimits;
  sessions: SessionGate;
  api: AnyApiRoute[];
  openApi: { document(): unknown; page(): string };
  files: { path: string; serve: MiddlewareHandler }[];
  /** Renders a page; everything that is neither API nor file. */
  page(request: Request, viewer: Viewer): Promise<Response>;
  /** False while the database does not answer or the process is stopping. */
  isReady(): Promise<boolean>;
};

export type App = Hono<Env>;
type Env = { Bindings: Partial<HttpBindings>; Variables: { requestId: string; route: string } };

/** The whole HTTP face of the shop. Everything that answers goes through here, errors included. */
export function createApp(parts: AppParts): App {
  const { config, log, metrics } = parts;
  const app = new Hono<Env>();
  const common = Object.entries(securityHeaders(config));
  const readAddress = clientAddressReader(config.trustProxy);
  const peerOf = (env: Partial<HttpBindings> | undefined) =>
    env?.incoming?.socket.remoteAddress ?? "127.0.0.1";

  app.use(async (c, next) => {
    const began = performance.now();
    const requestId = randomBytes(9).toString("base64url");
    c.set("requestId", requestId);
    c.set("route", "page");
    await next();
    for (const [name, value] of common) c.res.headers.set(name, value);
    if (!c.res.headers.has("Content-Security-Policy")) {
      c.res.headers.set("Content-Security-Policy", inertContentSecurityPolicy);
    }
    c.res.headers.set("X-Request-Id", requestId);
    const seconds = (performance.now() - began) / 1000;
    const { status } = c.res;
    metrics.countRequest(c.req.method, c.get("route"), status, seconds);
    const level =
      status >= 500 ? "error" : c.req.method === "GET" || c.req.method === "HEAD" ? "debug" : "info";
    log[level](
      { requestId, method: c.req.method, route: c.get("route"), status, ms: Math.round(seconds * 1000) },
      "request",
    );
  });

  // A browser that came over plain http is sent to https; a trusted proxy, or this machine itself, is answered.
  if (config.publicUrl.startsWith("https:")) {
    app.use(async (c, next) => {
      const peer = peerOf(c.env);
      const { pathname, search } = new URL(c.req.url);
      // Probes come over plain http from wherever the load balancer is.
      const isProbe = pathname === "/healthz" || pathname === "/readyz";
      if (isProbe || isLoopback(peer) || readAddress.isTrusted(peer)) return next();
      return c.redirect(`${config.publicUrl}${pathname}${search}`, 308);
    });
  }

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
    );
  });

  for (const row of parts.api) {
    app.on(row.method, row.path, async (c) => {
      const requestId = c.get("requestId");
      c.set("route", row.path);
      const request = c.req.raw;
      if (row.access !== "provider" && !isSameOrigin(request, config.publicUrl)) {
        return refuse(requestId, problem("forbidden", "This call must come from the shop’s own pages."));
      }
      const address = readAddress.of(peerOf(c.env), c.req.header("x-forwarded-for") ?? null);
      const wait = await parts.limits.take(row.limit, limitKey(address));
      if (wait !== null) {
        const message = `Too many tries. Please wait ${wait} seconds.`;
        return refuse(
          requestId,
          problem("rate_limited", message, { headers: { "Retry-After": String(wait) } }),
        );
      }
      const cookies = c.req.header("cookie") ?? null;
      const viewer = await parts.sessions.viewer(cookies);
      if (row.access === "admin" && !viewer.isAdmin) {
        return refuse(requestId, problem("unauthorized", "Please unlock the admin panel first."));
      }
      const input = await readInput(row, request, c.req.param());
      if ("problem" in input) return refuse(requestId, input);
      const setCookies: string[] = [];
      const call: ApiCall = {
        ...input,
        viewer,
        address,
        visitor: async () => {
          if (viewer.visitorId !== null) return viewer.visitorId;
          const made = await parts.sessions.createVisitor();
          viewer.visitorId = made.visitorId;
          setCookies.push(made.cookie);
          return made.visitorId;
        },
        header: (name) => c.req.header(name) ?? null,
        setCookie: (cookie) => setCookies.push(cookie),
      };
      const answer = await row.handle(call);
      const response =
        "problem" in answer
          ? refuse(requestId, answer)
          : answer.body === undefined
            ? new Response(null, { status: answer.status })
            : Response.json(answer.body, { status: answer.status });
      if (!("problem" in answer)) {
        response.headers.set("Cache-Control", "no-store");
        for (const [name, value] of Object.entries(answer.headers ?? {})) response.headers.set(name, value);
      }
      for (const cookie of setCookies) response.headers.append("Set-Cookie", cookie);
      return response;
    });
  }

  const methodsByPath = Map.groupBy(parts.api, ({ path }) => path);
  for (const [path, rows] of methodsByPath) {
    const allowed = rows.map(({ method }) => method).join(", ");
    app.all(path, (c) => {
      c.set("route", path);
      const refusal = problem("method_not_allowed", `This address takes ${allowed}.`, {
        headers: { Allow: allowed },
      });
      return refuse(c.get("requestId"), refusal);
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
  app.all("/api/*", (c) => {
    c.set("route", "/api/*");
    return refuse(c.get("requestId"), problem("not_found", "There is no such call. See /api/docs."));
  });

  app.get("/healthz", (c) => c.json({ status: "ok" }));
  app.get("/readyz", async (c) =>
    (await parts.isReady()) ? c.json({ status: "ready" }) : c.json({ status: "not ready" }, 503),
  );
  app.get("/metrics", async (c) => {
    const address = readAddress.of(peerOf(c.env), c.req.header("x-forwarded-for") ?? null);
    const isLocal = isLoopback(address) && (config.trustProxy.length > 0 || !c.req.header("x-forwarded-for"));
    const bearer = c.req.header("authorization");
    if (!isLocal && (config.metricsToken === null || bearer !== `Bearer ${config.metricsToken}`)) {
      return refuse(c.get("requestId"), problem("unauthorized", "Send the metrics token as a bearer token."));
    }
    return c.body(await metrics.text(), 200, { "Content-Type": metrics.contentType });
  });

  for (const { path, serve } of parts.files) app.use(path, serve);
  app.use("*", compress());
  app.all("*", async (c) => {
    if (!isSameOrigin(c.req.raw, config.publicUrl)) {
      return refuse(
        c.get("requestId"),
        problem("forbidden", "This call must come from the shop’s own pages."),
      );
    }
    return parts.page(c.req.raw, await parts.sessions.viewer(c.req.header("cookie") ?? null));
  });
  return app;
}

type Input = Pick<ApiCall, "params" | "query" | "body" | "rawBody">;

async function readInput(
  row: AnyApiRoute,
  request: Request,
  pathParams: Record<string, string>,
): Promise<Input | Problem> {
  const input: Input = { params: undefined, query: undefined, body: undefined, rawBody: "" };
  if (row.params) {
    const params = parseInput(pathParams, row.params);
    // An address that cannot exist is not found; there is no form to correct.
    if ("problem" in params) return problem("not_found", "There is nothing at this address.");
    input.params = params.value;
  }
  if (row.query) {
    const query = parseInput(Object.fromEntries(new URL(request.url).searchParams), row.query);
    if ("problem" in query) return query;
    input.query = query.value;
  }
  if (row.body || row.access === "provider") {
    const text = await readBody(request);
    if (typeof text !== "string") return text;
    input.rawBody = text;
    if (row.body) {
      const body = parseJson(text, request.headers.get("content-type"), row.body);
      if ("problem" in body) return body;
      input.body = body.value;
    }
  }
  return input;
}
