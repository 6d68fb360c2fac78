import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import pino from "pino";
import { afterAll, expect, test } from "vitest";
import { commandOptions, programEnvironment } from "../../../../test/program-environment.ts";
import { openBackupFile } from "../../../backup/file.ts";
import { loadContent } from "../../../backup/load.ts";
import { appliedMigrations, readMigrations } from "../../database/migrations.ts";
import { createEarlierTables, type EarlierState, earlierStates } from "../../database/take-over.ts";
import { type EmbeddedPostgres, startPostgres } from "../embedded-postgres.ts";
import { readPostmaster, servesFolder } from "../postmaster.ts";
import { type ArchiveContents, readArchives } from "./contents.ts";
import { gapSince, readFailure, waitingBytes } from "./failure.ts";
import { maintainArchive } from "./maintenance.ts";
import { fileTimestamp, segmentBytes } from "./names.ts";
import { planRestore } from "./plan.ts";

const log = pino({ level: "silent" });
const root = mkdtempSync(join(tmpdir(), "palmira-archive-"));
// A folder name that breaks shell commands without quotes.
const backupDir = join(root, "owner's 100% safe disk");
const dataDir = join(root, "data");
afterAll(() => rmSync(root, { recursive: true }));

async function withClient<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const query = <Row extends pg.QueryResultRow>(url: string, statement: string) =>
  withClient(url, async (client) => (await client.query<Row>(statement)).rows);

const startDatabase = (archiving = {}) =>
  startPostgres({ dataDir, log, backupDir, archiving: { everySeconds: 1, ...archiving } });

const readContents = async () => (await readArchives(backupDir))[0] as ArchiveContents;
const countBases = async () => (await readArchives(backupDir))[0]?.bases.length ?? 0;

/** Maintains the archive until it has a base backup of the present timeline. */
async function makeBaseBackup({ url, dataFolder, archive }: EmbeddedPostgres): Promise<void> {
  const before = await countBases();
  const archiver = maintainArchive({
    url,
    dataFolder,
    archive: archive ?? "",
    log,
    timeZone: async () => "UTC",
  });
  await expect.poll(countBases).toBe(before + 1);
  await archiver.stop();
}

/** Adds a base backup of another timeline, as a restored copy makes it; returns whether the archive then needs a new one. */
async function isBaseDueBesideCopy({ url, dataFolder, archive }: EmbeddedPostgres): Promise<boolean> {
  const base = (await readContents()).bases.at(-1)?.folder ?? "";
  const copy = join(base, "..", fileTimestamp(new Date()));
  cpSync(base, copy, { recursive: true });
  const manifest = join(copy, "manifest.json");
  writeFileSync(
    manifest,
    readFileSync(manifest, "utf8").replace('"firstSegment": "00000001', '"firstSegment": "00000002'),
  );
  expect((await readContents()).bases.at(-1)?.timeline).toBe(2);
  let isDue = false;
  const timeZone = async () => {
    isDue = true;
    return "UTC";
  };
  const archiver = maintainArchive({ url, dataFolder, archive: archive ?? "", log, timeZone });
  await archiver.stop();
  rmSync(copy, { recursive: true });
  return isDue;
}

const insertNote = (url: string, what: string) => query(url, `insert into notes values ('${what}')`);
const readNotes = async (url: string) =>
  (await query<{ what: string }>(url, "select what from notes")).map(({ what }) => what);
const now = async (url: string): Promise<Date> =>
  (await query<{ at: Date }>(url, "select clock_timestamp() as at"))[0]?.at ?? new Date();

/** Waits until the log up to `at` is archived by the regular schedule. */
const waitUntilArchived = (at: Date) =>
  expect.poll(async () => planRestore(await readContents(), at)).not.toBeNull();

const restore = (time: string) =>
  promisify(execFile)(
    process.execPath,
    [
      ...commandOptions,
      join(import.meta.dirname, "../../../../scripts/restore.ts"),
      ...["--at", time, "--yes"],
    ],
    {
      cwd: root,
      env: { ...programEnvironment(), DATA_DIR: dataDir, BACKUP_DIR: backupDir } as NodeJS.ProcessEnv,
    },
  );

/** Kills the server and deletes all that was on its disk. */
async function loseMachine({ dataFolder, stop }: EmbeddedPostgres): Promise<void> {
  process.kill(readPostmaster(dataFolder)?.pid ?? 0, "SIGKILL");
  await stop();
  rmSync(dataDir, { recursive: true });
}

test("the archive of a shop of version 0.1 is restored and taken over", async () => {
  const [version01] = earlierStates as [EarlierState];
  const backup = await openBackupFile(new URL("../../../../test/shop-0.1.backup", import.meta.url).pathname);
  const before = await startDatabase();
  await withClient(before.url, async (client) => {
    await client.query("begin");
    await createEarlierTables(client, version01);
    await loadContent(client, backup.content(null), { verifiesRows: true });
    await client.query("commit");
  });
  const sums = "select count(*)::int as orders, sum(total_cents)::int as cents from orders";
  const sumsBefore = await query(before.url, sums);
  await makeBaseBackup(before);
  await waitUntilArchived(await now(before.url));
  await loseMachine(before);

  expect((await restore("latest")).stdout).toMatch(/The database is back as it was at .*: [\d,]+ orders/);
  const after = await startDatabase();
  expect(await query(after.url, sums)).toEqual(sumsBefore);
  expect(await withClient(after.url, appliedMigrations)).toEqual(readMigrations().map(({ name }) => name));
  await after.stop();
  for (const folder of [dataDir, backupDir]) rmSync(folder, { recursive: true });
});

test("a lost machine's database is restored from the archive, to its newest state or to any moment", async () => {
  const first = await startDatabase();
  await query(first.url, "create table notes (what text)");
  await makeBaseBackup(first);
  expect(await isBaseDueBesideCopy(first)).toBe(false);
  await insertNote(first.url, "kept");
  const restoreTime = new Date(Math.ceil((await now(first.url)).getTime() / 1_000) * 1_000);
  await expect.poll(async () => (await now(first.url)).getTime()).toBeGreaterThan(restoreTime.getTime());
  await insertNote(first.url, "later");
  await waitUntilArchived(await now(first.url));

  await loseMachine(first);
  await expect(restore("2020-01-01 10:00")).rejects.toThrow(
    /no way back to 2020-01-01 10:00:00 \(UTC\).*reaches from 2/,
  );
  await restore("latest");

  // The restored server archives from there on, with the password of its new folder. A base backup of the new timeline is due immediately.
  const second = await startDatabase();
  expect(await readNotes(second.url)).toEqual(["kept", "later"]);
  await insertNote(second.url, "after the restore");
  await waitUntilArchived(await now(second.url));
  await second.stop();

  const { stdout } = await restore(restoreTime.toISOString().replace(".000Z", " UTC"));
  expect(stdout).toMatch(/kept in .*postgres\.before-restore-/);
  const third = await startDatabase();
  expect(await readNotes(third.url)).toEqual(["kept"]);
  await third.stop();

  // A killed restore leaves its server, which the next start ends.
  const killedRestore = restore("latest");
  const restoring = join(dataDir, "postgres.restoring");
  await expect.poll(() => readPostmaster(restoring), { interval: 10 }).not.toBeNull();
  const { pid } = readPostmaster(restoring) ?? { pid: 0 };
  killedRestore.child.kill("SIGKILL");
  await expect(killedRestore).rejects.toThrow();
  expect(servesFolder(pid, restoring)).toBe(true);
  const fourth = await startDatabase();
  expect(await readNotes(fourth.url)).toEqual(["kept"]);
  await fourth.stop();
  // A process that has ended has no program, even while it is still listed.
  expect([existsSync(`/proc/${pid}/exe`), existsSync(restoring)]).toEqual([false, false]);
});

test("the database keeps running without the archive's folder, limits the log that waits, and completes the archive later", async () => {
  const maxQueueBytes = 2 * segmentBytes;
  const { url, dataFolder, archive, ...postgres } = await startDatabase({ maxQueueBytes });
  const unplugged = `${archive}.unplugged`;
  renameSync(archive ?? "", unplugged);
  // Each call fills a segment, which also makes PostgreSQL try to archive again.
  const write = async () => {
    await insertNote(url, "sold");
    await query(url, "select pg_switch_wal()");
  };
  const writeAndReadGap = async () => {
    await write();
    return gapSince(dataFolder);
  };
  await expect.poll(writeAndReadGap).not.toBeNull();
  expect(readFailure(dataFolder)?.reason).toMatch(/is missing: is its disk mounted\?/);
  for (let more = 0; more < 4; more += 1) await write();
  await expect.poll(() => waitingBytes(dataFolder)).toBeLessThanOrEqual(maxQueueBytes);
  expect(existsSync(archive ?? "")).toBe(false);

  renameSync(unplugged, archive ?? "");
  const writeAndReadFailure = async () => {
    await write();
    return readFailure(dataFolder);
  };
  // Written slowly enough that the waiting log stays below its limit; above it, the log would be discarded for a minute.
  await expect.poll(writeAndReadFailure, { interval: 500 }).toBeNull();
  const before = await countBases();
  await makeBaseBackup({ url, dataFolder, archive, ...postgres });
  expect([await countBases(), gapSince(dataFolder)]).toEqual([before + 1, null]);
  const momentInGap = new Date(Date.parse((await readContents()).bases.at(-1)?.stoppedAt ?? "") - 1);
  await insertNote(url, "sold");
  await waitUntilArchived(await now(url));
  expect(planRestore(await readContents(), momentInGap)).toBeNull();
  await postgres.stop();
});
