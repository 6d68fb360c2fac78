import { mkdir, readFile, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import type { BackupKind } from "../../domain/backup/backup.ts";
import { StartProblem } from "../platform/process/start-problem.ts";
import { type OnProgress, openDump } from "./dump.ts";
import { writeBackupFile } from "./file.ts";
import type { Sums } from "./records.ts";

const mib = 1024 ** 2;
/** Disk space left free for the database, which may be on the same disk. */
const reserveBytes = 256 * mib;
/** Upper bound of a backup's size: compression saves more than the text format adds. */
const shareOfDatabase = 0.75;

export type BackupResult = { createdAt: Date; bytes: number; rows: number; sums: Sums; sha256: string };

/** Saves the whole database in one file while the shop runs. Throws StartProblem if the disk has too little space. */
export async function takeBackup(options: {
  url: string;
  path: string;
  passphrase: string | null;
  /** Length of pauses as a multiple of the working time; 0 for no pauses. */
  pauseRatio: number;
  /** Bytes of the last backup, as an estimate. */
  expectedBytes?: number | null;
  onProgress?: OnProgress | undefined;
  signal?: AbortSignal | undefined;
}): Promise<BackupResult> {
  const { url, path, passphrase, pauseRatio, expectedBytes, onProgress, signal } = options;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 }).catch((error: Error) => {
    throw notWritableProblem(dirname(path), error);
  });
  const dump = await openDump(url, { pauseRatio, onProgress });
  try {
    await ensureSpace(
      dirname(path),
      expectedBytes ? 1.25 * expectedBytes : shareOfDatabase * dump.header.databaseBytes,
    );
    const header = { ...dump.header, shopVersion: await shopVersion() };
    const result = await writeBackupFile(path, { header, content: dump.content, passphrase, signal });
    const totals = dump.totals();
    if (!totals) throw new Error("the backup came to no end");
    return {
      createdAt: new Date(dump.header.createdAt),
      bytes: result.bytes,
      sha256: result.sha256,
      ...totals,
    };
  } catch (error) {
    if (!(error instanceof Error && "syscall" in error && "code" in error)) throw error;
    if (error.code === "ENOSPC" || error.code === "EDQUOT") throw noSpaceProblem(dirname(path), 0);
    throw /^(EACCES|EPERM|EROFS|ENOENT|ENOTDIR|EIO)$/.test(String(error.code))
      ? notWritableProblem(dirname(path), error)
      : error;
  } finally {
    await dump.close();
  }
}

/** Throws StartProblem unless `bytes` plus the reserve are free in `folder`. */
export async function ensureSpace(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (free < bytes + reserveBytes) throw noSpaceProblem(folder, bytes + reserveBytes - free);
}

function notWritableProblem(folder: string, { message }: Error): StartProblem {
  return new StartProblem(
    `Backups cannot be written to ${folder}: ${message}. Put that right, or set BACKUP_DIR.`,
  );
}

function noSpaceProblem(folder: string, missingBytes: number): StartProblem {
  const missingText = missingBytes > 0 ? `: about ${Math.ceil(missingBytes / mib)} MiB more are needed` : "";
  return new StartProblem(
    `There is not enough space for a backup in ${folder}${missingText}. Make room, or set BACKUP_DIR.`,
  );
}

async function shopVersion(): Promise<string> {
  const json: unknown = JSON.parse(await readFile(`${import.meta.dirname}/../../package.json`, "utf8"));
  return typeof json === "object" && json !== null && "version" in json ? String(json.version) : "unknown";
}

/** `palmira-2026-11-22T171500Z-nightly.backup`: sorting by name sorts by time. */
export function backupName(kind: BackupKind, at: Date): string {
  return `palmira-${at.toISOString().slice(0, 19).replaceAll(":", "")}Z-${kind.replaceAll("_", "-")}.backup`;
}
