import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import pino from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { StartProblem } from "../process/start-problem.ts";
import { startPostgres } from "./embedded-postgres.ts";
import { readPostmaster } from "./postmaster.ts";

const log = pino({ level: "silent" });
const root = mkdtempSync(join(tmpdir(), "palmira-pg-"));
// A folder closed to other accounts, with a space and a quote in its path.
const dataDir = join(root, "owner's things", "data");
const folder = join(dataDir, "postgres");

beforeAll(() => {
  mkdirSync(join(root, "owner's things"), { mode: 0o700 });
  chmodSync(root, 0o700);
});
afterAll(() => rmSync(root, { recursive: true }));

async function query(url: string, statement: string): Promise<pg.QueryResult["rows"]> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

function readServerPid(dataFolder: string): number {
  const server = readPostmaster(dataFolder);
  if (!server) throw new Error("no server is running");
  return server.pid;
}

test("the embedded database keeps data over restarts, flushes commits to disk, and has a password only its owner can read", async () => {
  const first = await startPostgres({ dataDir, log });
  await query(first.url, "create table kept (id int); insert into kept values (7)");
  await first.stop();
  expect(existsSync(join(folder, "postmaster.pid"))).toBe(false);

  const second = await startPostgres({ dataDir, log });
  const settings =
    "select current_setting('fsync') as fsync, current_setting('password_encryption') as encryption";
  expect(await query(second.url, "select id from kept")).toEqual([{ id: 7 }]);
  expect(await query(second.url, settings)).toEqual([{ fsync: "on", encryption: "scram-sha-256" }]);
  await second.stop();

  expect(statSync(join(dataDir, "postgres-password")).mode & 0o777).toBe(0o600);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test("connections without the right password are refused, and the server does not listen on the network", async () => {
  const postgres = await startPostgres({ dataDir, log });
  const withWrongPassword = postgres.url.replace(/:[^:@]+@/, ":wrong@");

  await expect(query(withWrongPassword, "select 1")).rejects.toThrow(/password authentication failed/);
  expect(await query(postgres.url, "select current_setting('listen_addresses') as addresses")).toEqual([
    { addresses: "" },
  ]);
  await postgres.stop();
});

describe("a start after an earlier run", () => {
  test("reuses the earlier run's server if that still works", async () => {
    const killed = await startPostgres({ dataDir, log });
    const pid = readServerPid(folder);

    const next = await startPostgres({ dataDir, log });

    expect(readServerPid(folder)).toBe(pid);
    expect(await query(next.url, "select 1 as one")).toEqual([{ one: 1 }]);
    await Promise.all([next.stop(), killed.stop()]);
    expect(existsSync(join(folder, "postmaster.pid"))).toBe(false);
  });

  test("ignores the pid file of a killed server, even if another program has that process id", async () => {
    const killed = await startPostgres({ dataDir, log });
    await query(killed.url, "create table committed (id int)");
    process.kill(readServerPid(folder), "SIGKILL");
    await killed.stop();
    const pidFile = readFileSync(join(folder, "postmaster.pid"), "utf8");
    writeFileSync(join(folder, "postmaster.pid"), pidFile.replace(/^\d+/, String(process.pid)));

    const next = await startPostgres({ dataDir, log });

    expect(await query(next.url, "select count(*)::int as rows from committed")).toEqual([{ rows: 0 }]);
    await next.stop();
  });

  test("replaces an unfinished database with a new one", async () => {
    const halfMade = join(root, "half made");
    mkdirSync(join(halfMade, "postgres.new", "base"), { recursive: true });

    const postgres = await startPostgres({ dataDir: halfMade, log });

    expect(await query(postgres.url, "select 1 as one")).toEqual([{ one: 1 }]);
    await postgres.stop();
    expect(existsSync(join(halfMade, "postgres.new"))).toBe(false);
  });
});

test("a copy of the running folder is refused until the stamp is deleted; the folder itself may be moved", async () => {
  const stamp = "palmira-running.json";
  const postgres = await startPostgres({ dataDir, log });
  const copiedDir = join(root, "copied");
  cpSync(dataDir, copiedDir, {
    recursive: true,
    preserveTimestamps: true,
    filter: (from) => !/s\.PGSQL/.test(from),
  });
  const stampBytes = readFileSync(join(folder, stamp));
  await postgres.stop();
  expect(existsSync(join(folder, stamp))).toBe(false);

  await expect(startPostgres({ dataDir: copiedDir, log })).rejects.toThrow(StartProblem);
  await expect(startPostgres({ dataDir: copiedDir, log })).rejects.toThrow(
    /copied.*taken while its shop was running.*palmira-running/,
  );
  rmSync(join(copiedDir, "postgres", stamp));
  await (await startPostgres({ dataDir: copiedDir, log })).stop();

  // Restores the stamp as `kill -9` leaves it, then moves the folder and changes a file's mode.
  const movedDir = join(root, "moved");
  writeFileSync(join(folder, stamp), stampBytes);
  renameSync(dataDir, movedDir);
  chmodSync(join(movedDir, "postgres", "PG_VERSION"), 0o640);
  await (await startPostgres({ dataDir: movedDir, log })).stop();
  renameSync(movedDir, dataDir);
});

test("a database server killed while the shop runs is restarted at the same endpoint", async () => {
  const postgres = await startPostgres({ dataDir, log });
  process.kill(readServerPid(folder), "SIGKILL");

  const readResponse = () => query(postgres.url, "select 1 as one").catch(() => null);
  await expect.poll(readResponse).toEqual([{ one: 1 }]);
  await postgres.stop();
});

test("a data folder with a path too long for a socket is served over loopback", async () => {
  const longDir = join(root, "long".repeat(25));
  mkdirSync(longDir);
  // A copy, because making a database takes most of the time of a start.
  cpSync(folder, join(longDir, "postgres"), { recursive: true });
  chmodSync(join(longDir, "postgres"), 0o700);
  cpSync(join(dataDir, "postgres-password"), join(longDir, "postgres-password"));

  const postgres = await startPostgres({ dataDir: longDir, log });
  const [address] = await query(
    postgres.url,
    "select host(inet_server_addr()) as host, current_setting('listen_addresses') as listens",
  );
  await postgres.stop();

  expect(address).toEqual({ host: "127.0.0.1", listens: "127.0.0.1" });
});

test("data of another PostgreSQL version is refused with instructions, and left unchanged", async () => {
  const version = join(folder, "PG_VERSION");
  writeFileSync(version, "15\n");

  const started = startPostgres({ dataDir, log });

  await expect(started).rejects.toThrow(StartProblem);
  await expect(started).rejects.toThrow(/PostgreSQL 15.*PostgreSQL 18[\s\S]*DATA_DIR/);
  expect(readFileSync(version, "utf8")).toBe("15\n");
  writeFileSync(version, "18\n");
});

test("data without its password file is refused and not created again", async () => {
  const password = join(dataDir, "postgres-password");
  renameSync(password, `${password}.away`);

  await expect(startPostgres({ dataDir, log })).rejects.toThrow(/postgres-password is missing/);

  renameSync(`${password}.away`, password);
});

test("the database's log is limited in size and contains no customer data", async () => {
  const logFile = join(dataDir, "postgres.log");
  writeFileSync(logFile, "x".repeat(2_500_000));
  // As if the disk were full.
  symlinkSync("/dev/full", `${logFile}.1`);
  const postgres = await startPostgres({ dataDir, log });

  await expect(query(postgres.url, "select 'ada@example.com'::int")).rejects.toThrow(/invalid input/);
  await postgres.stop();

  const text = readFileSync(logFile, "utf8");
  expect(text).toContain("ready to accept connections");
  expect(text.length).toBeLessThan(100_000);
  expect(text).not.toContain("ada@example.com");
});
