import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import pino from "pino";
import { afterAll, expect, test } from "vitest";
import { programEnvironment } from "../../../../test/program-environment.ts";
import { type EmbeddedPostgres, startPostgres } from "../embedded-postgres.ts";
import { readPostmaster } from "../postmaster.ts";
import { type ArchiveContents, readArchives } from "./contents.ts";
import { gapSince, readFailure, waitingBytes } from "./failure.ts";
import { keepArchive } from "./keep.ts";
import { segmentBytes, timeInName } from "./names.ts";
import { planRestore } from "./plan.ts";

const log = pino({ level: "silent" });
const root = mkdtempSync(join(tmpdir(), "palmira-archive-"));
// A folder name that breaks shell commands without quotes.
const backupDir = join(root, "owner's 100% safe disk");
const dataDir = join(root, "data");
afterAll(() => rmSync(root, { recursive: true }));

async function query<Row extends pg.QueryResultRow>(url: string, statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end();
  }
}

const start = (archiving = {}) =>
  startPostgres({ dataDir, log, backupDir, archiving: { everySeconds: 1, ...archiving } });

const contents = async () => (await readArchives(backupDir))[0] as ArchiveContents;
const bases = async () => (await readArchives(backupDir))[0]?.bases.length ?? 0;

/** Maintains the archive until it has a base backup of the present timeline. */
async function withBase({ url, dataFolder, archive }: EmbeddedPostgres): Promise<void> {
  const before = await bases();
  const keeping = keepArchive({ url, dataFolder, archive: archive ?? "", log, timeZone: async () => "UTC" });
  await expect.poll(bases).toBe(before + 1);
  await keeping.stop();
}

/** Maintains the archive beside a base backup that a restored copy made on another timeline; returns whether a backup is due. */
async function needsBaseBesideCopy({ url, dataFolder, archive }: EmbeddedPostgres): Promise<boolean> {
  const base = (await contents()).bases.at(-1)?.folder ?? "";
  const copy = join(base, "..", timeInName(new Date()));
  cpSync(base, copy, { recursive: true });
  const manifest = join(copy, "manifest.json");
  writeFileSync(
    manifest,
    readFileSync(manifest, "utf8").replace('"firstSegment": "00000001', '"firstSegment": "00000002'),
  );
  expect((await contents()).bases.at(-1)?.timeline).toBe(2);
  let isNeeded = false;
  const timeZone = async () => {
    isNeeded = true;
    return "UTC";
  };
  const keeping = keepArchive({ url, dataFolder, archive: archive ?? "", log, timeZone });
  await keeping.stop();
  rmSync(copy, { recursive: true });
  return isNeeded;
}

const insertNote = (url: string, what: string) => query(url, `insert into notes values ('${what}')`);
const readNotes = async (url: string) =>
  (await query<{ what: string }>(url, "select what from notes")).map(({ what }) => what);
const now = async (url: string): Promise<Date> =>
  (await query<{ at: Date }>(url, "select clock_timestamp() as at"))[0]?.at ?? new Date();

/** Waits until the log up to `at` is archived by the regular schedule. */
const waitUntilArchived = (at: Date) =>
  expect.poll(async () => planRestore(await contents(), at)).not.toBeNull();

const restore = (time: string) =>
  promisify(execFile)(
    process.execPath,
    [join(import.meta.dirname, "../../../../scripts/restore.ts"), "--at", time, "--yes"],
    {
      cwd: root,
      env: { ...programEnvironment(), DATA_DIR: dataDir, BACKUP_DIR: backupDir } as NodeJS.ProcessEnv,
    },
  );

test("a lost machine's database is restored from the archive, to its newest state or to any moment", async () => {
  const first = await start();
  await query(first.url, "create table notes (what text)");
  await withBase(first);
  expect(await needsBaseBesideCopy(first)).toBe(false);
  await insertNote(first.url, "kept");
  const early = new Date(Math.ceil((await now(first.url)).getTime() / 1_000) * 1_000);
  await expect.poll(async () => (await now(first.url)).getTime()).toBeGreaterThan(early.getTime());
  await insertNote(first.url, "later");
  await waitUntilArchived(await now(first.url));

  // The machine is gone, with all that was on it.
  process.kill(readPostmaster(first.dataFolder)?.pid ?? 0, "SIGKILL");
  await first.stop();
  rmSync(dataDir, { recursive: true });
  await expect(restore("2020-01-01 10:00")).rejects.toThrow(
    /no way back to 2020-01-01 10:00:00 \(UTC\).*reaches from 2/,
  );
  await restore("latest");

  // The restored server archives from there on, with the password of its new folder. A base backup of the new timeline is due at once.
  const second = await start();
  expect(await readNotes(second.url)).toEqual(["kept", "later"]);
  await insertNote(second.url, "after the restore");
  await waitUntilArchived(await now(second.url));
  await second.stop();

  const { stdout } = await restore(early.toISOString().replace(".000Z", " UTC"));
  expect(stdout).toMatch(/kept in .*postgres\.before-restore-/);
  const third = await start();
  expect(await readNotes(third.url)).toEqual(["kept"]);
  await third.stop();
});

test("the database runs on without the archive's folder, limits the waiting log, and completes the archive later", async () => {
  const queueBytesMax = 2 * segmentBytes;
  const { url, dataFolder, archive, ...postgres } = await start({ queueBytesMax });
  const unplugged = `${archive}.unplugged`;
  renameSync(archive ?? "", unplugged);
  // A segment each, which also makes PostgreSQL try again.
  const write = async () => {
    await insertNote(url, "sold");
    await query(url, "select pg_switch_wal()");
  };
  const gap = async () => {
    await write();
    return gapSince(dataFolder);
  };
  await expect.poll(gap).not.toBeNull();
  expect(readFailure(dataFolder)?.reason).toMatch(/is missing: is its disk mounted\?/);
  for (let more = 0; more < 4; more += 1) await write();
  await expect.poll(() => waitingBytes(dataFolder)).toBeLessThanOrEqual(queueBytesMax);
  expect(existsSync(archive ?? "")).toBe(false);

  renameSync(unplugged, archive ?? "");
  const failure = async () => {
    await write();
    return readFailure(dataFolder);
  };
  // Written slowly enough that the waiting log stays below its limit; above it, the log would be discarded for a minute.
  await expect.poll(failure, { interval: 500 }).toBeNull();
  const before = await bases();
  await withBase({ url, dataFolder, archive, ...postgres });
  expect([await bases(), gapSince(dataFolder)]).toEqual([before + 1, null]);
  const missing = new Date(Date.parse((await contents()).bases.at(-1)?.stoppedAt ?? "") - 1);
  await insertNote(url, "sold");
  await waitUntilArchived(await now(url));
  expect(planRestore(await contents(), missing)).toBeNull();
  await postgres.stop();
});
