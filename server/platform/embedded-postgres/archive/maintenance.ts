import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { mkdir, rm, stat, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import type { Logger } from "pino";
import { chownToRunner, type Runner } from "../programs.ts";
import { takeBaseBackup, unfinishedMark } from "./base-backup.ts";
import { type BaseBackup, readBases } from "./contents.ts";
import { clearGap, gapSince, readFailure, recordGap } from "./failure.ts";
import { listFolder, parseFileTimestamp } from "./names.ts";

/** Length of the period within which every moment can be restored. */
export const restorableMs = 7 * 24 * 60 * 60 * 1000;
const baseEveryMs = 24 * 60 * 60 * 1000;
const checkEveryMs = 60_000;
const stopTimeoutMs = 2_000;
/** Archiving a segment takes a minute at most, so a temporary file older than this was left by a killed process. */
const unfinishedAgeMs = 60 * 60 * 1000;
/** Additional age before deletion, because clocks may be corrected. */
export const clockSlackMs = 60 * 60 * 1000;

/** File that stores the path of this data folder's archive. */
const createdMarkFile = (dataFolder: string) => join(dataFolder, "palmira-archive-made");

/**
 * Creates the archive's folders only once: if they are missing later, their disk is not mounted, and WAL must not be
 * written to the disk under the mount point. Throws if they cannot be created.
 */
export async function createArchive(archive: string, dataFolder: string, runner: Runner): Promise<void> {
  if (wasCreated(archive, dataFolder)) return;
  await mkdir(dirname(archive), { recursive: true, mode: 0o700 });
  chownToRunner(dirname(archive), runner);
  for (const part of ["", "base", "wal", "wal/timelines"]) {
    const folder = join(archive, part);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    chownToRunner(folder, runner);
  }
  writeFileSync(createdMarkFile(dataFolder), `${archive}\n`);
}

function wasCreated(archive: string, dataFolder: string): boolean {
  return (
    existsSync(createdMarkFile(dataFolder)) &&
    readFileSync(createdMarkFile(dataFolder), "utf8").trim() === archive
  );
}

/** Called when the shop starts without archiving: records that WAL is missing from now on. */
export function recordArchivingOff(dataFolder: string): void {
  if (existsSync(createdMarkFile(dataFolder))) recordGap(dataFolder);
}

/** Takes base backups and deletes old ones while the shop runs. `stop` aborts running work. */
export function maintainArchive(options: {
  url: string;
  dataFolder: string;
  archive: string;
  log: Logger;
  timeZone(): Promise<string>;
}): { stop(): Promise<void> } {
  const { dataFolder, archive, log } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  let isFailureLogged = false;
  let lastCheck = Promise.resolve();
  async function checkArchive() {
    try {
      // While WAL archiving fails, a base backup could not be restored.
      if (readFailure(dataFolder)) return;
      const gap = gapSince(dataFolder);
      if (gap !== null || (await needsBase(options))) {
        const timeZone = await options.timeZone();
        const { bytes, packedBytes } = await takeBaseBackup({ ...options, timeZone, signal });
        if (gap === gapSince(dataFolder)) clearGap(dataFolder);
        log.info({ bytes, packedBytes }, "took a base backup of the database");
      }
      await purgeArchive(archive, new Date());
      isFailureLogged = false;
    } catch (error) {
      if (!isFailureLogged && !signal.aborted)
        log.error({ err: error }, "the database’s archive could not be maintained; retrying every minute");
      isFailureLogged = true;
    }
  }
  const queueCheck = () => {
    lastCheck = lastCheck.then(checkArchive);
  };
  queueCheck();
  const timer = setInterval(queueCheck, checkEveryMs);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      stopping.abort();
      // A folder that does not respond must not keep the shop from stopping.
      await Promise.race([lastCheck, delay(stopTimeoutMs, null, { ref: false })]);
    },
  };
}

/**
 * A base backup is due once a day, and immediately on a new timeline, because a backup of the old one cannot restore later
 * changes. Backups of other timelines do not count: a restored copy beside its original uses the same archive.
 */
async function needsBase({ url, archive }: { url: string; archive: string }): Promise<boolean> {
  const bases = await readBases(archive);
  const client = new pg.Client({ connectionString: url, application_name: "palmira-archive" });
  client.on("error", () => {});
  await client.connect();
  try {
    const { rows } = await client.query<{ timeline: number }>(
      "select timeline_id as timeline from pg_control_checkpoint()",
    );
    return isBaseDue(bases, rows[0]?.timeline, new Date());
  } finally {
    await client.end();
  }
}

/** A base backup dated in the future was taken while the clock was ahead, and does not count. */
export function isBaseDue(
  bases: readonly Pick<BaseBackup, "timeline" | "startedAt">[],
  currentTimeline: number | undefined,
  now: Date,
): boolean {
  const ages = bases
    .filter(({ timeline }) => timeline === currentTimeline)
    .map(({ startedAt }) => now.getTime() - Date.parse(startedAt));
  return !ages.some((age) => age >= 0 && age < baseEveryMs);
}

/** Deletes base backups not needed for any moment of the restorable period, and the log before the oldest remaining one. */
export async function purgeArchive(archive: string, now: Date): Promise<void> {
  await removeUnfinished(archive, now);
  const bases = await readBases(archive);
  const keptSince = now.getTime() - restorableMs;
  const newestOld = bases.findLastIndex(({ stoppedAt }) => Date.parse(stoppedAt) <= keptSince);
  const firstKept = Math.max(newestOld, 0);
  const oldest: BaseBackup | undefined = bases[firstKept];
  if (!oldest) return;
  for (const { folder } of bases.slice(0, firstKept)) await rm(folder, { recursive: true });
  const logKeptSince = Date.parse(oldest.startedAt) - clockSlackMs;
  for (const part of await listFolder(join(archive, "wal"))) {
    if (part === "timelines") continue;
    for (const file of await listFolder(join(archive, "wal", part))) {
      const [, time = ""] = file.split(".");
      if (time !== "" && parseFileTimestamp(time).getTime() < logKeptSince)
        await unlink(join(archive, "wal", part, file));
    }
  }
}

/** Removes temporary files of killed processes. */
async function removeUnfinished(archive: string, now: Date): Promise<void> {
  // No base backup is running now, so every unfinished folder is left over.
  for (const name of await listFolder(join(archive, "base"))) {
    if (name.startsWith(unfinishedMark)) await rm(join(archive, "base", name), { recursive: true });
  }
  for (const part of await listFolder(join(archive, "wal"))) {
    for (const name of await listFolder(join(archive, "wal", part))) {
      if (!name.startsWith(unfinishedMark)) continue;
      const file = join(archive, "wal", part, name);
      const info = await stat(file).catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return null;
        throw error;
      });
      if (info && info.mtimeMs < now.getTime() - unfinishedAgeMs) await rm(file, { force: true });
    }
  }
}
