import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import type { Logger } from "pino";
import { StartProblem } from "../process/start-problem.ts";
import { createRecords, type Migration, readMigrations, readRecords, recordMigration } from "./migrations.ts";
import { type EarlierState, findEarlierState, recordTakeOver, statementsToBaseline } from "./take-over.ts";

/** The advisory lock that a migrating server holds: any number, the same for every server of the shop. */
export const migrationLock = 7_256_391_044;
const minServerVersion = 140_000;

/** How long a migration waits for locks and for other servers (ms). */
export const migrationPatience = {
  /** Queries of a table queue behind a migration that waits for its lock. PostgreSQL interrupts a vacuum after 1 s. */
  lockMs: 2_000,
  /** Queries do not queue behind an index that is built concurrently. */
  concurrentLockMs: 60_000,
  /** Doubled with each attempt. */
  firstPauseMs: 500,
  longestPauseMs: 15_000,
  /** Time from a migration's first attempt to its last. */
  giveUpMs: 5 * 60_000,
  /** Longest wait for another server's migrations. */
  otherServerMs: 15 * 60_000,
};
type MigrationPatience = typeof migrationPatience;

type MigrateOptions = {
  /** Name of the last migration to apply. */
  upTo?: string;
  /** Folder of the migrations; tests pass those of other versions. */
  folder?: string;
  /** Awaited before an existing database is changed, while no other server can migrate it. */
  beforeChange?: () => Promise<void>;
  patience?: MigrationPatience;
};

/** Statements that are applied in one transaction, or one by one outside a transaction. */
type Step = {
  name: string;
  statements: string[];
  isOutsideTransaction: boolean;
  record(client: pg.ClientBase): Promise<void>;
};

/**
 * Migrates the database, one server at a time. Each migration runs in its own transaction; if one fails, those before it
 * stay applied, and the last version works with them. `pool` must connect to the database itself, not to a pooler that
 * shares connections between transactions.
 *
 * Throws StartProblem for a database that does not respond, is older than PostgreSQL 14, is of an unknown state, was changed
 * by a newer program and is incompatible with this one, contains rows that violate a new rule, or stays locked.
 */
export async function migrate(
  pool: pg.Pool,
  log: Logger,
  { upTo, folder, beforeChange, patience = migrationPatience }: MigrateOptions = {},
): Promise<void> {
  const client = await pool.connect().catch((error: unknown) => {
    throw new StartProblem(`DATABASE_URL: the database cannot be used: ${errorReason(error)}`);
  });
  try {
    await refuseOldServer(client);
    const knownMigrations = readMigrations(folder);
    const last =
      upTo === undefined
        ? knownMigrations.length - 1
        : knownMigrations.findIndex(({ name }) => name === upTo);
    if (last === -1) throw new Error(`there is no migration ${upTo}`);
    const upToLast = knownMigrations.slice(0, last + 1);
    if ((await findPending(client, knownMigrations, upToLast)).steps.length > 0) {
      await lock(client, log, patience);
      try {
        const { steps, isNew, earlierState } = await findPending(client, knownMigrations, upToLast);
        if (earlierState) await refuseRunningServers(client);
        if (isNew) await refuseTablesWithoutRecords(client, knownMigrations);
        if (steps.length > 0 && !isNew) await beforeChange?.();
        await createRecords(client);
        for (const step of steps) {
          const startedAt = performance.now();
          await retryWhileBusy(() => apply(client, step, patience), { client, step, patience, log });
          const ms = Math.round(performance.now() - startedAt);
          log[isNew ? "debug" : "info"]({ ms }, `migrated the database: ${step.name}`);
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

async function findPending(
  client: pg.PoolClient,
  knownMigrations: readonly Migration[],
  upToLast: readonly Migration[],
): Promise<{ isNew: boolean; earlierState: EarlierState | null; steps: Step[] }> {
  const records = await readRecords(client);
  const earlierState = findEarlierState(records, knownMigrations);
  const pending = earlierState
    ? upToLast.slice(1)
    : upToLast.filter(({ when }) => !records.applied.has(when));
  const steps = pending.map((migration) => ({
    ...migration,
    record: (client: pg.ClientBase) => recordMigration(client, migration),
  }));
  return {
    isNew: records.applied.size === 0,
    earlierState,
    steps: earlierState ? [takeOverStep(earlierState, knownMigrations), ...steps] : steps,
  };
}

function takeOverStep(state: EarlierState, knownMigrations: readonly Migration[]): Step {
  return {
    name: `take-over of ${state.name}`,
    statements: statementsToBaseline(state),
    isOutsideTransaction: false,
    record: (client) => recordTakeOver(client, knownMigrations),
  };
}

/**
 * Whether a server of the shop uses the database. Waits for up to 5 s, because PostgreSQL ends the sessions of a server that has just
 * stopped a moment later.
 */
export async function hasRunningServers(client: pg.ClientBase): Promise<boolean> {
  for (let tries = 0; ; tries++) {
    const { rowCount } = await client.query(
      `select from pg_stat_activity
      where datname = current_database() and application_name ~ '^palmira-(http|jobs|queue|feed)' limit 1`,
    );
    if (rowCount === 0 || tries === 20) return rowCount !== 0;
    await delay(250);
  }
}

/** Servers of an earlier version do not use the baseline's names, so they must have been stopped. */
async function refuseRunningServers(client: pg.PoolClient): Promise<void> {
  if (!(await hasRunningServers(client))) return;
  throw new StartProblem(
    "A server from before 1.0.0 still runs on this database. Stop every server of it, then start this version. Nothing was changed.",
  );
}

async function refuseTablesWithoutRecords(
  client: pg.PoolClient,
  knownMigrations: readonly Migration[],
): Promise<void> {
  const baseline = knownMigrations[0]?.statements.join("") ?? "";
  const names = [...baseline.matchAll(/^CREATE (?:UNLOGGED )?TABLE "(\w+)"/gm)].map(([, name]) => name);
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'r' and relname = any ($1) order by 1 limit 1`,
    [names],
  );
  const [table] = rows;
  if (!table) return;
  throw new StartProblem(
    `The database has a table ${table.name}, and no record of which version of the shop made it. DATABASE_URL must lead to an empty database, or to one of this shop. Nothing was changed.`,
  );
}

async function refuseOldServer(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query<{ server_version: string; number: number }>(
    "select current_setting('server_version') as server_version, current_setting('server_version_num')::int as number",
  );
  const server = rows[0];
  if (server && server.number < minServerVersion) {
    throw new StartProblem(
      `DATABASE_URL: PostgreSQL 14 or newer is needed; this one is ${server.server_version}.`,
    );
  }
}

/**
 * Waits until no other server migrates. Polls for the lock: building an index concurrently waits for all earlier statements to
 * end, including one that waits for the lock.
 */
async function lock(client: pg.PoolClient, log: Logger, patience: MigrationPatience): Promise<void> {
  const startedAt = performance.now();
  for (let tries = 0; ; tries++) {
    const { rows } = await client.query<{ locked: boolean }>("select pg_try_advisory_lock($1) as locked", [
      migrationLock,
    ]);
    if (rows[0]?.locked) return;
    if (tries === 0) log.info("another server is migrating the database: waiting for it");
    if (performance.now() - startedAt > patience.otherServerMs) {
      const minutes = Math.round(patience.otherServerMs / 60_000);
      throw new StartProblem(
        `Another server has been migrating the database for ${minutes} minutes. Start again when it has finished.`,
      );
    }
    await delay(Math.min(retryPause(tries, patience), 1_000));
  }
}

async function apply(client: pg.PoolClient, step: Step, patience: MigrationPatience): Promise<void> {
  const { isOutsideTransaction, statements } = step;
  await client.query("select set_config('lock_timeout', $1, false)", [
    String(isOutsideTransaction ? patience.concurrentLockMs : patience.lockMs),
  ]);
  if (isOutsideTransaction) {
    for (const statement of statements) {
      if (!(await hasExtensionFor(client, statement))) continue;
      await dropUnfinishedIndex(client, statement);
      await run(client, step, statement);
    }
  }
  await client.query("begin");
  try {
    if (!isOutsideTransaction) for (const statement of statements) await run(client, step, statement);
    await step.record(client);
    await client.query("commit");
  } catch (error) {
    await client.query("rollback").catch(() => null);
    throw error;
  }
}

/** Skips a statement marked with `-- if-extension: pg_trgm` if PostgreSQL lacks the extension. */
async function hasExtensionFor(client: pg.PoolClient, statement: string): Promise<boolean> {
  const name = /^-- if-extension: (\w+)$/m.exec(statement)?.[1];
  if (name === undefined) return true;
  const { rowCount } = await client.query("select 1 from pg_extension where extname = $1", [name]);
  return rowCount === 1;
}

/** Drops the remains of an index whose building was interrupted: PostgreSQL maintains but never uses it. */
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

async function run(client: pg.PoolClient, { name }: Step, statement: string): Promise<void> {
  try {
    await client.query(statement);
  } catch (error) {
    if (isBusy(error)) throw error;
    throw (
      constraintProblem(error, name, statement) ??
      new Error(`migration ${name}: ${errorReason(error)}`, { cause: error })
    );
  }
}

/** Instructions for rows that violate a new constraint; null for any other failure. */
function constraintProblem(error: unknown, name: string, statement: string): StartProblem | null {
  // Class 23 of SQL state: integrity constraint violation.
  if (!(error instanceof pg.DatabaseError) || !error.code?.startsWith("23")) return null;
  const { table, constraint, message } = error;
  const rule = /\bCHECK \((.*)\);?\s*$/s.exec(statement)?.[1];
  const rows = table && rule ? ` Find them with: select * from ${table} where not (${rule});` : "";
  return new StartProblem(
    `The database holds rows that this version of the shop does not allow (${constraint ?? message}), so migration ${name} changed nothing.${rows} Correct them, then start again.`,
  );
}

/** Retries a step with growing pauses while others hold the locks that it needs. */
async function retryWhileBusy(
  work: () => Promise<void>,
  context: { client: pg.PoolClient; step: Step; patience: MigrationPatience; log: Logger },
): Promise<void> {
  const { client, step, patience, log } = context;
  const startedAt = performance.now();
  for (let tries = 0; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error)) throw error;
      const pauseMs = retryPause(tries, patience);
      const holders = await findOldTransactions(client);
      if (performance.now() - startedAt + pauseMs > patience.giveUpMs) {
        throw new StartProblem(
          `Migration ${step.name} was tried ${tries + 1} times, but the database stayed locked (${errorReason(error)}); it changed nothing. Oldest transactions: ${holders}. End what holds the lock, then start again.`,
        );
      }
      log.warn({ holders }, `migration ${step.name} waits for a lock: ${errorReason(error)}`);
      await delay(pauseMs);
    }
  }
}

/** Lock not available, deadlock, serialization failure. */
function isBusy(error: unknown): boolean {
  return error instanceof pg.DatabaseError && ["55P03", "40P01", "40001"].includes(error.code ?? "");
}

/** Describes the transactions most likely to hold the lock, for the log. */
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

/** Doubled with every attempt, with jitter so that servers do not retry at the same moments. */
function retryPause(tries: number, { firstPauseMs, longestPauseMs }: MigrationPatience): number {
  return Math.min(firstPauseMs * 2 ** tries, longestPauseMs) * (0.5 + Math.random() / 2);
}

function errorReason(error: unknown): string {
  return error instanceof Error ? error.message || String(error) : String(error);
}
