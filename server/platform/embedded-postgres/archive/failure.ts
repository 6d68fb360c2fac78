import { readdirSync, readFileSync, rmSync, statfsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { segmentBytes } from "./names.ts";

/** Why the log cannot be archived, since when, and when it was last tried. */
type ArchiveFailure = { since: string; at: string; reason: string };

/** In the data folder, which every party can write to and which is left out of base backups. */
const failureFile = (dataFolder: string) => join(dataFolder, "palmira-archive-failure.json");
const gapFile = (dataFolder: string) => join(dataFolder, "palmira-archive-gap");

/** Made for a file of the log that is thrown away, and removed by `archive_command`. */
export const skipMark = (name: string) => `palmira-archive-skip.${name}`;

/** Below this, what could not be archived is thrown away: a full disk would stop the sales. */
const freeBytesMin = 1024 ** 3;

export function readFailure(dataFolder: string): ArchiveFailure | null {
  try {
    return JSON.parse(readFileSync(failureFile(dataFolder), "utf8"));
  } catch {
    return null;
  }
}

/** Never throws: the disk may be full. */
export function noteFailure(dataFolder: string, reason: string, now: Date): void {
  const at = now.toISOString();
  const failure: ArchiveFailure = { since: readFailure(dataFolder)?.since ?? at, at, reason };
  try {
    writeFileSync(failureFile(dataFolder), JSON.stringify(failure));
  } catch {}
}

export function clearFailure(dataFolder: string): void {
  rmSync(failureFile(dataFolder), { force: true });
}

/**
 * When segments were last thrown away (ms), if they were since the last base backup: only a new one makes the archive
 * whole again.
 */
export function gapSince(dataFolder: string): number | null {
  return statSync(gapFile(dataFolder), { throwIfNoEntry: false })?.mtimeMs ?? null;
}
export const noteGap = (dataFolder: string) => writeFileSync(gapFile(dataFolder), "");
export const clearGap = (dataFolder: string) => rmSync(gapFile(dataFolder), { force: true });

/** Bytes of the log that wait to be archived. */
export function waitingBytes(dataFolder: string): number {
  const marks = readdirSync(join(dataFolder, "pg_wal", "archive_status"));
  return marks.filter((mark) => mark.endsWith(".ready")).length * segmentBytes;
}

export function isQueueTooLong(dataFolder: string, bytesMax: number): boolean {
  if (waitingBytes(dataFolder) > bytesMax) return true;
  const { bavail, bsize } = statfsSync(dataFolder);
  return bavail * bsize < freeBytesMin;
}
