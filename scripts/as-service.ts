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
import { readServiceUnit } from "./commands/service-unit.ts";

// `node scripts/as-service.ts COMMAND [arguments]`: runs a command of scripts/ with the account, folder and environment of
// the installed service. Called by the command `palmira`, as root.

type Account = { uid: number; gid: number };

/** Commands whose arguments are files, except for the values of these options. */
const fileCommands = ["backup", "restore"];
const valueOptions = ["--at", "--database"];

process.exitCode = await run(process.argv.slice(2)).catch((error: unknown) =>
  refuse(error instanceof Error ? error.message : String(error)),
);

async function run([command = "", ...commandArguments]: string[]): Promise<number> {
  const unit = readServiceUnit("palmira");
  if (unit === null)
    return refuse("There is no service palmira here: deploy/systemd/install.sh installs it.");
  const account = findAccount(unit.user);
  if (account === null)
    return refuse(`The service runs as the account “${unit.user}”, which does not exist here.`);

  const { workingDirectory: cwd, environment } = unit;
  makeDataDir(resolve(cwd, environment.DATA_DIR ?? "data"), account);
  process.umask(0o077);
  const files = fileCommands.includes(command)
    ? readableFiles(commandArguments, account)
    : { args: commandArguments, remove() {} };
  // The command handles Ctrl+C itself.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
  const options = [`--import=${join(import.meta.dirname, "commands/cache-imports.ts")}`];
  const program = join(import.meta.dirname, `${command}.ts`);
  const child = spawn(process.execPath, [...options, program, ...files.args], {
    ...account,
    cwd,
    stdio: "inherit",
    // Without root's environment, except for a bucket's address and key.
    env: { ...bucketVariables(), ...environment, TERM: process.env.TERM ?? "dumb" },
  });
  try {
    const [status] = (await once(child, "exit")) as [number | null];
    return status ?? 1;
  } finally {
    files.remove();
  }
}

/** For `palmira restore s3://bucket/folder`. */
function bucketVariables(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => name.startsWith("AWS_") || name === "BACKUP_PASSPHRASE"),
  );
}

/** systemd creates the service's folder at its first start; restoring a shop needs it earlier. */
function makeDataDir(dataDir: string, { uid, gid }: Account): void {
  if (existsSync(dataDir)) return;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  chownSync(dataDir, uid, gid);
}

/**
 * The arguments with absolute paths, since the command runs in another folder. Files that the account may not read, such as
 * those in root's folder, are copied for the duration of the command.
 */
function readableFiles(commandArguments: string[], account: Account): { args: string[]; remove(): void } {
  const copies: string[] = [];
  const canRead = (file: string) => spawnSync("test", ["-r", file], { ...account, cwd: "/" }).status === 0;
  const args = commandArguments.map((argument, index) => {
    if (/^(-|s3:)/.test(argument) || valueOptions.includes(commandArguments[index - 1] ?? ""))
      return argument;
    const file = resolve(argument);
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

function findAccount(user: string): Account | null {
  const line = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .find((line) => line.startsWith(`${user}:`));
  const [, , uid, gid] = line?.split(":") ?? [];
  return uid === undefined || gid === undefined ? null : { uid: Number(uid), gid: Number(gid) };
}

function refuse(message: string): number {
  console.error(message);
  return 1;
}
