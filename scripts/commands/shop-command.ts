import { sql } from "drizzle-orm";
import type { BackupHeader } from "../../server/backup/file.ts";
import { type Config, parseConfig, resolveArchiveDir } from "../../server/platform/config.ts";
import { type Database, isDatabaseError, openPool } from "../../server/platform/database/database.ts";
import { drizzleOn } from "../../server/platform/database/transactions.ts";
import {
  hasEmbeddedData,
  runningPostgresUrl,
  startPostgres,
} from "../../server/platform/embedded-postgres/embedded-postgres.ts";
import { createLog, inOneLine } from "../../server/platform/log.ts";
import { checkDataDir, lockDataDir } from "../../server/platform/process/data-dir.ts";
import { readEnvironment } from "../../server/platform/process/environment.ts";
import { StartProblem } from "../../server/platform/process/start-problem.ts";
import { readSecretLine } from "./terminal.ts";

/**
 * Runs a command with the shop's configuration. Prints one line for each problem that the operator has to solve, such as a full
 * disk; other errors are the program's, and are printed with their stack.
 */
export async function runCommand(run: (config: Config) => Promise<void>): Promise<void> {
  const parsed = parseConfig(readEnvironment(process.env));
  if (!parsed.ok) {
    for (const problem of parsed.problems) console.error(problem);
    process.exitCode = 1;
    return;
  }
  try {
    checkDataDir(parsed.config.dataDir);
    await run(parsed.config);
  } catch (error) {
    process.exitCode = 1;
    if (error instanceof StartProblem) console.error(error.message);
    else if (isDatabaseError(error)) console.error(`The database failed: ${inOneLine(error)}`);
    else if (error instanceof Error && "syscall" in error) console.error(`Failed: ${error.message}`);
    else throw error;
  }
}

/**
 * Opens the shop's database; the shop may be running. `table`: a table that the command needs; a database without it belongs
 * to no shop or to an older version, and is refused.
 */
export async function withShopDatabase(
  config: Config,
  table: string,
  work: (db: Database) => Promise<void>,
): Promise<void> {
  const shop = await openShopDatabase(config);
  try {
    const { rows } = await shop.db.execute<{ name: string | null }>(
      sql`select to_regclass(${table})::text as name`,
    );
    if (!rows[0]?.name) {
      throw new StartProblem("Start this version of the shop once: its database is not ready.");
    }
    await work(shop.db);
  } finally {
    await shop.close();
  }
}

/** A database opened by a command; `close` leaves everything as it was. */
type OpenDatabase = { url: string; close(): Promise<void> };
type ShopDatabase = OpenDatabase & { db: Database };

/**
 * Opens the shop's database for a command on this machine: the one of DATABASE_URL, or the embedded one, which is started for
 * the duration of the command unless the shop runs. Applies no migrations. Throws StartProblem.
 */
export async function openShopDatabase(config: Config): Promise<ShopDatabase> {
  const { databaseUrl, databaseDirectUrl, dataDir } = config;
  // Connects without the pooler, as commands may hold session locks or run longer than it allows.
  if (databaseUrl !== null) return connect(databaseDirectUrl ?? databaseUrl);
  if (!hasEmbeddedData(dataDir)) {
    throw new StartProblem(
      `There is no shop in ${dataDir} yet: start it once, or set DATA_DIR to where it is.`,
    );
  }
  const lock = tryLock(dataDir);
  if (!lock) {
    const url = runningPostgresUrl(dataDir);
    if (url !== null) return connect(url);
    throw new StartProblem("The shop is starting or stopping. Please try again in a moment.");
  }
  const { url, close } = await startEmbedded(config, lock);
  return connect(url, close);
}

/** The database to restore a backup into; it may be empty. Throws StartProblem if the embedded one is in use. */
export async function openEmptyDatabase(config: Config): Promise<OpenDatabase> {
  const { databaseUrl, databaseDirectUrl, dataDir } = config;
  if (databaseUrl !== null) return { url: databaseDirectUrl ?? databaseUrl, close: async () => {} };
  return startEmbedded(config, lockDataDir(dataDir));
}

/** Archives the write-ahead log as the running shop does; otherwise the archive would lack what the command writes. */
async function startEmbedded(config: Config, lock: { release(): void }): Promise<OpenDatabase> {
  const { dataDir } = config;
  const backupDir = resolveArchiveDir(config);
  try {
    const { url, stop } = await startPostgres({ dataDir, log: createLog("silent"), backupDir });
    const close = async () => {
      await stop();
      lock.release();
    };
    return { url, close };
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function connect(url: string, closeServer = async () => {}): Promise<ShopDatabase> {
  const pool = openPool(url, createLog("silent"), { name: "palmira-command", max: 2 });
  const close = async () => {
    await pool.end();
    await closeServer();
  };
  try {
    await pool.query("select 1");
  } catch (error) {
    await close();
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartProblem(`The shop’s database does not answer: ${reason}`);
  }
  return { db: drizzleOn(pool), url, close };
}

/** Null if a running shop uses the folder. */
function tryLock(dataDir: string): { release(): void } | null {
  try {
    return lockDataDir(dataDir);
  } catch (error) {
    if (error instanceof StartProblem) return null;
    throw error;
  }
}

/** The passphrase of a backup, from the configuration or the terminal; null for one that is not encrypted. */
export async function findPassphrase(
  { backups }: Config,
  { encryption }: BackupHeader,
): Promise<string | null> {
  if (backups.passphrase !== null || encryption === null) return backups.passphrase;
  const passphrase = await readSecretLine("Passphrase: ");
  if (passphrase !== "") return passphrase;
  // Without a terminal the answer is empty: the passphrase is missing, not wrong.
  throw new StartProblem("The backup is encrypted: set BACKUP_PASSPHRASE, or enter it. Nothing was changed.");
}
