import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { GoLiveCheck } from "../../domain/go-live/go-live.ts";
import { adminBrowser } from "../../test/admin.ts";
import { openTestShop, type TestShop } from "../../test/shop.ts";
import { issues } from "../issues/tables.ts";
import { clearFailure, recordFailure } from "../platform/embedded-postgres/archive/failure.ts";
import { archivesIn } from "../platform/embedded-postgres/archive/names.ts";
import { watchArchive, watchDataFolder, watchRecurring } from "./watch.ts";

const backupDir = mkdtempSync(join(tmpdir(), "palmira-backups-"));
let shop: TestShop;
let dataFolder: string;
beforeAll(async () => {
  shop = await openTestShop({ BACKUP_DIR: backupDir });
  // The check reads an embedded database's files. The tests' database is not embedded: these stand in for them.
  dataFolder = join(shop.dataDir, "postgres");
  mkdirSync(join(dataFolder, "global"), { recursive: true });
  writeFileSync(join(dataFolder, "global", "pg_control"), Buffer.from("0700000000000000", "hex"));
  mkdirSync(join(dataFolder, "pg_wal", "archive_status"), { recursive: true });
});
afterAll(async () => {
  await shop.stop();
  rmSync(backupDir, { recursive: true });
});

async function readArchiveCheck(): Promise<GoLiveCheck> {
  const { body } = await (await adminBrowser(shop)).get("/api/admin/go-live");
  const check = (body.data.checks as GoLiveCheck[]).find(({ id }) => id === "archive");
  if (!check) throw new Error("there is no such check");
  return check;
}
const findIssues = () => shop.database.db.select().from(issues).where(eq(issues.kind, "archive_failing"));

test("a failing archive raises one issue after five minutes, which closes once archiving works", async () => {
  expect(await readArchiveCheck()).toMatchObject({
    state: "problem",
    detail: expect.stringMatching("no base backup"),
  });

  const failedAt = shop.ctx.now();
  recordFailure(dataFolder, "there is no room left", failedAt);
  await watchArchive(shop.ctx);
  expect(await findIssues()).toEqual([]);

  shop.travel(6 * 60_000);
  recordFailure(dataFolder, "there is no room left", shop.ctx.now());
  await watchArchive(shop.ctx);
  await watchArchive(shop.ctx);
  expect(await findIssues()).toMatchObject([
    {
      subject: failedAt.toISOString(),
      message: expect.stringMatching("there is no room left"),
      resolvedAt: null,
    },
  ]);
  expect(await readArchiveCheck()).toMatchObject({
    state: "problem",
    detail: expect.stringMatching("no room left"),
  });
  const metrics = await shop.ctx.metrics.text();
  expect(metrics).toMatch(/^wal_archive_failing 1$/m);

  clearFailure(dataFolder);
  await watchArchive(shop.ctx);
  expect(await findIssues()).toMatchObject([{ resolution: expect.stringMatching("archived again") }]);
});

test("an archive without gaps is not a problem, but a warning if it is on the database's disk", async () => {
  const archive = join(archivesIn(backupDir), "7");
  const at = new Date(shop.ctx.now().getTime() - 60_000).toISOString();
  const name = at.replaceAll(/[-:.]/g, "");
  mkdirSync(join(archive, "base", name), { recursive: true });
  mkdirSync(join(archive, "wal", "0000000100000000"), { recursive: true });
  const segment = "000000010000000000000002";
  const manifest = { startedAt: at, stoppedAt: at, firstSegment: segment, stopLsn: "0/2000100" };
  writeFileSync(join(archive, "base", name, "manifest.json"), JSON.stringify(manifest));
  writeFileSync(join(archive, "wal", "0000000100000000", `${segment}.${name}.zst`), "");

  expect(await readArchiveCheck()).toMatchObject({
    state: "warning",
    detail: expect.stringMatching("same disk"),
  });
});

test("recurring work that fails for an hour raises one issue without personal data, which closes once the work succeeds", async () => {
  const { db } = shop.database;
  const error = "Failed query: delete from carts of ada@example.com\nparams: Ada";
  await db.execute(sql`
    insert into jobs (name, lane, payload, run_at, attempts, max_attempts, last_error, key)
    values ('housekeeping', 'upkeep', '{}', now() + interval '1 day', 3, 32767, ${error}, 'every:housekeeping')`);
  const workIssues = () => db.select().from(issues).where(eq(issues.kind, "work_failing"));
  await watchRecurring(shop.ctx);
  expect(await workIssues()).toEqual([]);
  await db.execute(sql`update jobs set updated_at = now() - interval '2 hours' where name = 'housekeeping'`);
  await watchRecurring(shop.ctx);
  await watchRecurring(shop.ctx);
  const [issue, ...others] = await workIssues();
  expect(others).toEqual([]);
  expect(issue?.message).toMatch(/“Delete old data”.*a\*\*\*@example\.com\. It is tried again/);
  expect(issue?.message).not.toContain("Ada");
  await db.execute(sql`update jobs set attempts = 0, last_error = null where name = 'housekeeping'`);
  await watchRecurring(shop.ctx);
  expect(await workIssues()).toMatchObject([{ resolution: "Automatically: the work is done again" }]);
});

test("a read-only data folder raises one issue, which closes once it is writable; a later failure raises a new one", async () => {
  const isFolderIssue = eq(issues.kind, "data_folder_failing");
  const read = () => shop.database.db.select().from(issues).where(isFolderIssue).orderBy(issues.id);
  const file = join(shop.dataDir, "no-folder");
  writeFileSync(file, "");
  const broken = { ...shop.ctx, config: { ...shop.ctx.config, dataDir: file } };
  await watchDataFolder(broken);
  await watchDataFolder(broken);
  expect(await read()).toMatchObject([{ message: expect.stringContaining(file), resolvedAt: null }]);
  await watchDataFolder(shop.ctx);
  expect(await read()).toMatchObject([{ resolution: expect.stringContaining("again") }]);
  shop.travel(60_000);
  await watchDataFolder(broken);
  expect(await read()).toHaveLength(2);
});
