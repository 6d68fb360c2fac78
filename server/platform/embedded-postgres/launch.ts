import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { StartProblem } from "../process/start-problem.ts";
import { type Postmaster, readPostmaster, servesFolder } from "./postmaster.ts";
import type { Runner } from "./programs.ts";
import { lastError, trimLog } from "./server-log.ts";

/** Crash recovery replays at most `max_wal_size`, which takes seconds; this is for very slow disks. */
const startMs = 120_000;

/** Where the server listens: a socket in its own data folder, or a port on loopback. */
export type Endpoint = { kind: "socket" | "loopback"; port: number };

/** Starts the server of a data folder and waits until it takes connections. Throws StartProblem. */
export async function launch(server: {
  program: string;
  runner: Runner;
  folder: string;
  door: Endpoint;
  connectionsMax: number;
  settings?: Record<string, string> | undefined;
  logFile: string;
  /** How long it may take (ms). */
  readyMs?: number;
}): Promise<Postmaster> {
  const { folder, logFile, readyMs = startMs } = server;
  trimLog(logFile);
  const [command, args] = server.runner.command(server.program, serverArguments(server));
  const logFd = openSync(logFile, "a", 0o600);
  const child = spawn(command, args, {
    // In a separate process group: Ctrl+C in the terminal must not stop it while requests are open.
    detached: true,
    stdio: ["ignore", logFd, logFd],
    // The shop's environment holds secrets, and PG* variables would change what the server does.
    env: { PATH: process.env.PATH, LC_ALL: "C" },
    ...server.runner.identity,
  });
  closeSync(logFd);
  child.unref();
  let failure: string | null = null;
  child.once("error", (error) => {
    failure = error.message;
  });
  child.once("exit", () => {
    failure ??= lastError(logFile);
  });
  for (const until = Date.now() + readyMs; Date.now() < until; await delay(15)) {
    const postmaster = readPostmaster(folder);
    if (postmaster?.ready && servesFolder(postmaster.pid, folder)) return postmaster;
    if (failure !== null) throw new StartProblem(`The database did not start: ${failure} (see ${logFile})`);
  }
  throw new StartProblem(`The database was not ready after ${readyMs / 1000} s (see ${logFile})`);
}

function serverArguments({
  folder,
  door,
  connectionsMax,
  settings: others,
}: {
  folder: string;
  door: Endpoint;
  connectionsMax: number;
  settings?: Record<string, string> | undefined;
}): string[] {
  const settings: Record<string, string | number> = {
    port: door.port,
    listen_addresses: door.kind === "loopback" ? "127.0.0.1" : "",
    // Relative to the data folder, in which the server works: no quoting of whatever the path may contain.
    unix_socket_directories: door.kind === "socket" ? "." : "",
    unix_socket_permissions: "0600",
    max_connections: connectionsMax,
    shared_buffers: "16MB",
    wal_buffers: "1MB",
    work_mem: "4MB",
    maintenance_work_mem: "32MB",
    max_wal_size: "256MB",
    // Processes and compiled queries that a small shop never needs and that cost memory.
    io_method: "sync",
    max_worker_processes: 2,
    max_parallel_workers: 0,
    max_wal_senders: 0,
    // A second one, which exists only while it works: the hot small tables must not wait for the vacuum of a large one.
    autovacuum_max_workers: 2,
    jit: "off",
    fsync: "on",
    log_timezone: "UTC",
    timezone: "UTC",
    // Only what is worse than "error": failed statements are logged by the shop, and may contain what a customer
    // entered.
    log_min_messages: "log",
    log_min_error_statement: "panic",
    ...others,
  };
  return ["-D", folder, ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])];
}
