import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "pino";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { ChangeFeed } from "./database/change-feed.ts";
import { isDatabaseUnavailable } from "./database/database.ts";
import { type Job, type JobCount, toQueueStats } from "./jobs/jobs.ts";
import type { Health } from "./process/health.ts";
import { createRequestCounts } from "./request-counts.ts";

const secondsBuckets = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const longSecondsBuckets = [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600];

export type Metrics = ReturnType<typeof createMetrics>;

/** Figures read from the database for each response of /metrics. */
type DatabaseFigures = {
  /** By status. */
  orders: Record<string, number>;
  jobs: JobCount[];
  outbox: { channel: string; waiting: number; oldestSeconds: number }[];
  /** Duration of an outage of e-mail; 0 if there is none. */
  mailOutageSeconds: number;
  /** Null values mean that there is no backup. */
  backups: { ageSeconds: number | null; isLastGood: boolean | null; lastBytes: number | null };
  /** Copies of the backups in a bucket; null if there is no bucket. */
  offSite: { ageSeconds: number | null; isBehind: boolean } | null;
};

type Lane = Job["lane"];
type QueuePool = { totalCount: number; idleCount: number; waitingCount: number };

export function createMetrics(sources: {
  /** Path of `build/`, which contains the build's version. */
  buildDir: string;
  health: Health;
  changes: Pick<ChangeFeed, "isListening" | "waitUntilCaughtUp">;
  connections(): Record<string, { open: number; idle: number; waiting: number }>;
  /** May fail; takes seconds at most. */
  database(): Promise<DatabaseFigures>;
  /** Archive of the embedded database; null if it has none. May fail. */
  archive(): { failing: unknown; waitingBytes: number } | null;
  log: Logger;
}) {
  const { log } = sources;
  const registry = new Registry();
  const registers = [registry];
  const requests = createRequestCounts(secondsBuckets);
  const provider = new Histogram({
    name: "payment_provider_duration_seconds",
    help: "Time the payment provider took, by operation and outcome",
    labelNames: ["operation", "outcome"],
    buckets: secondsBuckets,
    registers,
  });
  const pageUses: Record<string, number> = {};
  new Counter({
    name: "cached_pages_total",
    help: "Answers for public pages, by how the cached copy was used",
    labelNames: ["outcome"],
    registers,
    collect() {
      this.reset();
      for (const [outcome, count] of Object.entries(pageUses)) this.inc({ outcome }, count);
    },
  });
  const pagesRendered = new Histogram({
    name: "page_render_duration_seconds",
    help: "Time to render a public page",
    buckets: secondsBuckets,
    registers,
  });
  const gauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Gauge({ name, help, labelNames, registers });

  const orders = gauge("orders", "Orders by status", "status");
  const databaseUp = gauge("database_up", "1 if the database answered this request for metrics in time");
  const ready = gauge("ready", "1 while nothing keeps this server from selling");
  const degraded = gauge("degraded", "1 for each part that does not work, as /readyz names it", "part");
  const connections = gauge(
    "database_connections",
    "Connections to the database by what they are for, and calls that wait for one",
    "pool",
    "state",
  );
  const archiveFailing = gauge(
    "wal_archive_failing",
    "1 if the database could not be archived for five minutes; missing where it is not archived",
  );
  const archiveWaiting = gauge("wal_archive_waiting_bytes", "Database log waiting to be archived");
  const feedConnected = gauge("change_feed_connected", "1 while this server hears of changes");
  const feedLag = gauge(
    "change_feed_lag_seconds",
    "Time until this server had heard of all that had changed",
  );
  const jobs = gauge(
    "jobs",
    "Jobs in the queue by name: scheduled for later, due, running, and failed for good",
    // Not "job", a label that Prometheus uses for scrape targets.
    "name",
    "state",
  );
  const jobsWaiting = gauge("jobs_waiting", "Jobs that are due and have not started");
  const jobsFailed = gauge("jobs_failed", "Jobs that failed their last attempt");
  const oldestJob = gauge("jobs_oldest_waiting_seconds", "How long the oldest due job has waited");
  const jobSeconds = new Histogram({
    name: "job_duration_seconds",
    help: "Time that attempts of jobs took on this server, by name and outcome",
    labelNames: ["name", "outcome"],
    buckets: longSecondsBuckets,
    registers,
  });
  const workersUp = gauge("workers_up", "1 while this server's background workers work");
  const laneSlots = gauge("worker_lane_slots", "How many jobs of a lane this server runs at once", "lane");
  const laneRunning = gauge("worker_lane_running", "Jobs of a lane that this server is running", "lane");
  const outboxWaiting = gauge("outbox_waiting", "Messages that have not been sent yet", "channel");
  const outboxOldest = gauge(
    "outbox_oldest_waiting_seconds",
    "How long the oldest message has not been sent",
    "channel",
  );
  const mailOutage = gauge(
    "mail_outage_seconds",
    "Time since which no email has left though some were tried; 0 while they leave",
  );
  const backupAge = gauge(
    "backup_age_seconds",
    "How old the last good backup is; missing where there is none",
  );
  const backupGood = gauge(
    "backup_last_good",
    "1 if the last backup was made and passed its test, 0 if it failed",
  );
  const backupBytes = gauge("backup_last_bytes", "Size of the last backup");
  const offSiteAge = gauge(
    "off_site_backup_age_seconds",
    "How old the newest backup in the off-site bucket is; missing where there is none",
  );
  const offSiteBehind = gauge(
    "off_site_behind",
    "1 while off-site copies fail or are hours late; missing without a bucket",
  );
  const completionSeconds = new Histogram({
    name: "order_paid_to_completed_seconds",
    help: "Time from the payment at the provider until its order was completed",
    buckets: longSecondsBuckets,
    registers,
  });
  const build = gauge("build_info", "Version of the program and of its pages", "version", "build");
  build.set(readBuild(sources.buildDir), 1);

  function setFigures(figures: DatabaseFigures | null): void {
    databaseUp.set(figures === null ? 0 : 1);
    // Removes values that are unknown now, instead of reporting 0 or old ones.
    for (const metric of [orders, jobs, outboxWaiting, outboxOldest]) metric.reset();
    const unlabelled = [jobsWaiting, jobsFailed, oldestJob, mailOutage, backupAge, backupGood, backupBytes];
    for (const metric of [...unlabelled, offSiteAge, offSiteBehind]) metric.remove();
    if (figures === null) return;
    for (const [status, count] of Object.entries(figures.orders)) orders.set({ status }, count);
    for (const { job, oldestDueSeconds: _, ...states } of figures.jobs) {
      for (const [state, count] of Object.entries(states)) jobs.set({ name: job, state }, count);
    }
    const queue = toQueueStats(figures.jobs);
    jobsWaiting.set(queue.waiting);
    jobsFailed.set(queue.failed);
    oldestJob.set(queue.oldestWaitingSeconds);
    mailOutage.set(figures.mailOutageSeconds);
    const { ageSeconds, isLastGood, lastBytes } = figures.backups;
    if (ageSeconds !== null) backupAge.set(ageSeconds);
    if (isLastGood !== null) backupGood.set(isLastGood ? 1 : 0);
    if (lastBytes !== null) backupBytes.set(lastBytes);
    const { offSite } = figures;
    if (offSite !== null) offSiteBehind.set(offSite.isBehind ? 1 : 0);
    if (offSite && offSite.ageSeconds !== null) offSiteAge.set(offSite.ageSeconds);
    for (const channel of ["email", "sms"]) {
      const backlog = figures.outbox.find((row) => row.channel === channel);
      outboxWaiting.set({ channel }, backlog?.waiting ?? 0);
      outboxOldest.set({ channel }, backlog?.oldestSeconds ?? 0);
    }
  }

  function setServerState(): void {
    const { canSell, degraded: parts } = sources.health.read();
    ready.set(canSell ? 1 : 0);
    degraded.reset();
    for (const part of Object.keys(parts)) degraded.set({ part }, 1);
    workersUp.set(sources.health.failureReason("workers") === null ? 1 : 0);
    for (const [pool, states] of Object.entries({ ...sources.connections(), ...queueConnections() })) {
      for (const [state, count] of Object.entries(states)) connections.set({ pool, state }, count);
    }
    feedConnected.set(sources.changes.isListening() ? 1 : 0);
    for (const metric of [archiveFailing, archiveWaiting]) metric.remove();
    const archive = readArchive();
    if (archive === null) return;
    archiveFailing.set(archive.failing === null ? 0 : 1);
    archiveWaiting.set(archive.waitingBytes);
  }

  async function setFeedLag(): Promise<void> {
    feedLag.remove();
    if (!sources.changes.isListening()) return;
    const startedAt = performance.now();
    await sources.changes.waitUntilCaughtUp();
    feedLag.set((performance.now() - startedAt) / 1_000);
  }

  /** Null if the figures cannot be read; the other metrics are still reported. */
  async function readDatabase(): Promise<DatabaseFigures | null> {
    try {
      return await sources.database();
    } catch (err) {
      if (!isDatabaseUnavailable(err)) log.error({ err }, "the database's figures could not be read");
      return null;
    }
  }

  function readArchive(): ReturnType<typeof sources.archive> {
    try {
      return sources.archive();
    } catch (err) {
      log.error({ err }, "the state of the database's archive could not be read");
      return null;
    }
  }

  async function read(): Promise<string> {
    const [figures] = await Promise.all([readDatabase(), setFeedLag()]);
    setFigures(figures);
    setServerState();
    const texts = await Promise.all([registry.metrics(), processRegistry().metrics()]);
    return [requests.text(), ...texts].join("\n");
  }

  let queue: QueuePool | null = null;
  function queueConnections(): ReturnType<typeof sources.connections> {
    if (queue === null) return {};
    const { totalCount, idleCount, waitingCount } = queue;
    return { queue: { open: totalCount, idle: idleCount, waiting: waitingCount } };
  }

  let pendingText: Promise<string> | null = null;
  return {
    countRequest: requests.count,
    countCachedPage(outcome: string) {
      pageUses[outcome] = (pageUses[outcome] ?? 0) + 1;
    },
    observePageRender(seconds: number) {
      pagesRendered.observe(seconds);
    },
    observeProvider(operation: string, seconds: number, outcome: string) {
      provider.observe({ operation, outcome }, seconds);
    },
    observeCompleted(seconds: number) {
      completionSeconds.observe(Math.max(0, seconds));
    },
    /** How many jobs of each lane run at once. */
    setLanes(slots: Record<Lane, number>) {
      for (const [lane, count] of Object.entries(slots)) {
        laneSlots.set({ lane }, count);
        laneRunning.set({ lane }, 0);
      }
    },
    /** The connections with which the current workers fetch and complete jobs. */
    setQueuePool(pool: QueuePool) {
      queue = pool;
    },
    /** Records the start of a job; call the returned function at its end. */
    beginJob({ name, lane }: Pick<Job, "name" | "lane">): (outcome: "done" | "failed") => void {
      const startedAt = performance.now();
      laneRunning.inc({ lane });
      return (outcome) => {
        laneRunning.dec({ lane });
        jobSeconds.observe({ name, outcome }, (performance.now() - startedAt) / 1_000);
      };
    },
    contentType: registry.contentType,
    /** Concurrent calls share one result. */
    text(): Promise<string> {
      pendingText ??= read().finally(() => {
        pendingText = null;
      });
      return pendingText;
    },
  };
}

let sharedProcessRegistry: Registry | null = null;

/** Heap, memory, event loop and other figures of a process. */
function processRegistry(): Registry {
  if (sharedProcessRegistry === null) {
    sharedProcessRegistry = new Registry();
    collectDefaultMetrics({ register: sharedProcessRegistry });
  }
  return sharedProcessRegistry;
}

/** Unknown in development. */
function readBuild(buildDir: string): { version: string; build: string } {
  const read = (path: string) => {
    try {
      return readFileSync(path, "utf8");
    } catch {
      return "";
    }
  };
  const { version = "" } = JSON.parse(read(join(import.meta.dirname, "../../package.json")) || "{}");
  return { version, build: read(join(buildDir, "stamps/pages")).trim().slice(0, 12) };
}
