import { timingSafeEqual } from "node:crypto";
import type { Hono } from "hono";
import type { Config } from "../platform/config.ts";
import { isLoopback } from "../platform/http/client-address.ts";
import { problem } from "../platform/http/problem.ts";
import { refuse } from "./answers.ts";
import type { Callers } from "./callers.ts";
import type { AppInput, Env } from "./parts.ts";

/** Load balancers and metrics collectors request these from each server over plain http, from anywhere. */
export function isProbe(method: string, path: string): boolean {
  return ["/healthz", "/readyz", "/metrics"].includes(path) || (method === "OPTIONS" && path === "/");
}

/** The addresses for load balancers and metrics collectors. Metrics count them apart from people's requests. */
export function serveProbes(app: Hono<Env>, parts: AppInput, callers: Callers): void {
  const { readiness, showsPages } = parts;
  const { config, metrics } = parts.ctx;
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
    if (!mayReadMetrics(config, { address: callers.addressOf(c), forwardedFor, authorization })) {
      return refuse(c, problem("unauthorized", "Send the metrics token as a bearer token."));
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
