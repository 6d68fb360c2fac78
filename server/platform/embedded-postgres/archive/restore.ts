import { createHash } from "node:crypto";
import {
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createZstdDecompress } from "node:zlib";
import pg from "pg";
import { StartProblem } from "../../process/start-problem.ts";
import { recoverKilledRestore, restoredFolder, restoringFolder, secretFile } from "../data-folder.ts";
import { launch } from "../launch.ts";
import { type Postmaster, stopPostmaster } from "../postmaster.ts";
import { chownToRunner, postgresPrograms, postgresRunner, type Runner } from "../programs.ts";
import { dataFile } from "./base-backup.ts";
import { fileTimestamp } from "./names.ts";
import type { RestorePlan } from "./plan.ts";
import { archiveEverySeconds, archiveSettings, maxArchiveQueueBytes, restoreCommand } from "./settings.ts";
import { unpackTar } from "./tar.ts";

/** Replaying a day of a busy shop takes minutes. */
const replayTimeoutMs = 6 * 60 * 60 * 1000;
const pollMs = 500;
/** Additional free space, for the segment being replayed and for what the database writes before it is ready. */
const extraBytes = 1024 ** 3;
const maxConnections = 30;
const accessFile = "palmira-restore-hba.conf";

type RestoreProgress = (step: "unpack" | "replay", share: number) => void;

type RestoreResult = {
  /** Time of the last restored change; null if there was none after the base backup. */
  lastChange: Date | null;
  /** New path of the former data folder; null if there was none. */
  formerFolder: string | null;
};

/**
 * Restores the database of a plan below `dataDir`, passes it to `finish`, and then swaps it with the existing one, which is kept.
 * Until the swap only new files are written. The caller holds the lock of `dataDir`, and no server runs on it. Throws
 * StartProblem.
 */
export async function restoreArchive(options: {
  plan: RestorePlan;
  dataDir: string;
  progress: RestoreProgress;
  /** Inspects the database and makes the changes needed after a restore. */
  finish(url: string): Promise<void>;
  now: Date;
}): Promise<RestoreResult> {
  const { plan, dataDir, progress, finish, now } = options;
  const folder = join(dataDir, "postgres");
  const restoring = restoringFolder(folder);
  const logFile = join(dataDir, "postgres-restore.log");
  await recoverKilledRestore(folder);
  for (const leftover of [restoredFolder(folder), logFile])
    rmSync(leftover, { recursive: true, force: true });
  ensureFreeSpace(dataDir, plan.base.bytes);
  mkdirSync(restoring, { mode: 0o700 });
  await unpack(plan, restoring, progress);

  const { postgres: program } = await postgresPrograms();
  const runner = postgresRunner(folder);
  // In a private folder, since the data folder's path may be too long for a socket.
  const socket = mkdtempSync(join(tmpdir(), "palmira-restore-"));
  writeFileSync(join(restoring, "recovery.signal"), "");
  writeFileSync(join(restoring, accessFile), "local all all trust\n");
  for (const path of [socket, restoring]) chownAllToRunner(path, runner);
  try {
    const server = await replay({ program, runner, folder: restoring, socket, logFile, plan, progress });
    try {
      const url = `postgres://palmira@127.0.0.1:5432/palmira?host=${encodeURIComponent(socket)}`;
      await setPassword(url, secretFile(join(dataDir, "postgres-password")));
      await finish(url);
    } finally {
      await stopPostmaster(server.pid, restoring);
    }
  } finally {
    rmSync(socket, { recursive: true, force: true });
  }
  rmSync(join(restoring, accessFile));

  // If the process is killed here, the next start finds the folder by this name.
  renameSync(restoring, restoredFolder(folder));
  const formerFolder = existsSync(folder) ? `${folder}.before-restore-${fileTimestamp(now)}` : null;
  if (formerFolder !== null) renameSync(folder, formerFolder);
  renameSync(restoredFolder(folder), folder);
  return { lastChange: lastChangeIn(readFileSync(logFile, "utf8")), formerFolder };
}

function ensureFreeSpace(dataDir: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(dataDir);
  const neededBytes = bytes + extraBytes;
  if (bavail * bsize > neededBytes) return;
  const gib = (amount: number) => `${(amount / 1024 ** 3).toFixed(1)} GiB`;
  throw new StartProblem(
    `${dataDir} has room for ${gib(bavail * bsize)}, and the restored database needs ${gib(neededBytes)}. Nothing was changed.`,
  );
}

async function unpack({ base }: RestorePlan, into: string, progress: RestoreProgress): Promise<void> {
  const hash = createHash("sha256");
  let readBytes = 0;
  const counter = new Transform({
    transform(chunk, _, done) {
      hash.update(chunk);
      readBytes += chunk.length;
      progress("unpack", readBytes / base.packedBytes);
      done(null, chunk);
    },
  });
  const file = join(base.folder, dataFile);
  try {
    await pipeline(createReadStream(file), counter, createZstdDecompress(), (chunks) =>
      unpackTar(chunks, into),
    );
    if (hash.digest("hex") !== base.sha256) throw new Error("its checksum does not match");
  } catch (error) {
    throw new StartProblem(
      `${file} could not be unpacked: ${(error as Error).message}. Nothing was changed.`,
    );
  }
}

/** Starts PostgreSQL on the unpacked base backup and waits until it has replayed the log and opened a new timeline. */
async function replay(server: {
  program: string;
  runner: Runner;
  folder: string;
  socket: string;
  logFile: string;
  plan: RestorePlan;
  progress: RestoreProgress;
}): Promise<Postmaster> {
  const { plan, folder, logFile, progress } = server;
  const last = plan.segments.at(-1)?.name ?? "";
  const archive = plan.archive.folder;
  const settings = {
    restore_command: restoreCommand(archive),
    recovery_target_timeline: String(plan.timeline),
    recovery_target_action: "promote",
    hot_standby: "off",
    hba_file: join(folder, accessFile),
    unix_socket_directories: server.socket,
    // Archives the new timeline from its start; otherwise a later restore would reuse its number.
    ...archiveSettings({ archive, everySeconds: archiveEverySeconds, maxQueueBytes: maxArchiveQueueBytes }),
  };
  const run = (target: Record<string, string>) =>
    launch({
      ...server,
      endpoint: { kind: "socket", port: 5432 },
      maxConnections,
      settings: { ...settings, ...target },
      readyMs: replayTimeoutMs,
    });
  const progressTimer = setInterval(() => {
    const replayedCount = readLog(logFile).split("restored log file").length - 1;
    progress("replay", Math.min(replayedCount / plan.segments.length, 1));
  }, pollMs);
  try {
    const target = plan.until
      ? { recovery_target_time: plan.until.toISOString().replace("T", " ").replace("Z", "+00") }
      : {};
    const postmaster = await run(target).catch((error: unknown) => {
      // The log has no changes after the target, so the database is in the state of that time.
      const isAtEnd = readLog(logFile).includes(`restored log file "${last}"`);
      if (
        isAtEnd &&
        error instanceof StartProblem &&
        /recovery ended before configured/.test(error.message)
      ) {
        return run({});
      }
      throw error;
    });
    const log = readLog(logFile);
    if (log.includes(`restored log file "${last}"`) || log.includes("recovery stopping before"))
      return postmaster;
    await stopPostmaster(postmaster.pid, folder);
    throw new StartProblem(
      `The log in ${archive} could not be read to its end (see ${logFile}). Nothing was changed.`,
    );
  } finally {
    clearInterval(progressTimer);
  }
}

function readLog(file: string): string {
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}

/** Time of the last restored transaction, which PostgreSQL logs at the end of recovery. */
function lastChangeIn(log: string): Date | null {
  const lastTransactions = [...log.matchAll(/last completed transaction was at log time (\S+ \S+)/g)];
  const at = lastTransactions.at(-1)?.[1];
  return at === undefined ? null : new Date(at.replace(" ", "T").replace(/\+00$/, "Z"));
}

/** Sets the password of this data folder; the former one may be lost with the machine. */
async function setPassword(url: string, password: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  // Without a listener a lost connection would end the process; the next statement fails anyway.
  client.on("error", () => {});
  await client.connect();
  try {
    await client.query(`alter role palmira password ${pg.escapeLiteral(password)}`);
  } finally {
    await client.end();
  }
}

function chownAllToRunner(path: string, runner: Runner): void {
  if (runner.identity.uid === undefined) return;
  chownToRunner(path, runner);
  for (const entry of readdirSync(path, { recursive: true, encoding: "utf8" }))
    chownToRunner(join(path, entry), runner);
}
