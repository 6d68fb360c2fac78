import { writeFileSync } from "node:fs";
import { mkdir, open, readFile, rename, stat } from "node:fs/promises";
import { join } from "node:path";
import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { clearFailure, isQueueTooLong, readFailure, recordFailure, recordGap, skipMark } from "./failure.ts";
import { fileTimestamp, findArchivedFile, isSegment, isTimelineHistory, walFolder } from "./names.ts";

// PostgreSQL's `archive_command` runs this in the data folder, for one file of the log at a time, and keeps the file until
// the exit code is 0: `node archive-wal.ts <path> <name> <archive> <maximum bytes of the queue>`.

/** Timeout, because a network folder blocks forever if its server is gone. */
const attemptTimeoutMs = 60_000;

const [path = "", name = "", archive = "", maxQueueBytes = ""] = process.argv.slice(2);
const dataFolder = process.cwd();

// After a failure, archiving is tried once a minute. Between two attempts, segments are skipped if the queue is too long, so
// that the disk does not fill.
const failure = readFailure(dataFolder);
if (
  failure &&
  Math.abs(Date.now() - Date.parse(failure.at)) < attemptTimeoutMs &&
  isQueueTooLong(dataFolder, Number(maxQueueBytes))
) {
  giveUp();
}
const timeout = setTimeout(
  () => fail(`${archive} has not answered for ${attemptTimeoutMs / 1000} seconds`),
  attemptTimeoutMs,
);
try {
  // Only segments and timeline histories are needed; other files are labels of base backups and copies of archived
  // segments.
  if (isSegment(name) || isTimelineHistory(name)) await store();
  clearTimeout(timeout);
  if (failure) clearFailure(dataFolder);
} catch (error) {
  fail(errorReason(error));
}

async function store(): Promise<void> {
  const [content, { mtime }] = await Promise.all([readFile(path), stat(path)]);
  const storedFile = await findArchivedFile(archive, name);
  if (storedFile !== null) {
    // PostgreSQL repeats the call after a crash.
    if (zstdDecompressSync(await readFile(storedFile)).equals(content)) return;
    throw new Error(
      `${storedFile} has other content: another database writes there, or this one was put back to an older state`,
    );
  }
  const folder = walFolder(archive, name);
  // The parent folder is created by the shop only: it is missing if the disk is not mounted.
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  const unfinishedFile = join(folder, `unfinished-${name}`);
  const file = await open(unfinishedFile, "w", 0o600);
  try {
    await file.writeFile(zstdCompressSync(content, { params: { [constants.ZSTD_c_checksumFlag]: 1 } }));
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(unfinishedFile, join(folder, `${name}.${fileTimestamp(mtime)}.zst`));
  const folderHandle = await open(folder);
  await folderHandle.sync();
  await folderHandle.close();
}

function fail(reason: string): never {
  recordFailure(dataFolder, reason, new Date());
  process.stderr.write(`${name} could not be archived: ${reason}\n`);
  if (isQueueTooLong(dataFolder, Number(maxQueueBytes))) giveUp();
  die();
}

/** Lets PostgreSQL continue without this file: `archive_command` succeeds if it finds this mark (settings.ts). */
function giveUp(): never {
  recordGap(dataFolder);
  writeFileSync(skipMark(name), "");
  die();
}

/** A write that hangs would keep the process from exiting. */
function die(): never {
  process.kill(process.pid, "SIGKILL");
  throw new Error("unreachable");
}

function errorReason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "ENOENT") return `${join(archive, "wal")} is missing: is its disk mounted?`;
  if (code === "ENOSPC" || code === "EDQUOT") return `there is no room left for ${archive}`;
  if (code === "EROFS") return `${archive} is read-only`;
  if (code === "EACCES" || code === "EPERM") return `${archive} may not be written to`;
  return message;
}
