import { existsSync } from "node:fs";
import { readdir, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { and, desc, eq, inArray, isNull } from "drizzle-orm";
import { backupsKept } from "../../domain/backup/backup.ts";
import { dateIn } from "../../domain/shared/zoned-days.ts";
import type { ShopContext } from "../context.ts";
import { ownerTimeZone } from "../settings/today.ts";
import type { BackupRow } from "./queries.ts";
import { backups } from "./tables.ts";

const weekMs = 7 * 24 * 60 * 60 * 1000;

/** Unfinished files older than this were left by a killed process. */
const unfinishedMs = 24 * 60 * 60 * 1000;

/** Deletes surplus backup files of this server. Files made by hand stay. */
export async function deleteOldBackups(ctx: ShopContext): Promise<void> {
  const { db, log, now } = ctx;
  await deleteUnfinished(ctx.config.backupDir.path);
  const rows = await db
    .select()
    .from(backups)
    .where(and(isNull(backups.deletedAt), inArray(backups.status, ["done", "failed"])))
    .orderBy(desc(backups.requestedAt));
  for (const row of surplusBackups(rows, await ownerTimeZone(ctx))) {
    if (row.path !== null && row.server !== hostname() && !existsSync(row.path)) continue;
    try {
      if (row.path !== null) await rm(row.path, { force: true });
      await db.update(backups).set({ deletedAt: now() }).where(eq(backups.id, row.id));
    } catch (err) {
      log.warn({ err }, "an old backup could not be deleted");
    }
  }
}

/** The surplus among `rows` (newest first). Not surplus are the last backup of each recent day and week, and some others. */
export function surplusBackups<Row extends Pick<BackupRow, "kind" | "status" | "requestedAt">>(
  rows: readonly Row[],
  timeZone: string,
): Row[] {
  const doneBackups = (kind: BackupRow["kind"]) =>
    rows.filter((row) => row.kind === kind && row.status === "done");
  const nightly = doneBackups("nightly");
  const retained = new Set<Row>([
    ...firstInEachPeriod(nightly, backupsKept.days, ({ requestedAt }) => dateIn(timeZone, requestedAt)),
    ...firstInEachPeriod(nightly, backupsKept.weeks, ({ requestedAt }) =>
      String(Math.floor(requestedAt.getTime() / weekMs)),
    ),
    ...doneBackups("manual").slice(0, backupsKept.manual),
    ...doneBackups("before_migration").slice(0, backupsKept.beforeMigration),
    ...doneBackups("by_hand"),
    // Recent failures stay in the list.
    ...rows.filter(({ status }) => status === "failed").slice(0, backupsKept.days),
  ]);
  return rows.filter((row) => !retained.has(row));
}

function firstInEachPeriod<Row>(
  rows: readonly Row[],
  maxPeriods: number,
  getPeriod: (row: Row) => string,
): Row[] {
  const firstByPeriod = new Map<string, Row>();
  for (const row of rows) if (!firstByPeriod.has(getPeriod(row))) firstByPeriod.set(getPeriod(row), row);
  return [...firstByPeriod.values()].slice(0, maxPeriods);
}

async function deleteUnfinished(folder: string): Promise<void> {
  for (const name of (await readdir(folder)).filter((file) => file.endsWith(".backup.part"))) {
    const file = join(folder, name);
    const { mtimeMs } = await stat(file);
    if (Date.now() - mtimeMs > unfinishedMs) await rm(file, { force: true });
  }
}
