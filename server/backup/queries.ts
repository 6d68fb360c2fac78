import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { and, desc, eq, isNull, sql } from "drizzle-orm";
import type { Backup } from "../../domain/backup/backup.ts";
import { pick } from "../../domain/shared/pick.ts";
import type { Config } from "../platform/config.ts";
import type { Db } from "../platform/database/database.ts";
import { readLastBackup } from "../settings/installation.ts";
import { backups } from "./tables.ts";

export type BackupRow = typeof backups.$inferSelect;

const maxShown = 50;

/** Existing backups, and recent failures, newest first. */
export async function listBackups(db: Db): Promise<Backup[]> {
  const rows = await db
    .select()
    .from(backups)
    .where(isNull(backups.deletedAt))
    .orderBy(desc(backups.requestedAt))
    .limit(maxShown);
  return rows.map(toBackup);
}

const pollMs = 10_000;

/** Lets long work in the same lane stop for a backup. `onQueued` aborts once a backup is queued; `stop` ends the polling. */
export async function watchForBackups(db: Db): Promise<{ onQueued: AbortSignal; stop(): void }> {
  const controller = new AbortController();
  const checkQueue = async () => {
    const queued = await db.$count(backups, eq(backups.status, "queued")).catch(() => 0);
    if (queued > 0) controller.abort();
  };
  await checkQueue();
  const timer = setInterval(checkQueue, pollMs);
  return { onQueued: controller.signal, stop: () => clearInterval(timer) };
}

export async function findBackup(db: Db, id: number): Promise<BackupRow | null> {
  const [row] = await db.select().from(backups).where(eq(backups.id, id));
  return row ?? null;
}

/**
 * The time of the last good backup, if there is one. Backups that are untested or passed their test count as good, and so do
 * backups reported by `touch DATA_DIR/last-backup`.
 */
export async function lastGoodBackup(db: Db): Promise<{ takenAt: Date; testedAt: Date | null } | null> {
  const [recorded] = await db
    .select({ takenAt: backups.takenAt, testedAt: backups.testedAt })
    .from(backups)
    // A backup dated by a clock that was ahead would hide that backups have stopped.
    .where(and(eq(backups.status, "done"), sql`${backups.takenAt} <= now() + interval '1 hour'`))
    .orderBy(desc(backups.takenAt))
    .limit(1);
  const reportedAt = await readLastBackup(db);
  if (recorded?.takenAt && (reportedAt === null || recorded.takenAt >= reportedAt)) {
    return { takenAt: recorded.takenAt, testedAt: recorded.testedAt };
  }
  return reportedAt && { takenAt: reportedAt, testedAt: null };
}

/**
 * Figures for /metrics. `markedAt`: time of the marker file on this server. `ageSeconds`: age of the last good backup; null if
 * there is none. `isLastGood`: whether the last backup is good; null if none has ended.
 */
export async function backupStats(
  db: Db,
  now: Date,
  markedAt: Date | null = null,
): Promise<{ ageSeconds: number | null; isLastGood: boolean | null; lastBytes: number | null }> {
  const lastBackup = await lastGoodBackup(db);
  const [last] = await db
    .select({ status: backups.status, bytes: backups.bytes })
    .from(backups)
    .where(sql`${backups.status} in ('done', 'failed')`)
    .orderBy(desc(backups.requestedAt))
    .limit(1);
  const takenAt =
    lastBackup && markedAt && markedAt < lastBackup.takenAt
      ? lastBackup.takenAt
      : (markedAt ?? lastBackup?.takenAt ?? null);
  return {
    ageSeconds: takenAt && (now.getTime() - takenAt.getTime()) / 1000,
    isLastGood: last ? last.status === "done" : null,
    lastBytes: last?.bytes ?? null,
  };
}

function toBackup(row: BackupRow): Backup {
  return {
    ...pick(
      row,
      "id",
      "kind",
      "status",
      "bytes",
      "seconds",
      "isEncrypted",
      "progress",
      "isTestGood",
      "testLines",
      "problem",
      "server",
      "path",
    ),
    requestedAt: row.requestedAt.toISOString(),
    takenAt: row.takenAt?.toISOString() ?? null,
    orders: row.orderCount,
    testedAt: row.testedAt?.toISOString() ?? null,
    isHere: row.path !== null && row.bytes !== null && existsSync(row.path),
  };
}

/** Marker file that backups made by other programs touch when they are done (README, Data and backups). */
export const backupMarkerFile = "last-backup";

/** The marker file's time on this server; null if there is no file. */
export async function readBackupMarker(
  { dataDir }: Pick<Config, "dataDir">,
  now: Date,
): Promise<Date | null> {
  const file = await stat(join(dataDir, backupMarkerFile)).catch(() => null);
  // A time in the future would hide that backups have stopped.
  return file && new Date(Math.min(file.mtimeMs, now.getTime()));
}
