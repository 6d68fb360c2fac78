import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { Logger } from "pino";
import { operatorCommands } from "../process/operator-commands.ts";
import { StartProblem } from "../process/start-problem.ts";
import { readPostmaster, stopPostmaster } from "./postmaster.ts";
import { chownToRunner, type Runner } from "./programs.ts";

const postgresVersion = "18";
const initdbTimeoutMs = 120_000;

/** Folder of a complete restored database before it replaces the former one. */
export const restoredFolder = (folder: string) => `${folder}.restored`;
/** Folder in which a database is restored; its server runs on if the restore is killed. */
export const restoringFolder = (folder: string) => `${folder}.restoring`;

/** Completes a restore that was killed after it had moved the former database aside, or removes an unfinished one. */
export async function recoverKilledRestore(folder: string): Promise<void> {
  if (!existsSync(folder) && existsSync(restoredFolder(folder))) renameSync(restoredFolder(folder), folder);
  const restoring = restoringFolder(folder);
  const server = readPostmaster(restoring);
  if (server) await stopPostmaster(server.pid, restoring);
  rmSync(restoring, { recursive: true, force: true });
}

/** Throws StartProblem if the shop's PostgreSQL cannot use an existing data folder. */
export function refuseForeignFolder(folder: string, passwordFile: string): void {
  if (!existsSync(folder)) return;
  const versionFile = join(folder, "PG_VERSION");
  const version = existsSync(versionFile) ? readFileSync(versionFile, "utf8").trim() : "(unknown version)";
  if (version !== postgresVersion) {
    throw new StartProblem(
      `The data in ${folder} was made by PostgreSQL ${version}, but this shop includes PostgreSQL ${postgresVersion}.\n` +
        "Back it up with the shop version that made it and restore it here, or set DATA_DIR to a new folder.",
    );
  }
  if (!existsSync(passwordFile)) {
    throw new StartProblem(`${passwordFile} is missing. Put it back: without it nothing can open ${folder}.`);
  }
}

/**
 * Creates an empty database cluster under another name and renames it, so that a killed process leaves no incomplete one.
 */
export async function makeDataFolder(
  folder: string,
  password: string,
  initdb: string,
  runner: Runner,
): Promise<void> {
  const unfinishedFolder = `${folder}.new`;
  const passwordFile = join(dirname(folder), "postgres-password.initdb");
  rmSync(unfinishedFolder, { recursive: true, force: true });
  rmSync(passwordFile, { force: true });
  mkdirSync(unfinishedFolder, { mode: 0o700 });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  chownToRunner(unfinishedFolder, runner);
  chownToRunner(passwordFile, runner);
  const [command, args] = runner.command(initdb, [
    ...["-D", unfinishedFolder, "-U", "palmira", "-A", "scram-sha-256", `--pwfile=${passwordFile}`],
    // The built-in locale sorts the same on every machine, whatever its C library.
    ...["-E", "UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"],
  ]);
  try {
    const env = { PATH: process.env.PATH, LC_ALL: "C" };
    await promisify(execFile)(command, args, { env, timeout: initdbTimeoutMs, ...runner.identity });
  } catch (error) {
    const message = error instanceof Error && "stderr" in error ? String(error.stderr).trim() : String(error);
    throw new StartProblem(
      `The database could not be created in ${folder}: ${message.replaceAll("\n", " ")}`,
    );
  } finally {
    rmSync(passwordFile, { force: true });
  }
  renameSync(unfinishedFolder, folder);
}

/** Distinguishes a folder from its copy: file-system data of its `PG_VERSION`, a file that is never rewritten. */
type Stamp = { inode: string; changedAt: number };

const stampFile = (folder: string) => join(folder, "palmira-running.json");

/**
 * Marks the data folder of a running server, so that a copy made in the meantime is recognized. Never throws, as the mark is not
 * essential.
 */
export function stampFolder(folder: string, log: Logger): void {
  try {
    writeFileSync(stampFile(folder), `${JSON.stringify(currentStamp(folder))}\n`);
  } catch (error) {
    log.warn({ err: error }, "a copy of the running data folder would not be recognized");
  }
}

/** Removes the mark once nothing writes to the folder, so that it may be copied. */
export function removeStamp(folder: string): void {
  rmSync(stampFile(folder), { force: true });
}

/**
 * Throws StartProblem for a data folder that was copied file by file while its server ran: its files are from different
 * moments, and the damage shows only later.
 *
 * Path, machine name and process ids prove nothing: volumes are mounted elsewhere, containers get new names. Inodes may
 * change at each mount, and the time of the last status change (ctime) with chown; so it is a copy only if both differ.
 * After `kill -9` the folder keeps its stamp, and so does a snapshot of a volume.
 */
export function refuseRunningCopy(folder: string): void {
  const runningStamp = readStamp(folder);
  if (!runningStamp) return;
  const stamp = currentStamp(folder);
  if (stamp.inode === runningStamp.inode || stamp.changedAt === runningStamp.changedAt) return;
  throw new StartProblem(
    `${folder} is a copy that was taken while its shop was running, and may be damaged. Stop that shop and copy the folder again, or run “${operatorCommands.backup}” there and restore that file here. If the shop had been killed before the copy was taken, or to use it at your own risk, delete ${stampFile(folder)} and start again.`,
  );
}

function currentStamp(folder: string): Stamp {
  const { ino, ctimeMs } = statSync(join(folder, "PG_VERSION"), { bigint: true });
  return { inode: String(ino), changedAt: Number(ctimeMs) };
}

/** Null if there is no stamp, or if a full disk or a crash left it unfinished. */
function readStamp(folder: string): Stamp | null {
  try {
    const { inode, changedAt } = JSON.parse(readFileSync(stampFile(folder), "utf8"));
    return typeof inode === "string" && typeof changedAt === "number" ? { inode, changedAt } : null;
  } catch {
    return null;
  }
}

/** The secret in `path` (mode 600), generated at the first call: 32 random bytes, base64url. */
export function secretFile(path: string): string {
  if (!existsSync(path)) {
    // Renamed into place, so that a killed process leaves no empty secret.
    writeFileSync(`${path}.new`, `${randomBytes(32).toString("base64url")}\n`, { mode: 0o600 });
    renameSync(`${path}.new`, path);
  }
  return readFileSync(path, "utf8").trim();
}
