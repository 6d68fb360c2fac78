import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import pino from "pino";
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from "vitest";
import { adminBrowser } from "../../../test/admin.ts";
import { confirm, order } from "../../../test/checkout.ts";
import { createTestDatabase, type TestDatabase } from "../../../test/database.ts";
import { keptMail } from "../../../test/kept-mail.ts";
import { soon } from "../../../test/patience.ts";
import { openPgBouncer, type PgBouncer, pgbouncerProgram } from "../../../test/pgbouncer.ts";
import { programEnvironment } from "../../../test/program-environment.ts";
import { openTestShop, type TestShop } from "../../../test/shop.ts";
import { listenForChanges } from "./change-feed.ts";
import { defaultDatabaseLimits } from "./database-limits.ts";
import { runAsCall } from "./running-call.ts";
import { checkConnections } from "./session-check.ts";

const poolSize = 2;
const skipped = pgbouncerProgram ? "" : " (skipped: there is no pgbouncer on this machine)";

describe.skipIf(!pgbouncerProgram)(`through PgBouncer in transaction mode${skipped}`, () => {
  let bouncer: PgBouncer;
  let database: TestDatabase;
  let shop: TestShop;
  beforeAll(async () => {
    bouncer = await openPgBouncer(inject("adminDatabaseUrl"), { poolSize });
    const limits = { ...defaultDatabaseLimits, statementSeconds: 1, lockSeconds: 1 };
    database = await createTestDatabase({ through: bouncer.through, isPooled: true, limits });
    shop = await openTestShop({}, { database });
  });
  afterAll(async () => {
    await shop?.stop();
    await database?.drop();
    await bouncer?.close();
  });

  test("concurrent orders are placed, paid and confirmed by e-mail", async () => {
    const buyers = Array.from({ length: 6 }, (_, n) => ({
      browser: shop.browser(),
      email: `b${n}@example.com`,
    }));
    await Promise.all(
      buyers.map(async ({ browser, email }) => {
        const checkout = await order(browser, { email });
        expect(checkout.status).toBe(201);
        expect((await confirm(browser, checkout)).status).toBe(200);
      }),
    );
    await shop.jobsDone();
    for (const { email } of buyers) expect(keptMail(shop, email, "order_confirmation")).toHaveLength(1);
  });

  test("a cached page shows a changed price", async () => {
    const readPage = async () => (await shop.browser().get("/product/pure-batana-oil")).body;
    await expect.poll(readPage).toContain("$29.95");
    const owner = await adminBrowser(shop);
    const priceResponse = await owner.fetch("/api/products/1/price", {
      method: "PUT",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ price: 3195 }),
    });
    expect(priceResponse.status).toBe(200);
    await expect.poll(readPage, soon).toContain("$31.95");
  });

  test("long-lived connections bypass the pooler, calls and jobs use it, and all keep their application names", async () => {
    const { rows } = await queryDirectly(`select application_name as name, count(*)::int from pg_stat_activity
      where datname = current_database() and application_name <> '' group by 1 order by 1`);
    const count = Object.fromEntries(rows.map(({ name, count }) => [name, count]));
    expect(count).toMatchObject({ "palmira-feed": 1, "palmira-queue": 1 });
    expect((count["palmira-http"] ?? 0) + (count["palmira-jobs"] ?? 0)).toBeLessThanOrEqual(poolSize);
  });

  test("no setting of one call reaches the next, and every statement has its time limits", async () => {
    const call = <T>(work: () => Promise<T>) => runAsCall({ name: "/test", writes: false }, work);
    const { pool, db } = database;
    const settings =
      "select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock";
    const inCall = () => call(async () => (await db.execute(settings)).rows);
    const inTransaction = () => call(() => db.transaction(async (tx) => (await tx.execute(settings)).rows));
    const inJob = async () => (await pool.query(`${settings} where $1`, [true])).rows;
    for (const readLimits of [inCall, inJob, inTransaction, inJob, inCall]) {
      expect(await readLimits()).toEqual([{ statement: readLimits === inJob ? "1min" : "1s", lock: "1s" }]);
    }
    const plainClient = new pg.Client(database.url);
    await plainClient.connect();
    onTestFinished(() => plainClient.end());
    expect((await plainClient.query(settings)).rows).toEqual([{ statement: "0", lock: "0" }]);
    // The time limit applies to a single statement and to one in a transaction.
    const timeoutError = expect.objectContaining({ cause: expect.objectContaining({ code: "57014" }) });
    await Promise.all([
      expect(call(async () => await db.execute("select pg_sleep(30)"))).rejects.toEqual(timeoutError),
      expect(call(() => db.transaction((tx) => tx.execute("select pg_sleep(30)")))).rejects.toEqual(
        timeoutError,
      ),
    ]);
  });

  test("a start without a direct database URL ends immediately and names the missing variable", async () => {
    const { code, output } = await runServer({ DATABASE_URL: database.url });
    expect(output.trim().split("\n")).toEqual([
      expect.stringMatching(
        /^DATABASE_DIRECT_URL: is missing, and DATABASE_URL leads to a pooler in transaction mode/,
      ),
    ]);
    expect(code).toBe(1);
  });

  test("a direct URL that leads to a pooler or to another database is refused", async () => {
    const { url: databaseUrl, directUrl } = database;
    const check = (directUrl: string) => checkConnections({ databaseUrl, directUrl, hasDirectUrl: true });
    await check(directUrl);
    await expect(check(databaseUrl)).rejects.toThrow(/^DATABASE_DIRECT_URL: leads to a pooler/);
    await expect(check(inject("adminDatabaseUrl"))).rejects.toThrow(/leads to another database/);
    await expect(listenForChanges(databaseUrl, pino({ level: "silent" }))).rejects.toThrow(
      /DATABASE_DIRECT_URL must lead/,
    );
  });

  test("the server is not ready while the pooler is down, and sells again when it is back", async () => {
    const readiness = async () => (await shop.browser().get("/readyz")).body;
    expect(await readiness()).toMatchObject({ status: "ready" });
    await bouncer.kill();
    const refused = await order(shop.browser());
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, expect.any(String)]);
    await expect.poll(readiness).toMatchObject({ degraded: { database: "does not answer" } });
    await bouncer.start();
    await expect.poll(readiness).toMatchObject({ status: "ready" });
    expect((await order(shop.browser(), { price: 3195 })).status).toBe(201);
  });

  async function queryDirectly(statement: string) {
    const client = new pg.Client(database.directUrl);
    await client.connect();
    try {
      return await client.query<{ name: string; count: number }>(statement);
    } finally {
      await client.end();
    }
  }
});

async function runServer(env: Record<string, string>): Promise<{ code: number | null; output: string }> {
  const dataDir = mkdtempSync(join(tmpdir(), "palmira-start-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const server = spawn(process.execPath, [join(import.meta.dirname, "../../main.ts")], {
    cwd: dataDir,
    env: { ...programEnvironment(), PORT: "0", DATA_DIR: dataDir, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [server.stdout, server.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  await once(server, "close");
  return { code: server.exitCode, output };
}
