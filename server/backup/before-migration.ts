import { join } from "node:path";
import type { Config } from "../platform/config.ts";
import type { Db } from "../platform/database/database.ts";
import { StartProblem } from "../platform/process/start-problem.ts";
import { recordBackup } from "./commands.ts";
import { backupName } from "./names.ts";
import { takeBackup } from "./take.ts";

/**
 * Backs a shop up before its database is migrated. Answers what notes it down once the tables are those of this program.
 * Throws StartProblem where it could not be made: without a way back nothing is changed.
 */
export async function backUpBeforeMigration(
  url: string,
  { backupDir, backups }: Pick<Config, "backupDir" | "backups">,
): Promise<(db: Db) => Promise<void>> {
  const { passphrase } = backups;
  const path = join(backupDir.path, backupName("before_migration", new Date()));
  const begunAt = performance.now();
  // Other servers may be selling meanwhile.
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
