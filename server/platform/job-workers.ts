import { EventEmitter } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { drizzle } from "drizzle-orm/node-postgres";
import { type Runner, run, runMigrations, type WorkerEvents, Logger as WorkerLogger } from "graphile-worker";
import type pg from "pg";
import type { Logger } from "pino";
import type { Health } from "./health.ts";
import { openSignOfLife, releaseOrphans } from "./job-orphans.ts";
import { addJob, type Job, type JobContext, type Task } from "./jobs.ts";

/** How many jobs of a lane one process does at once. Few for mail: in a rush it is to wait, not to slow down orders. */
const concurrencyByLane = { money: 4, mail: 1, upkeep: 1 };
/**
 * Every new job wakes every lane. Upkeep has none of those that come with an order, and looks at most so often (ms): in
 * a rush it would cost each order a statement and more.
 */
const upkeepLooksEveryMs = 100;
const stopTimeoutMs = 5_000;
/** After a crash its jobs wait this long at most, once another process is up. */
const orphanSweepMs = 5_000;

/** Work done again and again; each run is queued by the one before. */
export type RecurringTask = { task: Task; everySeconds: number };

/** Creates or upgrades the queue's own tables. Safe when several servers start at once. */
export async function installJobs(pool: pg.Pool, log: Logger): Promise<void> {
  await runMigrations({ pgPool: pool, logger: workerLogger(log) });
}

/**
 * Starts the workers. Recurring tasks run at once and then every so many seconds, however many servers there are.
 * `stop` takes no more work and waits for what is running, 5 s at most; what is left then is done by the next start.
 */
export async function startJobs(options: {
  pool: pg.Pool;
  log: Logger;
  tasks: readonly Task[];
  cron?: readonly RecurringTask[];
  health?: Health;
}): Promise<{ stop(): Promise<void> }> {
  const { pool, log } = options;
  const stopping = new AbortController();
  const recurring = options.cron ?? [];
  const tasks = [...options.tasks, ...recurring.map((entry) => repeat(entry, pool, log))];
  const crew = keepCrewRunning(tasks, pool, log, stopping.signal);
  const sweeping = sweepOrphans(pool, log, stopping.signal);
  for (const entry of recurring) await queueRun(entry, pool, new Date());

  return {
    async stop() {
      stopping.abort();
      const stopped = Promise.all([sweeping, crew]).then(() => true);
      if (!(await Promise.race([stopped, wait(stopTimeoutMs, false, { ref: false })]))) {
        log.warn("some background work did not end in time; the next start takes it up");
      }
    },
  };
}

/** The library's workers shut themselves down when the database fails them at a bad moment; begin anew then. */
async function keepCrewRunning(
  tasks: Task[],
  pool: pg.Pool,
  log: Logger,
  stopping: AbortSignal,
): Promise<void> {
  for (let pauseMs = 250; !stopping.aborted; pauseMs = Math.min(2 * pauseMs, 10_000)) {
    try {
      await runCrew(tasks, pool, log, stopping);
    } catch (err) {
      log.error({ err }, "the background workers stopped and will start again");
    }
    if (!stopping.aborted) await wait(pauseMs, null, { signal: stopping }).catch(() => null);
  }
}

/** Runs all lanes until told to stop, or until one of them or their sign of life breaks. */
async function runCrew(tasks: Task[], pool: pg.Pool, log: Logger, stopping: AbortSignal): Promise<void> {
  const signOfLife = await openSignOfLife(pool);
  const runners: Runner[] = [];
  try {
    for (const lane of ["money", "mail", "upkeep"] as const) {
      const laneTasks = tasks.filter(({ job }) => job.lane === lane);
      if (laneTasks.length === 0) continue;
      runners.push(await runLane(lane, laneTasks, pool, log, stopping, signOfLife.show));
    }
    const told = new Promise((resolve) => {
      if (stopping.aborted) resolve(null);
      stopping.addEventListener("abort", resolve, { once: true });
    });
    await Promise.race([told, signOfLife.lost, ...runners.map((runner) => runner.promise)]);
  } finally {
    await Promise.allSettled(runners.flatMap((runner) => [runner.stop(), runner.promise]));
    signOfLife.end();
  }
}

async function runLane(
  lane: keyof typeof concurrencyByLane,
  tasks: Task[],
  pool: pg.Pool,
  log: Logger,
  stopping: AbortSignal,
  onCreate: (workerPoolId: string) => void,
): Promise<Runner> {
  const concurrentJobs = concurrencyByLane[lane];
  const events: WorkerEvents = new EventEmitter();
  events.once("pool:create", ({ workerPool }) => onCreate(workerPool.id));
  // A job queued between the workers' first look and the moment they listen would wait for the next poll.
  events.on("pool:listen:success", ({ client, workerPool }) => {
    client.once("drain", () => workerPool.nudge(1));
  });
  return run({
    pgPool: pool,
    noHandleSignals: true,
    logger: workerLogger(log, stopping),
    events,
    gracefulShutdownAbortTimeout: stopTimeoutMs - 1_000,
    parsedCronItems: [],
    taskList: Object.fromEntries(tasks.map((task) => [task.job.name, logged(task, log)])),
    preset: {
      worker: {
        concurrentJobs,
        // Fewer statements per job: jobs are fetched and finished by the handful. A process that is killed in between
        // does some of them again, which every task has to bear anyway.
        localQueue: {
          size: 4 * concurrentJobs,
          ...(lane === "upkeep" && {
            refetchDelay: { durationMs: upkeepLooksEveryMs, maxAbortThreshold: Number.POSITIVE_INFINITY },
          }),
        },
        completeJobBatchDelay: 10,
        failJobBatchDelay: 2,
      },
    },
  });
}

async function sweepOrphans(pool: pg.Pool, log: Logger, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    await releaseOrphans(pool, log).catch((err: unknown) =>
      log.warn({ err }, "could not look for orphaned jobs"),
    );
    await wait(orphanSweepMs, null, { signal: stopping }).catch(() => null);
  }
}

function repeat(entry: RecurringTask, pool: pg.Pool, log: Logger): Task {
  const { task, everySeconds } = entry;
  return {
    job: recurringJob(task),
    async run(payload, context) {
      // An error must not end the chain, nor be tried again sooner than the next run.
      await task
        .run(payload, context)
        .catch((err: unknown) => log.error({ err, job: task.job.name }, "job failed"));
      await queueRun(entry, pool, new Date(Date.now() + everySeconds * 1_000));
    },
  };
}

/** The key keeps it one chain, whatever number of servers begins it. */
async function queueRun({ task }: RecurringTask, pool: pg.Pool, runAt: Date): Promise<void> {
  await addJob(drizzle(pool), recurringJob(task), {}, { key: `every:${task.job.name}`, runAt });
}

/** A run that was cut short by a crash has to be taken up again, or the chain would end with it. */
function recurringJob({ job }: Task): Job {
  return { ...job, maxAttempts: 25 };
}

function logged(task: Task, log: Logger) {
  return async (
    payload: unknown,
    helpers: { job: { attempts: number; max_attempts: number }; abortSignal: AbortSignal },
  ) => {
    const { attempts: attempt, max_attempts: attemptsMax } = helpers.job;
    const context: JobContext = {
      attempt,
      isLastAttempt: attempt >= attemptsMax,
      signal: helpers.abortSignal,
    };
    try {
      await task.run(payload, context);
    } catch (err) {
      log[context.isLastAttempt ? "error" : "warn"](
        { err, job: task.job.name, attempt, attemptsMax },
        "job failed",
      );
      throw err;
    }
  };
}

/** The library's own words, without its metadata: that holds payloads. Failed jobs are logged above. */
function workerLogger(log: Logger, stopping?: AbortSignal): WorkerLogger {
  return new WorkerLogger(() => (level, message, meta) => {
    if (meta.failure) return;
    // Stopping with a full queue it may fail to hand jobs back; the next start takes them from the dead worker.
    if (level === "error" && !stopping?.aborted) log.error(message);
    else if (level === "error" || level === "warning") log.warn(message);
    else log.debug(message);
  });
}
