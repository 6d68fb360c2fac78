import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "pino";
import { StartProblem } from "../process/start-problem.ts";

/** What tells a folder from its copy: numbers that the file system gives its `PG_VERSION`, which nobody writes again. */
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
 * moments, and what is damaged shows only later.
 *
 * The folder's path, the machine's name and process numbers prove nothing: a volume is mounted elsewhere, a container gets
 * a new name. The inode does, unless the file system makes new numbers at each mount; the time of the last change of
 * status (ctime) does, unless somebody ran chown. So a copy is only what differs in both. After `kill -9` the folder has its
 * stamp and is itself; a snapshot of a volume is as good as that.
 */
export function refuseRunningCopy(folder: string): void {
  const stamped = readStamp(folder);
  if (!stamped) return;
  const found = stampOf(folder);
  if (found.inode === stamped.inode || found.changedAt === stamped.changedAt) return;
  throw new StartProblem(
    `${folder} is a copy that was taken while its shop was running, and may be damaged. Stop that shop and copy the folder again, or run "npm run backup" there and restore that file here. If the shop had been killed before the copy was taken, or to use it at your own risk, delete ${fileOf(folder)} and start again.`,
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
