import { readdirSync, readFileSync, rmSync, statfsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { segmentBytes } from "./names.ts";

/** Why the log cannot be archived, since when, and the time of the last attempt. */
type ArchiveFailure = { since: string; at: string; reason: string };

/** In the data folder, which all involved processes can write to; excluded from base backups. */
const failureFile = (dataFolder: string) => join(dataFolder, "palmira-archive-failure.json");
const gapFile = (dataFolder: string) => join(dataFolder, "palmira-archive-gap");

/** Marks a log file to be discarded; `archive_command` removes the mark. */
export const skipMark = (name: string) => `palmira-archive-skip.${name}`;

/** Below this free space, log files that could not be archived are discarded, because a full disk would stop sales. */
const minFreeBytes = 1024 ** 3;

export function readFailure(dataFolder: string): ArchiveFailure | null {
  try {
    return JSON.parse(readFileSync(failureFile(dataFolder), "utf8"));
  } catch {
    return null;
  }
}

/** Never throws: the disk may be full. */
export function recordFailure(dataFolder: string, reason: string, now: Date): void {
  const at = now.toISOString();
  const formerSince = readFailure(dataFolder)?.since;
  // A time in the future was stored while the clock was ahead, and would make the failure look shorter than it is.
  const since = formerSince !== undefined && formerSince < at ? formerSince : at;
  const failure: ArchiveFailure = { since, at, reason };
  try {
    writeFileSync(failureFile(dataFolder), JSON.stringify(failure));
  } catch {}
}

export function clearFailure(dataFolder: string): void {
  rmSync(failureFile(dataFolder), { force: true });
}

/**
 * When segments were last discarded (ms) since the last base backup; null if none were. Only a new base backup closes the
 * gap.
 */
export function gapSince(dataFolder: string): number | null {
  return statSync(gapFile(dataFolder), { throwIfNoEntry: false })?.mtimeMs ?? null;
}
export const recordGap = (dataFolder: string) => writeFileSync(gapFile(dataFolder), "");
export const clearGap = (dataFolder: string) => rmSync(gapFile(dataFolder), { force: true });

/** Bytes of the log that are not archived yet. */
export function waitingBytes(dataFolder: string): number {
  const marks = readdirSync(join(dataFolder, "pg_wal", "archive_status"));
  return marks.filter((mark) => mark.endsWith(".ready")).length * segmentBytes;
}

export function isQueueTooLong(dataFolder: string, maxBytes: number): boolean {
  if (waitingBytes(dataFolder) > maxBytes) return true;
  const { bavail, bsize } = statfsSync(dataFolder);
  return bavail * bsize < minFreeBytes;
}
