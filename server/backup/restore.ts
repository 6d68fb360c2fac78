import pg from "pg";
import type { Logger } from "pino";
import { openPool } from "../platform/database/database.ts";
import { hasRunningServers, migrate } from "../platform/database/migrate.ts";
import { readMigrations, readRecords, recordMigration } from "../platform/database/migrations.ts";
import {
  createEarlierTables,
  type EarlierState,
  earlierStates,
  notTakenOver,
  statementsOfAllStates,
  takeOver,
} from "../platform/database/take-over.ts";
import { StartProblem } from "../platform/process/start-problem.ts";
import { afterRestore } from "./after-restore.ts";
import { quoteIdentifier, readSums, readTables } from "./catalog.ts";
import type { OnProgress } from "./dump.ts";
import type { BackupFile } from "./file.ts";
import { LoadProblem, type LoadResult, loadContent } from "./load.ts";

/**
 * By table: condition for rows that exist only once a shop is used, not after its first start alone. In tables that are not
 * listed, any row means that the shop is in use.
 */
const usageConditions: Record<string, string> = {
  activity: "action not in ('POST /api/admin/verify', 'POST /api/admin/logout', 'npm run admin:code')",
  admin_access: "false",
  admin_sessions: "false",
  failed_code_attempts: "false",
  backups: "false",
  customer_refresh: "false",
  event_cursors: "false",
  jobs: "false",
  installation: "false",
  passkey_challenges: "false",
  product_images: "file like 'u-%'",
  product_ratings: "false",
  product_slugs: "false",
  product_view_hours: "false",
  product_views: "false",
  products: "id > 1",
  review_counts: "false",
  // The shop itself generates the other secrets; these were entered by the owner.
  secrets: "name in ('stripe', 'mail', 'twilio', 'easypost', 'shippo', 'off_site') and sealed is not null",
  book_days: "false",
  book_rollup: "false",
  sales_days: "false",
  sales_buckets: "false",
  sales_rollup: "false",
  stock: "false",
  stock_movements: "false",
  visitors: "false",
  // Table names of version 0.1.
  admin_wrong_tries: "false",
  sales_quarters: "false",
};

/**
 * Restores a shop into an empty database, or one whose shop was never used: creates the tables of the backup's version, loads the
 * rows in one transaction, and runs the later migrations. A backup from before the baseline is taken over in the same
 * transaction. A crash leaves an unused shop. Throws StartProblem before any change if the shop is in use, or if the file's
 * version is newer or unknown.
 */
export async function restoreBackup(options: {
  /** A direct connection, without a pooler. */
  url: string;
  file: BackupFile;
  passphrase: string | null;
  log: Logger;
  onProgress?: OnProgress | undefined;
  /** True for the test of a backup: compares the restored rows byte by byte, and makes no changes for a shop that is to open. */
  isRehearsal: boolean;
}): Promise<LoadResult> {
  const { url, file, passphrase, log, onProgress, isRehearsal } = options;
  const { last, earlierState } = backupState(file);
  const client = new pg.Client({
    connectionString: url,
    application_name: "palmira-restore",
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  });
  client.on("error", () => {});
  const pool = openPool(url, log, { name: "palmira-restore", max: 2 });
  try {
    await client.connect().catch((error: Error) => {
      throw new StartProblem(`DATABASE_URL: the database cannot be used: ${error.message}`);
    });
    if (await hasRunningServers(client)) {
      throw new StartProblem(
        "A shop is running on this database. Stop every server of it first. Nothing was changed.",
      );
    }
    await refuseUsedShop(client);
    // Reading the first chunk detects a wrong passphrase.
    for await (const _ of file.content(passphrase)) break;
    await dropUnusedShop(client);
    if (earlierState) await inTransaction(client, () => createEarlierTables(client, earlierState));
    else await migrate(pool, log, { upTo: last });
    await client.query("begin");
    let result = await loadContent(client, file.content(passphrase), {
      verifiesRows: isRehearsal,
      onProgress,
    });
    if (earlierState) result = await takeOverLoaded(client, result, earlierState);
    await migrateLoaded(client);
    if (!isRehearsal) await afterRestore(client, file.header.createdAt);
    await client.query("commit");
    await client.query("analyze");
    await migrate(pool, log);
    return result;
  } catch (error) {
    if (error instanceof LoadProblem) throw new StartProblem(`${error.message} Nothing was restored.`);
    throw error;
  } finally {
    await client.end().catch(() => {});
    await pool.end();
  }
}

/**
 * The last migration of the file's database, and its state if it is from before the baseline. Throws StartProblem for an unknown
 * file.
 */
function backupState({ path, header }: BackupFile): { last: string; earlierState: EarlierState | null } {
  const { migrations, shopVersion } = header;
  const ownMigrations = readMigrations().map(({ name }) => name);
  const last = migrations.at(-1) ?? "";
  const earlierState = earlierStates.find(({ name }) => name === last);
  if (earlierState) return { last, earlierState };
  if (!migrations.includes(ownMigrations[0] ?? "")) {
    const next = earlierStates.find(({ name }) => name > last);
    if (next) {
      throw new StartProblem(
        `${path} is ${notTakenOver(next)} (It is of version ${shopVersion}, with ${last}, and can be restored by that.) Nothing was changed.`,
      );
    }
  }
  const unknownNames = migrations.filter((name) => !ownMigrations.includes(name));
  if (unknownNames.length > 0) {
    throw new StartProblem(
      `${path} was made by a newer version of the shop (${shopVersion}, with ${unknownNames[0]}): restore it with that version or a newer one. Nothing was changed.`,
    );
  }
  return { last, earlierState: null };
}

/**
 * Takes over a database from before the baseline. It removes payments and refunds that only recorded exchanged amounts, so
 * the sums before and after differ by these.
 */
async function takeOverLoaded(
  client: pg.Client,
  result: LoadResult,
  earlierState: EarlierState,
): Promise<LoadResult> {
  await takeOver(client, earlierState);
  const sums = await readSums(client);
  const paidBalance = ({ paidCents, refundedCents }: LoadResult["sums"]) => paidCents - refundedCents;
  if (paidBalance(sums) !== paidBalance(result.sums) || sums.orderedCents !== result.sums.orderedCents) {
    throw new LoadProblem("Orders or payments do not come to the same sum once the backup is taken over.");
  }
  return { ...result, sums };
}

/**
 * Runs the migrations later than the backup, up to one that needs several transactions: the restore's last steps use today's
 * tables.
 */
async function migrateLoaded(client: pg.Client): Promise<void> {
  const { applied } = await readRecords(client);
  for (const migration of readMigrations().filter(({ when }) => !applied.has(when))) {
    if (migration.isOutsideTransaction) return;
    for (const statement of migration.statements) await client.query(statement);
    await recordMigration(client, migration);
  }
}

async function inTransaction(client: pg.Client, work: () => Promise<void>): Promise<void> {
  await client.query("begin");
  await work();
  await client.query("commit");
}

async function refuseUsedShop(client: pg.Client): Promise<void> {
  const ownObjects = await knownObjects();
  const tables = await readTables(client);
  const foreignTables = tables.filter(({ name }) => !ownObjects.tables.has(name));
  if (foreignTables.length > 0) {
    throw new StartProblem(
      `The database holds tables that are not the shop’s (${foreignTables[0]?.name}). A backup is restored into an empty database: make a new one and set DATABASE_URL to it. Nothing was changed.`,
    );
  }
  const usedTables: string[] = [];
  for (const { name } of tables) {
    const { rowCount } = await client.query(
      `select from ${quoteIdentifier(name)} where ${usageConditions[name] ?? "true"} limit 1`,
    );
    if (rowCount) usedTables.push(name);
  }
  if (usedTables.length === 0) return;
  throw new StartProblem(
    `There is a shop already, and it is in use: it has ${usedTables.slice(0, 3).join(", ")}. A backup is restored into an empty shop only, so that nothing is overwritten: set DATA_DIR to a new folder, or DATABASE_URL to an empty database. Nothing was changed.`,
  );
}

/** Drops everything that the shop's migrations have created. */
async function dropUnusedShop(client: pg.Client): Promise<void> {
  const { tables, sequences, functions } = await knownObjects();
  const drop = (kind: string, names: Iterable<string>) =>
    [...names].map((name) => `drop ${kind} if exists ${quoteIdentifier(name)} cascade`);
  await client.query("begin");
  await client.query("set local client_min_messages = warning");
  const schemas = drop("schema", ["drizzle", "graphile_worker"]);
  const otherDrops = [
    ...drop("table", tables),
    ...drop("sequence", sequences),
    ...drop("function", functions),
  ];
  for (const statement of [...schemas, ...otherDrops]) await client.query(statement);
  await client.query("commit");
}

async function knownObjects(): Promise<Record<"tables" | "sequences" | "functions", Set<string>>> {
  const text = statementsOfAllStates().join("\n");
  const names = (kind: RegExp) =>
    new Set(
      [
        ...text.matchAll(
          new RegExp(`\\b(?:${kind.source})\\s+(?:if (?:not )?exists\\s+)?(?:"?public"?\\.)?"?(\\w+)`, "gi"),
        ),
      ].map(([, name = ""]) => name),
    );
  return {
    tables: new Set([...names(/create (?:unlogged )?table/), ...names(/rename to/)]),
    sequences: names(/create sequence/),
    functions: names(/create (?:or replace )?function|drop function/),
  };
}
