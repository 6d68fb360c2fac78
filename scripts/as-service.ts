import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { basename, join, resolve } from "node:path";
import { readServiceUnit } from "./service-unit.ts";

// `node scripts/as-service.ts COMMAND [arguments]`: runs a command of scripts/ as the installed service runs, with its account, folder
// and environment, so that nothing is read or written elsewhere. Called by the command `palmira`, as root.

type Account = { uid: number; gid: number };

/** Commands whose words are files, except what follows these options. */
const takeFiles = ["backup", "restore"];
const valued = ["--at", "--database"];

process.exitCode = await run(process.argv.slice(2)).catch((error: unknown) =>
  refuse(error instanceof Error ? error.message : String(error)),
);

async function run([command = "", ...given]: string[]): Promise<number> {
  const unit = readServiceUnit("palmira");
  if (unit === null)
    return refuse("There is no service palmira here: deploy/systemd/install.sh installs it.");
  const account = accountOf(unit.user);
  if (account === null) return refuse(`There is no account “${unit.user}” here, as which the service runs.`);

  const { workingDirectory: cwd, environment } = unit;
  makeDataDir(resolve(cwd, environment.DATA_DIR ?? "data"), account);
  process.umask(0o077);
  const files = takeFiles.includes(command) ? readableFiles(given, account) : { args: given, remove() {} };
  // The command itself ends on Ctrl+C, and says what that means for its work.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
  const child = spawn(process.execPath, [join(import.meta.dirname, `${command}.ts`), ...files.args], {
    ...account,
    cwd,
    stdio: "inherit",
    // Nothing of root's own environment.
    env: { ...environment, TERM: process.env.TERM ?? "dumb" },
  });
  try {
    const [status] = (await once(child, "exit")) as [number | null];
    return status ?? 1;
  } finally {
    files.remove();
  }
}

/** The service's own folder is made by systemd at its first start; a restored shop needs it before. */
function makeDataDir(dataDir: string, { uid, gid }: Account): void {
  if (existsSync(dataDir)) return;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  chownSync(dataDir, uid, gid);
}

/**
 * The arguments with whole paths, since the command runs in another folder. A file that the account may not read, in root's own
 * folder say, is copied for as long as the command takes.
 */
function readableFiles(given: string[], account: Account): { args: string[]; remove(): void } {
  const copies: string[] = [];
  const canRead = (file: string) => spawnSync("test", ["-r", file], { ...account, cwd: "/" }).status === 0;
  const args = given.map((word, index) => {
    if (word.startsWith("-") || valued.includes(given[index - 1] ?? "")) return word;
    const file = resolve(word);
    if (!existsSync(file) || canRead(file)) return file;
    const folder = mkdtempSync("/var/tmp/palmira-");
    copies.push(folder);
    chmodSync(folder, 0o711);
    const copy = join(folder, basename(file));
    copyFileSync(file, copy);
    chownSync(copy, account.uid, account.gid);
    return copy;
  });
  return {
    args,
    remove() {
      for (const folder of copies) rmSync(folder, { recursive: true });
    },
  };
}

function accountOf(user: string): Account | null {
  const line = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .find((each) => each.startsWith(`${user}:`));
  const [, , uid, gid] = line?.split(":") ?? [];
  return uid === undefined || gid === undefined ? null : { uid: Number(uid), gid: Number(gid) };
}

function refuse(message: string): number {
  console.error(message);
  return 1;
}
