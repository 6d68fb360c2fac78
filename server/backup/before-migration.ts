import { join } from "node:path";
import type { Config } from "../platform/config.ts";
import type { Db } from "../platform/database/database.ts";
import { StartProblem } from "../platform/process/start-problem.ts";
import { recordBackup } from "./commands.ts";
import { backupName } from "./names.ts";
import { takeBackup } from "./take.ts";

/**
 * Makes a backup before the database is migrated. Answers a function that records it once the tables are migrated. Throws
 * StartProblem if it fails, so that nothing is migrated without a backup.
 */
export async function backUpBeforeMigration(
  url: string,
  { backupDir, backups }: Pick<Config, "backupDir" | "backups">,
): Promise<(db: Db) => Promise<void>> {
  const { passphrase } = backups;
  const path = join(backupDir.path, backupName("before_migration", new Date()));
  const begunAt = performance.now();
  // Pauses, because other servers may be serving the shop.
  const taken = await takeBackup({ url, path, passphrase, rest: 1 }).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartProblem(
      `The database was not migrated, because no backup of it could be made before: ${reason} Put that right and start again, or set BACKUP_BEFORE_MIGRATION=0 to migrate without one.`,
    );
  });
  const seconds = Math.round((performance.now() - begunAt) / 100) / 10;
  return (db) =>
    recordBackup(db, { kind: "before_migration", path, isEncrypted: passphrase !== null, seconds, taken });
}
