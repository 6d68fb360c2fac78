import { sql } from "drizzle-orm";
import { type Config, parseConfig } from "../server/platform/config.ts";
import type { Database } from "../server/platform/database/database.ts";
import { openShopDatabase } from "../server/platform/database/shop-database.ts";
import { createLog } from "../server/platform/log.ts";
import { checkDataDir } from "../server/platform/process/data-dir.ts";
import { readEnvironment } from "../server/platform/process/environment.ts";
import { StartProblem } from "../server/platform/process/start-problem.ts";

/** Runs a command with the shop's configuration. Prints one line for each problem that the operator has to solve. */
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
    if (!(error instanceof StartProblem)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}

/**
 * Opens the shop's database; the shop may be running. `table`: one that the command needs; a database without it belongs to
 * no shop or to an older version, and is refused.
 */
export async function withShopDatabase(
  config: Config,
  table: string,
  work: (db: Database) => Promise<void>,
): Promise<void> {
  const shop = await openShopDatabase(config, createLog("silent"));
  try {
    const { rows } = await shop.db.execute<{ found: string | null }>(
      sql`select to_regclass(${table})::text as found`,
    );
    if (!rows[0]?.found) {
      throw new StartProblem("Start this version of the shop once: its database is not ready.");
    }
    await work(shop.db);
  } finally {
    await shop.close();
  }
}
