import { readFileSync } from "node:fs";
import { DrizzleQueryError } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import { migrate as applyMigrations } from "drizzle-orm/node-postgres/migrator";
import pg from "pg";
import type { Logger } from "pino";
import * as v from "valibot";
import { StartProblem } from "../process/start-problem.ts";

const migrationsFolder = `${import.meta.dirname}/../../../db/migrations`;
/** Any number, the same for every server of the shop. */
const lockKey = 7_256_391_044;
const serverVersionMin = 140_000;

/**
 * Migrates the database, one server at a time. Throws StartProblem for a database that does not answer, is older than
 * PostgreSQL 14, was migrated by a newer program, or holds rows that violate a new rule.
 */
export async function migrate(pool: pg.Pool, log: Logger): Promise<void> {
  const client = await pool.connect().catch((error: unknown) => {
    const reason = error instanceof Error ? error.message || String(error) : String(error);
    throw new StartProblem(`DATABASE_URL: the database cannot be used: ${reason}`);
  });
  try {
    await refuseOldServer(client);
    await client.query("select pg_advisory_lock($1)", [lockKey]);
    try {
      await refuseNewerDatabase(client);
      await applyMigrations(drizzle(client), { migrationsFolder }).catch((error: unknown) => {
        throw brokenRule(error) ?? error;
      });
    } finally {
      await client.query("select pg_advisory_unlock($1)", [lockKey]);
    }
    log.debug("the database is up to date");
  } finally {
    // Closed rather than returned to the pool: if unlocking failed, closing releases the lock.
    client.release(true);
  }
}

/** What to do about rows that violate a new constraint; null for any other failure. */
function brokenRule(error: unknown): StartProblem | null {
  if (!(error instanceof DrizzleQueryError) || !(error.cause instanceof pg.DatabaseError)) return null;
  const { code, table, constraint, message } = error.cause;
  // Class 23 of SQL state: integrity constraint violation.
  if (!code?.startsWith("23")) return null;
  const rule = /\bCHECK \((.*)\);?\s*$/s.exec(error.query)?.[1];
  const rows = table && rule ? ` Find them with: select * from ${table} where not (${rule});` : "";
  return new StartProblem(
    `The database holds rows that this version of the shop does not allow (${constraint ?? message}), so nothing was changed.${rows} Correct them, then start again.`,
  );
}

async function refuseOldServer(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query<{ server_version: string; number: number }>(
    "select current_setting('server_version') as server_version, current_setting('server_version_num')::int as number",
  );
  const server = rows[0];
  if (server && server.number < serverVersionMin) {
    throw new StartProblem(
      `DATABASE_URL: PostgreSQL 14 or newer is needed; this one is ${server.server_version}.`,
    );
  }
}

async function refuseNewerDatabase(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query<{ exists: boolean }>(
    "select to_regclass('drizzle.__drizzle_migrations') is not null as exists",
  );
  if (!rows[0]?.exists) return;
  const applied = await client.query<{ created_at: string }>(
    "select created_at from drizzle.__drizzle_migrations",
  );
  const known = new Set(knownMigrations());
  if (applied.rows.some((migration) => !known.has(Number(migration.created_at)))) {
    throw new StartProblem(
      "The database was changed by a newer version of the shop. Start that version, or restore a backup from before it.",
    );
  }
}

const journalSchema = v.object({ entries: v.array(v.object({ when: v.number() })) });

/** The migrations of this program, by their times (ms), which is how the database records them. */
function knownMigrations(): number[] {
  const journal: unknown = JSON.parse(readFileSync(`${migrationsFolder}/meta/_journal.json`, "utf8"));
  return v.parse(journalSchema, journal).entries.map((entry) => entry.when);
}
