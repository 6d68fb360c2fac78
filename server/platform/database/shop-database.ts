import type { Logger } from "pino";
import { archiveDirOf, type Config } from "../config.ts";
import {
  hasEmbeddedData,
  runningPostgresUrl,
  startPostgres,
} from "../embedded-postgres/embedded-postgres.ts";
import { lockDataDir } from "../process/data-dir.ts";
import { StartProblem } from "../process/start-problem.ts";
import { type Database, openPool } from "./database.ts";
import { drizzleOn } from "./transactions.ts";

/** The shop's database, opened by a command; `close` leaves everything as it was. */
export type ShopDatabase = { db: Database; url: string; close(): Promise<void> };

/**
 * Opens the shop's database for a command on this machine: the one of DATABASE_URL, or the embedded one, which is started for
 * the duration of the command unless the shop runs. Applies no migrations. Throws StartProblem.
 */
export async function openShopDatabase(
  config: Pick<Config, "databaseUrl" | "databaseDirectUrl" | "dataDir" | "backupDir">,
  log: Logger,
): Promise<ShopDatabase> {
  const { databaseUrl, databaseDirectUrl, dataDir } = config;
  // Past a pooler: commands may take locks, or longer than it allows.
  if (databaseUrl !== null) return connect(databaseDirectUrl ?? databaseUrl, log);
  if (!hasEmbeddedData(dataDir)) {
    throw new StartProblem(
      `There is no shop in ${dataDir} yet: start it once, or set DATA_DIR to where it is.`,
    );
  }
  const lock = tryLock(dataDir);
  if (!lock) {
    const url = runningPostgresUrl(dataDir);
    if (url !== null) return connect(url, log);
    throw new StartProblem("The shop is starting or stopping. Please try again in a moment.");
  }
  // Archiving goes on as in the running shop: what is written now must not be missing there.
  const backupDir = archiveDirOf(config);
  const postgres = await startPostgres({ dataDir, log, backupDir }).catch((error: unknown) => {
    lock.release();
    throw error;
  });
  const shut = async () => {
    await postgres.stop();
    lock.release();
  };
  return connect(postgres.url, log, shut);
}

async function connect(
  url: string,
  log: Logger,
  shut: () => Promise<void> = async () => {},
): Promise<ShopDatabase> {
  const pool = openPool(url, log, { name: "palmira-command", max: 2 });
  const close = async () => {
    await pool.end();
    await shut();
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

/** Null: a running shop has it. */
function tryLock(dataDir: string): { release(): void } | null {
  try {
    return lockDataDir(dataDir);
  } catch (error) {
    if (error instanceof StartProblem) return null;
    throw error;
  }
}
