import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { mkdir, readdir, rm } from "node:fs/promises";
import { setPriority, tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { Logger } from "pino";
import { utcText } from "../../domain/backup/backup-text.ts";
import { formatCents } from "../../domain/shared/money.ts";
import { startPostgres } from "../platform/embedded-postgres/embedded-postgres.ts";
import { readPostmaster, stopPostmaster } from "../platform/embedded-postgres/postmaster.ts";
import { lockDataDir } from "../platform/process/data-dir.ts";
import { StartProblem } from "../platform/process/start-problem.ts";
import { readSums } from "./catalog.ts";
import type { OnProgress } from "./dump.ts";
import { openBackupFile } from "./file.ts";
import { describeDifference } from "./load.ts";
import type { Sums } from "./records.ts";
import { restoreBackup } from "./restore.ts";
import { ensureSpace } from "./take.ts";

/** Space needed as a multiple of the data: rows, their indexes, and the write-ahead log. */
const spaceFactor = 2;

type Verdict = {
  isGood: boolean;
  /** Messages for people; the first one names the problem, if there is one. */
  lines: string[];
  rows: number;
  sums: Sums | null;
  seconds: number;
};

/**
 * Restores a backup into a temporary database, migrates it, and compares every table byte by byte, all foreign keys and the
 * sums of money. `checkMoney` examines the restored shop and returns its findings as messages. Throws only if the check itself
 * fails, in which case the file may still be good.
 */
export async function checkBackup(options: {
  path: string;
  passphrase: string | null;
  /** Folder of the scratch database; default: the system's temporary folder. */
  folder?: string;
  /** Used if PostgreSQL is not installed here; null if the shop has no other server. */
  shopDatabaseUrl: string | null;
  log: Logger;
  checkMoney?: (url: string, takenAt: Date) => Promise<string[]>;
  onProgress?: OnProgress;
}): Promise<Verdict> {
  const {
    path,
    passphrase,
    folder = join(tmpdir(), "palmira-check"),
    shopDatabaseUrl,
    log,
    onProgress,
  } = options;
  const startedAt = performance.now();
  const seconds = () => Math.round((performance.now() - startedAt) / 100) / 10;
  const badVerdict = (error: unknown): Verdict => {
    if (!(error instanceof StartProblem)) throw error;
    return { isGood: false, lines: [error.message], rows: 0, sums: null, seconds: seconds() };
  };
  const file = await openBackupFile(path).catch(badVerdict);
  if ("isGood" in file) return file;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await ensureSpace(folder, spaceFactor * file.header.databaseBytes);
  try {
    return await withScratchDatabase({ folder, shopDatabaseUrl, log }, async (url) => {
      const restored = await restoreBackup({ url, file, passphrase, log, onProgress, isRehearsal: true });
      const difference = describeDifference(restored.sums, await computeSums(url));
      if (difference)
        return {
          isGood: false,
          lines: [difference],
          rows: restored.rows,
          sums: restored.sums,
          seconds: seconds(),
        };
      const money = (await options.checkMoney?.(url, new Date(file.header.createdAt))) ?? [];
      const lines = [...summaryLines(restored, file.header.createdAt), ...money];
      return { isGood: true, lines, rows: restored.rows, sums: restored.sums, seconds: seconds() };
    });
  } catch (error) {
    return badVerdict(error);
  }
}

function summaryLines(
  restored: { tables: number; rows: number; jobs: number; sums: Sums },
  createdAt: string,
): string[] {
  const { tables, rows, jobs, sums } = restored;
  const count = (number: number) => number.toLocaleString("en-US");
  return [
    `It is complete and was made on ${utcText(createdAt)}.`,
    `Restored and compared byte by byte: ${count(tables)} tables with ${count(rows)} rows, ${count(jobs)} jobs.`,
    `Orders: ${count(sums.orders)} of ${formatCents(sums.orderedCents)}. Paid: ${formatCents(sums.paidCents)}. Refunded: ${formatCents(sums.refundedCents)}. Units in stock: ${count(sums.unitsInStock)}. Pictures: ${count(sums.pictures)}.`,
  ];
}

async function computeSums(url: string): Promise<Sums> {
  const client = new pg.Client({ connectionString: url, application_name: "palmira-backup" });
  // Without a listener a lost connection would end the process; the next statement fails anyway.
  client.on("error", () => {});
  await client.connect();
  try {
    return await readSums(client);
  } finally {
    await client.end();
  }
}

const namePrefix = ".check-";
const databasePrefix = "palmira_check_";

/** Durability is off, and `wal_level` minimal, so that loading rows writes no log. */
const settings = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  wal_level: "minimal",
  archive_mode: "off",
  max_wal_size: "1GB",
};

/**
 * Runs `work` with a temporary empty database: on a new PostgreSQL server in `folder`, or, if PostgreSQL is not installed here,
 * on the shop's server at `shopDatabaseUrl`.
 */
async function withScratchDatabase<Result>(
  { folder, shopDatabaseUrl, log }: { folder: string; shopDatabaseUrl: string | null; log: Logger },
  work: (url: string) => Promise<Result>,
): Promise<Result> {
  await removeAbandonedScratch(folder);
  const dataDir = join(folder, `${namePrefix}${randomBytes(4).toString("hex")}`);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const lock = lockDataDir(dataDir);
  try {
    const postgres = await startPostgres({ dataDir, log, maxConnections: 10, settings }).catch(
      (error: unknown) => {
        if (shopDatabaseUrl !== null && error instanceof StartProblem) return null;
        throw error;
      },
    );
    if (!postgres) return await withDatabaseOnShopServer(shopDatabaseUrl ?? "", work);
    lowerPriority(readPostmaster(join(dataDir, "postgres"))?.pid);
    try {
      return await work(postgres.url);
    } finally {
      await postgres.stop();
    }
  } finally {
    lock.release();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Lowers the scratch server's priority below the shop's; its child processes inherit it. */
function lowerPriority(pid: number | undefined): void {
  try {
    if (pid) setPriority(pid, 19);
  } catch {
    // The process belongs to another account and keeps its priority.
  }
}

/** Removes a killed process's scratch database and stops that database's server. */
async function removeAbandonedScratch(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((entry) => entry.startsWith(namePrefix))) {
    const dataDir = join(folder, name);
    let lock: { release(): void };
    try {
      lock = lockDataDir(dataDir);
    } catch {
      // Another check is using it.
      continue;
    }
    const postmaster = readPostmaster(join(dataDir, "postgres"));
    if (postmaster) await stopPostmaster(postmaster.pid, join(dataDir, "postgres"));
    lock.release();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
}

/**
 * Drops databases that killed processes have left behind; running checks hold an advisory lock on theirs. Such locks are visible
 * only within one database, so the prefix has the shop's id, and other shops' databases on this server are left alone.
 */
async function dropAbandonedDatabases(client: pg.Client, prefix: string): Promise<void> {
  const { rows } = await client.query<{ name: string; isAbandoned: boolean }>(
    `select datname as name, pg_try_advisory_lock(hashtextextended(datname, 0)) as "isAbandoned"
      from pg_database where datname ~ '^${prefix}[0-9a-f]{8}$'`,
  );
  // A database of another role cannot be dropped.
  for (const { name, isAbandoned } of rows)
    if (isAbandoned) await client.query(`drop database if exists ${name} with (force)`).catch(() => {});
}

export async function withDatabaseOnShopServer<Result>(
  shopDatabaseUrl: string,
  work: (url: string) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: shopDatabaseUrl, application_name: "palmira-backup" });
  // Without a listener a lost connection would end the process; the next statement fails anyway.
  client.on("error", () => {});
  await client.connect();
  try {
    const { rows } = await client.query("select oid from pg_database where datname = current_database()");
    const prefix = `${databasePrefix}${rows[0].oid}_`;
    const name = `${prefix}${randomBytes(4).toString("hex")}`;
    await dropAbandonedDatabases(client, prefix);
    await client.query("select pg_advisory_lock(hashtextextended($1, 0))", [name]);
    await client.query(`create database ${name}`);
    try {
      const url = new URL(shopDatabaseUrl);
      url.pathname = `/${name}`;
      return await work(url.toString());
    } finally {
      await client.query(`drop database if exists ${name}`);
    }
  } finally {
    await client.end();
  }
}
