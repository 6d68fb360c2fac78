import { stat } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { and, eq, isNull } from "drizzle-orm";
import type { BackupKind } from "../../../domain/backup/backup.ts";
import type { ShopContext } from "../../context.ts";
import { dataFile, manifestFile } from "../../platform/embedded-postgres/archive/base-backup.ts";
import { readArchive } from "../../platform/embedded-postgres/archive/contents.ts";
import { clockSlackMs, restorableMs } from "../../platform/embedded-postgres/archive/maintenance.ts";
import {
  fileTimestamp,
  listFolder,
  parseFileTimestamp,
} from "../../platform/embedded-postgres/archive/names.ts";
import { restoreWindows } from "../../platform/embedded-postgres/archive/plan.ts";
import { readArchiveStatus } from "../../platform/embedded-postgres/archive/status.ts";
import { surplusBackups } from "../retention.ts";
import { backups } from "../tables.ts";
import { booksFolder, localBooks, parseBooksName } from "./books.ts";
import { isComplete, pieceBytes, type StoredFile } from "./pieces.ts";

/** `name`: its name in the bucket. */
export type LocalFile = { name: string; path: string; bytes: number; pieceCount: number; completedAt: Date };

export const backupFolder = "backups/";
/** The same in the bucket and in BACKUP_DIR. */
export const archiveFolder = "point-in-time/";

/**
 * Files on this server to copy to the bucket, most urgent first: write-ahead log, base backups, backups (also of other servers),
 * accountant's files.
 */
export async function filesToCopy(ctx: ShopContext): Promise<Pick<LocalFile, "name" | "path">[]> {
  const status = readArchiveStatus(ctx.config, ctx.now());
  const paths = status ? await archivePaths(status.folder) : [];
  const rows = await ctx.db
    .select({ path: backups.path })
    .from(backups)
    .where(and(eq(backups.status, "done"), isNull(backups.deletedAt)));
  return [
    ...paths.map((path) => ({ path, name: relative(ctx.config.backupDir.path, path) })),
    ...rows.flatMap(({ path }) =>
      path !== null && parseBackupName(basename(path)) !== null
        ? [{ path, name: backupFolder + basename(path) }]
        : [],
    ),
    ...(await localBooks(ctx)),
  ];
}

/** Files on this server that are not in the bucket. */
export async function missingFiles(
  ctx: ShopContext,
  bucketFiles: ReadonlyMap<string, StoredFile>,
): Promise<LocalFile[]> {
  const filesByFolder = await Promise.all(
    (await filesToCopy(ctx)).map(async (file) => {
      const copy = bucketFiles.get(file.name);
      if (copy && isComplete(copy)) return [];
      // Missing if it is on another server, or was deleted as surplus in the meantime.
      const info = await stat(file.path).catch(() => null);
      if (!info) return [];
      const pieceCount = Math.max(1, Math.ceil(info.size / pieceBytes));
      return [{ ...file, bytes: info.size, pieceCount, completedAt: info.mtime }];
    }),
  );
  return filesByFolder.flat();
}

/**
 * The period within which any moment can be restored from the bucket; null if there is none, for example because the database is
 * not the embedded one.
 */
export async function restorablePeriod(
  { config, now }: ShopContext,
  bucketFiles: ReadonlyMap<string, StoredFile>,
): Promise<{ from: string; to: string; bytes: number } | null> {
  const status = readArchiveStatus(config, now());
  if (!status) return null;
  const archive = await readArchive(status.folder);
  const files = [...bucketFiles.values()].filter(({ name }) =>
    name.startsWith(`${archiveFolder}${archive.id}/`),
  );
  const names = new Set(files.filter(isComplete).map(({ name }) => name.split("/").at(-1)?.split(".")[0]));
  const isInBucket = (base: string) =>
    files.some((file) => isComplete(file) && file.name.endsWith(`/base/${basename(base)}/${manifestFile}`));
  const segments = archive.segments.filter(({ name }) => names.has(name));
  // Tries the oldest base backup first; the next one is needed only if the log after this one has a gap.
  for (const base of archive.bases.filter(({ folder }) => isInBucket(folder))) {
    const period = restoreWindows({ ...archive, segments, bases: [base] }).at(-1);
    if (period?.to.getTime() !== segments.at(-1)?.closedAt.getTime() || !period) continue;
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    return { from: period.from.toISOString(), to: period.to.toISOString(), bytes };
  }
  return null;
}

async function archivePaths(folder: string): Promise<string[]> {
  const wal = join(folder, "wal");
  const folders = await listFolder(wal);
  const files = await Promise.all(
    folders.map(async (name) => (await listFolder(join(wal, name))).map((file) => join(wal, name, file))),
  );
  const base = join(folder, "base");
  const bases = (await listFolder(base)).filter((name) => !name.startsWith("unfinished-"));
  return [
    ...files
      .flat()
      .filter((path) => path.endsWith(".zst"))
      .toSorted((a, b) => (basename(a) < basename(b) ? -1 : 1)),
    // The manifest is uploaded last, so that a base backup with a manifest is complete.
    ...bases.flatMap((name) => [dataFile, manifestFile].map((file) => join(base, name, file))),
  ];
}

/** Kind and time in a backup's name; null if the shop did not give that name. */
function parseBackupName(name: string): { kind: BackupKind; at: Date } | null {
  const [, date, hour, minute, second, kind] =
    /^palmira-(\d{4}-\d\d-\d\d)T(\d\d)(\d\d)(\d\d)Z-(nightly|manual|before-migration|by-hand)\.backup$/.exec(
      name,
    ) ?? [];
  if (kind === undefined) return null;
  return {
    kind: kind.replaceAll("-", "_") as BackupKind,
    at: new Date(`${date}T${hour}:${minute}:${second}Z`),
  };
}

/** Complete backups in the bucket, newest first. */
export function backupsIn(files: Iterable<StoredFile>) {
  return [...files]
    .flatMap((file) => {
      const name = file.name.slice(backupFolder.length);
      const parsed = file.name.startsWith(backupFolder) && isComplete(file) ? parseBackupName(name) : null;
      return parsed
        ? [{ ...file, name, kind: parsed.kind, requestedAt: parsed.at, status: "done" as const }]
        : [];
    })
    .toSorted((a, b) => b.requestedAt.getTime() - a.requestedAt.getTime());
}

const dayMs = 24 * 60 * 60 * 1000;
/** Age at which an incomplete file no longer belongs to a running upload. */
const unfinishedMs = 3 * dayMs;

/**
 * Files to delete from the bucket. Applies the disk's rules to the bucket's files, because a disk that has lost its files must
 * not empty the bucket. Archives of other databases (`archiveId`: this one's) and complete accountant's files are
 * kept.
 */
export function surplusFiles(
  bucketFiles: ReadonlyMap<string, StoredFile>,
  { archiveId, timeZone, now }: { archiveId: string | null; timeZone: string; now: Date },
): StoredFile[] {
  const surplus = surplusBackups(backupsIn(bucketFiles.values()), timeZone).map(
    ({ name }) => backupFolder + name,
  );
  const unfinished = [...bucketFiles.values()].flatMap((file) => {
    const name = basename(file.name);
    const at = file.name.startsWith(booksFolder) ? parseBooksName(name)?.madeAt : parseBackupName(name)?.at;
    return at && now.getTime() - at.getTime() > unfinishedMs && !isComplete(file) ? [file.name] : [];
  });
  const archiveFiles =
    archiveId === null ? [] : surplusArchiveFiles(bucketFiles, `${archiveFolder}${archiveId}/`, now);
  return [...surplus, ...unfinished, ...archiveFiles].flatMap((name) => bucketFiles.get(name) ?? []);
}

/** Base backups not needed to restore any moment of the restorable period, and the log before the oldest remaining one. */
function surplusArchiveFiles(
  bucketFiles: ReadonlyMap<string, StoredFile>,
  folder: string,
  now: Date,
): string[] {
  const names = [...bucketFiles.keys()].filter((name) => name.startsWith(folder));
  const baseName = (name: string) => /^base\/(\d{8}T\d{9}Z)\//.exec(name.slice(folder.length))?.[1];
  const bases = names
    .flatMap((name) => (name.endsWith(`/${manifestFile}`) ? (baseName(name) ?? []) : []))
    .toSorted();
  // A base backup is named by its start time but can be used only from its end, some hours later at most.
  const keptSince = fileTimestamp(new Date(now.getTime() - restorableMs - dayMs));
  const oldest =
    bases[
      Math.max(
        0,
        bases.findLastIndex((time) => time <= keptSince),
      )
    ];
  if (oldest === undefined) return [];
  const logKeptSince = fileTimestamp(new Date(parseFileTimestamp(oldest).getTime() - clockSlackMs));
  return names.filter((name) => {
    const base = baseName(name);
    if (base !== undefined) return base < oldest;
    const [, closedAt] = /\/wal\/[0-9A-F]{16}\/[0-9A-F]{24}\.(\d{8}T\d{9}Z)\./.exec(name) ?? [];
    return closedAt !== undefined && closedAt < logKeptSince;
  });
}
