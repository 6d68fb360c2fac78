import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Config, resolveArchiveDir } from "../../config.ts";
import { readArchive } from "./contents.ts";
import { gapSince, readFailure, waitingBytes } from "./failure.ts";
import { archivesIn, systemIdentifier } from "./names.ts";
import { restoreWindows } from "./plan.ts";

/** Duration (ms) of a failure before an alert, because network folders may be unavailable for minutes. */
const alertAfterMs = 5 * 60_000;
const maxBaseAgeMs = 2 * 24 * 60 * 60 * 1000;

/** State of the embedded database's archive. It is read from files, so that other processes can read it, too. */
type ArchiveStatus = {
  folder: string;
  /** Start of and reason for a failure of archiving; null while it works. */
  failing: { since: Date; reason: string } | null;
  /** Bytes of the log that are not archived yet. */
  waitingBytes: number;
};

/** Null without an archive. */
export function readArchiveStatus(
  config: Pick<Config, "dataDir" | "databaseUrl" | "backupDir">,
  now: Date,
): ArchiveStatus | null {
  const dataFolder = join(config.dataDir, "postgres");
  const backupDir = resolveArchiveDir(config);
  if (backupDir === null || !existsSync(dataFolder)) return null;
  const folder = join(archivesIn(backupDir), systemIdentifier(dataFolder));
  return { folder, failing: archiveFailure(dataFolder, now), waitingBytes: waitingBytes(dataFolder) };
}

/**
 * The latest period of which any moment can be restored; null if there is none, or if the newest base backup is too old.
 */
export async function readRestorablePeriod(
  { folder }: ArchiveStatus,
  now: Date,
): Promise<{ from: Date; to: Date } | null> {
  const archive = await readArchive(folder);
  const newest = archive.bases.at(-1);
  if (!newest || now.getTime() - Date.parse(newest.startedAt) > maxBaseAgeMs) return null;
  return restoreWindows(archive).at(-1) ?? null;
}

function archiveFailure(dataFolder: string, now: Date): ArchiveStatus["failing"] {
  const failure = readFailure(dataFolder);
  const isLong = (since: Date) => now.getTime() - since.getTime() >= alertAfterMs;
  if (failure && isLong(new Date(failure.since))) {
    return { since: new Date(failure.since), reason: failure.reason };
  }
  const oldest = oldestWaiting(dataFolder);
  if (!failure && oldest && isLong(oldest)) {
    return { since: oldest, reason: `${join(dataFolder, "..", "postgres.log")} says why` };
  }
  const gap = gapSince(dataFolder);
  return gap !== null && isLong(new Date(gap))
    ? {
        since: new Date(gap),
        reason: "some of the log could not be archived, and there is no new base backup yet",
      }
    : null;
}

/** Detects failures even if the archiving program cannot be started. */
function oldestWaiting(dataFolder: string): Date | null {
  const folder = join(dataFolder, "pg_wal", "archive_status");
  const times = readdirSync(folder)
    .filter((mark) => mark.endsWith(".ready"))
    .flatMap((mark) => statSync(join(folder, mark), { throwIfNoEntry: false })?.mtimeMs ?? []);
  return times.length === 0 ? null : new Date(Math.min(...times));
}
