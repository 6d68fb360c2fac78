/** A job that this process runs. */
export type Lease = {
  id: string;
  /** Random number that distinguishes this lease from others of the same job. */
  leaseToken: number;
  name: string;
  /** Each lane has separate workers. `letters`: newsletters; `upkeep`: housekeeping. */
  lane: "money" | "mail" | "letters" | "webhooks" | "upkeep" | "long";
  payload: unknown;
  /** Counts from 1. */
  attempt: number;
  maxAttempts: number;
};

/** How a run ended. */
export type Outcome = {
  id: string;
  leaseToken: number;
  /** Seconds until the next run; null if the job is done and is to be deleted. */
  delayS: number | null;
  /** Why it failed; null if it succeeded. */
  error: string | null;
};

/** 3 s, 7 s, 20 s, ... up to 6 h. */
export const retrySeconds = (attempt: number) => Math.exp(Math.min(attempt, 10));

/** A job whose server does not renew its lease for this long (s) is taken over. */
export const leaseSeconds = 10;

/** Recurring jobs never run out of attempts: the greatest number that the column can store, which is never reached. */
export const recurringAttempts = 32_767;

/** While recurring work fails again and again, `updated_at` is the time of its first failure. */
const isFailingAgain = `jobs.max_attempts = ${recurringAttempts} and jobs.last_error is not null`;

/** The column `leases` holds the token. */
const isSameLease = (row: string) => `jobs.id = ${row}.id and jobs.leases = ${row}."leaseToken"`;

/**
 * Settles jobs, renews leases and takes due jobs; the list below describes its parameters. Rows locked by another transaction
 * are skipped, so that they do not delay others. The commit is asynchronous: after a crash of the database a job may be
 * taken and run again. Leases have random numbers, because a counter would reuse those that the crash has undone. Only
 * messages wait for the commit, because no other server may send a message that this one is sending.
 *
 * 1. outcomes of finished jobs: `{id, leaseToken, delayS, error}`
 * 2. leases to be renewed: `{id, leaseToken}`
 * 3. ids of jobs that this process is running, which it does not take again, even if their leases have ended
 * 4. names of the jobs that this process can run
 * 5. how many more jobs of each lane it can run: `{lane, free}`
 */
export const pollStatement = `
  with outcome as materialized (
    select * from json_to_recordset($1::json) as outcome(id bigint, "leaseToken" int, "delayS" float8, error text)
  ), ended as materialized (
    select jobs.id, outcome."delayS", outcome.error from outcome join jobs on ${isSameLease("outcome")}
    for update of jobs skip locked
  ), removed as (
    delete from jobs using ended where jobs.id = ended.id and ended."delayS" is null
  ), rescheduled as (
    update jobs set run_at = now() + make_interval(secs => ended."delayS"), last_error = ended.error, leased_until = null,
      attempts = case when ended.error is null then 0 else jobs.attempts end,
      updated_at = case when ended.error is not null and ${isFailingAgain} then jobs.updated_at else now() end
    from ended where jobs.id = ended.id and ended."delayS" is not null
  ), held as materialized (
    select jobs.id from json_to_recordset($2::json) as held(id bigint, "leaseToken" int) join jobs on ${isSameLease("held")}
    for update of jobs skip locked
  ), renewed as (
    update jobs set leased_until = now() + interval '${leaseSeconds} s' from held where jobs.id = held.id
  ), due as materialized (
    select job.id from json_to_recordset($5::json) as lane(lane text, free int) cross join lateral (
      select id from jobs
      where jobs.lane = lane.lane and name = any($4) and id <> all($3) and has_attempts and run_at <= now()
        and (leased_until is null or leased_until <= now())
      order by priority, run_at, id limit lane.free for update skip locked
    ) as job
  ), taken as (
    update jobs set attempts = least(attempts + 1, ${recurringAttempts - 1}), leases = (random() * 2000000000)::int, leased_until = now() + interval '${leaseSeconds} s'
    from due where jobs.id = due.id
    returning jobs.id::text as id, leases as "leaseToken", name, lane, payload, attempts as attempt, max_attempts as "maxAttempts",
      priority, run_at
  )
  select set_config('synchronous_commit', case when exists (select from taken where lane = 'mail')
      then current_setting('synchronous_commit') else 'off' end, true),
    (select json_agg(taken order by priority, run_at, taken.id) from taken) as taken, extract(epoch from now())::float8 as "clockS",
    (select json_agg(outcome.id::text) from outcome join jobs on ${isSameLease("outcome")} where outcome.id not in (select id from ended)) as locked`;
