import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

/** A PostgreSQL server process, as described by `postmaster.pid` in its data folder. */
export type Postmaster = { pid: number; port: number; isReady: boolean };

/** Null without a pid file, and while the server is still writing it. */
export function readPostmaster(folder: string): Postmaster | null {
  const lines = readIfExists(join(folder, "postmaster.pid")).split("\n");
  const pid = Number(lines[0]);
  if (!Number.isSafeInteger(pid) || pid <= 0) return null;
  return { pid, port: Number(lines[3] ?? 0), isReady: lines[7]?.trim() === "ready" };
}

/** The content of a file; "" if it does not exist, as the server may delete it at any time. */
function readIfExists(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}

/**
 * Whether process `pid` is the server of this data folder. A pid file survives `kill -9` and a restart of the
 * machine, after which its number may belong to any program; PostgreSQL always works inside its data folder.
 */
export function servesFolder(pid: number, folder: string): boolean {
  if (!isAlive(pid)) return false;
  return existsSync("/proc/self/cwd") ? hasWorkingFolder(pid, folder) : true;
}

/** All processes whose working directory is the folder: the server, or its remains after `kill -9`. Empty without /proc. */
export function processesIn(folder: string): number[] {
  if (!existsSync("/proc/self/cwd")) return [];
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && hasWorkingFolder(pid, folder));
}

/**
 * Stops the server: first waits until others have closed their connections (the shop has), then closes them, then stops
 * immediately (with a recovery at the next start), then kills it. Returns whether it has ended.
 */
export async function stopPostmaster(pid: number, folder: string): Promise<boolean> {
  for (const [signal, timeoutMs] of [
    ["SIGTERM", 500],
    ["SIGINT", 4_500],
    ["SIGQUIT", 1_500],
    ["SIGKILL", 1_000],
  ] as const) {
    if (!servesFolder(pid, folder)) return true;
    process.kill(pid, signal);
    if (await hasEnded(pid, folder, timeoutMs)) return true;
  }
  return false;
}

/** The server removes its pid file as the last thing it does. */
async function hasEnded(pid: number, folder: string, timeoutMs: number): Promise<boolean> {
  for (const until = Date.now() + timeoutMs; Date.now() < until; await delay(20)) {
    if (readPostmaster(folder)?.pid !== pid || !servesFolder(pid, folder)) return true;
  }
  return false;
}

/** Compares device and inode, because the path may look different inside systemd's or a container's namespace. */
function hasWorkingFolder(pid: number, folder: string): boolean {
  try {
    const [cwd, own] = [`/proc/${pid}/cwd`, folder].map((path) => statSync(path, { bigint: true }));
    return cwd?.dev === own?.dev && cwd?.ino === own?.ino;
  } catch {
    // The process ended in the meantime, or belongs to another user.
    return false;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
