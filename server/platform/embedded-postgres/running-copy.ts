import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "pino";
import { keeperCommands } from "../process/keeper-commands.ts";
import { StartProblem } from "../process/start-problem.ts";

/** Distinguishes a folder from its copy: file-system data of its `PG_VERSION`, a file that is never rewritten. */
type Stamp = { inode: string; changedAt: number };

const fileOf = (folder: string) => join(folder, "palmira-running.json");

/** Marks the data folder of a running server, so that a copy made meanwhile is recognized. Never throws: shops sell without. */
export function stampFolder(folder: string, log: Logger): void {
  try {
    writeFileSync(fileOf(folder), `${JSON.stringify(stampOf(folder))}\n`);
  } catch (error) {
    log.warn({ err: error }, "a copy of the running data folder would not be recognized");
  }
}

/** Nothing writes to the folder any more, so from now on it may be copied. */
export function removeStamp(folder: string): void {
  rmSync(fileOf(folder), { force: true });
}

/**
 * Throws StartProblem for a data folder that was copied file by file while its server ran: its files are of different
 * moments, and the damage shows only later.
 *
 * Path, machine name and process ids prove nothing: volumes are mounted elsewhere, containers get new names. Inodes may change
 * at each mount, and the time of the last status change (ctime) with chown; so it is a copy only if both differ. After
 * `kill -9` the folder keeps its stamp, and so does a snapshot of a volume.
 */
export function refuseRunningCopy(folder: string): void {
  const stamped = readStamp(folder);
  if (!stamped) return;
  const stamp = stampOf(folder);
  if (stamp.inode === stamped.inode || stamp.changedAt === stamped.changedAt) return;
  throw new StartProblem(
    `${folder} is a copy that was taken while its shop was running, and may be damaged. Stop that shop and copy the folder again, or run “${keeperCommands.backup}” there and restore that file here. If the shop had been killed before the copy was taken, or to use it at your own risk, delete ${fileOf(folder)} and start again.`,
  );
}

function stampOf(folder: string): Stamp {
  const { ino, ctimeMs } = statSync(join(folder, "PG_VERSION"), { bigint: true });
  return { inode: String(ino), changedAt: Number(ctimeMs) };
}

/** Null without one, and for one that a full disk or a crash left unfinished. */
function readStamp(folder: string): Stamp | null {
  try {
    const { inode, changedAt } = JSON.parse(readFileSync(fileOf(folder), "utf8"));
    return typeof inode === "string" && typeof changedAt === "number" ? { inode, changedAt } : null;
  } catch {
    return null;
  }
}
