import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import pino from "pino";
import { afterAll, expect, test } from "vitest";
import { lockDataDir } from "../../process/data-dir-lock.ts";
import { type EmbeddedPostgres, startPostgres } from "../embedded-postgres.ts";
import { readPostmaster } from "../postmaster.ts";
import { readArchives } from "./contents.ts";
import { keepArchive } from "./keep.ts";
import { planRestore } from "./plan.ts";
import { restoreArchive } from "./restore.ts";

const log = pino({ level: "silent" });
const root = mkdtempSync(join(tmpdir(), "palmira-archive-"));
// The shell must not stumble over it.
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

const start = () => startPostgres({ dataDir, log, backupDir, archiving: { everySeconds: 1 } });

/** Keeps the archive until it has a base backup of the present timeline. */
async function withBase({ url, dataFolder, archive }: EmbeddedPostgres): Promise<void> {
  const before = readArchives(backupDir)[0]?.bases.length ?? 0;
  const keeping = keepArchive({ url, dataFolder, archive: archive ?? "", log, timeZone: async () => "UTC" });
  await expect.poll(() => readArchives(backupDir)[0]?.bases.length).toBe(before + 1);
  await keeping.stop();
}

const note = (url: string, what: string) => query(url, `insert into notes values ('${what}')`);
const notes = async (url: string) =>
  (await query<{ what: string }>(url, "select what from notes")).map(({ what }) => what);
const now = async (url: string): Promise<Date> =>
  (await query<{ at: Date }>(url, "select clock_timestamp() as at"))[0]?.at ?? new Date();

/** Waits until what was written up to `at` is in the archive: nobody asks for it but the clock. */
const archivedSince = (at: Date) =>
  expect.poll(() => planRestore(readArchives(backupDir)[0] as never, at)).not.toBeNull();

async function restore(at: Date | null) {
  const [archive] = readArchives(backupDir);
  const plan = archive && planRestore(archive, at);
  if (!plan) throw new Error("there is no way");
  let seen: string[] = [];
  const steps = new Set<string>();
  const lock = lockDataDir(dataDir);
  const restored = await restoreArchive({
    plan,
    dataDir,
    progress: (step) => steps.add(step),
    finish: async (url) => {
      seen = await notes(url);
    },
    now: new Date(),
  });
  lock.release();
  return { ...restored, seen };
}

test("what was archived before the machine was lost is there again, and every moment can be gone back to, twice", async () => {
  const first = await start();
  await query(first.url, "create table notes (what text)");
  await withBase(first);
  await note(first.url, "kept");
  const early = await now(first.url);
  await note(first.url, "later");
  const late = await now(first.url);
  await archivedSince(late);

  // The machine is gone, with all that was on it.
  process.kill(readPostmaster(first.dataFolder)?.pid ?? 0, "SIGKILL");
  await first.stop();
  rmSync(dataDir, { recursive: true });

  const { seen, aside } = await restore(null);
  expect(seen).toEqual(["kept", "later"]);
  expect(aside).toBeNull();

  // It goes on from there, with the password of its new folder.
  const second = await start();
  expect(await notes(second.url)).toEqual(["kept", "later"]);
  await note(second.url, "after the restore");
  const afterwards = await now(second.url);
  await archivedSince(afterwards);
  await second.stop();

  const before = await restore(early);
  expect(before.seen).toEqual(["kept"]);
  expect(existsSync(before.aside ?? "")).toBe(true);
  const again = await restore(afterwards);
  expect(again.seen).toEqual(["kept", "later", "after the restore"]);

  const third = await start();
  expect(await notes(third.url)).toEqual(["kept", "later", "after the restore"]);
  await third.stop();
});
