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

/** Nothing of it has to outlive the machine. `wal_level` as low as it goes: rows that are loaded need no log. */
const settings = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  wal_level: "minimal",
  archive_mode: "off",
  max_wal_size: "1GB",
};

/**
 * Works with an empty database that is gone afterwards: of a PostgreSQL of its own in `folder`, or, where this machine has
 * none, beside the shop's at `shopUrl`.
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
    makeWay(readPostmaster(join(dataDir, "postgres"))?.pid);
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

/** The shop's own processes go first; those that the server starts are like it. */
function makeWay(pid: number | undefined): void {
  try {
    if (pid) setPriority(pid, 19);
  } catch {
    // It belongs to another account: it is only slower to shoppers.
  }
}

/** What a killed process left behind, with the server that goes on without it. */
async function removeLeftScratch(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((each) => each.startsWith(namePrefix))) {
    const dataDir = join(folder, name);
    let lock: { release(): void };
    try {
      lock = lockDataDir(dataDir);
    } catch {
      // Another check is at work there.
      continue;
    }
    const left = readPostmaster(join(dataDir, "postgres"));
    if (left) await endPostmaster(left.pid, join(dataDir, "postgres"));
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
  // Its next statement fails, which is enough: without this the process would end.
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
