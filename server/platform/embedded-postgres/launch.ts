import { spawn } from "node:child_process";
import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { StartProblem } from "../process/start-problem.ts";
import { type Postmaster, processesIn, readPostmaster, servesFolder, stopPostmaster } from "./postmaster.ts";
import type { Runner } from "./programs.ts";

/** Crash recovery replays at most `max_wal_size`, which takes seconds; this is for very slow disks. */
const startTimeoutMs = 120_000;

/** Where the server listens: a socket in its own data folder, or a port on loopback. */
export type Endpoint = { kind: "socket" | "loopback"; port: number };

/** Starts the server of a data folder and waits until it accepts connections. Throws StartProblem. */
export async function launch(server: {
  program: string;
  runner: Runner;
  folder: string;
  endpoint: Endpoint;
  maxConnections: number;
  settings?: Record<string, string> | undefined;
  logFile: string;
  /** Time limit of the start (ms). */
  readyMs?: number;
}): Promise<Postmaster> {
  const { folder, logFile, readyMs = startTimeoutMs } = server;
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
    if (postmaster?.isReady && servesFolder(postmaster.pid, folder)) return postmaster;
    if (failure !== null) throw new StartProblem(`The database did not start: ${failure} (see ${logFile})`);
  }
  throw new StartProblem(`The database was not ready after ${readyMs / 1000} s (see ${logFile})`);
}

function serverArguments({
  folder,
  endpoint,
  maxConnections,
  settings: overrides,
}: {
  folder: string;
  endpoint: Endpoint;
  maxConnections: number;
  settings?: Record<string, string> | undefined;
}): string[] {
  const settings: Record<string, string | number> = {
    port: endpoint.port,
    listen_addresses: endpoint.kind === "loopback" ? "127.0.0.1" : "",
    // Relative to the data folder, the server's working directory, so that no path needs quoting.
    unix_socket_directories: endpoint.kind === "socket" ? "." : "",
    unix_socket_permissions: "0600",
    max_connections: maxConnections,
    shared_buffers: "16MB",
    wal_buffers: "1MB",
    work_mem: "4MB",
    maintenance_work_mem: "32MB",
    max_wal_size: "256MB",
    // Turns off processes and query compilation that a small shop does not need and that cost memory.
    io_method: "sync",
    max_worker_processes: 2,
    max_parallel_workers: 0,
    max_wal_senders: 0,
    // Two, so that small, busy tables need not wait for the vacuum of a large one; workers exist only while they work.
    autovacuum_max_workers: 2,
    jit: "off",
    fsync: "on",
    log_timezone: "UTC",
    timezone: "UTC",
    // Nothing of level "error": the shop logs failed statements itself, and they may contain customers' data.
    log_min_messages: "log",
    log_min_error_statement: "panic",
    ...overrides,
  };
  return ["-D", folder, ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])];
}

const maxBytes = 2_000_000;

/**
 * Limits the server's log to twice 2 MB: moves a full one to `file`.1, replacing the previous one. On a full disk no copy is
 * made, which must not stop the shop or its start.
 */
export function trimLog(file: string): void {
  if (!existsSync(file) || statSync(file).size <= maxBytes) return;
  try {
    copyFileSync(file, `${file}.1`);
  } catch {
    rmSync(`${file}.1`, { force: true });
  }
  // The server has the file open for appending, so it continues at the new end.
  truncateSync(file, 0);
}

/** The last error in the server's log, without its time and process number. */
function lastError(file: string): string {
  const lines = existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
  const line = lines.findLast((candidate) => /FATAL|PANIC|error|denied/.test(candidate)) ?? lines.at(-1);
  return line?.replace(/^.*?(FATAL|PANIC):\s*/, "") ?? "it said nothing";
}

/** The server of a killed shop may still be recovering from an earlier crash. */
const recoveryTimeoutMs = 60_000;
const orphanExitMs = 5_000;

/**
 * The healthy server that an earlier run left in this data folder, or null once anything else it left is cleaned up. `url`
 * gives its URL by port; adopts only a server with the shop's password and the `archive_command` of `settings`.
 */
export async function handleStaleServer(
  folder: string,
  url: (port: number) => string,
  settings: { archive_command: string },
): Promise<Postmaster | null> {
  for (const until = Date.now() + recoveryTimeoutMs; Date.now() < until; await delay(50)) {
    const server = readPostmaster(folder);
    if (!server || !servesFolder(server.pid, folder)) break;
    if (!server.isReady) continue;
    if (await isAdoptable(url(server.port), settings)) return server;
    break;
  }
  const postmaster = readPostmaster(folder);
  if (postmaster) await stopPostmaster(postmaster.pid, folder);
  await killOrphans(folder);
  return null;
}

/** The workers of a killed server exit by themselves, but one in a long query may take its time. */
async function killOrphans(folder: string): Promise<void> {
  if (!existsSync(join(folder, "postmaster.pid"))) return;
  const until = Date.now() + orphanExitMs;
  for (let orphans = processesIn(folder); orphans.length > 0; orphans = processesIn(folder)) {
    if (Date.now() > until) for (const pid of orphans) process.kill(pid, "SIGKILL");
    await delay(20);
  }
  // PostgreSQL would mistake any process with this number for a running server, even a zombie, and refuse to start. Its
  // socket's lock file contains the number too.
  if (!existsSync("/proc/self/cwd")) return;
  for (const file of ["postmaster.pid", ".s.PGSQL.5432", ".s.PGSQL.5432.lock"]) {
    rmSync(join(folder, file), { force: true });
  }
}

async function isAdoptable(
  connectionString: string,
  { archive_command: expectedCommand }: { archive_command: string },
): Promise<boolean> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000 });
  // An error of a connection that is being closed is expected.
  client.on("error", () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ mode: string; command: string }>(
      "select current_setting('archive_mode') as mode, current_setting('archive_command') as command",
    );
    // Without archive_mode it reads "(disabled)".
    return rows[0]?.mode === "on" ? rows[0].command === expectedCommand : expectedCommand === "";
  } catch {
    return false;
  } finally {
    await client.end();
  }
}
