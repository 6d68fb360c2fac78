import { accessSync, constants, existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { inOneLine } from "../log.ts";
import { StartProblem } from "./start-problem.ts";

/** Entries of DATA_DIR that the shop creates and must be able to write. */
const ownEntries = ["postgres", "postgres-password", "lock", "secrets-key", "mail", "backups"];
const programFolder = join(import.meta.dirname, "../../..");

/**
 * Refuses a data folder that belongs to another account, because the shop could not use files written by the current account. A
 * program installed as a service must not use a folder below the program, which an upgrade would replace. `program` and
 * `uid` are passed by tests. Throws StartProblem.
 */
export function checkDataDir(
  dataDir: string,
  {
    program = programFolder,
    uid = process.getuid?.() ?? null,
  }: { program?: string; uid?: number | null } = {},
): void {
  const installedMark = join(program, ".installed");
  if (existsSync(installedMark) && !relative(program, dataDir).startsWith("..")) {
    throw new StartProblem(
      `DATA_DIR: ${dataDir} is in the folder of the installed program, which each upgrade replaces. The shop’s data is where its service keeps it: use the command palmira (palmira doctor, palmira backup ...).`,
    );
  }
  if (uid === null || !existsSync(dataDir)) return;
  const ownerUid = statSync(dataDir).uid;
  // A mounted volume often belongs to root and is writable for the group of the shop's account.
  if (ownerUid !== uid && (uid === 0 || !isWritable(dataDir))) {
    throw new StartProblem(
      `DATA_DIR: ${dataDir} belongs to ${accountName(ownerUid)}, and this runs as ${accountName(uid)}. Run it as ${accountName(ownerUid)}, or, if the shop was installed as a service, by the command palmira.`,
    );
  }
  for (const entry of ownEntries) {
    const path = join(dataDir, entry);
    if (!existsSync(path) || statSync(path).uid === uid) continue;
    throw new StartProblem(
      `DATA_DIR: ${path} belongs to ${accountName(statSync(path).uid)}, and this runs as ${accountName(uid)}. Give it back: chown -R ${accountName(uid)} ${dataDir}`,
    );
  }
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function accountName(uid: number): string {
  const accounts = existsSync("/etc/passwd") ? readFileSync("/etc/passwd", "utf8").split("\n") : [];
  const line = accounts.find((account) => account.split(":")[2] === String(uid));
  return line?.split(":")[0] ?? `account ${uid}`;
}

/**
 * Creates the folder. Node's `mkdir` with `recursive` hangs where no folder can be created, as below /proc, so the first missing
 * folder is created without it. Throws StartProblem if that fails; without `isNeeded`, only if it fails with ENOENT, after which a
 * later `recursive` would hang.
 */
export function makeDataDir(dataDir: string, { isNeeded }: { isNeeded: boolean }): void {
  let firstMissing = dataDir;
  while (!existsSync(dirname(firstMissing))) firstMissing = dirname(firstMissing);
  try {
    if (!existsSync(firstMissing)) mkdirSync(firstMissing, { mode: 0o700 });
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  } catch (error) {
    const wouldHang = error instanceof Error && "code" in error && error.code === "ENOENT";
    if (isNeeded || wouldHang)
      throw new StartProblem(`DATA_DIR: ${dataDir} cannot be made: ${inOneLine(error)}`);
  }
}

/**
 * Locks `dataDir` for this process. SQLite is used only for its file lock: the operating system releases it with the
 * process, even after `kill -9`, so there is no stale lock to interpret. Throws StartProblem if another shop has it.
 */
export function lockDataDir(dataDir: string): { release(): void } {
  makeDataDir(dataDir, { isNeeded: true });
  const file = new DatabaseSync(join(dataDir, "lock"), { timeout: 0 });
  try {
    file.exec("begin exclusive");
  } catch (error) {
    file.close();
    const isBusy = error instanceof Error && "errcode" in error && error.errcode === 5;
    if (!isBusy) throw error;
    throw new StartProblem(
      `Another shop is already running on ${dataDir}. Stop it first, or give this one a DATA_DIR of its own.`,
    );
  }
  return { release: () => file.close() };
}
