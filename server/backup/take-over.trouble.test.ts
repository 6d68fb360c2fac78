import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import pg from "pg";
import pino from "pino";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { adminBrowser } from "../../test/admin.ts";
import { createTestDatabase, type TestDatabase } from "../../test/database.ts";
import { readDatabaseSchema } from "../../test/database-schema.ts";
import { withDatabase } from "../../test/database-url.ts";
import { readOrderFigures } from "../../test/order-figures.ts";
import { openStripeShop, type StripeShop } from "../../test/stripe-shop.ts";
import { type OpenDatabase, openDatabase, openPool } from "../platform/database/database.ts";
import { migrate } from "../platform/database/migrate.ts";
import { appliedMigrations, readMigrations } from "../platform/database/migrations.ts";
import {
  createEarlierTables,
  type EarlierState,
  earlierStates,
  statementsToBaseline,
} from "../platform/database/take-over.ts";
import { type BackupFile, openBackupFile, writeBackupFile } from "./file.ts";
import { loadContent } from "./load.ts";
import { restoreBackup } from "./restore.ts";
import { takeBackup } from "./take.ts";

/**
 * A backup of a version 0.1 shop (commit 756ac6fa) with orders in every state, after edits, payments, refunds, parcels, disputes and
 * drafts, and all figures of these orders that version 0.1 showed (`readOrderFigures`).
 */
const backupOf01 = new URL("../../test/shop-0.1.backup", import.meta.url).pathname;
const figuresOf01 = JSON.parse(
  gunzipSync(readFileSync(new URL("../../test/shop-0.1.json.gz", import.meta.url))).toString(),
);

/** SQL: the sums of each order in the tables of version 0.1, in cents. That version booked an exchange as a payment and a refund. */
const sumsOf01 = `select o.number,
    (select coalesce(sum(amount_cents), 0)::int from payments p where p.order_id = o.id and p.status = 'succeeded'
      and p.provider <> 'exchange') as paid,
    (select coalesce(sum(amount_cents), 0)::int from refunds r where r.order_id = o.id and r.status = 'succeeded'
      and r.intent_id not like 'exchange%' and not exists (select from payments p where p.intent_id = r.intent_id
        and p.status <> 'succeeded')) as refunded,
    (select coalesce(sum(amount_cents), 0)::int from refunds r where r.order_id = o.id and r.intent_id like 'exchange%') as exchanged,
    (select coalesce(sum(goods_cents), 0)::int from refunds r where r.order_id = o.id and r.status = 'succeeded') as goods_back
  from orders o where o.paid_at is not null order by o.number`;
const sums = `select o.number, o.payable_cents as paid, o.refunded_cents as refunded, o.exchanged_cents as exchanged,
    (select coalesce(sum(goods_cents), 0)::int from refunds r where r.order_id = o.id and r.status = 'succeeded')
      + (select coalesce(sum(exchanged_goods_cents), 0)::int from order_edits e where e.order_id = o.id) as goods_back
  from orders o where o.paid_at is not null order by o.number`;
const documents = "select id, kind, year, number, total_cents, snapshot, voided_at from invoices order by id";

const log = pino({ level: "silent" });
const folder = mkdtempSync(join(tmpdir(), "palmira-take-over-"));
const databaseNames: string[] = [];
let newSchema: string[];
beforeAll(async () => {
  const database = await createTestDatabase();
  newSchema = await readDatabaseSchema(database.pool);
  await database.drop();
});
afterAll(async () => {
  for (const name of databaseNames)
    await queryRows(inject("adminDatabaseUrl"), `drop database ${name} with (force)`);
  rmSync(folder, { recursive: true, force: true });
});

/** The URL of a database without tables, records and connections. */
async function openEmptyDatabase(): Promise<string> {
  const adminUrl = inject("adminDatabaseUrl");
  const name = `palmira_take_over_${randomBytes(6).toString("hex")}`;
  await queryRows(adminUrl, `create database ${name} template template0`);
  databaseNames.push(name);
  return withDatabase(adminUrl, name);
}

async function withClient<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const queryRows = (url: string, statement: string) =>
  withClient(url, async (client) => (await client.query(statement)).rows);

/** All rows by table, without the tables of `except`. */
async function readAllRows(url: string, except: readonly string[]): Promise<Record<string, unknown[]>> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `select relname as name from pg_class
      where relkind = 'r' and relpersistence = 'p' and relnamespace = 'public'::regnamespace and relname <> all ($1)`,
      [except],
    );
    const rowsByTable: Record<string, unknown[]> = {};
    for (const { name } of rows) {
      const all = await client.query(`select to_jsonb(t) as row from ${name} t order by to_jsonb(t)::text`);
      rowsByTable[name] = all.rows;
    }
    return rowsByTable;
  });
}

async function migrateDatabase(url: string, beforeChange = async () => {}): Promise<void> {
  const pool = openPool(url, log, { name: "palmira-start", max: 2 });
  try {
    await migrate(pool, log, { beforeChange });
  } finally {
    await pool.end();
  }
}

/** Creates the tables of an earlier version and loads a backup's rows into them. */
async function loadEarlierDatabase(url: string, state: EarlierState, file: BackupFile): Promise<void> {
  await withClient(url, async (client) => {
    await client.query("begin");
    await createEarlierTables(client, state);
    await loadContent(client, file.content(null), { verifiesRows: true });
    await client.query("commit");
  });
}

type ShownOrder = { shipHold: string | null; may: Record<string, boolean> };

const asTestDatabase = (url: string, opened: OpenDatabase): TestDatabase => ({
  url,
  directUrl: url,
  sessionUrl: url,
  pool: opened.pool,
  db: opened.db,
  opened,
  goAway: async () => {},
  comeBack: async () => {},
  drop: async () => {},
});

const restore = async (url: string, path: string) =>
  restoreBackup({ url, file: await openBackupFile(path), passphrase: null, log, isRehearsal: false });

/** Tables that every restore resets. */
const resetTables = ["admin_sessions", "event_cursors", "invitations", "built_files", "jobs"];
const queuedJobs = `select name, lane, payload, run_at, attempts, max_attempts, key from jobs
  where name <> 'after_restore' order by id`;

const migrationName = ({ name }: { name: string }) => name;
const [version01, lastBefore1] = earlierStates as [EarlierState, EarlierState];

describe("a database of version 0.1", () => {
  let url: string;
  let shop: StripeShop;
  let before: { sums: unknown[]; documents: unknown[] };
  let upgraded: {
    rows: Record<string, unknown[]>;
    jobs: unknown[];
    recurringJobs: unknown[];
    graphile: unknown[];
  };
  let opened: OpenDatabase;
  let backupCount = 0;
  beforeAll(async () => {
    url = await openEmptyDatabase();
    await loadEarlierDatabase(url, version01, await openBackupFile(backupOf01));
    before = { sums: await queryRows(url, sumsOf01), documents: await queryRows(url, documents) };
    await migrateDatabase(url, async () => {
      backupCount += 1;
    });
    upgraded = {
      rows: await readAllRows(url, resetTables),
      jobs: await queryRows(url, queuedJobs),
      recurringJobs: await queryRows(url, "select key from jobs where key like 'every:%'"),
      graphile: await queryRows(url, "select to_regnamespace('graphile_worker') as earlier"),
    };
    opened = openDatabase(url, log);
    shop = await openStripeShop({}, { database: asTestDatabase(url, opened), background: "none" });
    // As if the orders were paid into this test's provider account.
    await opened.pool.query("update payments set account = $1 where provider = 'stripe'", [
      shop.ctx.provider.account,
    ]);
  });
  afterAll(async () => {
    await shop?.stop();
    await opened?.end();
  });

  test("is backed up first, and gets the same tables, functions and triggers as a new one", async () => {
    expect(backupCount).toBe(1);
    expect(await readDatabaseSchema(opened.pool)).toEqual(newSchema);
    expect(await appliedMigrations(opened.pool)).toEqual(readMigrations().map(migrationName));
  });

  test("keeps the payments, refunds, exchanges and returned goods of every order", async () => {
    expect(await queryRows(url, sums)).toEqual(before.sums);
    expect(await queryRows(url, "select from payments where provider = 'exchange'")).toEqual([]);
    expect(before.sums.filter((row) => (row as { exchanged: number }).exchanged > 0).length).toBeGreaterThan(
      3,
    );
  });

  test("keeps invoices and credit notes as they were issued", async () => {
    expect(before.documents.length).toBeGreaterThan(20);
    expect(await queryRows(url, documents)).toEqual(before.documents);
  });

  test("satisfies all check constraints", async () => {
    const checks = await queryRows(
      url,
      `select conrelid::regclass::text as on_table, conname as name from pg_constraint
        where not convalidated and connamespace = 'public'::regnamespace`,
    );
    for (const { on_table, name } of checks)
      await opened.pool.query(`alter table ${on_table} validate constraint "${name}"`);
  });

  test("shows the figures that version 0.1 showed, in panel, books and files", async () => {
    const owner = await adminBrowser(shop);
    const figures = await readOrderFigures(owner, opened.db, { from: "2026-11-01", to: "2026-12-31" });
    const newHolds: unknown[] = [];
    const expected = (figures.orders as ShownOrder[]).map((order, index) => {
      const before: ShownOrder = figuresOf01.orders[index];
      if (order.shipHold === before.shipHold) return before;
      newHolds.push([before.shipHold, order.shipHold]);
      return { ...before, shipHold: order.shipHold, may: { ...before.may, editItems: order.may.editItems } };
    });
    // Version 0.1 named exchanged items in these files as refunds and additions, and no order that is an exchange for another.
    const words = [
      [" by exchange |", " |"],
      ["Exchange of items of order", "Refund of order"],
      ["| as an exchange |", "| in the shop |"],
    ] as const;
    const in01 = (line: string) => words.reduce((text, [now, before]) => text.replace(now, before), line);
    const { booked, refunds, ledger } = figures as Record<string, string[]>;
    expect({
      ...figures,
      booked: booked?.map((line) => line.replace(/ \| $/, "")),
      refunds: refunds?.map(in01),
      ledger: ledger?.map(in01),
    }).toEqual({ ...figuresOf01, orders: expected });
    // Version 0.1 held no order back for a fraud warning or an open review, and named the owner as the reason for a waiting edit.
    expect(newHolds).toEqual([[null, "fraud"], [null, "review"], ...Array(3).fill(["owner", "change"])]);
  });

  test("has the same rows as its restored backup", async () => {
    const restored = await openEmptyDatabase();
    await restore(restored, backupOf01);
    expect(await withClient(restored, readDatabaseSchema)).toEqual(newSchema);
    expect(await readAllRows(restored, resetTables)).toEqual(upgraded.rows);
    expect(upgraded.jobs.length).toBeGreaterThan(0);
    expect(await queryRows(restored, queuedJobs)).toEqual(upgraded.jobs);
    expect(upgraded.recurringJobs).toEqual([]);
    expect(upgraded.graphile).toEqual([{ earlier: null }]);
    expect(await queryRows(restored, "select from invitations")).toEqual([]);
  });
});

test("a database at the last migration before 1.0.0 gets the current schema, and so does its restored backup", async () => {
  const [database, restored] = [await openEmptyDatabase(), await openEmptyDatabase()];
  await loadEarlierDatabase(database, version01, await openBackupFile(backupOf01));
  await withClient(database, async (client) => {
    const { name, when } = lastBefore1;
    // The baseline and the functions beside it, without later migrations.
    const functions = readMigrations()[1]?.statements ?? [];
    for (const statement of [...statementsToBaseline(version01), ...functions]) await client.query(statement);
    await client.query("delete from drizzle.applied_migrations; delete from drizzle.__drizzle_migrations");
    await client.query("insert into drizzle.applied_migrations values ($1, $2, '')", [when, name]);
    await client.query(`create function ship_what_waits() returns trigger language plpgsql as $$ begin return null; end $$;
      create trigger orders_shipped_whole after update on orders execute function ship_what_waits()`);
  });
  const path = join(folder, "last.backup");
  await takeBackup({ url: database, path, passphrase: null, pauseRatio: 0 });
  expect((await openBackupFile(path)).header.migrations).toEqual([lastBefore1.name]);
  await migrateDatabase(database);
  await restore(restored, path);
  for (const url of [database, restored]) {
    expect(await withClient(url, readDatabaseSchema)).toEqual(newSchema);
    expect(await withClient(url, appliedMigrations)).toEqual(readMigrations().map(migrationName));
    expect(await queryRows(url, sums)).toEqual(await queryRows(database, sums));
  }
});

describe("a database or backup that cannot be taken over", () => {
  const migrationRecord = (when: number) =>
    `create schema if not exists drizzle;
    create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint);
    delete from drizzle.__drizzle_migrations; insert into drizzle.__drizzle_migrations (hash, created_at) values ('', ${when})`;

  test.each([
    [
      "older than version 0.1",
      version01.when - 1,
      /not take over\. Start version 0\.1\.0 \(commit 756ac6fa\)/,
    ],
    [
      "between version 0.1 and the last before 1.0.0",
      version01.when + 1,
      /not take over\. Start the last version before 1\.0\.0/,
    ],
    ["newer", Date.now() * 2, /changed by a newer version/],
  ])("is refused with an explanation: %s", async (_, when, message) => {
    const url = await openEmptyDatabase();
    await queryRows(url, migrationRecord(when));
    await expect(migrateDatabase(url)).rejects.toThrow(message);
    expect(await queryRows(url, "select from pg_class where relnamespace = 'public'::regnamespace")).toEqual(
      [],
    );
  });

  test.each([
    ["0050_orders_by_wallet", /Start version 0\.1\.0 .*It is of version 0\.1\.0, with 0050_orders_by_wallet/],
    ["0090_mail_outage", /Start the last version before 1\.0\.0/],
  ])("is refused as a backup at migration %s", async (name, message) => {
    const { header, content } = await openBackupFile(backupOf01);
    const path = join(folder, "unknown.backup");
    await writeBackupFile(path, {
      header: { ...header, migrations: [name] },
      content: content(null),
      passphrase: null,
    });
    const url = await openEmptyDatabase();
    await expect(restore(url, path)).rejects.toThrow(message);
  });

  test("stays unchanged while a server of the earlier version runs", async () => {
    const url = await openEmptyDatabase();
    await queryRows(url, migrationRecord(version01.when));
    const server = new pg.Client({ connectionString: url, application_name: "palmira-http" });
    await server.connect();
    await expect(migrateDatabase(url)).rejects.toThrow(
      /^A server from before 1\.0\.0 still runs .*Nothing was changed/,
    );
    await server.end();
  });
});
