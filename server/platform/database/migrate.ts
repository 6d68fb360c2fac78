import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import type { Logger } from "pino";
import { StartProblem } from "../process/start-problem.ts";
import { type Migration, readMigrations } from "./migrations.ts";

/** The advisory lock that a migrating server holds: any number, the same for every server of the shop. */
export const migrationLock = 7_256_391_044;
const serverVersionMin = 140_000;

/** How long a migration waits for others; all in milliseconds. */
export const migrationPatience = {
  /** Queries of a table queue behind a migration that waits for its lock. PostgreSQL interrupts a vacuum after 1 s. */
  lockMs: 2_000,
  /** Queries do not queue behind an index that is built concurrently. */
  concurrentLockMs: 60_000,
  /** Doubled from try to try. */
  firstPauseMs: 500,
  longestPauseMs: 15_000,
  /** From a migration's first try to its last. */
  giveUpMs: 5 * 60_000,
  /** For a server that is migrating. */
  otherServerMs: 15 * 60_000,
};
type MigrationPatience = typeof migrationPatience;

type MigrateOptions = {
  /** The last migration to apply, by its name. */
  upTo?: string;
  /** Where the program's migrations are; tests give those of other versions. */
  folder?: string;
  /** Awaited before a database that has been migrated before is changed; no other server migrates meanwhile. */
  before?: () => Promise<void>;
  patience?: MigrationPatience;
};

/**
 * Migrates the database, one server at a time. Each migration runs in its own transaction; if one fails, those before it stay
 * applied, with which the last version works. `pool` must connect to the database itself, not to a pooler that shares
 * connections between transactions.
 *
 * Throws StartProblem for a database that does not answer, is older than PostgreSQL 14, was changed by a newer program so
 * that this one cannot work with it, contains rows that violate a new rule, or stays locked.
 */
export async function migrate(
  pool: pg.Pool,
  log: Logger,
  { upTo, folder, before, patience = migrationPatience }: MigrateOptions = {},
): Promise<void> {
  const client = await pool.connect().catch((error: unknown) => {
    throw new StartProblem(`DATABASE_URL: the database cannot be used: ${reasonOf(error)}`);
  });
  try {
    await refuseOldServer(client);
    const knownMigrations = readMigrations(folder);
    const last =
      upTo === undefined
        ? knownMigrations.length - 1
        : knownMigrations.findIndex(({ name }) => name === upTo);
    if (last === -1) throw new Error(`there is no migration ${upTo}`);
    const readPending = async () => {
      const { applied, required } = await readRecords(client);
      refuseTooNewDatabase(required, knownMigrations);
      const isNew = applied.size === 0;
      return { isNew, pending: knownMigrations.slice(0, last + 1).filter(({ when }) => !applied.has(when)) };
    };
    if ((await readPending()).pending.length > 0) {
      await lock(client, log, patience);
      try {
        const { pending, isNew } = await readPending();
        if (pending.length > 0 && !isNew) await before?.();
        await createRecords(client);
        for (const step of stepsOf(pending)) {
          const startedAt = performance.now();
          await patiently(() => apply(client, step, patience), { client, step, patience, log });
          const names = step.map(({ name }) => name).join(", ");
          const ms = Math.round(performance.now() - startedAt);
          log[isNew ? "debug" : "info"]({ ms }, `migrated the database: ${names}`);
        }
      } finally {
        await client.query("select pg_advisory_unlock($1)", [migrationLock]).catch(() => null);
      }
    }
    log.debug("the database is up to date");
  } finally {
    // Closed rather than returned to the pool: if unlocking failed, closing releases the lock.
    client.release(true);
  }
}

/** The names of the database's migrations, oldest first; those that this program does not know included. */
export async function appliedMigrations(client: pg.Pool | pg.ClientBase): Promise<string[]> {
  const { applied } = await readRecords(client);
  const knownMigrations = readMigrations().filter(({ when }) => applied.has(when));
  const { rows } = await client.query<{ exists: boolean }>(
    "select to_regclass('drizzle.applied_migrations') is not null as exists",
  );
  const recorded = rows[0]?.exists
    ? (await client.query<{ name: string }>("select name from drizzle.applied_migrations")).rows
    : [];
  return [...new Set([...knownMigrations, ...recorded].map(({ name }) => name))].sort();
}

/** The name of the newest migration that this program knows and the database has; null for an empty database. */
export async function newestMigration(client: pg.Pool | pg.ClientBase): Promise<string | null> {
  const { applied } = await readRecords(client);
  return readMigrations().findLast(({ when }) => applied.has(when))?.name ?? null;
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

type Records = {
  /** Migrations that the database has, by their times. */
  applied: Set<number>;
  /** Those that a program has to know to work with the database. */
  required: Set<number>;
};

/**
 * `__drizzle_migrations` is what every version of the shop reads, the earliest ones included: a program that finds a
 * migration there that it does not know refuses to start. So only migrations that a program must know are recorded
 * there. `applied_migrations` has all.
 */
async function readRecords(client: pg.Pool | pg.ClientBase): Promise<Records> {
  const { rows } = await client.query<{ has_required: boolean; has_applied: boolean }>(
    `select to_regclass('drizzle.__drizzle_migrations') is not null as has_required,
      to_regclass('drizzle.applied_migrations') is not null as has_applied`,
  );
  const read = async (isThere: boolean | undefined, table: string) => {
    if (!isThere) return [];
    const { rows } = await client.query<{ created_at: string }>(`select created_at from drizzle.${table}`);
    return rows.map((row) => Number(row.created_at));
  };
  const required = await read(rows[0]?.has_required, "__drizzle_migrations");
  const applied = await read(rows[0]?.has_applied, "applied_migrations");
  return { required: new Set(required), applied: new Set([...required, ...applied]) };
}

function refuseTooNewDatabase(required: Set<number>, knownMigrations: Migration[]): void {
  const times = new Set(knownMigrations.map(({ when }) => when));
  if ([...required].every((when) => times.has(when))) return;
  throw new StartProblem(
    "The database was changed by a newer version of the shop, so that this one cannot work with it. Start that version, or restore a backup from before it.",
  );
}

async function createRecords(client: pg.PoolClient): Promise<void> {
  await client.query(`
    create schema if not exists drizzle;
    create table if not exists drizzle.__drizzle_migrations (
      id serial primary key, hash text not null, created_at bigint
    );
    create table if not exists drizzle.applied_migrations (
      created_at bigint primary key, name text not null, hash text not null, applied_at timestamptz not null default now()
    )`);
}

/**
 * Waits until no other server migrates. It asks again and again, because an index is built concurrently only after
 * every statement that began before it has ended, and waiting for the lock would be such a statement.
 */
async function lock(client: pg.PoolClient, log: Logger, patience: MigrationPatience): Promise<void> {
  const startedAt = performance.now();
  for (let tries = 0; ; tries++) {
    const { rows } = await client.query<{ locked: boolean }>("select pg_try_advisory_lock($1) as locked", [
      migrationLock,
    ]);
    if (rows[0]?.locked) return;
    if (tries === 0) log.info("another server is migrating the database: this one waits for it");
    if (performance.now() - startedAt > patience.otherServerMs) {
      const minutes = Math.round(patience.otherServerMs / 60_000);
      throw new StartProblem(
        `Another server has been migrating the database for ${minutes} minutes. Start again when it has finished.`,
      );
    }
    await delay(Math.min(pauseOf(tries, patience), 1_000));
  }
}

/** Groups that are applied together: each migration alone, those of the old rule in one group. */
function stepsOf(pending: Migration[]): Migration[][] {
  const old = pending.filter(({ isOfOldRule }) => isOfOldRule);
  const others = pending.filter(({ isOfOldRule }) => !isOfOldRule).map((migration) => [migration]);
  return old.length > 0 ? [old, ...others] : others;
}

async function apply(client: pg.PoolClient, step: Migration[], patience: MigrationPatience): Promise<void> {
  const alone = step.find(({ isOutsideTransaction }) => isOutsideTransaction);
  await client.query("select set_config('lock_timeout', $1, false)", [
    String(alone ? patience.concurrentLockMs : patience.lockMs),
  ]);
  if (alone) {
    for (const statement of alone.statements) {
      if (!(await hasExtensionFor(client, statement))) continue;
      await dropUnfinishedIndex(client, statement);
      await run(client, alone, statement);
    }
  }
  await client.query("begin");
  try {
    for (const migration of step) {
      if (migration !== alone) {
        for (const statement of migration.statements) await run(client, migration, statement);
      }
      await record(client, migration);
    }
    await client.query("commit");
  } catch (error) {
    await client.query("rollback").catch(() => null);
    throw error;
  }
}

/** A statement marked with `-- if-extension: pg_trgm` is left out where PostgreSQL came without it. */
async function hasExtensionFor(client: pg.PoolClient, statement: string): Promise<boolean> {
  const name = /^-- if-extension: (\w+)$/m.exec(statement)?.[1];
  if (name === undefined) return true;
  const { rowCount } = await client.query("select 1 from pg_extension where extname = $1", [name]);
  return rowCount === 1;
}

/** An index whose building was interrupted stays behind, is kept up to date and never used. */
async function dropUnfinishedIndex(client: pg.PoolClient, statement: string): Promise<void> {
  const name = /create\s+(?:unique\s+)?index\s+concurrently\s+if\s+not\s+exists\s+"?(\w+)"?/i.exec(
    statement,
  )?.[1];
  if (name === undefined) return;
  const { rows } = await client.query<{ index: string }>(
    "select indexrelid::regclass::text as index from pg_index where indexrelid = to_regclass($1) and not indisvalid",
    [`"${name}"`],
  );
  if (rows[0]) await client.query(`drop index concurrently if exists ${rows[0].index}`);
}

async function run(client: pg.PoolClient, migration: Migration, statement: string): Promise<void> {
  try {
    await client.query(statement);
  } catch (error) {
    if (isBusy(error)) throw error;
    throw (
      brokenRule(error, migration, statement) ??
      new Error(`migration ${migration.name}: ${reasonOf(error)}`, { cause: error })
    );
  }
}

/** Instructions for rows that violate a new constraint; null for any other failure. */
function brokenRule(error: unknown, { name }: Migration, statement: string): StartProblem | null {
  // Class 23 of SQL state: integrity constraint violation.
  if (!(error instanceof pg.DatabaseError) || !error.code?.startsWith("23")) return null;
  const { table, constraint, message } = error;
  const rule = /\bCHECK \((.*)\);?\s*$/s.exec(statement)?.[1];
  const rows = table && rule ? ` Find them with: select * from ${table} where not (${rule});` : "";
  return new StartProblem(
    `The database holds rows that this version of the shop does not allow (${constraint ?? message}), so migration ${name} changed nothing.${rows} Correct them, then start again.`,
  );
}

async function record(client: pg.PoolClient, { when, name, hash, required }: Migration): Promise<void> {
  await client.query(
    "insert into drizzle.applied_migrations (created_at, name, hash) values ($1, $2, $3) on conflict do nothing",
    [when, name, hash],
  );
  if (required === null) return;
  await client.query(
    `insert into drizzle.__drizzle_migrations (hash, created_at)
      select $1::text, $2::bigint
      where not exists (select from drizzle.__drizzle_migrations where created_at = $2)`,
    [required.hash, required.when],
  );
}

/** Tries again with growing pauses while others hold what a step needs. */
async function patiently(
  work: () => Promise<void>,
  context: { client: pg.PoolClient; step: Migration[]; patience: MigrationPatience; log: Logger },
): Promise<void> {
  const { client, step, patience, log } = context;
  const startedAt = performance.now();
  for (let tries = 0; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error)) throw error;
      const names = step.map(({ name }) => name).join(", ");
      const pauseMs = pauseOf(tries, patience);
      const holders = await findOldTransactions(client);
      if (performance.now() - startedAt + pauseMs > patience.giveUpMs) {
        throw new StartProblem(
          `Migration ${names} was tried ${tries + 1} times, but the database stayed locked (${reasonOf(error)}); it changed nothing. Oldest transactions: ${holders}. End what holds the lock, then start again.`,
        );
      }
      log.warn({ holders }, `migration ${names} waits for a lock: ${reasonOf(error)}`);
      await delay(pauseMs);
    }
  }
}

/** Lock not available, deadlock, serialization failure. */
function isBusy(error: unknown): boolean {
  return error instanceof pg.DatabaseError && ["55P03", "40P01", "40001"].includes(error.code ?? "");
}

/** Those most likely to hold the lock, in a few words for a log. */
async function findOldTransactions(client: pg.PoolClient): Promise<string> {
  const { rows } = await client.query<{ pid: number; name: string; state: string; age: number }>(
    `select pid, coalesce(nullif(application_name, ''), 'unnamed') as name, coalesce(state, backend_type) as state,
      extract(epoch from now() - xact_start)::int as age
    from pg_stat_activity
    where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()
    order by xact_start limit 3`,
  );
  return (
    rows.map(({ pid, name, state, age }) => `${name} (pid ${pid}, ${state}, ${age} s)`).join(", ") || "none"
  );
}

/** Twice as long with every try; not the same for two servers. */
function pauseOf(tries: number, { firstPauseMs, longestPauseMs }: MigrationPatience): number {
  return Math.min(firstPauseMs * 2 ** tries, longestPauseMs) * (0.5 + Math.random() / 2);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message || String(error) : String(error);
}
