import pino from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../test/database.ts";
import { migrate } from "./migrate.ts";
import { StartProblem } from "./start-problem.ts";

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
