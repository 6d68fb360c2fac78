import type { Hono } from "hono";
import { problem } from "../platform/http/problem.ts";
import { refuse } from "./answers.ts";
import type { Callers } from "./callers.ts";
import { mayReadMetrics } from "./metrics-access.ts";
import type { AppInput, Env } from "./parts.ts";

/** Load balancers ask over plain http from anywhere. */
export const plainHttpPaths = ["/healthz", "/readyz"];

/** The addresses for load balancers and metrics collectors. */
export function serveProbes(app: Hono<Env>, parts: AppInput, callers: Callers): void {
  const { readiness } = parts;
  const { config, metrics } = parts.ctx;
  app.get("/healthz", (c) => c.json({ status: "ok" }));
  app.get("/readyz", async (c) => {
    c.set("route", "/readyz");
    const { isReady, degraded } = await readiness();
    const details = Object.keys(degraded).length > 0 && { degraded };
    return c.json({ status: isReady ? "ready" : "not ready", ...details }, isReady ? 200 : 503);
  });
  app.get("/metrics", async (c) => {
    const forwardedFor = c.req.header("x-forwarded-for") ?? null;
    const authorization = c.req.header("authorization") ?? null;
    if (!mayReadMetrics(config, { address: callers.addressOf(c), forwardedFor, authorization })) {
      return refuse(c, problem("unauthorized", "Send the metrics token as a bearer token."));
    }
    return c.body(await metrics.text(), 200, { "Content-Type": metrics.contentType });
  });
}
