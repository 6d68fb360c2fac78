import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { drizzle } from "drizzle-orm/node-postgres";
import { migrate as applyMigrations } from "drizzle-orm/node-postgres/migrator";
import pino from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../test/database.ts";
import { StartProblem } from "../process/start-problem.ts";
import { migrate } from "./migrate.ts";

const log = pino({ level: "silent" });
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test("several servers that start at once on an empty database migrate it once", async () => {
  const { pool } = database;
  await pool.query("drop schema public cascade; create schema public; drop schema drizzle cascade");

  await Promise.all([migrate(pool, log), migrate(pool, log), migrate(pool, log)]);

  const { rows } = await pool.query("select created_at from drizzle.__drizzle_migrations");
  expect(rows.length).toBeGreaterThan(0);
  expect(new Set(rows.map((row) => row.created_at)).size).toBe(rows.length);
  await pool.query("select id from orders");
});

test("rows that a new rule does not allow stop the start, which says which and how to find them", async () => {
  const { pool } = database;
  const empty = "drop schema public cascade; create schema public; drop schema drizzle cascade";
  await pool.query(empty);
  await migrateUpTo(9);
  await pool.query(
    "insert into products (slug, name, short_description, description, size, price_cents) values ('long', 'Long', repeat('x', 301), '', '', 1)",
  );

  const failed: unknown = await migrate(pool, log).catch((error: unknown) => error);

  expect(failed).toBeInstanceOf(StartProblem);
  const { message } = failed as StartProblem;
  expect(message).toContain("does not allow (products_texts_length), so nothing was changed.");
  const find = /Find them with: (select .*;)/.exec(message)?.[1] ?? "";
  expect((await pool.query(find)).rows).toMatchObject([{ slug: "long" }]);
  await pool.query("update products set short_description = 'short'");
  await migrate(pool, log);
});

/** Runs the first migrations alone, up to the one with this number. */
async function migrateUpTo(last: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "palmira-migrations-"));
  cpSync(join(import.meta.dirname, "../../../db/migrations"), folder, { recursive: true });
  const path = join(folder, "meta/_journal.json");
  const journal = JSON.parse(readFileSync(path, "utf8"));
  const entries = journal.entries.filter(({ idx }: { idx: number }) => idx <= last);
  writeFileSync(path, JSON.stringify({ ...journal, entries }));
  await applyMigrations(drizzle(database.pool), { migrationsFolder: folder });
  rmSync(folder, { recursive: true });
}

test("a database that a newer version has changed is refused and left as it is", async () => {
  const { pool } = database;
  await pool.query(
    "insert into drizzle.__drizzle_migrations (hash, created_at) values ('of the future', 9e12)",
  );

  const migrated = migrate(pool, log);

  await expect(migrated).rejects.toThrow(StartProblem);
  await expect(migrated).rejects.toThrow(/^The database was changed by a newer version/);
  const locks = await pool.query(
    "select 1 from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())",
  );
  expect(locks.rowCount).toBe(0);
});
