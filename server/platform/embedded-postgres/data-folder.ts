import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { StartProblem } from "../process/start-problem.ts";
import { handOver, type Runner } from "./programs.ts";

const major = "18";
const initdbMs = 120_000;

/** A restored database that is whole, before it has taken the place of the former one. */
export const restoredFolder = (folder: string) => `${folder}.restored`;

/** Ends a restore that was killed after it had moved the former database aside. */
export function finishRestore(folder: string): void {
  if (!existsSync(folder) && existsSync(restoredFolder(folder))) renameSync(restoredFolder(folder), folder);
}

/** Throws StartProblem when an existing data folder cannot be used by the PostgreSQL that the shop brings. */
export function refuseForeignFolder(folder: string, passwordFile: string): void {
  if (!existsSync(folder)) return;
  const versionFile = join(folder, "PG_VERSION");
  const version = existsSync(versionFile) ? readFileSync(versionFile, "utf8").trim() : "(unknown version)";
  if (version !== major) {
    throw new StartProblem(
      `The data in ${folder} was made by PostgreSQL ${version}, but this shop brings PostgreSQL ${major}.\n` +
        "Back it up with the shop version that made it and restore it here, or set DATA_DIR to a new folder.",
    );
  }
  if (!existsSync(passwordFile)) {
    throw new StartProblem(`${passwordFile} is missing. Put it back: without it nothing can open ${folder}.`);
  }
}

/**
 * Creates an empty database cluster beside its place and renames it, so that a killed process leaves no half of one.
 */
export async function makeDataFolder(
  folder: string,
  password: string,
  initdb: string,
  runner: Runner,
): Promise<void> {
  const unfinished = `${folder}.new`;
  const passwordFile = join(dirname(folder), "postgres-password.initdb");
  rmSync(unfinished, { recursive: true, force: true });
  rmSync(passwordFile, { force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  handOver(unfinished, runner);
  handOver(passwordFile, runner);
  const [command, args] = runner.command(initdb, [
    ...["-D", unfinished, "-U", "palmira", "-A", "scram-sha-256", `--pwfile=${passwordFile}`],
    // The built-in locale sorts the same on every machine, whatever its C library.
    ...["-E", "UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"],
  ]);
  try {
    const env = { PATH: process.env.PATH, LC_ALL: "C" };
    await promisify(execFile)(command, args, { env, timeout: initdbMs, ...runner.identity });
  } catch (error) {
    const message = error instanceof Error && "stderr" in error ? String(error.stderr).trim() : String(error);
    throw new StartProblem(`The database could not be made in ${folder}: ${message.replaceAll("\n", " ")}`);
  } finally {
    rmSync(passwordFile, { force: true });
  }
  renameSync(unfinished, folder);
}
