import { type SQL, sql } from "drizzle-orm";
import type { Logger } from "pino";
import * as v from "valibot";
import { failedTaskDays } from "../../../domain/privacy/retention.ts";
import type { Db } from "../database/database.ts";
import { batchRows, deleteInBatches } from "../database/in-batches.ts";
import { leaseSeconds, recurringAttempts } from "./leases.ts";
import { wakeWorkers } from "./queued.ts";
import { jobs } from "./tables.ts";

/**
 * A kind of background work. Each lane has its own workers: a slow mail server does not delay payments, and long work (`long`)
 * does not delay short jobs. Within a lane smaller `priority` goes first. A failed run is retried after 3 s, 7 s, 20 s, ... up to
 * 6 h.
 */
export type Job<Schema extends v.GenericSchema = v.GenericSchema> = {
  name: string;
  payload: Schema;
  lane: (typeof jobs.$inferSelect)["lane"];
  priority: number;
  maxAttempts: number;
};

type JobOptions = {
  /** Replaces a waiting job with the same key. */
  key?: string;
  /** Earliest start; default: immediately. */
  runAt?: Date;
};

export type JobContext = {
  /** Counts from 1. */
  attempt: number;
  isLastAttempt: boolean;
  /** Aborted when the process is about to stop. */
  signal: AbortSignal;
};

/** Returned by a recurring task with more to do: its next run starts immediately, after others had a chance. */
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

/** Recurring work: its only job is never finished, but put off until its next run. */
export type RecurringTask = { task: Task; everySeconds: number };

/** Work without a payload that runs at each start and then at its interval. */
export function recurring(
  { everySeconds, ...job }: Pick<Job, "name" | "lane" | "priority"> & { everySeconds: number },
  run: (context: JobContext) => Promise<unknown>,
): RecurringTask {
  const kind = defineJob({ ...job, payload: v.object({}), maxAttempts: recurringAttempts });
  return { task: task(kind, (_, context) => run(context)), everySeconds };
}

/** Queues one job. Inside a transaction, workers see it after the commit. */
export async function addJob<Schema extends v.GenericSchema>(
  db: Db,
  job: Job<Schema>,
  payload: v.InferInput<Schema>,
  options: JobOptions = {},
): Promise<void> {
  await addJobs(db, [jobRequest(job, payload, options)]);
}

type JobRequest = { job: Job; payload: unknown; options: JobOptions };

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
  // A running job with the same key loses its lease to the new one, because the data that it has read may be outdated.
  await db.execute(sql`${insertJobs(requests)}
    on conflict (key) do update set payload = excluded.payload, run_at = excluded.run_at, priority = excluded.priority,
      max_attempts = excluded.max_attempts, attempts = 0, last_error = null, leases = jobs.leases + 1,
      leased_until = null, updated_at = now()`);
  wakeWorkers();
}

/**
 * Makes recurring work due now; a run in progress continues. Also corrects the times of jobs that were put off, or taken by a
 * server that is gone, while the database's clock was ahead, so that they do not wait longer than intended. A `run_at` before
 * `updated_at` was set by the application's clock, which may have been right, and is kept.
 */
export async function startRecurring(db: Db, cron: readonly RecurringTask[]): Promise<void> {
  await db.execute(sql`update jobs set run_at = now() + (run_at - updated_at), updated_at = now()
    where updated_at > now() + interval '1 minute' and run_at >= updated_at`);
  await db.execute(sql`update jobs set leased_until = now() + make_interval(secs => ${leaseSeconds})
    where leased_until > now() + interval '1 minute'`);
  const requests = cron.map(({ task: { job } }) =>
    jobRequest({ ...job, maxAttempts: recurringAttempts }, {}, { key: `every:${job.name}` }),
  );
  await db.execute(sql`${insertJobs(requests)}
    on conflict (key) do update set lane = excluded.lane, priority = excluded.priority,
      max_attempts = excluded.max_attempts, run_at = least(jobs.run_at, now())`);
}

function insertJobs(requests: readonly JobRequest[]): SQL {
  const rows = requests.map(({ job: { name, lane, priority, maxAttempts }, payload, options }) => ({
    name,
    lane,
    priority,
    max_attempts: maxAttempts,
    payload,
    run_at: options.runAt,
    key: options.key,
  }));
  return sql`insert into jobs (name, lane, payload, run_at, priority, max_attempts, key)
    select name, lane, payload, coalesce(run_at, now()), priority, max_attempts, key
    from json_to_recordset(${JSON.stringify(rows)}::json) as incoming(name text, lane text, payload jsonb,
      run_at timestamptz, priority smallint, max_attempts smallint, key text)`;
}

/**
 * Queues a job for each row of `payloads`, a query of one JSON column, and returns how many. `withClause` writes or selects the
 * rows that the query reads.
 */
export async function queueJobsForRows(
  db: Db,
  job: Job,
  payloads: SQL,
  withClause: SQL = sql``,
): Promise<number> {
  const { rowCount } = await db.execute(sql`${withClause} ${insertJobsForRows([job, payloads])}`);
  const count = rowCount ?? 0;
  if (count > 0) wakeWorkers();
  return count;
}

/** Statement that queues a job for each row of queries of one JSON column; the caller wakes the workers. */
export function insertJobsForRows(...queries: [job: Job, payloads: SQL][]): SQL {
  const rows = queries.map(
    ([{ name, lane, maxAttempts, priority }, payloads]) => sql`
      select ${name}::text, ${lane}::text, payload::jsonb, ${maxAttempts}::smallint, ${priority}::smallint
      from (${payloads}) as rows(payload)`,
  );
  return sql`insert into jobs (name, lane, payload, max_attempts, priority) ${sql.join(rows, sql` union all `)}`;
}

/** Sums over all kinds of job: `waiting` are due and not yet started, `oldestWaitingSeconds` is how long the oldest has been due. */
export function toQueueStats(counts: readonly JobCount[]) {
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

export const jobQueueStats = async (db: Db) => toQueueStats(await countJobs(db));

export type JobCount = {
  job: string;
  /** Queued for later, retries included. */
  scheduled: number;
  due: number;
  running: number;
  failed: number;
  /** Seconds for which the oldest due job has been due. */
  oldestDueSeconds: number;
};

/** No server is running the job: it has no lease, or its lease has ended. */
export const hasNoLease = sql`(jobs.leased_until is null or jobs.leased_until <= now())`;
/** All attempts are used up. */
export const hasGivenUp = sql`(not jobs.has_attempts and ${hasNoLease})`;
/** Jobs of recurring work are never finished, only put off. */
export const isRecurring = sql`coalesce(jobs.key like 'every:%', false)`;
const isWaiting = sql`(jobs.has_attempts and ${hasNoLease})`;

/** The queue's jobs by name. */
export async function countJobs(db: Db): Promise<JobCount[]> {
  const isDue = sql`${isWaiting} and run_at <= now()`;
  const { rows } = await db.execute<JobCount>(sql`
    select name as job,
      count(*) filter (where ${isWaiting} and run_at > now())::int as scheduled,
      count(*) filter (where ${isDue})::int as due,
      count(*) filter (where not ${hasNoLease})::int as running,
      count(*) filter (where ${hasGivenUp})::int as failed,
      coalesce(extract(epoch from now() - min(run_at) filter (where ${isDue})), 0)::float as "oldestDueSeconds"
    from jobs group by name`);
  return rows;
}

/** Recurring work that failed at least three times in a row over an hour or more. `since`: the first of these failures. */
export async function failingRecurringJobs(
  db: Db,
): Promise<{ kind: string; since: string; reason: string }[]> {
  const { rows } = await db.execute<{ kind: string; since: string; reason: string }>(sql`
    select name as kind, last_error as reason,
      to_char(updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as since
    from jobs
    where ${isRecurring} and last_error is not null and attempts >= 3
      and updated_at < now() - interval '1 hour'
    order by name`);
  return rows;
}

/** Requeues a failed job, or all of them if `id` is null, with all attempts. Returns the requeued jobs. */
export async function retryFailedJobs(db: Db, id: string | null): Promise<{ id: string; kind: string }[]> {
  const { rows } = await db.execute<{ id: string; kind: string }>(sql`
    update jobs set attempts = 0, run_at = now(), updated_at = now()
    where id in (
      select id from jobs where ${hasGivenUp} ${id === null ? sql`` : sql`and id = ${id}::bigint`}
      for update skip locked)
    returning id::text as id, name as kind`);
  if (rows.length > 0) wakeWorkers();
  return rows;
}

/** Runs waiting jobs now, does not count their last attempt, and returns how many. `ids`: a query of one column. */
export async function retryJobsNow(db: Db, ids: SQL): Promise<number> {
  const { rowCount } = await db.execute(sql`
    with retried as materialized (${ids})
    update jobs set run_at = now(), attempts = attempts - 1, updated_at = now()
    from retried where jobs.id = retried.id and ${hasNoLease}`);
  if (rowCount) wakeWorkers();
  return rowCount ?? 0;
}

/** Makes all jobs in progress wait again, because no server runs them anymore. The interrupted attempt does not count. */
export async function releaseJobs(db: Db): Promise<void> {
  await db.execute(sql`
    update jobs set leased_until = null, attempts = greatest(attempts - 1, 0) where leased_until is not null`);
}

/** False if the job is gone or is running. */
export async function removeFailedJob(db: Db, id: string): Promise<boolean> {
  const { rowCount } = await db.execute(sql`delete from jobs where id = ${id}::bigint and ${hasGivenUp}`);
  return (rowCount ?? 0) > 0;
}

/** In a rolling deploy, servers of the other version take such jobs well within this time. */
const unknownHours = 1;
const unknownReason = "This version of the shop does not know this kind of work";

/**
 * After a return to an earlier version, jobs that only the later one knows would count as overdue forever. They are marked as
 * failed and listed for the owner; recurring ones are deleted. A version that knows them resumes them.
 */
export async function endUnknownJobs(db: Db, knownNames: readonly string[], log: Logger): Promise<void> {
  const isKnown = sql`name = any(${sql.param(knownNames)}::text[])`;
  const { rows } = await db.execute<{ ended: number; resumed: number }>(sql`
    with unknown as materialized (
      select id, ${isRecurring} as is_recurring from jobs
      where not ${isKnown} and ${isWaiting} and run_at < now() - make_interval(hours => ${unknownHours})
      limit ${batchRows} for update skip locked
    ), removed as (
      delete from jobs using unknown where jobs.id = unknown.id and is_recurring returning 1
    ), ended as (
      update jobs set attempts = max_attempts, last_error = ${unknownReason}, updated_at = now()
      from unknown where jobs.id = unknown.id and not is_recurring returning 1
    ), resumed as (
      update jobs set attempts = 0, run_at = now(), last_error = null, updated_at = now()
      where id in (select id from jobs where last_error = ${unknownReason} and ${isKnown} and ${hasGivenUp}
        limit ${batchRows} for update skip locked) returning 1
    )
    select (select count(*) from removed)::int + (select count(*) from ended)::int as ended,
      (select count(*) from resumed)::int as resumed`);
  const [counts] = rows;
  if (counts && counts.ended + counts.resumed > 0)
    log.warn(counts, "jobs of another version were ended or resumed");
}

/** Deletes jobs that failed long ago, because their payload may contain personal data. */
export async function purgeFailedJobs(db: Db, now: Date): Promise<void> {
  const keptSince = new Date(now.getTime() - failedTaskDays * 24 * 60 * 60 * 1000);
  await deleteInBatches(
    db,
    jobs,
    sql`${hasGivenUp} and jobs.updated_at < ${keptSince.toISOString()}::timestamptz`,
  );
}
