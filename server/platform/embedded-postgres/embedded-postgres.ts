import { existsSync, mkdirSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import type { Logger } from "pino";
import { PreparedClient } from "../database/prepared-client.ts";
import { createArchive, recordArchivingOff } from "./archive/maintenance.ts";
import { archivesIn, systemIdentifier } from "./archive/names.ts";
import {
  type Archiving,
  archiveEverySeconds,
  archiveSettings,
  maxArchiveQueueBytes,
} from "./archive/settings.ts";
import {
  makeDataFolder,
  recoverKilledRestore,
  refuseForeignFolder,
  refuseRunningCopy,
  removeStamp,
  secretFile,
  stampFolder,
} from "./data-folder.ts";
import { type Endpoint, handleStaleServer, launch, trimLog } from "./launch.ts";
import { readPostmaster, servesFolder, stopPostmaster } from "./postmaster.ts";
import { postgresPrograms, postgresRunner } from "./programs.ts";

/** Maximum length of a socket's path. */
const maxSocketPathBytes = 107;
const watchEveryMs = 1_000;
const archiveTimeoutMs = 5_000;

/**
 * `url` opens the database `palmira`; `stop` closes every connection and ends the server. `archive`: the folder in which
 * the write-ahead log is archived, null if it is not.
 */
export type EmbeddedPostgres = {
  url: string;
  dataFolder: string;
  archive: string | null;
  stop(): Promise<void>;
};

/**
 * Runs the shop's own PostgreSQL with its data in `dataDir`/postgres, reachable only from this machine, with a
 * password in `dataDir`. A server that outlived a killed shop is adopted; one that exits is restarted. The caller
 * holds the lock of `dataDir`. Throws StartProblem.
 */
export async function startPostgres(options: {
  dataDir: string;
  log: Logger;
  maxConnections?: number;
  /** PostgreSQL settings that replace the shop's: tests trade safety for speed. */
  settings?: Record<string, string>;
  /** Folder in which the write-ahead log is archived, so that any moment can be restored (archive/); null if it is not. */
  backupDir?: string | null;
  /** Called after the server's process has started, but before it accepts connections. */
  onLaunch?: () => void;
  /** Overrides for tests. */
  archiving?: Partial<Pick<Archiving, "everySeconds" | "maxQueueBytes">>;
}): Promise<EmbeddedPostgres> {
  const { log, maxConnections = 30 } = options;
  const dataDir = resolve(options.dataDir);
  const folder = join(dataDir, "postgres");
  const passwordFile = join(dataDir, "postgres-password");
  const logFile = join(dataDir, "postgres.log");
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  await recoverKilledRestore(folder);
  refuseForeignFolder(folder, passwordFile);
  refuseRunningCopy(folder);

  const password = secretFile(passwordFile);
  const programs = await postgresPrograms();
  const runner = postgresRunner(folder);
  if (!existsSync(folder)) await makeDataFolder(folder, password, programs.initdb, runner);

  const archiving = await openArchive();
  const settings = { ...(archiving ? archiveSettings(archiving) : {}), ...options.settings };

  const endpoint = await chooseEndpoint(folder);
  const url = (port: number, database: string) => connectionUrl(folder, password, port, database);

  async function adoptOrLaunch() {
    const runningServer = await handleStaleServer(folder, (port) => url(port, "postgres"), {
      archive_command: "",
      ...settings,
    });
    if (runningServer) {
      log.debug({ pid: runningServer.pid }, "took over the database server of an earlier run");
      return runningServer;
    }
    const program = programs.postgres;
    const launching = launch({ program, runner, folder, endpoint, maxConnections, settings, logFile });
    options.onLaunch?.();
    const launched = await launching;
    if (archiving) await wakeCheckpointer(url(launched.port, "postgres"));
    return launched;
  }

  let server = await adoptOrLaunch();
  endpoint.port = server.port;
  stampFolder(folder, log);
  await createDatabase(url(server.port, "postgres"));

  async function openArchive(): Promise<Archiving | null> {
    if (!options.backupDir) {
      recordArchivingOff(folder);
      return null;
    }
    const archive = join(archivesIn(resolve(options.backupDir)), systemIdentifier(folder));
    try {
      const archiveReady = createArchive(archive, folder, runner).then(() => true);
      // A network folder may not respond; the shop opens without it.
      if (!(await Promise.race([archiveReady, delay(archiveTimeoutMs, false, { ref: false })]))) {
        log.error({ archive }, "the folder for the database’s archive does not answer");
      }
    } catch (error) {
      log.error({ err: error }, "the folder for the database’s archive could not be created");
    }
    return {
      archive,
      everySeconds: archiveEverySeconds,
      maxQueueBytes: maxArchiveQueueBytes,
      ...options.archiving,
    };
  }

  let restart: Promise<void> | null = null;
  async function restartServer() {
    try {
      server = await adoptOrLaunch();
    } catch (error) {
      log.error({ err: error }, "the database could not be restarted; retrying");
    }
    restart = null;
  }
  const watch = setInterval(() => {
    trimLog(logFile);
    if (restart || servesFolder(server.pid, folder)) return;
    log.error({ pid: server.pid }, "the database exited unexpectedly and is being restarted");
    restart = restartServer();
  }, watchEveryMs);
  watch.unref();

  return {
    url: url(server.port, "palmira"),
    dataFolder: folder,
    archive: archiving?.archive ?? null,
    async stop() {
      clearInterval(watch);
      await restart;
      const hasEnded = await stopPostmaster(server.pid, folder);
      if (hasEnded) removeStamp(folder);
    },
  };
}

/** URL of the server that the running shop has started for this data; null if none is running. */
export function runningPostgresUrl(dataDir: string): string | null {
  const folder = join(resolve(dataDir), "postgres");
  const server = readPostmaster(folder);
  if (!server?.isReady || !servesFolder(server.pid, folder)) return null;
  return connectionUrl(
    folder,
    secretFile(join(resolve(dataDir), "postgres-password")),
    server.port,
    "palmira",
  );
}

/** Whether this data folder contains a database. */
export function hasEmbeddedData(dataDir: string): boolean {
  return existsSync(join(dataDir, "postgres"));
}

function connectionUrl(folder: string, password: string, port: number, database: string): string {
  const socket = hasSocket(folder) ? `?host=${encodeURIComponent(folder)}` : "";
  return `postgres://palmira:${password}@127.0.0.1:${port}/${database}${socket}`;
}

function hasSocket(folder: string): boolean {
  return Buffer.byteLength(join(folder, ".s.PGSQL.5432")) <= maxSocketPathBytes;
}

async function chooseEndpoint(folder: string): Promise<Endpoint> {
  return hasSocket(folder) ? { kind: "socket", port: 5432 } : { kind: "loopback", port: await freePort() };
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => probe.once("error", reject).listen(0, "127.0.0.1", resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (address === null || typeof address === "string") throw new Error("a TCP server has no port");
  return address.port;
}

/**
 * Wakes the process that closes segments after `archive_timeout`. Otherwise it would first sleep for five minutes, until the
 * first checkpoint.
 */
async function wakeCheckpointer(url: string): Promise<void> {
  await withClient(url, (client) => client.query("select pg_reload_conf()"));
}

async function createDatabase(url: string): Promise<void> {
  await withClient(url, async (client) => {
    const databases = await client.query("select 1 from pg_database where datname = 'palmira'");
    if (databases.rowCount === 0) await client.query("create database palmira");
  });
}

async function withClient(
  connectionString: string,
  work: (client: pg.Client) => Promise<unknown>,
): Promise<void> {
  const client = new PreparedClient({ connectionString });
  // Statements on it fail as well and report the error.
  client.on("error", () => {});
  try {
    await client.connect();
    await work(client);
  } finally {
    client.end().catch(() => {});
  }
}
