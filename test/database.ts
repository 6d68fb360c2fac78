import { randomBytes } from "node:crypto";
import type { SQL } from "drizzle-orm";
import pg from "pg";
import pino from "pino";
import { expect, inject } from "vitest";
import { type Database, type OpenDatabase, openDatabase } from "../server/platform/database/database.ts";
import { defaultDatabaseLimits } from "../server/platform/database/database-limits.ts";
import { withDatabase } from "./database-url.ts";
import { closedWithFile } from "./left-open.ts";

export type TestDatabase = {
  url: string;
  /** The URL of the database itself, without proxy or pooler. */
  directUrl: string;
  /** URL for sessions: `url`, or `directUrl` if that is a pooler's. */
  sessionUrl: string;
  pool: pg.Pool;
  db: Database;
  /** The connections as the shop opens them. */
  opened: OpenDatabase;
  /** Closes every connection and refuses new ones until `comeBack`. */
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
  /** Ends the pools, unless the test has, and drops the database, even if others are connected. */
  drop(): Promise<void>;
};

/** More connections than a shop's, because tests run several sets of job workers on one database. */
const testLimits = { ...defaultDatabaseLimits, jobConnections: 12 };

/** Longer limits, so that waiting calls are not refused on a busy machine. */
export const patientLimits = { ...testLimits, statementSeconds: 60, lockSeconds: 55, connectionSeconds: 45 };

/**
 * A migrated, otherwise empty database for this test file, with the job queue's tables: call it in `beforeAll`, `drop()` it
 * in `afterAll`. Connections go through `through`, a proxy or, with `isPooled`, a pooler.
 */
export async function createTestDatabase({
  limits = testLimits,
  through = (url: string) => url,
  isPooled = false,
} = {}): Promise<TestDatabase> {
  const adminUrl = inject("adminDatabaseUrl");
  const name = `palmira_test_${randomBytes(6).toString("hex")}`;
  await run(adminUrl, `create database ${name} ${inject("fromTemplate")}`);
  const directUrl = withDatabase(adminUrl, name);
  const url = through(directUrl);
  const sessionUrl = isPooled ? directUrl : url;
  const opened = openDatabase(url, pino({ level: "silent" }), limits, sessionUrl);
  return {
    url,
    directUrl,
    sessionUrl,
    pool: opened.pool,
    db: opened.db,
    opened,
    async goAway() {
      await run(adminUrl, `alter database ${name} allow_connections false`);
      await run(adminUrl, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
    },
    comeBack: () => run(adminUrl, `alter database ${name} allow_connections true`),
    drop: closedWithFile(async () => {
      if (!opened.pool.ended) await opened.end();
      await run(adminUrl, `drop database ${name} with (force)`);
    }),
  };
}

/** Number of connections that wait for a lock. Not read in a transaction, which would always see the result of its first query. */
export async function countLockWaits({ pool }: TestDatabase): Promise<number | null> {
  const query =
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  return (await pool.query(query)).rowCount;
}

/** Starts calls that wait for a lock, each after the previous one waits, so that they get the lock in this sequence. */
export async function callInTurn<First, Second>(
  database: TestDatabase,
  lock: SQL,
  callFirst: () => Promise<First>,
  callSecond: () => Promise<Second>,
): Promise<[First, Second]> {
  let calls: [Promise<First>, Promise<Second>] | undefined;
  await database.db.transaction(async (tx) => {
    await tx.execute(lock);
    const first = callFirst();
    await expect.poll(() => countLockWaits(database)).toBe(1);
    calls = [first, callSecond()];
    await expect.poll(() => countLockWaits(database)).toBe(2);
  });
  if (!calls) throw new Error("nothing was called");
  return Promise.all(calls);
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
