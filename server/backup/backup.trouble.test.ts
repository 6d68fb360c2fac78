import { execFile, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { basename, join } from "node:path";
import { eq } from "drizzle-orm";
import pg from "pg";
import pino from "pino";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { adminBrowser } from "../../test/admin.ts";
import { confirm, order } from "../../test/checkout.ts";
import { createTestDatabase } from "../../test/database.ts";
import { withDatabase } from "../../test/database-url.ts";
import { commandOptions, programEnvironment } from "../../test/program-environment.ts";
import { openTestShop, type TestBrowser, type TestShop } from "../../test/shop.ts";
import { products } from "../catalog/tables.ts";
import { type Config, parseConfig } from "../platform/config.ts";
import { openDatabase, openPool } from "../platform/database/database.ts";
import { migrate } from "../platform/database/migrate.ts";
import { appliedMigrations, readMigrations } from "../platform/database/migrations.ts";
import { StartProblem } from "../platform/process/start-problem.ts";
import { checkBackup, withDatabaseOnShopServer } from "./check.ts";
import { backUpBeforeMigration, makeBackup } from "./commands.ts";
import { backUpNightly, followUpRestore } from "./feature.ts";
import { openBackupFile, writeBackupFile } from "./file.ts";
import { checkRestoredMoney } from "./money.ts";
import { lastGoodBackup } from "./queries.ts";
import { restoreBackup } from "./restore.ts";
import { surplusBackups } from "./retention.ts";
import { takeBackup } from "./take.ts";

const log = pino({ level: "silent" });
const folder = mkdtempSync(join(tmpdir(), "palmira-backup-"));
const path = join(folder, "shop.backup");
const picture = randomBytes(50_000);
let shop: TestShop;
let orderNumber: number;

beforeAll(async () => {
  shop = await openTestShop({ PAYMENTS: "sandbox" });
  const browser = shop.browser();
  await confirm(browser, await order(browser));
  await shop.jobsDone();
  // Characters that PostgreSQL's text format must escape.
  await shop.database.db
    .update(products)
    .set({ description: 'Tab\t, line\nend, \\backslash, "quotes", \\N, é, 👍' })
    .where(eq(products.id, 1));
  await query(
    "insert into picture_originals (file, bytes, sha256, size, type, width, height) values ($1, $2, sha256($2), $3, 'image/jpeg', 900, 900)",
    ["u-0123456789abcdef.jpg", picture, picture.length],
  );
  await query("insert into admin_sessions (token_hash, expires_at) values ('x', now() + interval '1 hour')");
  await query(`insert into push_devices (endpoint, p256dh, auth, wants, created_at, used_at)
    values ('https://push.example.com/1', 'x', 'x', '{order}', now(), now())`);
  await query("insert into secrets (name, sealed, key_id, updated_at) values ('web_push', 'x', 'x', now())");
  // A job in its last attempt, leased by a server that is sending its message.
  await query(
    `insert into jobs (name, lane, payload, run_at, attempts, max_attempts, key, leases, leased_until)
    values ('send_gift', 'mail', '{"to":"Ada"}', now() + interval '1 day', 1, 1, 'gift', 1, now() + interval '1 hour')`,
  );
  const { rows } = await query("select number from orders");
  orderNumber = rows[0].number;
  await takeBackup({ url: shop.database.directUrl, path, passphrase: null, pauseRatio: 0 });
});
afterAll(async () => {
  await shop.stop();
  rmSync(folder, { recursive: true, force: true });
});

const query = (statement: string, values: unknown[] = []) => shop.database.pool.query(statement, values);

/** An empty database whose owner is not a superuser, as on a managed server. */
async function createEmptyDatabase(): Promise<{
  url: string;
  query(statement: string): Promise<unknown[]>;
  drop(): Promise<void>;
}> {
  const adminUrl = inject("adminDatabaseUrl");
  const name = `palmira_restore_${randomBytes(6).toString("hex")}`;
  await queryDatabase(adminUrl, `create role ${name} login password 'plain'`);
  await queryDatabase(adminUrl, `grant ${name} to current_user`);
  await queryDatabase(adminUrl, `create database ${name} owner ${name}`);
  const url = new URL(withDatabase(adminUrl, name));
  url.username = name;
  url.password = "plain";
  return {
    url: url.href,
    query: (statement) => queryDatabase(url.href, statement),
    async drop() {
      await queryDatabase(adminUrl, `drop database ${name} with (force)`);
      await queryDatabase(adminUrl, `drop role ${name}`);
    },
  };
}

// biome-ignore lint/suspicious/noExplicitAny: rows of every shape
async function queryDatabase(connectionString: string, statement: string): Promise<any[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

const restore = async (url: string, { file = path, passphrase = null as string | null } = {}) =>
  restoreBackup({ url, file: await openBackupFile(file), passphrase, log, isRehearsal: false });

describe("a restore by a database owner without special rights", () => {
  let target: Awaited<ReturnType<typeof createEmptyDatabase>>;
  beforeAll(async () => {
    target = await createEmptyDatabase();
    await restore(target.url);
  });
  afterAll(() => target.drop());

  test("restores every row byte by byte, with constraints and triggers", async () => {
    const tables = `select relname as name from pg_class where relkind = 'r' and relpersistence = 'p' and relname <> 'built_files' and relnamespace = 'public'::regnamespace order by 1`;
    const names = (await target.query(tables)) as { name: string }[];
    expect(names).toEqual((await query(tables)).rows);
    // Exceptions: ended sessions, reset cursors, jobs that were in progress, and unlogged counters.
    const changedTables = [
      "admin_sessions",
      "event_cursors",
      "jobs",
      "push_devices",
      "rate_limits",
      "secrets",
    ];
    for (const { name } of names.filter((table) => !changedTables.includes(table.name))) {
      const allRows = `select coalesce(jsonb_agg(to_jsonb(t) order by to_jsonb(t)::text), '[]') as rows from ${name} t`;
      expect(await target.query(allRows), name).toEqual((await query(allRows)).rows);
    }
    const constraints = `select conrelid::regclass::text as t, conname, pg_get_constraintdef(oid) as is, convalidated from pg_constraint
      where connamespace = 'public'::regnamespace order by 1, 2`;
    expect(await target.query(constraints)).toEqual((await query(constraints)).rows);
    const triggers = `select tgrelid::regclass::text as t, tgname, tgenabled from pg_trigger where not tgisinternal order by 1, 2`;
    expect(await target.query(triggers)).toEqual((await query(triggers)).rows);
    expect(await target.query("select bytes from picture_originals")).toEqual([{ bytes: picture }]);
  });

  test("skips order numbers used since the backup, ends sessions and push subscriptions, and reads the provider's refunds again", async () => {
    const [row] = (await target.query("select nextval('order_numbers')::int as next")) as { next: number }[];
    expect(row?.next).toBeGreaterThan(orderNumber + 100);
    expect(await target.query("select from admin_sessions")).toEqual([]);
    expect(await target.query("select from push_devices")).toEqual([]);
    expect(await target.query("select from secrets where name = 'web_push'")).toEqual([]);
    expect(await target.query("select from event_cursors where objects_listed_at is not null")).toEqual([]);
  });

  test("queues all jobs again, including those in progress, and adds one that checks the time since the backup", async () => {
    const jobs = (await target.query(
      "select key, leased_until, attempts, max_attempts, run_at > now() as is_later from jobs where key in ('gift', 'after_restore') order by key",
    )) as object[];
    expect(jobs).toEqual([
      { key: "after_restore", leased_until: null, attempts: 0, max_attempts: 10, is_later: false },
      { key: "gift", leased_until: null, attempts: 0, max_attempts: 1, is_later: true },
    ]);
    expect(await target.query("select payload from jobs where key = 'gift'")).toEqual([
      { payload: { to: "Ada" } },
    ]);
  });

  test("never overwrites a shop that is in use", async () => {
    await expect(restore(target.url)).rejects.toThrow(
      /There is a shop already, and it is in use: it has .*Nothing was changed/,
    );
    expect(await target.query("select number from orders")).toEqual([{ number: orderNumber }]);
  });
});

describe("a restore that cannot succeed", () => {
  let target: Awaited<ReturnType<typeof createEmptyDatabase>>;
  beforeAll(async () => {
    target = await createEmptyDatabase();
  });
  afterAll(() => target.drop());
  const readTables = () =>
    target.query("select relname from pg_class where relnamespace = 'public'::regnamespace");

  test.each([
    ["cut off", (bytes: Buffer) => bytes.subarray(0, bytes.length - 1_000)],
    ["cut off in its header", (bytes: Buffer) => bytes.subarray(0, 60)],
    ["made longer", (bytes: Buffer) => Buffer.concat([bytes, Buffer.from("x")])],
    [
      "altered by a bit",
      (bytes: Buffer) => {
        const altered = Buffer.from(bytes);
        altered[altered.length >> 1] = (altered[altered.length >> 1] ?? 0) ^ 1;
        return altered;
      },
    ],
  ])("is refused before anything is written if the file was %s", async (_, damage) => {
    const file = join(folder, "damaged.backup");
    writeFileSync(file, damage(readFileSync(path)));
    await expect(restore(target.url, { file })).rejects.toThrow(/is damaged.*Nothing was changed/);
    expect(await readTables()).toEqual([]);
  });

  test("is refused if the program lacks some of the backup’s migrations", async () => {
    const { header } = await openBackupFile(path);
    const file = join(folder, "newer.backup");
    const migrations = [...header.migrations, "9999_of_next_year"];
    const content = (async function* () {
      yield Buffer.from("x");
    })();
    await writeBackupFile(file, { header: { ...header, migrations }, content, passphrase: null });
    await expect(restore(target.url, { file })).rejects.toThrow(
      /newer version of the shop .*9999_of_next_year/,
    );
    expect(await readTables()).toEqual([]);
  });

  async function openSession(name: string): Promise<pg.Client> {
    const session = new pg.Client({ connectionString: target.url, application_name: name });
    await session.connect();
    return session;
  }

  test.for(["palmira-queue", "palmira-feed"])(
    "is refused while a server of the shop runs (%s)",
    async (name) => {
      const session = await openSession(name);
      await expect(restore(target.url)).rejects.toThrow(/A shop is running on this database/);
      await session.end();
      expect(await readTables()).toEqual([]);
    },
  );

  test("is refused if the database has other tables", async () => {
    await target.query("create table of_another_program (id int)");
    const refused = restore(target.url);
    await expect(refused).rejects.toThrow(StartProblem);
    await expect(refused).rejects.toThrow(/tables that are not the shop’s \(of_another_program\)/);
    await target.query("drop table of_another_program");
  });

  test("is rolled back if the file's rows are incomplete, and can be repeated", async () => {
    const { header, content } = await openBackupFile(path);
    const file = join(folder, "halved.backup");
    const firstBytes = (async function* () {
      let bytes = 0;
      for await (const part of content(null)) {
        yield part.subarray(0, 20_000 - bytes);
        bytes += part.length;
        if (bytes >= 20_000) return;
      }
    })();
    await writeBackupFile(file, { header, content: firstBytes, passphrase: null });
    await expect(restore(target.url, { file })).rejects.toThrow();
    expect(await target.query("select from visitors")).toEqual([]);

    // A server has just stopped, but PostgreSQL ends its sessions a little later.
    const sessions = [await openSession("palmira-queue"), await openSession("palmira-feed")];
    setTimeout(() => void sessions.map((session) => session.end()), 500);
    await restore(target.url);
    expect(await target.query("select number from orders")).toEqual([{ number: orderNumber }]);
  });
});

test("an encrypted file needs its passphrase, leaks no content, and is refused if its parts were rearranged", async () => {
  const file = join(folder, "secret.backup");
  await takeBackup({ url: shop.database.directUrl, path: file, passphrase: "correct horse", pauseRatio: 0 });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const readContent = async (passphrase: string | null) => {
    const parts = [];
    for await (const part of (await openBackupFile(file)).content(passphrase)) parts.push(part);
    return Buffer.concat(parts);
  };
  expect((await readContent("correct horse")).includes("ada@example.com")).toBe(true);
  await expect(readContent(null)).rejects.toThrow(/is encrypted: set BACKUP_PASSPHRASE/);
  await expect(readContent("wrong horse")).rejects.toThrow(/The passphrase is not the one/);
  expect(readFileSync(file).includes("ada@example.com")).toBe(false);
  const { status, stderr } = spawnSync(process.execPath, [...commandOptions, "scripts/restore.ts", file], {
    encoding: "utf8",
    env: { ...programEnvironment(), DATA_DIR: join(folder, "none") },
  });
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: "The backup is encrypted: set BACKUP_PASSPHRASE, or enter it. Nothing was changed.\n",
  });
});

test("the check restores a file with a temporary PostgreSQL, compares it, and cleans up", async () => {
  const scratch = join(folder, "scratch");
  const options = { folder: scratch, shopDatabaseUrl: null, log, passphrase: null };
  const verdict = await checkBackup({
    ...options,
    path,
    async checkMoney(url, takenAt) {
      const restored = openDatabase(url, log);
      const later = new Date(takenAt.getTime() + 60 * 60_000);
      const lines = await checkRestoredMoney(shop.ctx, restored.db, later);
      await restored.end();
      return lines;
    },
  });
  expect(verdict).toMatchObject({ isGood: true, sums: { orders: 1, paidCents: 3590, pictures: 8 } });
  expect(verdict.lines.join("\n")).toMatch(/Orders: 1 of \$35\.90\. Paid: \$35\.90\./);
  expect(verdict.lines.at(-1)).toMatch(
    /^Money check: 1 payments? .*\$35\.90 in, \$0\.00 back; the same at the sandbox/,
  );
  expect(readdirSync(scratch)).toEqual([]);

  const cutFile = join(folder, "cut.backup");
  writeFileSync(cutFile, readFileSync(path));
  truncateSync(cutFile, 5_000);
  expect(await checkBackup({ ...options, path: cutFile })).toMatchObject({
    isGood: false,
    lines: [expect.stringMatching(/damaged/)],
  });
});

test("a check on the shop's own server drops the databases left by killed checks, but not those of a running check or another shop", async () => {
  const { pool, url } = shop.database;
  const otherShop = await createTestDatabase();
  const countDatabases = async () =>
    (await pool.query("select from pg_database where starts_with(datname, 'palmira_check_')")).rowCount;
  const { rows } = await pool.query("select oid from pg_database where datname = current_database()");
  await pool.query(`create database palmira_check_${rows[0].oid}_0123abcd`);
  await withDatabaseOnShopServer(url, async () => {
    expect(await countDatabases()).toBe(1);
    await withDatabaseOnShopServer(url, async () => expect(await countDatabases()).toBe(2));
    await withDatabaseOnShopServer(otherShop.url, async () => expect(await countDatabases()).toBe(2));
  });
  expect(await countDatabases()).toBe(0);
  await otherShop.drop();
});

test("a folder or a file of another kind is neither restored nor overwritten, and the command prints the reason in one line", async () => {
  await expect(openBackupFile(folder)).rejects.toThrow(/is not a backup of this shop/);
  const notes = join(folder, "notes.txt");
  writeFileSync(notes, "Remember the milk");
  const { stderr } = spawnSync(process.execPath, [...commandOptions, "scripts/backup.ts", notes], {
    encoding: "utf8",
    env: { ...programEnvironment(), DATA_DIR: join(folder, "none") },
  });
  expect(stderr).toBe(`${notes} is not a backup of this shop.\n`);
  const restore = spawnSync(process.execPath, [...commandOptions, "scripts/restore.ts", path], {
    encoding: "utf8",
    env: { ...programEnvironment(), DATA_DIR: join(notes, "data") },
  });
  expect(restore.stderr).toMatch(/^DATA_DIR: .* cannot be made: ENOTDIR: not a directory, mkdir '[^']*'\n$/);
});

test("an interrupted backup leaves no file", async () => {
  const file = join(folder, "broken-off.backup");
  const controller = new AbortController();
  const url = shop.database.directUrl;
  const interruptedBackup = takeBackup({
    url,
    path: file,
    passphrase: null,
    pauseRatio: 0,
    signal: controller.signal,
    onProgress: () => controller.abort(),
  });
  await expect(interruptedBackup).rejects.toThrow();
  expect(readdirSync(folder).filter((name) => name.startsWith("broken-off"))).toEqual([]);
});

describe("in the panel", () => {
  let owner: TestBrowser;
  const readLatestBackup = async () => (await owner.get("/api/admin/backups")).body.data.backups[0];
  const readBackupState = async () =>
    (await owner.get("/api/admin/go-live")).body.data.checks.find(
      ({ id }: { id: string }) => id === "backup",
    );
  const readOpenIssues = async () =>
    (await query("select message from issues where kind = 'backup' and resolved_at is null")).rows;
  beforeAll(async () => {
    owner = await adminBrowser(shop);
  });

  test("a backup made and tested by commands is listed as tested, and a bad copy changes nothing", async () => {
    const file = join(folder, "by-hand.backup");
    const runBackup = (...args: string[]) =>
      new Promise<string>((done) => {
        const env = {
          ...programEnvironment(),
          PAYMENTS: "sandbox",
          DATABASE_URL: shop.database.url,
          DATA_DIR: join(folder, "command-data"),
        };
        execFile(
          process.execPath,
          [...commandOptions, "scripts/backup.ts", ...args],
          { env },
          (_, stdout, stderr) => done(stdout + stderr),
        );
      });
    const readTest = async () => {
      const page: string = (await owner.get("/admin/backups")).body;
      return { backup: await readLatestBackup(), page: page.replace(/<script.*?<\/script>/gs, "") };
    };
    expect(await runBackup(file)).toContain(file);
    expect((await readTest()).page).toContain("Not tested");
    const copy = join(folder, "elsewhere.backup");
    writeFileSync(copy, readFileSync(file));
    expect(await runBackup("--check", copy)).toMatch(/Good: .*\nThe panel shows this result under Backups\./);
    const { backup, page } = await readTest();
    expect(backup).toMatchObject({ kind: "by_hand", status: "done", isTestGood: true });
    expect(backup.testLines[0]).toMatch(/^It is complete/);
    expect(page).toContain("Restore was tested on");
    expect(page).not.toContain("Not tested");
    expect((await lastGoodBackup(shop.database.db))?.testedAt).not.toBeNull();

    truncateSync(copy, 5_000);
    expect(await runBackup("--check", copy)).toMatch(/is damaged/);
    expect((await readTest()).backup).toEqual(backup);
    await query("update backups set is_test_good = false");
    expect(await runBackup("--check", file)).not.toContain("The panel shows");
    expect((await readTest()).backup).toMatchObject({ isTestGood: false });
    await query("delete from backups");
  });

  test("a requested backup is created, tested and listed, and only the panel's users can download it", async () => {
    expect((await readBackupState()).state).toBe("warning");
    const isStale = "requested_at < now() - interval '4 hours'";
    await query(
      "insert into backups (kind, status, requested_at) values ('manual', 'saving', now() - interval '5 hours')",
    );
    const [firstResponse, secondResponse] = await Promise.all([
      owner.post("/api/admin/backups"),
      owner.post("/api/admin/backups"),
    ]);
    expect([firstResponse.status, secondResponse.body.data.id]).toEqual([202, firstResponse.body.data.id]);
    await shop.jobsDone();
    expect((await query(`select status from backups where ${isStale}`)).rows).toEqual([{ status: "failed" }]);
    const backup = await readLatestBackup();
    expect(backup).toMatchObject({
      kind: "manual",
      status: "done",
      orders: 1,
      isTestGood: true,
      isHere: true,
      problem: null,
    });
    expect(readdirSync(join(shop.dataDir, "backups"))).toEqual([basename(backup.path)]);
    expect(await readBackupState()).toMatchObject({
      state: "ok",
      detail: expect.stringMatching(/restored for a test/),
    });
    expect(await shop.ctx.metrics.text()).toMatch(/^backup_last_good 1$/m);

    const file = await owner.fetch(`/api/admin/backups/${backup.id}/file`);
    expect(Buffer.from(await file.arrayBuffer()).equals(readFileSync(backup.path))).toBe(true);
    expect(file.headers.get("content-disposition")).toBe(`attachment; filename="${basename(backup.path)}"`);
    expect((await owner.get("/api/admin/backups/999/file")).status).toBe(404);
    const stranger = shop.browser();
    expect((await stranger.fetch(`/api/admin/backups/${backup.id}/file`)).status).toBe(401);
    expect((await stranger.get("/api/admin/backups")).status).toBe(401);
  });

  test("the nightly backup is created once for all servers; a failure is reported until one succeeds", async () => {
    const folder = join(shop.dataDir, "backups");
    rmSync(folder, { recursive: true });
    writeFileSync(folder, "in the way");
    // Travel to noon: the nightly backup is due from three in the morning on.
    const noon = new Date(shop.ctx.now().getTime() + 3 * 24 * 60 * 60_000).setUTCHours(12, 0, 0, 0);
    shop.travel(noon - shop.ctx.now().getTime());
    owner = await adminBrowser(shop);
    await Promise.all([backUpNightly(shop.ctx), backUpNightly(shop.ctx)]);
    await shop.jobsDone();
    expect(await readLatestBackup()).toMatchObject({ kind: "nightly", status: "failed" });
    expect(await readOpenIssues()).toEqual([
      { message: expect.stringMatching(/^The last good backup is from /) },
      { message: expect.stringMatching(/^A backup failed\. Backups cannot be written to .*set BACKUP_DIR/) },
    ]);
    await backUpNightly(shop.ctx);
    expect((await query("select from backups where kind = 'nightly'")).rowCount).toBe(1);

    rmSync(folder);
    shop.travel(60 * 60_000);
    await backUpNightly(shop.ctx);
    await shop.jobsDone();
    expect(await readLatestBackup()).toMatchObject({ kind: "nightly", status: "done", isTestGood: true });
    expect(await readOpenIssues()).toEqual([]);
    await backUpNightly(shop.ctx);
    expect((await query("select from backups where kind = 'nightly'")).rowCount).toBe(2);
  });

  test("a backup that a wrong clock dated a year ahead does not prevent tonight's backup, nor does it count as the last good one", async () => {
    await query(
      "insert into backups (kind, status, requested_at, taken_at) select 'nightly', 'done', at, at from (select now() + interval '1 year' as at) as ahead",
    );
    const countNightly = async () => (await query("select from backups where kind = 'nightly'")).rowCount;
    const before = (await countNightly()) ?? 0;
    const noon = new Date(shop.ctx.now().getTime() + 24 * 60 * 60_000).setUTCHours(12, 0, 0, 0);
    shop.travel(noon - shop.ctx.now().getTime());
    // Fails immediately, which costs less than a backup and its test.
    const backupFolder = join(shop.dataDir, "backups");
    rmSync(backupFolder, { recursive: true });
    writeFileSync(backupFolder, "in the way");
    await backUpNightly(shop.ctx);
    expect(await countNightly()).toBe(before + 1);
    const lastTakenAt = (await lastGoodBackup(shop.database.db))?.takenAt ?? new Date(0);
    expect(lastTakenAt.getTime()).toBeLessThan(shop.ctx.now().getTime());
    await shop.jobsDone();
    rmSync(backupFolder);
    mkdirSync(backupFolder);
    await query("delete from backups where requested_at > now() + interval '300 days'");
  });

  test("a retried backup deletes the file of the earlier attempt", async () => {
    const partialFile = join(shop.dataDir, "backups", "left.backup");
    writeFileSync(partialFile, "finished, and killed before its test");
    const { rows } = await query(
      "insert into backups (kind, status, server, path) values ('manual', 'testing', $1, $2) returning id::int",
      [hostname(), partialFile],
    );
    const abortedAttempt = { signal: AbortSignal.abort(), isLastAttempt: false };
    await expect(makeBackup(shop.ctx, rows[0].id, abortedAttempt)).rejects.toThrow(/abort/i);
    expect(existsSync(partialFile)).toBe(false);
    await query("delete from backups where id = $1", [rows[0].id]);
  });

  test("after a restore the owner is notified, and the time since the backup is checked with the provider", async () => {
    const createdAt = new Date(Date.now() - 60_000).toISOString();
    await followUpRestore(shop.ctx, createdAt);
    await shop.jobsDone();
    const issues = await query("select message from issues where kind = 'restored'");
    expect(issues.rows).toEqual([
      { message: expect.stringContaining(createdAt.slice(0, 16).replace("T", " ")) },
    ]);
    const checks = await query("select status from money_checks where period_from = $1", [createdAt]);
    expect(checks.rows).toEqual([{ status: "done" }]);
  });
});

test("the last backup of each of the past 7 days and 4 weeks is kept, and so are the newest few requested ones", () => {
  const day = 24 * 60 * 60_000;
  const nights = Array.from({ length: 60 }, (_, nth) => ({
    kind: "nightly" as const,
    status: "done" as const,
    requestedAt: new Date(Date.UTC(2026, 10, 22, 4) - nth * day),
  }));
  const otherBackups = (["manual", "before_migration", "by_hand"] as const).flatMap((kind) =>
    nights.slice(0, 10).map((row) => ({ ...row, kind })),
  );
  const rows = [...nights, ...otherBackups];
  const surplus = new Set<object>(surplusBackups(rows, "UTC"));
  const countRetained = (kind: string) => rows.filter((row) => row.kind === kind && !surplus.has(row)).length;
  const keptNights = nights.flatMap((row, nth) => (surplus.has(row) ? [] : [nth]));
  expect(keptNights.slice(0, 7)).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(keptNights.length).toBeGreaterThan(8);
  expect(keptNights.at(-1)).toBeGreaterThan(13);
  expect([countRetained("manual"), countRetained("before_migration"), countRetained("by_hand")]).toEqual([
    5, 3, 10,
  ]);
});

test("a shop is backed up before a migration, and not migrated if the backup fails", async () => {
  const target = await createEmptyDatabase();
  const pool = openPool(target.url, log, { name: "palmira-start", max: 2 });
  const names = readMigrations().map(({ name }) => name);
  await migrate(pool, log, { upTo: names.at(-2) ?? "" });
  const parsed = parseConfig({ BACKUP_DIR: join(folder, "before") });
  if (!parsed.ok) throw new Error(parsed.problems.join());
  const migrateWithBackup = (config: Config) =>
    migrate(pool, log, {
      beforeChange: async () => {
        await backUpBeforeMigration(target.url, config);
      },
    });
  writeFileSync(join(folder, "a-file"), "");
  const unwritableDir = { path: join(folder, "a-file"), isConfigured: true };
  await expect(migrateWithBackup({ ...parsed.config, backupDir: unwritableDir })).rejects.toThrow(
    /not migrated, because no backup .* BACKUP_BEFORE_MIGRATION=0/,
  );
  expect((await appliedMigrations(pool)).at(-1)).toBe(names.at(-2));

  await migrateWithBackup(parsed.config);
  await migrateWithBackup(parsed.config);
  expect(await appliedMigrations(pool)).toEqual(names);
  const files = readdirSync(join(folder, "before"));
  expect(files).toEqual([expect.stringMatching(/-before-migration\.backup$/)]);
  const { header } = await openBackupFile(join(folder, "before", files[0] ?? ""));
  expect(header.migrations.at(-1)).toBe(names.at(-2));
  await pool.end();
  await target.drop();
});

test("a restore replaces a shop that was never used", async () => {
  const database = await createTestDatabase();
  const unused = await openTestShop({}, { database });
  await adminBrowser(unused);
  await unused.browser().get("/");
  await unused.jobsDone();
  await unused.stop();
  await database.opened.end();
  await restore(database.directUrl);
  expect(await queryDatabase(database.directUrl, "select number from orders")).toEqual([
    { number: orderNumber },
  ]);
  await database.drop();
});

test("a backup names every migration of its database", async () => {
  const { header } = await openBackupFile(path);
  expect(header.migrations).toEqual(readMigrations().map(({ name }) => name));
});
