import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { sql } from "drizzle-orm";
import pino from "pino";
import * as v from "valibot";
import { afterAll, afterEach, expect, onTestFinished, test, vi } from "vitest";
import { createTestDatabase } from "../../../test/database.ts";
import { patienceMs } from "../../../test/patience.ts";
import { commandOptions } from "../../../test/program-environment.ts";
import { readMigrations } from "../database/migrations.ts";
import { defaultTiming, startJobs } from "./job-workers.ts";
import {
  addJob,
  addJobs,
  defineJob,
  failingRecurringJobs,
  type JobContext,
  jobQueueStats,
  jobRequest,
  moreToDo,
  purgeFailedJobs,
  queueJobsForRows,
  task,
} from "./jobs.ts";

const log = pino({ level: "silent" });
const count = defineJob({
  name: "count",
  payload: v.object({ n: v.number() }),
  lane: "money",
  priority: 0,
  maxAttempts: 2,
});
const mail = defineJob({ name: "mail", payload: v.object({}), lane: "mail", priority: 0, maxAttempts: 2 });
const singleAttempt = defineJob({
  name: "again",
  payload: v.object({}),
  lane: "money",
  priority: 0,
  maxAttempts: 1,
});

let stops: (() => Promise<void>)[] = [];

const database = await createTestDatabase();
afterEach(async () => {
  await Promise.all(stops.map((stop) => stop()));
  stops = [];
  await database.db.execute(sql`delete from jobs`);
});
afterAll(() => database.drop());

async function startWorkers(parts: Omit<Parameters<typeof startJobs>[0], "url" | "pool" | "log">) {
  const { stop } = await startJobs({ url: database.url, pool: database.pool, log, ...parts });
  stops.push(stop);
  return { stop };
}

/** Jobs that wait for a poll do not run during a test. */
const withoutPolls = { ...defaultTiming, pollMs: 10 * patienceMs };

/** Waits until `check` passes, even on a slow machine. */
const eventually = <T>(check: () => T) => vi.waitFor(check, { timeout: patienceMs, interval: 20 });

function recordingTask() {
  const payloads: number[] = [];
  return { payloads, task: task(count, async ({ n }) => void payloads.push(n)) };
}

test("jobs queued together with rows run at once, but only after their transaction has committed", async () => {
  const { payloads, task } = recordingTask();
  await startWorkers({ tasks: [task], timing: withoutPolls });
  const numbers = Array.from({ length: 20 }, (_, n) => n);
  for (const n of numbers) {
    await database.db.transaction(async (tx) => {
      const rowJson = sql`select json_build_object('n', ${n}::int)`;
      expect(await queueJobsForRows(tx, count, rowJson)).toBe(1);
      expect(payloads).not.toContain(n);
    });
    await vi.waitFor(() => expect(payloads).toContain(n), { timeout: patienceMs, interval: 1 });
  }
  expect([...payloads].sort((a, b) => a - b)).toEqual(numbers);
});

test("a job that another server has queued runs within seconds, without a notification", async () => {
  const { payloads, task } = recordingTask();
  await startWorkers({ tasks: [task] });
  await wait(100);
  // This process is not notified of the new job.
  await database.pool.query(
    `insert into jobs (name, lane, payload, max_attempts) values ('count', 'money', '{"n":1}', 2)`,
  );
  await eventually(() => expect(payloads).toEqual([1]));
});

test("a locked job does not delay others, and runs once it is unlocked", async () => {
  await addJob(database.db, count, { n: 1 });
  const lockingClient = await database.pool.connect();
  onTestFinished(() => lockingClient.release(true));
  await lockingClient.query("begin; select from jobs for update");
  const { payloads, task } = recordingTask();
  await startWorkers({ tasks: [task] });
  await addJob(database.db, count, { n: 2 });
  await eventually(() => expect(payloads).toEqual([2]));
  await lockingClient.query("rollback");
  await eventually(() => expect(payloads).toEqual([2, 1]));
});

test("a job whose row is locked when it ends is settled later, and does not run again", async () => {
  const { payloads, task: countTask } = recordingTask();
  const blocker = Promise.withResolvers<void>();
  const blockedTask = task(mail, () => blocker.promise);
  await startWorkers({ tasks: [countTask, blockedTask] });
  await addJob(database.db, mail, {});
  await eventually(async () => expect((await jobQueueStats(database.db)).running).toBe(1));
  const lockingClient = await database.pool.connect();
  onTestFinished(() => lockingClient.release(true));
  await lockingClient.query("begin; select from jobs for update");
  blocker.resolve();
  await addJob(database.db, count, { n: 1 });
  await eventually(() => expect(payloads).toEqual([1]));
  await lockingClient.query("rollback");
  await eventually(async () => {
    expect((await database.db.execute(sql`select from jobs`)).rowCount).toBe(0);
  });
});

test("a kind of job that always fails does not delay the others", async () => {
  const failing = task(singleAttempt, async () => {
    throw new Error("never works");
  });
  const { payloads, task: countTask } = recordingTask();
  await addJobs(
    database.db,
    Array.from({ length: 50 }, () => jobRequest({ ...singleAttempt, maxAttempts: 25 }, {})),
  );
  await startWorkers({ tasks: [failing, countTask] });
  await addJob(database.db, count, { n: 1 });
  await eventually(() => expect(payloads).toEqual([1]));
  await eventually(async () => expect(await jobQueueStats(database.db)).toMatchObject({ scheduled: 50 }));
});

test("error messages that the database cannot store are cleaned, and other jobs still run", async () => {
  const texts = ["a\0b", `a${"😀"[0]}`, `${"x".repeat(9_999)}😀`];
  const failing = task(count, async ({ n }) => {
    throw new Error(texts[n]);
  });
  let mails = 0;
  const mailing = task(mail, async () => {
    mails += 1;
  });
  await addJobs(
    database.db,
    texts.map((_, n) => jobRequest({ ...count, maxAttempts: 1 }, { n })),
  );
  await startWorkers({ tasks: [failing, mailing] });
  await eventually(async () => expect(await jobQueueStats(database.db)).toMatchObject({ failed: 3 }));
  await addJob(database.db, mail, {});
  await eventually(() => expect(mails).toBe(1));
  const { rows } = await database.db.execute(
    sql`select last_error from jobs where last_error is not null order by id`,
  );
  expect(rows.map((row) => row.last_error)).toEqual(["ab", "a\ufffd", `${"x".repeat(9_999)}\ufffd`]);
});

test("a job whose lease was lost in a database crash and that was queued again is kept when its earlier run ends", async () => {
  const end = Promise.withResolvers<void>();
  const payloads: number[] = [];
  const keyedTask = task(count, async ({ n }) => {
    payloads.push(n);
    if (n === 1) await end.promise;
  });
  await startWorkers({ tasks: [keyedTask] });
  await addJob(database.db, count, { n: 1 }, { key: "one" });
  await eventually(() => expect(payloads).toEqual([1]));
  await database.db.execute(sql`update jobs set leases = 0, leased_until = null`);
  await addJob(database.db, count, { n: 2 }, { key: "one" });
  end.resolve();
  await eventually(() => expect(payloads).toEqual([1, 2]));
});

test("a job that is queued again during its run runs once more with the new payload", async () => {
  const blocker = Promise.withResolvers<void>();
  const payloads: number[] = [];
  const keyedTask = task(count, async ({ n }) => {
    payloads.push(n);
    if (n === 1) await blocker.promise;
  });
  await startWorkers({ tasks: [keyedTask] });
  await addJob(database.db, count, { n: 1 }, { key: "one" });
  await eventually(() => expect(payloads).toEqual([1]));
  await addJob(database.db, count, { n: 2 }, { key: "one" });
  blocker.resolve();
  await eventually(() => expect(payloads).toEqual([1, 2]));
  await eventually(async () => {
    expect((await database.db.execute(sql`select from jobs`)).rowCount).toBe(0);
  });
});

test.each(["mail", "upkeep"] as const)(
  "a job of the lane %s that is queued while the lane pauses does not wait for the next poll",
  async (lane) => {
    const laneJob = defineJob({ ...count, name: `one_${lane}`, lane });
    let done = 0;
    await startWorkers({
      tasks: [
        task(laneJob, async () => {
          done += 1;
        }),
      ],
      timing: withoutPolls,
    });
    for (let n = 1; n <= 12; n += 1) {
      const rowJson = sql`select json_build_object('n', ${n}::int)`;
      await queueJobsForRows(database.db, laneJob, rowJson);
      await vi.waitFor(() => expect(done).toBe(n), { timeout: patienceMs, interval: 1 });
    }
  },
);

test("a job of a committed transaction runs once, one of a rolled-back transaction never", async () => {
  const { payloads, task } = recordingTask();
  await startWorkers({ tasks: [task] });
  await database.db.transaction((tx) => addJob(tx, count, { n: 1 }));
  const rolledBack = database.db.transaction(async (tx) => {
    await addJob(tx, count, { n: 2 });
    throw new Error("no");
  });
  await expect(rolledBack).rejects.toThrow("no");
  await database.db.transaction((tx) => addJob(tx, count, { n: 3 }));
  await eventually(() => expect(payloads).toEqual([1, 3]));
  await wait(200);
  expect(payloads).toEqual([1, 3]);
});

test("two servers run each of many jobs once", async () => {
  const { payloads, task } = recordingTask();
  await startWorkers({ tasks: [task] });
  await startWorkers({ tasks: [task] });
  const numbers = Array.from({ length: 200 }, (_, n) => n);
  await addJobs(
    database.db,
    numbers.map((n) => jobRequest(count, { n })),
  );
  await eventually(() => expect(payloads.length).toBe(200));
  expect(payloads.sort((a, b) => a - b)).toEqual(numbers);
});

test("a waiting job with the same key is replaced", async () => {
  const later = new Date(Date.now() + 60_000);
  await addJob(database.db, count, { n: 1 }, { key: "one", runAt: later });
  await addJob(database.db, count, { n: 2 }, { key: "one" });
  const { payloads, task } = recordingTask();
  await startWorkers({ tasks: [task] });
  await eventually(() => expect(payloads).toEqual([2]));
  expect(await jobQueueStats(database.db)).toMatchObject({ scheduled: 0 });
});

test("a failing job waits longer before each further attempt, and counts as failed after the last", async () => {
  const contexts: JobContext[] = [];
  const failing = task(count, async (_, context) => {
    contexts.push(context);
    throw new Error("not today");
  });
  await startWorkers({ tasks: [failing] });
  await addJob(database.db, count, { n: 1 });
  await eventually(async () => expect(await retryDelays()).toEqual([3]));
  await database.db.execute(sql`update jobs set run_at = now()`);
  await eventually(async () => expect(await jobQueueStats(database.db)).toMatchObject({ failed: 1 }));
  expect(contexts.map(({ attempt, isLastAttempt }) => [attempt, isLastAttempt])).toEqual([
    [1, false],
    [2, true],
  ]);
});

async function retryDelays(): Promise<number[]> {
  const { rows } = await database.db.execute<{ seconds: number }>(
    sql`select round(extract(epoch from run_at - updated_at))::int as seconds from jobs
        where leased_until is null and last_error = 'not today'`,
  );
  return rows.map(({ seconds }) => seconds);
}

test("taking a job writes to no index", async () => {
  const { payloads, task } = recordingTask();
  const updates = async () => {
    const { rows } = await database.db.execute<{ inPlace: number; others: number }>(sql`
      select n_tup_hot_upd::int as "inPlace", (n_tup_upd - n_tup_hot_upd)::int as others
      from pg_stat_user_tables where relname = 'jobs'`);
    return rows[0] ?? { inPlace: 0, others: 0 };
  };
  // A row that changes needs room on its page for the new version: all of these fit on an empty one.
  await database.db.execute(sql`vacuum full jobs`);
  const before = await updates();
  await addJobs(
    database.db,
    Array.from({ length: 10 }, (_, n) => jobRequest(count, { n }, {})),
  );
  const { stop } = await startWorkers({ tasks: [task] });
  await eventually(() => expect(payloads).toHaveLength(10));
  // PostgreSQL counts the updates of a connection when it closes.
  await stop();
  await eventually(async () => expect((await updates()).inPlace - before.inPlace).toBeGreaterThanOrEqual(10));
  expect((await updates()).others).toBe(before.others);
});

test("a job with an invalid payload never runs", async () => {
  const { payloads, task } = recordingTask();
  await startWorkers({ tasks: [task] });
  await database.db.execute(
    sql`insert into jobs (name, lane, payload, max_attempts) values ('count', 'money', '{"n":"one"}', 2)`,
  );
  await eventually(async () => expect(await jobQueueStats(database.db)).toMatchObject({ scheduled: 1 }));
  expect(payloads).toEqual([]);
});

test("stopping waits for the running job and leaves the others for the next start", async () => {
  const payloads: number[] = [];
  const slow = task(count, async ({ n }) => {
    await wait(300);
    payloads.push(n);
  });
  const { stop } = await startWorkers({ tasks: [slow] });
  stops = [];
  await addJobs(
    database.db,
    Array.from({ length: 200 }, (_, n) => jobRequest(count, { n })),
  );
  await eventually(async () => expect((await jobQueueStats(database.db)).running).toBeGreaterThan(0));
  await stop();
  expect(payloads.length).toBeGreaterThan(0);
  expect(await jobQueueStats(database.db)).toMatchObject({ running: 0, waiting: 200 - payloads.length });
});

test("stopping does not wait for the next poll after the last job", async () => {
  const end = Promise.withResolvers<void>();
  const { stop } = await startWorkers({ tasks: [task(mail, () => end.promise)], timing: withoutPolls });
  await addJob(database.db, mail, {});
  await eventually(async () => expect((await jobQueueStats(database.db)).running).toBe(1));
  const stopped = stop();
  await wait(100);
  end.resolve();
  await stopped;
  expect((await database.db.execute(sql`select from jobs`)).rowCount).toBe(0);
});

test("jobs of payments are not delayed by a mail server that stalls", async () => {
  const stalled = new AbortController();
  const { payloads, task: countTask } = recordingTask();
  const stalling = task(mail, () =>
    wait(10 * patienceMs, undefined, { signal: stalled.signal }).catch(() => undefined),
  );
  await startWorkers({ tasks: [countTask, stalling] });
  await addJobs(
    database.db,
    Array.from({ length: 20 }, () => jobRequest(mail, {})),
  );
  await eventually(async () => expect((await jobQueueStats(database.db)).running).toBeGreaterThan(0));
  await addJob(database.db, count, { n: 1 });
  // The payment job runs long before the stalled jobs time out.
  await eventually(() => expect(payloads).toEqual([1]));
  stalled.abort();
});

test("recurring work starts immediately and is queued again after success and failure, once for all servers", async () => {
  const runs: number[] = [];
  const recurring = {
    task: task(singleAttempt, async () => {
      runs.push(performance.now());
      throw new Error("this time it failed");
    }),
    everySeconds: 1,
  };
  await startWorkers({ tasks: [], cron: [recurring] });
  await startWorkers({ tasks: [], cron: [recurring] });
  await eventually(() => expect(runs.length).toBeGreaterThan(5));
  // Both servers have started it; if each queued its own runs from then on, the waits would be shorter.
  const waits = runs.slice(2).map((at, index) => at - (runs[index + 1] ?? 0));
  expect(Math.min(...waits)).toBeGreaterThan(900);
  // A run that has not ended yet may have queued the next one already.
  await eventually(async () => {
    const { waiting, running, scheduled, failed } = await jobQueueStats(database.db);
    expect([waiting + running + scheduled, failed]).toEqual([1, 0]);
  });
});

test("a killed process's job is run by another process, and a running process keeps its job", async () => {
  const hang = defineJob({ ...singleAttempt, name: "hang", maxAttempts: 3 });
  await addJob(database.db, hang, {});
  const worker = fileURLToPath(new URL("../../../test/hanging-worker.ts", import.meta.url));
  const child = spawn(process.execPath, [...commandOptions, worker, database.url], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  let attempt = 0;
  await startWorkers({
    tasks: [
      task(hang, async (_, context) => {
        attempt = context.attempt;
      }),
    ],
  });
  await wait(5_500);
  expect(attempt).toBe(0);
  child.kill("SIGKILL");
  await eventually(() => expect(attempt).toBe(2));
});

test("a failed job is deleted after a month, a waiting one is kept", async () => {
  let runs = 0;
  await startWorkers({
    tasks: [
      task(singleAttempt, async () => {
        runs += 1;
        throw new Error("never works");
      }),
    ],
  });
  await addJob(database.db, singleAttempt, {});
  await eventually(() => expect(runs).toBe(1));
  await addJob(database.db, count, { n: 1 }, { runAt: new Date(Date.now() + 60_000) });
  const countRemainingJobs = async () => {
    const { failed, scheduled } = await jobQueueStats(database.db);
    return { failed, scheduled };
  };
  await eventually(async () => expect(await countRemainingJobs()).toEqual({ failed: 1, scheduled: 1 }));
  const daysFromNow = (count: number) => new Date(Date.now() + count * 24 * 60 * 60 * 1000);

  await purgeFailedJobs(database.db, daysFromNow(29));
  expect(await countRemainingJobs()).toEqual({ failed: 1, scheduled: 1 });
  await purgeFailedJobs(database.db, daysFromNow(31));
  expect(await countRemainingJobs()).toEqual({ failed: 0, scheduled: 1 });
});

test("workers reconnect after the database has cut all connections", async () => {
  const { payloads, task } = recordingTask();
  await startWorkers({ tasks: [task] });
  await addJob(database.db, count, { n: 1 });
  await eventually(() => expect(payloads).toEqual([1]));
  await database.db.execute(
    sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`,
  );
  await eventually(() => addJob(database.db, count, { n: 2 }));
  await eventually(() => expect(payloads).toEqual([1, 2]));
});

test("recurring work that keeps failing is retried indefinitely, keeps the time of its first failure, and recovers", async () => {
  const outcomes = ["fails", "fails again", "fails again", null];
  const recurring = {
    task: task(singleAttempt, async () => {
      const reason = outcomes.shift();
      if (reason) throw new Error(reason);
    }),
    everySeconds: 3600,
  };
  await startWorkers({ tasks: [], cron: [recurring] });
  const read = async () => {
    const { rows } = await database.pool.query(
      "select attempts, last_error, updated_at, leased_until is null as is_free from jobs",
    );
    return rows[0];
  };
  const settled = (state: object) =>
    vi.waitFor(async () => expect(await read()).toMatchObject({ ...state, is_free: true }), {
      timeout: patienceMs,
    });
  await settled({ attempts: 1, last_error: "fails" });
  const failingSince = new Date(Date.now() - 2 * 3600_000);
  await database.pool.query("update jobs set updated_at = $1, attempts = 32766, run_at = now()", [
    failingSince,
  ]);
  await settled({ attempts: 32_766, last_error: "fails again", updated_at: failingSince });
  expect(await failingRecurringJobs(database.db)).toEqual([
    { kind: "again", since: failingSince.toISOString(), reason: "fails again" },
  ]);
  await database.pool.query("update jobs set run_at = now(), last_error = 'before'");
  await settled({ last_error: "fails again", updated_at: failingSince });
  await database.pool.query("update jobs set run_at = now()");
  await settled({ attempts: 0, last_error: null });
  expect(await failingRecurringJobs(database.db)).toEqual([]);
});

test("a recurring task with more to do runs again immediately, then at its next time", async () => {
  let runs = 0;
  const recurring = {
    task: task(singleAttempt, async () => {
      runs += 1;
      return runs < 12 ? moreToDo : undefined;
    }),
    everySeconds: 3_600,
  };
  await startWorkers({ tasks: [], cron: [recurring], timing: withoutPolls });
  await eventually(() => expect(runs).toBe(12));
  const { scheduled } = await jobQueueStats(database.db);
  expect(scheduled).toBeLessThanOrEqual(1);
});

test("recurring work runs immediately, and a failed job after its pause, when the database's clock goes back by an hour", async () => {
  await database.pool.query(`create schema clock; create table clock.shift as select interval '1 hour' as ahead;
    create function clock.now() returns timestamptz stable language sql as 'select pg_catalog.now() + ahead from clock.shift'`);
  onTestFinished(async () => {
    await database.pool.query("drop schema clock cascade");
  });
  const url = new URL(database.url);
  url.searchParams.set("options", "-c search_path=clock,pg_catalog,public");
  let runs = 0;
  const recurring = {
    task: task(singleAttempt, async () => {
      runs += 1;
    }),
    everySeconds: 3_600,
  };
  let attempts = 0;
  const flaky = defineJob({ ...singleAttempt, name: "flaky", maxAttempts: 2 });
  const failsOnce = task(flaky, async () => {
    attempts += 1;
    if (attempts === 1) throw new Error("fails once");
  });
  await addJob(database.db, flaky, {});
  const tasks = [failsOnce];
  const { stop } = await startJobs({ url: url.href, pool: database.pool, log, tasks, cron: [recurring] });
  stops.push(stop);
  await eventually(async () => expect((await jobQueueStats(database.db)).scheduled).toBe(2));
  expect([runs, attempts]).toEqual([1, 1]);
  await database.pool.query("update clock.shift set ahead = '0'");
  await vi.waitFor(() => expect([runs, attempts]).toEqual([2, 2]), { timeout: 20_000 });
});

test("after the database's clock was ahead, a job scheduled by the application does not run early, and a dead server's lease ends", async () => {
  const runAt = new Date(Date.now() + 30 * 60_000);
  await addJob(database.db, count, { n: 1 }, { runAt });
  await database.pool.query("update jobs set updated_at = now() + interval '1 hour'");
  await addJob(database.db, count, { n: 2 });
  await database.pool.query("update jobs set leased_until = now() + interval '1 hour' where run_at <= now()");
  const { payloads, task } = recordingTask();
  await startWorkers({ tasks: [task] });
  const { rows } = await database.pool.query(
    "select run_at, leased_until < now() + interval '11 s' as ends_soon from jobs order by id",
  );
  expect(rows).toMatchObject([{ run_at: runAt }, { ends_soon: true }]);
  expect(payloads).toEqual([]);
});

test("the migration from the earlier job queue also moves jobs of a transaction that was still open", async () => {
  await database.pool.query(`create schema graphile_worker;
    create table graphile_worker._private_jobs (id bigint generated always as identity, task_id text, payload jsonb default '{}',
      run_at timestamptz default now(), priority smallint default 0, max_attempts smallint default 2, attempts smallint default 0,
      last_error text, key text, created_at timestamptz default now(), updated_at timestamptz default now(), locked_at timestamptz);
    create view graphile_worker._private_tasks as select 'send_message' as id, 'send_message' as identifier`);
  const writer = await database.pool.connect();
  onTestFinished(() => writer.release(true));
  await writer.query("begin; insert into graphile_worker._private_jobs (task_id) values ('send_message')");
  const moveStatement =
    readMigrations()
      .find(({ name }) => name === "0003_job_queue")
      ?.statements.at(-1) ?? "";
  const migration = database.pool.query(moveStatement);
  await wait(200);
  await writer.query("commit");
  await migration;
  expect((await database.db.execute(sql`select name, lane from jobs`)).rows).toEqual([
    { name: "send_message", lane: "mail" },
  ]);
});
