import { randomBytes } from "node:crypto";
import pg from "pg";
import pino from "pino";
import { inject } from "vitest";
import { type Database, openDatabase } from "../server/platform/database.ts";
import { withDatabase } from "./database-url.ts";

export type TestDatabase = {
  url: string;
  pool: pg.Pool;
  db: Database;
  /** Cuts every connection and lets nobody in until `comeBack`. */
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
  /** Ends the pool and removes the database, whoever is still connected. */
  drop(): Promise<void>;
};

/** A migrated, otherwise empty database of this test file's own: call it in `beforeAll`, `drop()` it in `afterAll`. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const adminUrl = inject("adminDatabaseUrl");
  const name = `palmira_test_${randomBytes(6).toString("hex")}`;
  await run(adminUrl, `create database ${name} template ${inject("templateDatabase")}`);
  const url = withDatabase(adminUrl, name);
  const { pool, db } = openDatabase(url, pino({ level: "silent" }));
  return {
    url,
    pool,
    db,
    async goAway() {
      await run(adminUrl, `alter database ${name} allow_connections false`);
      await run(adminUrl, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
    },
    comeBack: () => run(adminUrl, `alter database ${name} allow_connections true`),
    async drop() {
      await pool.end();
      await run(adminUrl, `drop database ${name} with (force)`);
    },
  };
}

async function run(connectionString: string, statement: string) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
