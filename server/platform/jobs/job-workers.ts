import { setTimeout as wait } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import { runMigrations, Logger as WorkerLogger } from "graphile-worker";
import pg from "pg";
import type { Logger } from "pino";
import { isDatabaseUnavailable } from "../database/database.ts";
import { PreparedClient } from "../database/prepared-client.ts";
import { inOneLine } from "../log.ts";
import type { Health } from "../process/health.ts";
import { type JobMetrics, type JobsAtOnce, runJobPools } from "./job-pools.ts";
import { addJob, type Job, moreToDo, type RecurringTask, type Task } from "./jobs.ts";

/**
 * Of money two more than there are long runs (expiry, reconciliation, events, openings), so that a payment's news waits for
 * none of them. Few for upkeep: in a rush it is to wait, not to slow down orders. Mail has as many as the mail server allows.
 */
const jobsAtOnce: JobsAtOnce = { money: 6, mail: 8, upkeep: 1, long: 1 };
const stopTimeoutMs = 5_000;
/** Pauses (ms) between failed workers and the next ones; the first after workers that worked, then doubled. */
const shortestPauseMs = 250;
const longestPauseMs = 10_000;
/** This many failures in a row, over half a minute or more, with a working database: the process itself is at fault. */
const failuresMax = 8;
/** The queue counts as unavailable after this time (ms) without an answer. */
const answerMs = 5_000;
/** No job may take longer (ms), so that a hanging one does not keep its worker forever; it is retried. */
const jobLimitMs: Record<Job["lane"], number> = {
  money: 15 * 60_000,
  mail: 15 * 60_000,
  upkeep: 60 * 60_000,
  // A backup with its test; one that takes longer counts as lost.
  long: 3 * 60 * 60_000,
};

/** Creates or upgrades the queue's own tables. Safe when several servers start at once. */
export async function installJobs(pool: pg.Pool, log: Logger): Promise<void> {
  const logger = new WorkerLogger(
    () => (level, message) => log[level === "error" ? "error" : "debug"](message),
  );
  await runMigrations({ pgPool: pool, logger });
}

/**
 * Starts the workers. Recurring tasks run at once and then at their interval, however many servers there are. Failed
 * workers are replaced; `giveUp` is called once, with the reason, when that does not help. `stop` takes no more work
 * and waits for running jobs, 5 s at most; what is left is done by the next start.
 */
export async function startJobs(options: {
  /** Where the workers connect to: past a pooler. */
  url: string;
  pool: pg.Pool;
  log: Logger;
  tasks: readonly Task[];
  cron?: readonly RecurringTask[];
  health?: Health;
  metrics?: JobMetrics;
  atOnce?: Partial<JobsAtOnce>;
  giveUp?: (reason: string) => void;
}): Promise<{ stop(): Promise<void> }> {
  const { pool, log, cron = [] } = options;
  const stopping = new AbortController();
  const tasks = [...options.tasks.map(limited), ...cron.map((entry) => repeat(entry, pool, log))];
  for (const entry of cron) await queueRun(entry, pool, new Date());
  const crews = keepCrewRunning({ ...options, tasks, cron, stopping: stopping.signal });

  return {
    async stop() {
      stopping.abort();
      const stopped = crews.then(() => true);
      if (!(await Promise.race([stopped, wait(stopTimeoutMs, false, { ref: false })]))) {
        log.warn("some background work did not finish in time; the next start resumes it");
      }
    },
  };
}

/** The library's workers stop or hang when the database fails them at a bad moment: they are replaced then. */
async function keepCrewRunning(options: {
  url: string;
  log: Logger;
  tasks: readonly Task[];
  cron: readonly RecurringTask[];
  stopping: AbortSignal;
  health?: Health;
  metrics?: JobMetrics | undefined;
  atOnce?: Partial<JobsAtOnce>;
  giveUp?: (reason: string) => void;
}): Promise<void> {
  const { url, log, tasks, cron, stopping, health, metrics, giveUp } = options;
  const atOnce = { ...jobsAtOnce, ...options.atOnce };
  metrics?.setLanes(atOnce);
  /** Failures in a row, and those for which the database was not to blame. */
  let failures = 0;
  let ownFailures = 0;
  while (!stopping.aborted) {
    const { error, hasWorked } = await runJobPools({
      url,
      tasks,
      atOnce,
      log,
      metrics,
      stopping,
      onStart: (pool) => mendChains(cron, pool),
      onWork: () => health?.report("workers", null),
    });
    if (error === null || stopping.aborted) return;
    health?.report("workers", "background work stands still; the log says why");
    if (hasWorked) failures = ownFailures = 0;
    failures += 1;
    if (await isDatabaseToBlame(url, error)) ownFailures = 0;
    else ownFailures += 1;
    log.error({ err: error, failures }, "the background workers failed and will be restarted");
    if (ownFailures >= failuresMax) {
      giveUp?.(`The background workers failed ${ownFailures} times in a row: ${inOneLine(error)}`);
      return;
    }
    const pauseMs = Math.min(shortestPauseMs * 2 ** (failures - 1), longestPauseMs);
    await wait(pauseMs, null, { signal: stopping }).catch(() => null);
  }
}

/**
 * Whether the database (unavailable, full or read-only) explains a failure: then a new process would fare no better.
 * Too many connections does not count, because this process may be holding them.
 */
async function isDatabaseToBlame(url: string, error: Error): Promise<boolean> {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if ("code" in cause && /^(25006|53100)$/.test(String(cause.code))) return true;
  }
  const client = new PreparedClient({
    connectionString: url,
    application_name: "palmira-check",
    connectionTimeoutMillis: answerMs,
    query_timeout: answerMs,
  });
  client.on("error", () => {});
  try {
    await client.connect();
    const { rows } = await client.query("show transaction_read_only");
    return rows[0]?.setting === "on";
  } catch (problem) {
    return (
      isDatabaseUnavailable(problem) && !(problem instanceof pg.DatabaseError && problem.code === "53300")
    );
  } finally {
    client.end().catch(() => null);
  }
}

/** A hanging run would end the chain. */
function limited(task: Task): Task {
  return {
    job: task.job,
    async run(payload, context) {
      const limit = new AbortController();
      const passOn = () => limit.abort(context.signal.reason);
      if (context.signal.aborted) passOn();
      context.signal.addEventListener("abort", passOn, { once: true });
      const tooLong = Promise.withResolvers<never>();
      const timer = setTimeout(() => {
        const error = new Error(`it took longer than ${jobLimitMs[task.job.lane] / 60_000} minutes`);
        limit.abort(error);
        tooLong.reject(error);
      }, jobLimitMs[task.job.lane]);
      timer.unref();
      try {
        return await Promise.race([task.run(payload, { ...context, signal: limit.signal }), tooLong.promise]);
      } finally {
        clearTimeout(timer);
        context.signal.removeEventListener("abort", passOn);
      }
    },
  };
}

function repeat(entry: RecurringTask, pool: pg.Pool, log: Logger): Task {
  const { everySeconds } = entry;
  const task = limited(entry.task);
  return {
    job: recurringJob(task),
    async run(payload, context) {
      // An error must neither end the chain nor be retried before the next run.
      const result = await task
        .run(payload, context)
        .catch((err: unknown) => log.error({ err, job: task.job.name }, "job failed"));
      const pauseMs = result === moreToDo ? 0 : everySeconds * 1_000;
      await queueRun(entry, pool, new Date(Date.now() + pauseMs));
    },
  };
}

/** The key keeps it one chain, however many servers start it. */
async function queueRun({ task }: RecurringTask, pool: pg.Pool, runAt: Date): Promise<void> {
  await addJob(drizzle(pool), recurringJob(task), {}, { key: chainKey(task), runAt });
}

/** Restarts chains that ended in crashes, each of which costs an attempt. */
async function mendChains(cron: readonly RecurringTask[], pool: pg.Pool): Promise<void> {
  if (cron.length === 0) return;
  const { rows } = await drizzle(pool).execute<{ key: string }>(sql`
    select key from graphile_worker.jobs
    where key in ${cron.map(({ task }) => chainKey(task))} and attempts < max_attempts`);
  const going = new Set(rows.map(({ key }) => key));
  for (const entry of cron) if (!going.has(chainKey(entry.task))) await queueRun(entry, pool, new Date());
}

const chainKey = ({ job }: Task) => `every:${job.name}`;

/** An interrupted run has to be repeated, or the chain would end with it. */
function recurringJob({ job }: Task): Job {
  return { ...job, maxAttempts: 25 };
}
