import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../platform/config.ts";

/** A backup made by other means touches this file when it is done (README, Data and backups). */
export const backupMark = "last-backup";

/** The file's time on this server; null: there is no file. */
export async function readBackupMark({ dataDir }: Pick<Config, "dataDir">, now: Date): Promise<Date | null> {
  const mark = await stat(join(dataDir, backupMark)).catch(() => null);
  // A time in the future would hide that backups have stopped.
  return mark && new Date(Math.min(mark.mtimeMs, now.getTime()));
}
