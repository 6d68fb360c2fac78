import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { setPriority } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { Logger } from "pino";
import { startPostgres } from "../platform/embedded-postgres/embedded-postgres.ts";
import { endPostmaster, readPostmaster } from "../platform/embedded-postgres/postmaster.ts";
import { lockDataDir } from "../platform/process/data-dir-lock.ts";
import { StartProblem } from "../platform/process/start-problem.ts";

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
 * Runs `work` with a temporary empty database: of a new PostgreSQL server in `folder`, or, if PostgreSQL is not installed
 * here, on the shop's server at `shopUrl`.
 */
export async function withScratchDatabase<Result>(
  { folder, shopUrl, log }: { folder: string; shopUrl: string | null; log: Logger },
  work: (url: string) => Promise<Result>,
): Promise<Result> {
  await removeLeftScratch(folder);
  const dataDir = join(folder, `${namePrefix}${randomBytes(4).toString("hex")}`);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const lock = lockDataDir(dataDir);
  try {
    const postgres = await startPostgres({ dataDir, log, connectionsMax: 10, settings }).catch(
      (error: unknown) => {
        if (shopUrl !== null && error instanceof StartProblem) return null;
        throw error;
      },
    );
    if (!postgres) return await withDatabaseBeside(shopUrl ?? "", work);
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

/** Removes the scratch database of a killed process and stops its server. */
async function removeLeftScratch(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((each) => each.startsWith(namePrefix))) {
    const dataDir = join(folder, name);
    let lock: { release(): void };
    try {
      lock = lockDataDir(dataDir);
    } catch {
      // Another check is using it.
      continue;
    }
    const postmaster = readPostmaster(join(dataDir, "postgres"));
    if (postmaster) await endPostmaster(postmaster.pid, join(dataDir, "postgres"));
    lock.release();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function withDatabaseBeside<Result>(
  shopUrl: string,
  work: (url: string) => Promise<Result>,
): Promise<Result> {
  const name = `${databasePrefix}${randomBytes(4).toString("hex")}`;
  const client = new pg.Client({ connectionString: shopUrl, application_name: "palmira-backup" });
  // Without a listener a lost connection would end the process; the next statement fails anyway.
  client.on("error", () => {});
  await client.connect();
  try {
    await client.query(`create database ${name}`);
    try {
      const url = new URL(shopUrl);
      url.pathname = `/${name}`;
      return await work(url.toString());
    } finally {
      await client.query(`drop database if exists ${name}`);
    }
  } finally {
    await client.end();
  }
}
