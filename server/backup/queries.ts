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

/** Lets long work in the lane of backups stop for one. `onQueued`: aborts once a backup is queued. `stop`: stops polling. */
export async function watchForBackups(db: Db): Promise<{ onQueued: AbortSignal; stop(): void }> {
  const controller = new AbortController();
  const look = async () => {
    const queued = await db.$count(backups, eq(backups.status, "queued")).catch(() => 0);
    if (queued > 0) controller.abort();
  };
  await look();
  const timer = setInterval(look, pollMs);
  return { onQueued: controller.signal, stop: () => clearInterval(timer) };
}

export async function findBackup(db: Db, id: number): Promise<BackupRow | null> {
  const [row] = await db.select().from(backups).where(eq(backups.id, id));
  return row ?? null;
}

/**
 * The time of the last good backup: untested, or with a passed test; or one reported by `touch DATA_DIR/last-backup`. Null:
 * there is none.
 */
export async function lastGoodBackup(db: Db): Promise<{ takenAt: Date; testedAt: Date | null } | null> {
  const [own] = await db
    .select({ takenAt: backups.takenAt, testedAt: backups.testedAt })
    .from(backups)
    // A backup dated by a clock that was ahead would hide that backups have stopped.
    .where(and(eq(backups.status, "done"), sql`${backups.takenAt} <= now() + interval '1 hour'`))
    .orderBy(desc(backups.takenAt))
    .limit(1);
  const byHand = await readLastBackup(db);
  if (own?.takenAt && (byHand === null || own.takenAt >= byHand)) {
    return { takenAt: own.takenAt, testedAt: own.testedAt };
  }
  return byHand && { takenAt: byHand, testedAt: null };
}

/**
 * Figures for /metrics. `mark`: time of the marker file on this server. `ageSeconds`: age of the last good backup; null: there is
 * none. `isLastGood`: whether the last backup is good; null: none has ended.
 */
export async function backupStats(
  db: Db,
  now: Date,
  mark: Date | null = null,
): Promise<{ ageSeconds: number | null; isLastGood: boolean | null; lastBytes: number | null }> {
  const lastBackup = await lastGoodBackup(db);
  const [last] = await db
    .select({ status: backups.status, bytes: backups.bytes })
    .from(backups)
    .where(sql`${backups.status} in ('done', 'failed')`)
    .orderBy(desc(backups.requestedAt))
    .limit(1);
  const takenAt =
    lastBackup && mark && mark < lastBackup.takenAt
      ? lastBackup.takenAt
      : (mark ?? lastBackup?.takenAt ?? null);
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

/** The marker file's time on this server; null: there is no file. */
export async function readBackupMarker(
  { dataDir }: Pick<Config, "dataDir">,
  now: Date,
): Promise<Date | null> {
  const mark = await stat(join(dataDir, backupMarkerFile)).catch(() => null);
  // A time in the future would hide that backups have stopped.
  return mark && new Date(Math.min(mark.mtimeMs, now.getTime()));
}
