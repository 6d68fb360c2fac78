import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../platform/config.ts";

/** The last command of a backup that is made by other means sets this file's time (README, Data and backups). */
export const backupMark = "last-backup";

/** When that was on this server; null: never. */
export async function readBackupMark({ dataDir }: Pick<Config, "dataDir">, now: Date): Promise<Date | null> {
  const mark = await stat(join(dataDir, backupMark)).catch(() => null);
  // A time to come would hide that backups have stopped.
  return mark && new Date(Math.min(mark.mtimeMs, now.getTime()));
}
