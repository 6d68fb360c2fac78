import { EventEmitter } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import {
  type Runner,
  run,
  type WorkerEvents,
  Logger as WorkerLogger,
  type WorkerPool,
} from "graphile-worker";
import type pg from "pg";
import type { Logger } from "pino";
import { openPool } from "../database/database.ts";
import { defaultDatabaseLimits, queueConnections } from "../database/database-limits.ts";
import type { Metrics } from "../metrics.ts";
import { noteOrder, runAsWork, workAttributes } from "../process/running-work.ts";
import { traced } from "../process/tracing.ts";
import { holdLivenessLock, releaseOrphanedJobs } from "./job-orphans.ts";
import type { Job, JobContext, Task } from "./jobs.ts";
import { onJobQueued } from "./queued.ts";

type LaneName = Job["lane"];
/** How many jobs of each lane a process runs at once. */
export type JobsAtOnce = Record<LaneName, number>;

/** Metrics of the jobs that run here. */
export type JobMetrics = Pick<Metrics, "beginJob" | "setFetchedJobs" | "setLanes" | "setQueuePool">;

const laneNames: readonly LaneName[] = ["money", "mail", "upkeep", "long"];
/**
 * Notifications of other servers wake every lane. Upkeep and long work poll at most this often (ms): no order waits for them,
 * and under load each order would cost them a statement.
 */
const upkeepPollMs = 100;
/**
 * Mail is fetched this long (ms) after the last look that found little: what comes together goes together, and costs
 * the database less.
 */
const mailPauseMs = 25;
/** How soon other servers hear of the jobs that this one has queued (ms), should it be too busy for them. */
const announceMs = 100;
/** Time limit (ms) for starting and for stopping. */
const startMs = 15_000;
export const jobPoolsEndMs = 4_500;
/** After a crash its jobs wait at most this long, once another process is up. */
const sweepMs = 5_000;
/** Workers poll every two seconds; those that have not polled for this long (ms) are stuck. */
const stuckMs = 10_000;
const watchMs = 1_000;
/** A job may not be due for this long while its lane is idle. */
const overdueSeconds = 20;

/** Workers that were up but did nothing. */
class Stuck extends Error {}

export type JobPoolsEnd = {
  /** Null: it was stopped. */
  error: Error | null;
  /** Whether it was working until something outside ended it. */
  hasWorked: boolean;
};

/**
 * Runs all lanes until `stopping` fires or something fails: a worker, the liveness lock or, unnoticed by the library, the
 * work itself. Each run has new connections and library state, so that it inherits no failure. Resolves within seconds of
 * the end; its jobs are then free for other servers.
 */
export async function runJobPools(options: {
  url: string;
  tasks: readonly Task[];
  atOnce: JobsAtOnce;
  log: Logger;
  metrics?: JobMetrics | undefined;
  stopping: AbortSignal;
  /** Called once all lanes have polled. */
  onWork(): void;
  /** Called at the start, with the set's own connections. */
  onStart(pool: pg.Pool): Promise<void>;
}): Promise<JobPoolsEnd> {
  const { url, tasks, atOnce, log, stopping, onWork } = options;
  const connections = openConnections(url, log);
  options.metrics?.setQueuePool(connections.pool);
  const ended = new AbortController();
  const lanes: Lane[] = [];
  options.metrics?.setFetchedJobs(() => lanes.flatMap(({ fetched }) => [...fetched.values()]));
  let livenessLock: Awaited<ReturnType<typeof holdLivenessLock>> | null = null;
  let isWorking = false;
  try {
    livenessLock = await holdLivenessLock(url);
    const broken = Promise.withResolvers<never>();
    const { show, lost, withEars, announceJobs } = livenessLock;
    let announcing: NodeJS.Timeout | undefined;
    const stopListening = onJobQueued((queuedIn) => {
      lanes.find(({ name }) => name === queuedIn)?.wake();
      announcing ??= setTimeout(() => {
        announcing = undefined;
        announceJobs();
      }, announceMs);
    });
    ended.signal.addEventListener("abort", () => {
      stopListening();
      clearTimeout(announcing);
    });
    let isStarted = false;
    const noteWork = () => {
      if (isWorking || !isStarted || !lanes.every(({ hasLooked }) => hasLooked)) return;
      isWorking = true;
      onWork();
    };
    const start = async () => {
      await options.onStart(connections.pool);
      for (const name of laneNames) {
        const laneTasks = tasks.filter(({ job }) => job.lane === name);
        if (laneTasks.length === 0 || ended.signal.aborted) continue;
        lanes.push(
          await startLane({
            name,
            tasks: laneTasks,
            atOnce: atOnce[name],
            pool: withEars(connections.pool),
            log,
            metrics: options.metrics,
            ended: ended.signal,
            onCreate: show,
            onPoll: noteWork,
            onBroken: broken.reject,
          }),
        );
      }
      isStarted = true;
      noteWork();
    };
    const notified = new Promise((resolve) => {
      if (stopping.aborted) resolve(null);
      stopping.addEventListener("abort", resolve, { once: true, signal: ended.signal });
    });
    const late = wait(startMs, null, { signal: ended.signal }).then(() => {
      throw new Error(`the workers did not start within ${startMs} ms`);
    });
    await Promise.race([start(), lost, broken.promise, notified, late]);
    await Promise.race([
      notified,
      lost,
      broken.promise,
      watch(lanes, ended.signal),
      sweep(lanes, connections.pool, log, ended.signal),
    ]);
    return { error: null, hasWorked: isWorking };
  } catch (error) {
    return { error: asError(error), hasWorked: isWorking && !(error instanceof Stuck) };
  } finally {
    // The library still emits events about its connections, which no longer matter.
    const stops = Promise.all(lanes.map(({ stop }) => stop()));
    await Promise.race([stops, wait(jobPoolsEndMs, null, { ref: false })]);
    ended.abort();
    livenessLock?.end();
    connections.cut();
  }
}

type Lane = {
  name: LaneName;
  taskNames: string[];
  hasLooked: boolean;
  /** It polls; otherwise it has jobs waiting for a free worker. */
  isPolling: boolean;
  looked: number;
  running: number;
  /** Jobs that wait here for a free worker, by id, and since when they are due. The database calls them running. */
  fetched: Map<string, Date>;
  /** When a job last began or ended; times are of `performance.now()`. */
  busyAt: number;
  /** Looks for jobs now. */
  wake(): void;
  stop(): Promise<void>;
};

async function startLane(options: {
  name: LaneName;
  tasks: readonly Task[];
  atOnce: number;
  pool: pg.Pool;
  log: Logger;
  metrics: JobMetrics | undefined;
  ended: AbortSignal;
  onCreate(workerPoolId: string): void;
  onPoll(): void;
  onBroken(error: Error): void;
}): Promise<Lane> {
  const { name, tasks, atOnce, pool, log, metrics, ended, onCreate, onPoll, onBroken } = options;
  let isStopping = false;
  let workers: WorkerPool | null = null;
  /** There may be jobs that the last look did not find. */
  let isWoken = false;
  const now = performance.now();
  const lane: Lane = {
    name,
    taskNames: tasks.map(({ job }) => job.name),
    hasLooked: false,
    isPolling: true,
    looked: now,
    running: 0,
    fetched: new Map(),
    busyAt: now,
    wake() {
      isWoken = true;
      if (!isStopping) workers?.nudge(1);
    },
    async stop() {
      isStopping = true;
      await Promise.allSettled([runner.stop(), runner.promise]);
    },
  };
  const events: WorkerEvents = new EventEmitter();
  events.once("pool:create", ({ workerPool }) => {
    workers = workerPool;
    onCreate(workerPool.id);
  });
  // A job queued between the workers' first poll and their LISTEN would wait for the next poll.
  events.on("pool:listen:success", ({ client, workerPool }) => {
    client.once("drain", () => workerPool.nudge(1));
  });
  events.on("pool:listen:notification", () => {
    isWoken = true;
  });
  // The library ignores notifications of new jobs that arrive while it pauses between two polls, so it is woken here.
  events.on("localQueue:refetchDelay:expired", () => {
    if (isWoken && !isStopping) setImmediate(() => workers?.nudge(1));
    isWoken = false;
  });
  events.on("localQueue:setMode", ({ localQueue, newMode }) => {
    if (newMode === "RELEASED") awaitReturnOfJobs(localQueue);
    lane.isPolling = newMode === "POLLING";
    lane.looked = lane.busyAt = performance.now();
  });
  events.on("localQueue:returnJobs", ({ jobs }) => {
    for (const { id } of jobs) lane.fetched.delete(id);
  });
  events.on("localQueue:getJobs:complete", ({ jobs }) => {
    for (const { id, run_at: dueAt } of jobs) lane.fetched.set(id, dueAt);
    lane.hasLooked = true;
    lane.looked = performance.now();
    onPoll();
  });
  const brokeDown = (cause: unknown) => {
    if (!isStopping) onBroken(new Error(`the ${name} workers failed`, { cause }));
  };
  // From now on it may be waiting for something that never comes.
  events.on("pool:fatalError", ({ error }) => brokeDown(error));
  events.on("pool:gracefulShutdown", ({ message }) => brokeDown(new Error(message)));

  const runner: Runner = await run({
    pgPool: pool,
    noHandleSignals: true,
    // It would go on with a stale answer, or with jobs that it took without hearing of them.
    logger: workerLogger(log, () => isStopping || ended.aborted, brokeDown),
    events,
    gracefulShutdownAbortTimeout: jobPoolsEndMs - 1_000,
    parsedCronItems: [],
    taskList: Object.fromEntries(tasks.map((task) => [task.job.name, logged(task, lane, log, metrics)])),
    preset: {
      worker: {
        concurrentJobs: atOnce,
        // Fewer statements per job: jobs are fetched and completed in batches. A killed process repeats some of them,
        // which every task must allow for anyway.
        localQueue: {
          size: 4 * atOnce,
          ...(name !== "money" && {
            refetchDelay: {
              durationMs: name === "mail" ? mailPauseMs : upkeepPollMs,
              threshold: name === "mail" ? atOnce : 0,
              maxAbortThreshold: Number.POSITIVE_INFINITY,
            },
          }),
        },
        completeJobBatchDelay: 25,
        failJobBatchDelay: 2,
      },
    },
  });
  runner.promise.then(() => brokeDown(undefined), brokeDown);
  // Too late: the caller has given up.
  if (ended.aborted) await lane.stop();
  return lane;
}

/**
 * Detects workers that are up and do nothing, which the library does not report: rejects with the reason. A polling
 * lane must have polled a moment ago, and one with waiting jobs must be running others.
 */
async function watch(lanes: readonly Lane[], ended: AbortSignal): Promise<void> {
  while (!ended.aborted) {
    const before = performance.now();
    await wait(watchMs, null, { signal: ended }).catch(() => null);
    const now = performance.now();
    for (const lane of lanes) {
      // Where the process itself was suspended, its workers run first.
      if (now - before > 2 * watchMs) lane.looked = lane.busyAt = now;
      const since = lane.isPolling ? lane.looked : lane.running > 0 ? now : lane.busyAt;
      if (now - since < stuckMs) continue;
      throw new Stuck(`the ${lane.name} workers have not got to look for jobs in ${stuckMs} ms`);
    }
  }
}

/** Frees the jobs of dead processes, and rejects when jobs have been due for long while their lane here is idle. */
async function sweep(lanes: readonly Lane[], pool: pg.Pool, log: Logger, ended: AbortSignal): Promise<void> {
  while (!ended.aborted) {
    try {
      await releaseOrphanedJobs(pool, log);
      const idle = lanes.filter(
        ({ running, busyAt }) => running === 0 && performance.now() - busyAt > 1_000 * overdueSeconds,
      );
      const overdue = idle.length > 0 && (await findOverdue(pool, idle));
      if (overdue) throw new Stuck(`${overdue} has been due for ${overdueSeconds} s while its lane was idle`);
    } catch (error) {
      if (error instanceof Stuck) throw error;
      // The checks of the workers themselves decide whether that is fatal.
      if (!ended.aborted) log.warn({ err: error }, "could not look for orphaned jobs");
    }
    await wait(sweepMs, null, { signal: ended }).catch(() => null);
  }
}

/** The kind of a due job that no worker has taken; a locked row cannot be taken. */
async function findOverdue(pool: pg.Pool, lanes: readonly Lane[]): Promise<string | undefined> {
  const { rows } = await pool.query<{ identifier: string }>(
    `select tasks.identifier
     from graphile_worker._private_jobs as jobs join graphile_worker._private_tasks as tasks on tasks.id = jobs.task_id
     where tasks.identifier = any($1) and jobs.is_available and jobs.attempts < jobs.max_attempts
       and jobs.run_at < now() - make_interval(secs => $2)
     limit 1 for update of jobs skip locked`,
    [lanes.flatMap(({ taskNames }) => taskNames), overdueSeconds],
  );
  return rows[0]?.identifier;
}

function logged({ job, run }: Task, lane: Lane, log: Logger, metrics: JobMetrics | undefined) {
  return async (
    payload: unknown,
    helpers: { job: { id: string; attempts: number; max_attempts: number }; abortSignal: AbortSignal },
  ) =>
    runAsWork({ job: job.name, jobId: helpers.job.id }, async () => {
      const { attempts: attempt, max_attempts: attemptsMax } = helpers.job;
      const context: JobContext = {
        attempt,
        isLastAttempt: attempt >= attemptsMax,
        signal: helpers.abortSignal,
      };
      lane.fetched.delete(helpers.job.id);
      lane.running += 1;
      lane.busyAt = performance.now();
      const ended = metrics?.beginJob(job);
      const begunAt = performance.now();
      noteOrderOf(payload);
      try {
        await traced(`job ${job.name}`, { attempt }, async (span) => {
          await run(payload, context).finally(() => span?.setAttributes(workAttributes()));
        });
        ended?.("done");
        const ms = Math.round(performance.now() - begunAt);
        log[Object.keys(workAttributes()).length > 0 ? "info" : "debug"]({ attempt, ms }, "job done");
      } catch (err) {
        ended?.("failed");
        log[context.isLastAttempt ? "error" : "warn"](
          { err, job: job.name, attempt, attemptsMax },
          "job failed",
        );
        throw err;
      } finally {
        lane.running -= 1;
        lane.busyAt = performance.now();
      }
    });
}

/** Jobs of one order name it in their payload. */
function noteOrderOf(payload: unknown): void {
  if (!payload || typeof payload !== "object" || !("orderId" in payload)) return;
  if (typeof payload.orderId === "string") noteOrder(payload.orderId);
}

/**
 * graphile-worker 0.18 marks its local queue as released before it returns the queue's jobs, and then refuses to track that, so
 * that a failure would be an unhandled rejection. A pending background task, until the release has begun, makes it
 * track both.
 */
function awaitReturnOfJobs(localQueue: unknown): void {
  const queue = localQueue as { backgroundCount: number; decreaseBackgroundCount(): void };
  queue.backgroundCount += 1;
  queueMicrotask(queue.decreaseBackgroundCount);
}

/** Connections of one set of workers, which can be cut whatever waits on them. */
function openConnections(url: string, log: Logger) {
  const pool = openPool(url, log, {
    name: "palmira-queue",
    max: queueConnections.working,
    limits: defaultDatabaseLimits,
  });
  const open = new Set<pg.PoolClient>();
  let isCut = false;
  const end = (client: pg.PoolClient) => void (client as unknown as pg.Client).end().catch(() => null);
  pool.on("connect", (client) => {
    open.add(client);
    if (isCut) end(client);
  });
  pool.on("remove", (client) => open.delete(client));
  return {
    pool,
    cut() {
      isCut = true;
      // Waits for those in use, possibly forever.
      pool.end().catch(() => null);
      for (const client of open) end(client);
    },
  };
}

/** The library's messages without its metadata, which has payloads. Failed jobs are logged above. */
function workerLogger(log: Logger, isOver: () => boolean, onLookError: (error: Error) => void): WorkerLogger {
  return new WorkerLogger(() => (level, message, meta) => {
    // Jobs use the shop's connections; the queue's own only fetch and complete jobs.
    if (meta.failure || /having maxPoolSize .* smaller than concurrency/.test(message)) return;
    if (/^Error occurred (fetching jobs|during fetch)/.test(message)) onLookError(asError(meta.error));
    // While ending it may fail to return jobs or to see new ones; the next set takes them over.
    if (isOver()) log.debug(message);
    else if (level === "error") log.error(message);
    else if (level === "warning") log.warn(message);
    else log.debug(message);
  });
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
