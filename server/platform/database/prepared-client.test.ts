import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import { afterAll, expect, inject, onTestFinished, test } from "vitest";
import { openTcpProxy } from "../../../test/tcp-proxy.ts";
import { startPostgres } from "../embedded-postgres/embedded-postgres.ts";
import { openDatabase, openPool } from "./database.ts";
import { PreparedClient, type WatchedClient } from "./prepared-client.ts";

/** A time limit that must be exceeded, and one within which even a busy machine responds. */
const [shortMs, longMs] = [200, 1_500];
const proxy = await openTcpProxy(inject("adminDatabaseUrl"));
afterAll(() => proxy.close());

async function openClient(options: Partial<WatchedClient>, Client = PreparedClient): Promise<PreparedClient> {
  const connectionString = proxy.through(inject("adminDatabaseUrl"));
  const client = new Client({ connectionString, ...options });
  client.on("error", () => {});
  onTestFinished(() => client.end());
  await client.connect();
  return client;
}

const lock = (client: PreparedClient) => client.query("select pg_advisory_lock($1)", [4_711]);

test("a statement without a response fails, together with all others queued on its connection", async () => {
  const [lockingClient, client] = [await openClient({}), await openClient({ silenceMs: shortMs })];
  await lock(lockingClient);
  await expect(lock(client)).rejects.toThrow(`no answer for ${shortMs} ms`);
  await expect(client.query("select 1")).rejects.toThrow(/not queryable/);
});

test("a statement is awaited as long as the server still executes it", async () => {
  const lockingClient = await openClient({});
  await lock(lockingClient);
  let queries = 0;
  let unlocking: Promise<unknown> | undefined;
  const client = await openClient({
    silenceMs: shortMs,
    isExecuting: async () => {
      queries += 1;
      // Releases the lock when the client checks a second time whether the statement is still running.
      if (queries === 2) unlocking = lockingClient.query("select pg_advisory_unlock_all()");
      return true;
    },
  });
  await lock(client);
  await unlocking;
  expect(queries).toBeGreaterThanOrEqual(2);
});

test("an idle connection is never closed for its silence", async () => {
  const client = await openClient({ silenceMs: longMs });
  await client.query("listen anything");
  await new Promise((resolve) => setTimeout(resolve, 1.5 * longMs));
  expect((await client.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
});

test("a process that was suspended reads the responses that arrived in the meantime", async () => {
  const client = new PreparedClient({ connectionString: inject("adminDatabaseUrl"), silenceMs: longMs });
  client.on("error", () => {});
  onTestFinished(() => client.end());
  await client.connect();
  const response = client.query("select 1 as one");
  // The whole process sleeps, which leaves the processor to the database.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1.5 * longMs);
  expect((await response).rows).toEqual([{ one: 1 }]);
});

test("closing a connection ends even if the server does not respond", async () => {
  const client = await openClient({});
  proxy.blackHole();
  onTestFinished(() => proxy.restore());
  await client.end();
});

test("statements on connections to a former database server fail once another server responds at its address", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "palmira-other-"));
  const other = await startPostgres({ dataDir, log: pino({ level: "silent" }), settings: { fsync: "off" } });
  onTestFinished(async () => {
    await other.stop();
    rmSync(dataDir, { recursive: true });
    proxy.pointTo(inject("adminDatabaseUrl"));
  });
  const [first, waiting] = [await openClient({}), await openClient({})];
  await first.identifyServer();
  await waiting.identifyServer();
  const neighbour = await openClient({});
  await neighbour.identifyServer();
  expect((await first.query("select 1 as one")).rows, "the same server").toEqual([{ one: 1 }]);

  const response = waiting.query("select pg_sleep(60)");
  proxy.pointTo(other.url);
  const next = new PreparedClient({ connectionString: proxy.through(other.url) });
  onTestFinished(() => next.end());
  await next.connect();
  await next.identifyServer();
  await expect(response).rejects.toThrow("another server has taken over");
  await expect(first.query("select 1")).rejects.toThrow(/not queryable|terminated/);
  expect((await next.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
});

test("a database that refuses connections is reported, even if no connection was open", async () => {
  const database = openDatabase(proxy.through(inject("adminDatabaseUrl")), pino({ level: "silent" }));
  onTestFinished(() => database.end());
  proxy.cut({ refuse: true });
  onTestFinished(() => proxy.restore());
  expect(database.recentProblem()).toBeNull();
  await expect(database.pool.query("select 1")).rejects.toThrow();
  expect(database.recentProblem()).toBe("does not answer");
  proxy.restore();
  expect(await database.recheck()).toBeNull();
});

test("statements of commands and migrations have no time limit, and their connections have names", async () => {
  const pool = openPool(inject("adminDatabaseUrl"), pino({ level: "silent" }), {
    name: "mine",
    max: 1,
  });
  onTestFinished(() => pool.end());
  const { rows } = await pool.query(
    "select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock, current_setting('application_name') as name",
  );
  expect(rows).toEqual([{ statement: "0", lock: "0", name: "mine" }]);
});

test("lists of many different lengths do not use up the names of prepared statements", async () => {
  // Another instance of the module: the files before this one may have used up the names of the process.
  const specifier = "./prepared-client.ts?unused";
  const unused: typeof import("./prepared-client.ts") = await import(specifier);
  const client = await openClient({}, unused.PreparedClient);
  for (let length = 1; length <= 30; length += 1) {
    const values = Array.from({ length }, (_, n) => n);
    const list = values.map((n) => `$${n + 1}`).join(", ");
    await client.query(`select where 1 in (${list}) and 2 = $${length + 1}`, [...values, 2]);
    const rows = values.map((n) => `($${2 * n + 1}, $${2 * n + 2})`).join(", ");
    await client.query(`select from (values ${rows}) as pair`, [...values, ...values]);
  }
  const { rows } = await client.query("select count(*)::int as named from pg_prepared_statements");
  expect(rows).toEqual([{ named: 8 }]);
});
