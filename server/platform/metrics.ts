import { Counter, Gauge, Histogram, Registry } from "prom-client";

const secondsBuckets = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export type Metrics = ReturnType<typeof createMetrics>;

/** What /metrics tells. `readings` are taken when it is asked for. */
export function createMetrics(readings: {
  ordersByStatus(): Promise<Record<string, number>>;
  jobs(): Promise<{ waiting: number; failed: number; oldestWaitingSeconds: number }>;
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
  const keptPages = new Counter({
    name: "kept_pages_total",
    help: "Answers for pages that are the same for everybody, by how the kept copy was used",
    labelNames: ["outcome"],
    registers,
  });
  const pagesMade = new Histogram({
    name: "page_made_duration_seconds",
    help: "Time to make and compress a page that is the same for everybody",
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
      for (const [status, count] of Object.entries(await readings.ordersByStatus()))
        this.set({ status }, count);
    },
  });
  const waiting = new Gauge({ name: "jobs_waiting", help: "Jobs that are due and not begun", registers });
  const failed = new Gauge({ name: "jobs_failed", help: "Jobs given up after their last try", registers });
  new Gauge({
    name: "jobs_oldest_waiting_seconds",
    help: "How long the oldest due job has waited",
    registers,
    async collect() {
      const stats = await readings.jobs();
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
    countKeptPage(outcome: string) {
      keptPages.inc({ outcome });
    },
    countPageMade(seconds: number) {
      pagesMade.observe(seconds);
    },
    observeProvider(operation: string, seconds: number, outcome: string) {
      provider.observe({ operation, outcome }, seconds);
    },
    contentType: registry.contentType,
    text: () => registry.metrics(),
  };
}
