import { closeSync, openSync, readSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";

/**
 * Layout of the archive of one database: `BACKUP_DIR/point-in-time/<system identifier>`. PostgreSQL assigns the identifier when
 * a database is created, so that databases with the same BACKUP_DIR have separate archives.
 *
 *     base/20261122T030000000Z/      data.tar.zst and manifest.json: a base backup
 *     wal/0000000100000000/          up to 256 segments of the write-ahead log, with the time at which each was full
 *     wal/timelines/                 PostgreSQL's history files of restored databases
 *
 * Imports nothing but Node: PostgreSQL starts the scripts that use it for every segment.
 */
export const archivesIn = (backupDir: string) => join(backupDir, "point-in-time");

/** The default size of segments, which are always padded to it. */
export const segmentBytes = 16 * 1024 * 1024;

/** A segment's name is its timeline and its position in the log: 8 and 16 hexadecimal digits. */
export const isSegment = (name: string) => /^[0-9A-F]{24}$/.test(name);
export const isTimelineHistory = (name: string) => /^[0-9A-F]{8}\.history$/.test(name);

export const walFolder = (archive: string, name: string) =>
  join(archive, "wal", isSegment(name) ? name.slice(0, 16) : "timelines");

/** "20261122T030000000Z": the order of names is that of times. */
export const fileTimestamp = (at: Date) => at.toISOString().replaceAll(/[-:.]/g, "");

export function parseFileTimestamp(text: string): Date {
  const parts = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z$/.exec(text);
  if (!parts) throw new Error(`${text} is not a timestamp`);
  const [, year, month, day, hour, minute, second, ms] = parts;
  return new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`);
}

/** The stored copy of a log file; null if there is none. Throws if the folder cannot be read. */
export async function findArchivedFile(archive: string, name: string): Promise<string | null> {
  const folder = walFolder(archive, name);
  const storedFile = (await listFolder(folder)).find((file) => file.startsWith(`${name}.`));
  return storedFile === undefined ? null : join(folder, storedFile);
}

/**
 * Empty if the folder does not exist. Asynchronous, like all access to the archive: a network folder may not respond.
 */
export async function listFolder(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/** Identifies a database, even after a restore: the first 8 bytes of its control file. */
export function systemIdentifier(dataFolder: string): string {
  const bytes = Buffer.alloc(8);
  const file = openSync(join(dataFolder, "global", "pg_control"), "r");
  try {
    readSync(file, bytes, 0, 8, 0);
  } finally {
    closeSync(file);
  }
  // The npm packages of PostgreSQL are for little-endian machines only.
  return String(bytes.readBigUInt64LE());
}
