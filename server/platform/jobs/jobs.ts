import { type SQL, sql } from "drizzle-orm";
import type { Logger } from "pino";
import * as v from "valibot";
import { failedTaskDays } from "../../../domain/privacy/retention.ts";
import type { Db } from "../database/database.ts";
import { batchRows, inBatches } from "../database/in-batches.ts";
import { wakeWorkers } from "./queued.ts";

/**
 * A kind of background work. Each lane has its own workers: a slow mail server does not delay payments, and long work (`long`)
 * does not delay short jobs. Within a lane smaller `priority` goes first. A failed run is retried after 3 s, 7 s, 20 s, ... up to
 * 6 h.
 */
export type Job<Schema extends v.GenericSchema = v.GenericSchema> = {
  name: string;
  payload: Schema;
  lane: "money" | "mail" | "upkeep" | "long";
  priority: number;
  maxAttempts: number;
};

export type JobOptions = {
  /** Replaces a waiting job with the same key. */
  key?: string;
  /** Earliest start; default: at once. */
  runAt?: Date;
};

export type JobContext = {
  /** Counts from 1. */
  attempt: number;
  isLastAttempt: boolean;
  /** Aborted when the process is about to stop. */
  signal: AbortSignal;
};

/** Returned by a recurring task with more to do: its next run starts at once, after others had a chance. */
export const moreToDo = Symbol("more to do");

/** A job and its code; the payload is validated. */
export type Task = {
  job: Job;
  run(payload: unknown, context: JobContext): Promise<unknown>;
};

export function defineJob<const Schema extends v.GenericSchema>(job: Job<Schema>): Job<Schema> {
  return job;
}

export function task<Schema extends v.GenericSchema>(
  job: Job<Schema>,
  run: (payload: v.InferOutput<Schema>, context: JobContext) => Promise<unknown>,
): Task {
  return { job, run: (payload, context) => run(v.parse(job.payload, payload), context) };
}

/** Recurring work; each run queues the next. */
export type RecurringTask = { task: Task; everySeconds: number };

/** Work without a payload that runs at each start and then at its interval. */
export function recurring(
  { everySeconds, ...job }: Pick<Job, "name" | "lane" | "priority"> & { everySeconds: number },
  run: (context: JobContext) => Promise<unknown>,
): RecurringTask {
  // A run that fails is not retried: the next one follows.
  const kind = defineJob({ ...job, payload: v.object({}), maxAttempts: 1 });
  return { task: task(kind, (_, context) => run(context)), everySeconds };
}

/** Queues one job; inside a transaction it exists once that commits. */
export async function addJob<Schema extends v.GenericSchema>(
  db: Db,
  job: Job<Schema>,
  payload: v.InferInput<Schema>,
  options: JobOptions = {},
): Promise<void> {
  await addJobs(db, [jobRequest(job, payload, options)]);
}

export type JobRequest = { job: Job; payload: unknown; options: JobOptions };

export function jobRequest<Schema extends v.GenericSchema>(
  job: Job<Schema>,
  payload: v.InferInput<Schema>,
  options: JobOptions = {},
): JobRequest {
  return { job, payload, options };
}

/** Queues several jobs in one statement; no two of them may have the same key. */
export async function addJobs(db: Db, requests: readonly JobRequest[]): Promise<void> {
  if (requests.length === 0) return;
  const rows = requests.map(({ job, payload, options }) => ({
    name: job.name,
    payload,
    run_at: options.runAt?.toISOString() ?? null,
    max_attempts: job.maxAttempts,
    key: options.key ?? null,
    priority: job.priority,
  }));
  await db.execute(sql`select from graphile_worker.add_jobs(array(
    select row(name, payload, null, run_at, max_attempts, key, priority, null)::graphile_worker.job_spec
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as spec(name text, payload json, run_at timestamptz, max_attempts smallint, key text, priority smallint)
  ))`);
}

/**
 * Runs a statement that writes rows and queues a job for each: `statement` is given something to select from, one row for
 * each job. `payloads` is a query of one json column. Returns how many jobs it queued.
 *
 * The queue's own function notifies all servers as its transaction commits, and PostgreSQL lets only one transaction at a
 * time do so, until it is on the disk: orders would commit one after the other. Here this process wakes its own workers
 * afterwards, and tells the other servers now and then (job-pools.ts).
 */
export async function queueJobsOfRows(
  db: Db,
  job: Job,
  payloads: SQL,
  statement: (jobs: SQL) => SQL,
): Promise<number> {
  const jobs = sql`queue_jobs(${job.name}, ${job.maxAttempts}::smallint, ${job.priority}::smallint, array(
    select payload from (${payloads}) as rows(payload)))`;
  const { rowCount } = await db.execute(statement(jobs));
  const queued = rowCount ?? 0;
  if (queued > 0) wakeWorkers(job.lane);
  return queued;
}

export type JobQueueStats = {
  /** Due and not yet started. */
  waiting: number;
  running: number;
  /** Queued for later, retries included. */
  scheduled: number;
  /** Failed their last attempt. */
  failed: number;
  /** How long the oldest waiting job has been due, in seconds. */
  oldestWaitingSeconds: number;
};

/** Depth and age of the whole queue. */
export async function jobQueueStats(db: Db): Promise<JobQueueStats> {
  return queueStatsOf(await countJobs(db));
}

/** The same from the figures by name. */
export function queueStatsOf(counts: readonly JobCount[]): JobQueueStats {
  const sum = (state: "due" | "running" | "scheduled" | "failed") =>
    counts.reduce((total, each) => total + each[state], 0);
  return {
    waiting: sum("due"),
    running: sum("running"),
    scheduled: sum("scheduled"),
    failed: sum("failed"),
    oldestWaitingSeconds: Math.max(0, ...counts.map(({ oldestDueSeconds }) => oldestDueSeconds)),
  };
}

export type JobCount = {
  job: string;
  /** Queued for later, retries included. */
  scheduled: number;
  due: number;
  running: number;
  failed: number;
  /** How long the oldest due one has been so, in seconds. */
  oldestDueSeconds: number;
};

/** The queue's jobs by name. */
export async function countJobs(db: Db): Promise<JobCount[]> {
  const { rows } = await db.execute<JobCount>(sql`
    select name as job,
      count(*) filter (where is_free and run_at > now())::int as scheduled,
      count(*) filter (where is_free and run_at <= now())::int as due,
      count(*) filter (where locked_at is not null)::int as running,
      count(*) filter (where locked_at is null and not is_free)::int as failed,
      coalesce(extract(epoch from now() - min(run_at) filter (where is_free and run_at <= now())), 0)::float
        as "oldestDueSeconds"
    from (
      select task_identifier as name, run_at, locked_at, locked_at is null and attempts < max_attempts as is_free
      from graphile_worker.jobs
    ) as jobs
    group by name`);
  return rows;
}

/** In a rolling deploy, servers of the other version take such jobs well within this time. */
const unknownHours = 1;
const unknownReason = "This version of the shop does not know this kind of work";

/**
 * After a return to an earlier version, jobs of the later one would count as late forever. They are marked as failed and listed
 * for the owner; recurring ones are deleted. The version that knows them takes them up again.
 */
export async function endUnknownJobs(db: Db, known: readonly string[], log: Logger): Promise<void> {
  const names = JSON.stringify(known);
  const isKnown = sql`task_identifier in (select json_array_elements_text(${names}::json))`;
  const { rows } = await db.execute<{ ended: number; again: number }>(sql`
    with unknown as materialized (
      select id, key like 'every:%' as is_recurring from graphile_worker.jobs
      where not ${isKnown} and locked_at is null and attempts < max_attempts
        and run_at < now() - make_interval(hours => ${unknownHours}) limit ${batchRows}
    ), removed as (
      select graphile_worker.complete_jobs(array(select id from unknown where is_recurring))
    ), ended as (
      select graphile_worker.permanently_fail_jobs(array(select id from unknown where not coalesce(is_recurring, false)),
        ${unknownReason})
    ), again as (
      select graphile_worker.reschedule_jobs(array(
        select id from graphile_worker.jobs
        where last_error = ${unknownReason} and ${isKnown} and attempts >= max_attempts limit ${batchRows}),
        run_at => now(), attempts => 0)
    )
    select (select count(*) from removed)::int + (select count(*) from ended)::int as ended,
      (select count(*) from again)::int as again`);
  const [counts] = rows;
  if (counts && counts.ended + counts.again > 0)
    log.warn(counts, "jobs of another version were ended or taken up again");
}

/** Deletes jobs that failed long ago, because their payload may contain personal data. */
export async function purgeFailedJobs(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - failedTaskDays * 24 * 60 * 60 * 1000);
  await inBatches(async () => {
    const { rowCount } = await db.execute(sql`
      select graphile_worker.complete_jobs(array(
        select id from graphile_worker.jobs
        where attempts >= max_attempts and locked_at is null and updated_at < ${before.toISOString()}::timestamptz
        limit ${batchRows}))`);
    return rowCount ?? 0;
  });
}
