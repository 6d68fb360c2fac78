import { execFile, spawn, spawnSync } from "node:child_process";
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { copyFile, mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { processTree } from "../bench/processes.ts";
import { readPostmaster, servesFolder } from "../server/platform/embedded-postgres/postmaster.ts";
import {
  chownToRunner,
  postgresPrograms,
  postgresRunner,
} from "../server/platform/embedded-postgres/programs.ts";
import { patienceMs } from "../test/patience.ts";
import type { DrillResources } from "./resources.ts";
import { waitUntil } from "./until.ts";

const password = "drilled";
const debianFolder = "/usr/lib/postgresql";
/** Older versions have other names for the backup functions. */
const minDebianVersion = 15;
/** A server that takes longer (ms) to stop is killed. */
const stopTimeoutMs = 3_000;

const settings = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: "200",
  shared_buffers: "64MB",
  wal_level: "replica",
  max_wal_senders: "5",
  // A standby is copied while the shop sells: the log written in the meantime must still exist.
  wal_keep_size: "96MB",
  min_wal_size: "32MB",
  max_wal_size: "96MB",
  // In the data folder, so that killing the server leaves nothing in /dev/shm.
  dynamic_shared_memory_type: "mmap",
  log_min_messages: "warning",
  timezone: "UTC",
};

export type Programs = { initdb: string; postgres: string; version: string };

/** One PostgreSQL server, running or not. */
export type PostgresServer = {
  name: string;
  /** Contains the data folder; may be a small disk. */
  home: string;
  data: string;
  url: string;
  /** Starts a stopped server; returns when it accepts connections. */
  start(): Promise<void>;
  isRunning(): boolean;
  /** Kills the server and all its processes, as when the machine is lost. */
  kill(): void;
  /** Deletes the data of a killed server. */
  remove(): void;
  signal(signal: "SIGSTOP" | "SIGCONT"): void;
  /** Runs one statement on a new connection. */
  query<Row extends pg.QueryResultRow>(statement: string, values?: unknown[]): Promise<Row[]>;
};

/** Debian's PostgreSQL if it is installed, otherwise the one from npm. */
export async function findPrograms(onlyEmbedded: boolean): Promise<Programs> {
  const versions = onlyEmbedded || !existsSync(debianFolder) ? [] : readdirSync(debianFolder).map(Number);
  const newestVersion = Math.max(
    0,
    ...versions.filter((version) => existsSync(join(debianFolder, String(version), "bin", "initdb"))),
  );
  if (newestVersion >= minDebianVersion) {
    const bin = join(debianFolder, String(newestVersion), "bin");
    return {
      initdb: join(bin, "initdb"),
      postgres: join(bin, "postgres"),
      version: `${newestVersion} of Debian`,
    };
  }
  return { ...(await postgresPrograms()), version: "of npm" };
}

/** Creates and starts a server with an empty database `palmira`. */
export async function startPrimary(server: NewServer): Promise<PostgresServer> {
  const { home, programs } = server;
  const data = join(home, "data");
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const runner = postgresRunner(data);
  mkdirSync(data, { mode: 0o700 });
  const passwordFile = join(home, "password");
  writeFileSync(passwordFile, password, { mode: 0o600 });
  for (const path of [data, passwordFile]) chownToRunner(path, runner);
  const [command, args] = runner.command(programs.initdb, [
    ...["-D", data, "-U", "palmira", "-A", "scram-sha-256", `--pwfile=${passwordFile}`],
    ...["-E", "UTF8", "--locale=C", "--no-sync"],
  ]);
  const env = { PATH: process.env.PATH, LC_ALL: "C" };
  await promisify(execFile)(command, args, { env, ...runner.identity });
  const primary = createPostgres(server);
  await primary.start();
  const client = new pg.Client(primary.url.replace(/\/palmira$/, "/postgres"));
  await client.connect();
  await client.query("create database palmira");
  await client.end();
  return primary;
}

/** Copies a running server and starts it as its synchronous standby. */
export async function startStandby(server: NewServer, primary: PostgresServer): Promise<PostgresServer> {
  const data = join(server.home, "data");
  mkdirSync(server.home, { recursive: true, mode: 0o700 });
  const { uid, gid } = postgresRunner(data).identity;
  const client = new pg.Client(primary.url);
  await client.connect();
  try {
    await client.query("select pg_backup_start('drill', true)");
    await copyFolder(primary.data, data);
    const { rows } = await client.query<{ labelfile: string }>("select labelfile from pg_backup_stop(false)");
    writeFileSync(join(data, "backup_label"), rows[0]?.labelfile ?? "");
  } finally {
    await client.end();
  }
  const { hostname, port } = new URL(primary.url);
  const connectionInfo = `host=${hostname} port=${port} user=palmira password=${password} application_name=${server.name}`;
  // The settings copied from the primary do not apply to a standby.
  writeFileSync(join(data, "postgresql.auto.conf"), `primary_conninfo = '${connectionInfo}'\n`);
  writeFileSync(join(data, "standby.signal"), "");
  if (uid !== undefined) spawnSync("chown", ["-R", `${uid}:${gid}`, data]);
  const standby = createPostgres(server);
  await standby.start();
  await primary.query("alter system set synchronous_standby_names = '*'");
  await primary.query("select pg_reload_conf()");
  await waitUntil("the standby replicates synchronously", async () => {
    const [syncStandby] = await primary.query("select 1 from pg_stat_replication where sync_state = 'sync'");
    return syncStandby !== undefined;
  });
  return standby;
}

/** Promotes the standby to a primary without a standby; returns once it accepts writes. */
export async function promote(standby: PostgresServer): Promise<void> {
  await standby.query("select pg_promote()");
  await waitUntil("the new primary accepts writes", async () => {
    const [row] = await standby.query<{ inRecovery: boolean }>('select pg_is_in_recovery() as "inRecovery"');
    return row?.inRecovery === false;
  });
}

type NewServer = {
  name: string;
  home: string;
  port: number;
  programs: Programs;
  resources: DrillResources;
};

function createPostgres({ name, home, port, programs, resources }: NewServer): PostgresServer {
  const data = join(home, "data");
  const url = `postgres://palmira:${password}@127.0.0.1:${port}/palmira`;
  const processes = () => {
    const pid = readPostmaster(data)?.pid;
    return pid ? processTree(pid) : [];
  };
  const logFile = join(resources.folder, `${name}.log`);
  let hasEnded = true;
  resources.atEnd(() => stop(data));
  const server: PostgresServer = {
    name,
    home,
    data,
    url,
    async start() {
      // A killed server leaves this file, and another process may have its process id now.
      rmSync(join(data, "postmaster.pid"), { force: true });
      const runner = postgresRunner(data);
      const [command, args] = runner.command(programs.postgres, [
        ...["-D", data, "-c", `port=${port}`],
        ...Object.entries(settings).flatMap(([key, value]) => ["-c", `${key}=${value}`]),
      ]);
      const log = openSync(logFile, "a");
      const child = spawn(command, args, {
        // Ctrl+C in the terminal goes to the drill alone, which stops everything in order.
        detached: true,
        stdio: ["ignore", log, log],
        env: { PATH: process.env.PATH, LC_ALL: "C" },
        ...runner.identity,
      });
      closeSync(log);
      hasEnded = false;
      child.once("exit", () => {
        hasEnded = true;
      });
      await waitUntil(`${name} answers`, async () => {
        if (hasEnded) throw new Error(`${name} has ended:\n${lastLines(logFile)}`);
        return readPostmaster(data)?.isReady === true;
      });
    },
    isRunning: () => !hasEnded,
    kill() {
      const sharedMemoryId = readSharedMemoryId(data);
      for (const pid of processes()) signalProcess(pid, "SIGKILL");
      if (sharedMemoryId !== null) spawnSync("ipcrm", ["-m", sharedMemoryId]);
      rmSync(join(data, "postmaster.pid"), { force: true });
    },
    remove: () => rmSync(data, { recursive: true, force: true, maxRetries: 20 }),
    signal(signal) {
      for (const pid of processes()) signalProcess(pid, signal);
    },
    async query<Row extends pg.QueryResultRow>(statement: string, values: unknown[] = []) {
      const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: patienceMs });
      client.on("error", () => {});
      try {
        await client.connect();
        return (await client.query<Row>(statement, values)).rows;
      } finally {
        client.end().catch(() => {});
      }
    },
  };
  return server;
}

/** Files of one server that are not part of a copy. */
const ownFiles = ["postmaster.pid", "postmaster.opts", "standby.signal", "backup_label", "backup_label.old"];
const emptyFolders = ["pg_wal", "pg_replslot", "pg_dynshmem", "pg_notify", "pg_stat_tmp", "pg_subtrans"];

/** Copies a running server's folder asynchronously; files may appear and vanish in the meantime. */
async function copyFolder(from: string, to: string, depth = 0): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (depth === 0 && ownFiles.includes(entry.name)) continue;
    if (depth === 0 && emptyFolders.includes(entry.name)) await mkdir(target, { mode: 0o700 });
    else if (entry.isDirectory()) await copyFolder(source, target, depth + 1);
    else await copyIfExists(source, target);
  }
  if (depth === 0) await mkdir(join(to, "pg_wal", "archive_status"), { mode: 0o700 });
}

async function copyIfExists(source: string, target: string): Promise<void> {
  try {
    await copyFile(source, target);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
  }
}

/** Stops a server synchronously. Without SIGQUIT, a killed server would leave its shared memory behind. */
function stop(data: string): void {
  const server = readPostmaster(data);
  if (!server || !servesFolder(server.pid, data)) return;
  const sharedMemoryId = readSharedMemoryId(data);
  for (const pid of processTree(server.pid)) signalProcess(pid, "SIGCONT");
  signalProcess(server.pid, "SIGQUIT");
  for (
    const deadline = Date.now() + stopTimeoutMs;
    readPostmaster(data) !== null && Date.now() < deadline;
  ) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
  }
  if (readPostmaster(data) === null) return;
  for (const pid of processTree(server.pid)) signalProcess(pid, "SIGKILL");
  if (sharedMemoryId !== null) spawnSync("ipcrm", ["-m", sharedMemoryId]);
}

/** Id of the System V shared memory that `kill -9` leaves behind. */
function readSharedMemoryId(data: string): string | null {
  const pidFile = join(data, "postmaster.pid");
  if (!existsSync(pidFile)) return null;
  const [, , , , , , keyAndId = ""] = readFileSync(pidFile, "utf8").split("\n");
  return keyAndId.trim().split(/\s+/)[1] ?? null;
}

function lastLines(file: string): string {
  return readFileSync(file, "utf8").split("\n").slice(-12).join("\n");
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has ended.
  }
}
