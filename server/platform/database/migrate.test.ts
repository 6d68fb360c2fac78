import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../test/database.ts";
import { StartProblem } from "../process/start-problem.ts";
import { migrate, migrationPatience } from "./migrate.ts";

const log = pino({ level: "silent" });
const migrations = join(import.meta.dirname, "../../../db/migrations");
const folders: string[] = [];
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
  await database.pool.query("drop table if exists extra");
});
afterAll(() => database.drop());

/** Creates the migrations folder of a later version: this version's migrations, and then the given ones. */
function createLaterMigrations(...files: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "palmira-migrations-"));
  folders.push(folder);
  cpSync(migrations, folder, { recursive: true });
  const path = join(folder, "meta/_journal.json");
  const journal = JSON.parse(readFileSync(path, "utf8"));
  for (const file of files) {
    const { idx, when } = journal.entries.at(-1);
    const tag = `${String(idx + 1).padStart(4, "0")}_later`;
    journal.entries.push({ idx: idx + 1, when: when + 1, tag });
    writeFileSync(join(folder, `${tag}.sql`), file);
  }
  writeFileSync(path, JSON.stringify(journal));
  return folder;
}

/** Deletes the records of later migrations, as if no later version had used the database. */
async function deleteLaterRecords() {
  const { entries } = JSON.parse(readFileSync(join(migrations, "meta/_journal.json"), "utf8"));
  for (const table of ["applied_migrations", "__drizzle_migrations"]) {
    await database.pool.query(`delete from drizzle.${table} where created_at > $1`, [entries.at(-1).when]);
  }
}

const emptyDatabase = "drop schema public cascade; create schema public; drop schema drizzle cascade";
const shortPatience = { ...migrationPatience, lockMs: 50, firstPauseMs: 10, longestPauseMs: 50 };

test("several servers that start at once on an empty database migrate it once", async () => {
  const { pool } = database;
  await pool.query(emptyDatabase);

  await Promise.all([migrate(pool, log), migrate(pool, log), migrate(pool, log)]);

  for (const table of ["__drizzle_migrations", "applied_migrations"]) {
    const { rows } = await pool.query(`select created_at from drizzle.${table}`);
    expect(rows.length).toBeGreaterThan(0);
    expect(new Set(rows.map((row) => row.created_at)).size).toBe(rows.length);
  }
  await pool.query("select id from orders");
});

test("rows that violate a new constraint stop the start, with a message that names the rows", async () => {
  const { pool } = database;
  await pool.query("create table extra (size int); insert into extra values (5)");
  const folder = createLaterMigrations("alter table extra add constraint extra_small CHECK (size < 3);");

  const problem: unknown = await migrate(pool, log, { folder }).catch((error: unknown) => error);

  expect(problem).toBeInstanceOf(StartProblem);
  const { message } = problem as StartProblem;
  expect(message).toMatch(/does not allow \(extra_small\), so migration \d+_later changed nothing\./);
  const findQuery = /Find them with: (select .*;)/.exec(message)?.[1] ?? "";
  expect((await pool.query(findQuery)).rows).toEqual([{ size: 5 }]);
  await pool.query("update extra set size = 2");
  await migrate(pool, log, { folder });
  await deleteLaterRecords();
});

test("a program starts on a newer schema until a migration requires a newer program", async () => {
  const { pool } = database;
  const expand = "create table extra (id int)";
  const nextFolder = createLaterMigrations(expand);
  await migrate(pool, log, { folder: nextFolder });

  await migrate(pool, log);
  const number = lastNumber(nextFolder);
  const contract = `-- oldest-program: ${number}\nalter table extra add column more int`;
  const secondNextFolder = createLaterMigrations(expand, contract);
  await migrate(pool, log, { folder: secondNextFolder });

  await migrate(pool, log, { folder: nextFolder });
  const refused = migrate(pool, log);
  await expect(refused).rejects.toThrow(StartProblem);
  await expect(refused).rejects.toThrow(/^The database was changed by a newer version/);
  const locks = await pool.query(
    "select 1 from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())",
  );
  expect(locks.rowCount).toBe(0);
  await deleteLaterRecords();
});

function lastNumber(folder: string): number {
  return JSON.parse(readFileSync(join(folder, "meta/_journal.json"), "utf8")).entries.at(-1).idx;
}

test("a database that requires an unknown migration is refused", async () => {
  const { pool } = database;
  await pool.query(
    "insert into drizzle.__drizzle_migrations (hash, created_at) values ('of the future', 9e12)",
  );

  await expect(migrate(pool, log)).rejects.toThrow(/^The database was changed by a newer version/);

  await deleteLaterRecords();
});

test("a database with the shop's tables but no migration records is refused", async () => {
  const { pool } = database;
  await pool.query("alter schema drizzle rename to hidden");

  await expect(migrate(pool, log)).rejects.toThrow(
    /^The database has a table activity, and no record of which version of the shop made it\./,
  );

  await pool.query("drop schema if exists drizzle cascade; alter schema hidden rename to drizzle");
});

test("a migration retries on a locked table without blocking other queries, and gives up with an explanation", async () => {
  const { pool } = database;
  await pool.query("create table extra (id int)");
  const folder = createLaterMigrations(
    "create table if not exists other (id int)",
    "alter table extra add column more int",
  );
  const lockingClient = await pool.connect();
  const lockTable = () => lockingClient.query("begin; lock table extra in access share mode");
  await lockTable();

  const refused: unknown = await migrate(pool, log, {
    folder,
    patience: { ...shortPatience, giveUpMs: 100 },
  }).catch((error: unknown) => error);

  expect(refused).toBeInstanceOf(StartProblem);
  expect((refused as StartProblem).message).toMatch(
    /^Migration \d+_later was tried \d+ times, but the database stayed locked .*; it changed nothing\. Oldest transactions: .*\(pid \d+, idle in transaction, \d+ s\)/,
  );
  // The migration before it stays applied.
  await pool.query("drop table other");

  const lines: string[] = [];
  const warningLog = pino({ level: "warn" }, { write: (line) => void lines.push(line) });
  const migrated = migrate(pool, warningLog, { folder, patience: shortPatience });
  await expect.poll(() => lines.length).toBeGreaterThan(1);
  await lockingClient.query("commit");
  lockingClient.release();
  await migrated;
  await pool.query("select more from extra");
  await deleteLaterRecords();
});

test("an index is built concurrently while other servers wait, and rebuilt if a crash interrupted it", async () => {
  const { pool } = database;
  await pool.query("create table extra as select 1 as id from generate_series(1, 2)");
  const unfinished = pool.query("create unique index concurrently extra_id on extra (id)");
  await expect(unfinished).rejects.toThrow("could not create unique index");
  const folder = createLaterMigrations(
    "-- outside-transaction\ncreate index concurrently if not exists extra_id on extra (id);--> statement-breakpoint\ncreate index concurrently if not exists extra_more on extra (id)",
  );

  await Promise.all([migrate(pool, log, { folder }), migrate(pool, log, { folder })]);

  const { rows } = await pool.query(
    "select indexrelid::regclass::text as name, indisvalid, indisunique from pg_index where indrelid = 'extra'::regclass order by 1",
  );
  expect(rows).toEqual([
    { name: "extra_id", indisvalid: true, indisunique: false },
    { name: "extra_more", indisvalid: true, indisunique: false },
  ]);
  await deleteLaterRecords();
});

test("a server that waits for another server's migration gives up at its time limit", async () => {
  const { pool } = database;
  const folder = createLaterMigrations("create table extra (id int)");
  const otherServer = await pool.connect();
  await otherServer.query("select pg_advisory_lock(7256391044)");

  const migration = migrate(pool, log, { folder, patience: { ...shortPatience, otherServerMs: 100 } });

  await expect(migration).rejects.toThrow(/^Another server has been migrating the database/);
  otherServer.release(true);
});
