import { setTimeout as wait } from "node:timers/promises";
import { sql } from "drizzle-orm";
import pg from "pg";
import pino from "pino";
import * as v from "valibot";
import { describe, expect, type TestContext, test, vi } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../test/database.ts";
import { patienceMs } from "../../../test/patience.ts";
import { openTcpProxy } from "../../../test/tcp-proxy.ts";
import { createHealth } from "../process/health.ts";
import { startJobs } from "./job-workers.ts";
import { addJob, defineJob, task } from "./jobs.ts";

const log = pino({ level: "silent" });
const count = defineJob({
  name: "count",
  payload: v.object({ n: v.number() }),
  lane: "money",
  priority: 0,
  maxAttempts: 25,
});

/** Starts a server's background work on the test's own database, reached at `url`. */
async function startServer(
  { onTestFinished }: TestContext,
  { url, pool }: Pick<TestDatabase, "url" | "pool">,
) {
  const health = createHealth();
  const doneNumbers = new Set<number>();
  const giveUpReasons: string[] = [];
  const jobs = await startJobs({
    url,
    pool,
    log,
    health,
    giveUp: (reason) => giveUpReasons.push(reason),
    tasks: [task(count, async ({ n }) => void doneNumbers.add(n))],
  });
  onTestFinished(() => jobs.stop());
  return { health, doneNumbers, giveUpReasons, workersProblem: () => health.failureReason("workers") };
}

async function openDatabase({ onTestFinished }: TestContext): Promise<TestDatabase> {
  const testDatabase = await createTestDatabase();
  onTestFinished(() => testDatabase.drop());
  return testDatabase;
}

const eventually = <T>(check: () => T) => vi.waitFor(check, { timeout: patienceMs, interval: 50 });

/** Concurrent, because these tests mostly wait. */
describe.concurrent("background work continues", () => {
  test("after all connections were cut repeatedly", async (context) => {
    const { db, url, pool } = await openDatabase(context);
    const servers = [await startServer(context, { url, pool }), await startServer(context, { url, pool })];
    const numbers = Array.from({ length: 60 }, (_, n) => n);
    for (const n of numbers) {
      await eventually(() => addJob(db, count, { n }));
      if (n % 3 === 0) {
        await eventually(() =>
          db.execute(sql`
            select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and pid <> pg_backend_pid()`),
        );
      }
      await wait(n % 50);
    }
    // A finished job whose completion could not be stored runs again, on either server.
    await eventually(() =>
      expect(new Set(servers.flatMap(({ doneNumbers }) => [...doneNumbers]))).toEqual(new Set(numbers)),
    );
    await eventually(() =>
      expect(servers.map(({ workersProblem }) => workersProblem())).toEqual([null, null]),
    );
  });

  test("after a start on a read-only database", async (context) => {
    const { db, url, pool } = await openDatabase(context);
    await addJob(db, count, { n: 1 });
    const name = new URL(url).pathname.slice(1);
    await db.execute(sql.raw(`alter database ${name} set default_transaction_read_only = on`));
    const { doneNumbers, workersProblem, giveUpReasons } = await startServer(context, { url, pool });
    await eventually(() => expect(workersProblem()).toContain("has stopped"));
    expect(doneNumbers.size).toBe(0);
    await db.execute(sql.raw(`alter database ${name} reset default_transaction_read_only`));
    await eventually(() => expect([...doneNumbers]).toEqual([1]));
    await eventually(() => expect(workersProblem()).toBe(null));
    expect(giveUpReasons).toEqual([]);
  });

  test("after its statements hung without a response", async (context) => {
    const { db, url, pool } = await openDatabase(context);
    const { doneNumbers, workersProblem } = await startServer(context, { url, pool });
    await addJob(db, count, { n: 1 });
    await eventually(() => expect([...doneNumbers]).toEqual([1]));
    const otherClient = new pg.Client(url);
    await otherClient.connect();
    await otherClient.query("begin; lock table jobs");
    await eventually(() => expect(workersProblem()).toContain("has stopped"));
    await otherClient.end();
    await addJob(db, count, { n: 2 });
    await eventually(() => expect([...doneNumbers]).toEqual([1, 2]));
    await eventually(() => expect(workersProblem()).toBe(null));
  });

  test("on another server while one has lost the database, and on that one once it is back", async (context) => {
    const { db, url, pool } = await openDatabase(context);
    const proxy = await openTcpProxy(url);
    context.onTestFinished(() => proxy.close());
    const jobStarted = Promise.withResolvers<void>();
    const hang = defineJob({ ...count, name: "hang", payload: v.object({}) });
    const health = createHealth();
    const disconnected = await startJobs({
      url: proxy.through(url),
      pool,
      log,
      health,
      tasks: [
        task(hang, async () => {
          jobStarted.resolve();
          await new Promise(() => {});
        }),
      ],
    });
    context.onTestFinished(() => disconnected.stop());
    await addJob(db, hang, {});
    await jobStarted.promise;
    proxy.blackHole();

    let attempt = 0;
    const other = await startJobs({
      url,
      pool,
      log,
      tasks: [
        task(hang, async (_, context) => {
          attempt = context.attempt;
        }),
      ],
    });
    context.onTestFinished(() => other.stop());
    await eventually(() => expect(attempt).toBe(2));
    await eventually(() => expect(health.failureReason("workers")).not.toBe(null));
    proxy.restore();
    await eventually(() => expect(health.failureReason("workers")).toBe(null));
  });

  test("on the same server when only its connection falls silent", async (context) => {
    const { db, url, pool } = await openDatabase(context);
    const proxy = await openTcpProxy(url);
    context.onTestFinished(() => proxy.close());
    const attempts: number[] = [];
    const hang = defineJob({ ...count, name: "hang", payload: v.object({}) });
    const hangingTask = task(hang, (_, { attempt, signal }) => {
      attempts.push(attempt);
      return new Promise((resolve) => signal.addEventListener("abort", resolve));
    });
    const options = { pool, log, tasks: [hangingTask] };
    const silentServer = await startJobs({ ...options, url: proxy.through(url) });
    context.onTestFinished(() => silentServer.stop());
    await addJob(db, hang, {});
    await eventually(() => expect(attempts).toEqual([1]));
    const other = await startJobs({ ...options, url });
    context.onTestFinished(() => other.stop());
    proxy.blackHole();
    proxy.restore();
    // Waits longer than a lease, in which the other server could have taken the job.
    await wait(14_000);
    expect(attempts).toEqual([1]);
  });

  test("until the workers stop, and running jobs are aborted even without a database", async (context) => {
    const { db, url, pool } = await openDatabase(context);
    const proxy = await openTcpProxy(url);
    context.onTestFinished(() => proxy.close());
    const jobEnded = Promise.withResolvers<void>();
    let isRunning = false;
    const hang = defineJob({ ...count, name: "hang", payload: v.object({}) });
    const hangingTask = task(hang, (_, { signal }) => {
      isRunning = true;
      signal.addEventListener("abort", () => jobEnded.resolve());
      return jobEnded.promise;
    });
    const jobs = await startJobs({ url: proxy.through(url), pool, log, tasks: [hangingTask] });
    await addJob(db, hang, {});
    await eventually(() => expect(isRunning).toBe(true));
    proxy.cut({ refuse: true });
    await jobs.stop();
    await jobEnded.promise;
  });

  test("until the workers stop, which ends their pause after failures", async (context) => {
    const { url, pool } = await openDatabase(context);
    const proxy = await openTcpProxy(url);
    context.onTestFinished(() => proxy.close());
    const failures: string[] = [];
    const countingLog = pino({ level: "error" }, { write: (line) => void failures.push(line) });
    const jobs = await startJobs({ url: proxy.through(url), pool, log: countingLog, tasks: [] });
    proxy.cut({ refuse: true });
    // The pause is 4 s after the fifth failure in a row.
    await eventually(() => expect(failures.length).toBeGreaterThanOrEqual(5));
    const stopAt = performance.now();
    await jobs.stop();
    expect(performance.now() - stopAt).toBeLessThan(2_000);
  });

  test("unless the database refuses only its connections, which ends the process", async (context) => {
    const { db, url, pool } = await openDatabase(context);
    const role = new URL(url).pathname.slice(1);
    await db.execute(
      sql.raw(`create role ${role} login password 'hush' connection limit 1 in role current_user`),
    );
    context.onTestFinished(async () => {
      const admin = new pg.Client(url);
      await admin.connect();
      await admin.query(`drop role ${role}`);
      await admin.end();
    });
    const limited = new URL(url);
    limited.username = role;
    limited.password = "hush";
    const otherClient = new pg.Client(limited.href);
    await otherClient.connect();
    context.onTestFinished(() => otherClient.end());
    const { giveUpReasons, workersProblem } = await startServer(context, { url: limited.href, pool });
    await eventually(() => expect(workersProblem()).toContain("has stopped"));
    await eventually(() =>
      expect(giveUpReasons).toEqual([expect.stringContaining("8 times in a row: too many connections")]),
    );
  });
});
