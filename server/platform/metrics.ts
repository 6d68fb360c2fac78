import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { isDatabaseUnavailable } from "./database/database.ts";

const secondsBuckets = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export type Metrics = ReturnType<typeof createMetrics>;

/** What /metrics answers. `readings` are taken on request. */
export function createMetrics(readings: {
  ordersByStatus(): Promise<Record<string, number>>;
  jobs(): Promise<{ waiting: number; failed: number; oldestWaitingSeconds: number }>;
  /** Database connections by purpose. */
  connections(): Record<string, { open: number; idle: number; waiting: number }>;
  health(): { canSell: boolean };
}) {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Counter({
    name: "http_requests_total",
    help: "Requests by route and status",
    labelNames: ["method", "route", "status"],
    registers,
  });
  const durations = new Histogram({
    name: "http_request_duration_seconds",
    help: "Time to answer by route",
    labelNames: ["method", "route"],
    buckets: secondsBuckets,
    registers,
  });
  const provider = new Histogram({
    name: "payment_provider_duration_seconds",
    help: "Time the payment provider took, by operation and outcome",
    labelNames: ["operation", "outcome"],
    buckets: secondsBuckets,
    registers,
  });
  const cachedPages = new Counter({
    name: "cached_pages_total",
    help: "Answers for public pages, by how the cached copy was used",
    labelNames: ["outcome"],
    registers,
  });
  const pagesRendered = new Histogram({
    name: "page_render_duration_seconds",
    help: "Time to render and compress a public page",
    buckets: secondsBuckets,
    registers,
  });
  new Gauge({
    name: "orders",
    help: "Orders by status",
    labelNames: ["status"],
    registers,
    async collect() {
      this.reset();
      for (const [status, count] of Object.entries((await unlessAway(readings.ordersByStatus())) ?? {}))
        this.set({ status }, count);
    },
  });
  new Gauge({
    name: "ready",
    help: "1 while nothing keeps this server from selling",
    registers,
    collect() {
      this.set(readings.health().canSell ? 1 : 0);
    },
  });
  new Gauge({
    name: "database_connections",
    help: "Connections to the database by what they are for, and calls that wait for one",
    labelNames: ["pool", "state"],
    registers,
    collect() {
      for (const [pool, states] of Object.entries(readings.connections())) {
        for (const [state, count] of Object.entries(states)) this.set({ pool, state }, count);
      }
    },
  });
  const waiting = new Gauge({
    name: "jobs_waiting",
    help: "Jobs that are due and have not started",
    registers,
  });
  const failed = new Gauge({ name: "jobs_failed", help: "Jobs that failed their last attempt", registers });
  new Gauge({
    name: "jobs_oldest_waiting_seconds",
    help: "How long the oldest due job has waited",
    registers,
    async collect() {
      const stats = await unlessAway(readings.jobs());
      if (!stats) return;
      this.set(stats.oldestWaitingSeconds);
      waiting.set(stats.waiting);
      failed.set(stats.failed);
    },
  });
  return {
    countRequest(method: string, route: string, status: number, seconds: number) {
      requests.inc({ method, route, status });
      durations.observe({ method, route }, seconds);
    },
    countCachedPage(outcome: string) {
      cachedPages.inc({ outcome });
    },
    countPageMade(seconds: number) {
      pagesRendered.observe(seconds);
    },
    observeProvider(operation: string, seconds: number, outcome: string) {
      provider.observe({ operation, outcome }, seconds);
    },
    contentType: registry.contentType,
    text: () => registry.metrics(),
  };
}

/** Figures from the database are left out while it is unavailable, when the others are most needed. */
function unlessAway<T>(reading: Promise<T>): Promise<T | null> {
  return reading.catch((error: unknown) => {
    if (isDatabaseUnavailable(error)) return null;
    throw error;
  });
}
