import { randomBytes } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { monthRange } from "../../domain/books/statement.ts";
import { dateIn, startOfDay } from "../../domain/shared/zoned-days.ts";
import { restoreOffSite } from "../../scripts/commands/restore-off-site.ts";
import { adminBrowser, send } from "../../test/admin.ts";
import { openBucketServer, refuse } from "../../test/bucket-server.ts";
import { confirm, order } from "../../test/checkout.ts";
import { openTestShop, type TestBrowser, type TestShop } from "../../test/shop.ts";
import { unzip } from "../../test/zip.ts";
import { fileTimestamp } from "../platform/embedded-postgres/archive/names.ts";
import { moreToDo } from "../platform/jobs/jobs.ts";
import { dueMonth } from "./off-site/books.ts";
import { openBucket } from "./off-site/bucket.ts";
import { surplusFiles } from "./off-site/local-files.ts";
import { pieceObjectKey, storedFiles } from "./off-site/pieces.ts";
import { offSiteUpload } from "./off-site/upload.ts";
import { backupName, takeBackup } from "./take.ts";

const dayMs = 24 * 60 * 60_000;
let store: Awaited<ReturnType<typeof openBucketServer>>;
let shop: TestShop;
let owner: TestBrowser;
let passphrase: string;
let soldAt: Date;

beforeAll(async () => {
  store = await openBucketServer();
  shop = await openTestShop({ PAYMENTS: "sandbox", OWNER_EMAIL: "owner@example.com" });
  const browser = shop.browser();
  await confirm(browser, await order(browser));
  soldAt = new Date();
  owner = await adminBrowser(shop);
});
afterAll(async () => {
  await shop.stop();
  await store.close();
});
beforeEach(() => store.fail(null));

const readState = async () => (await owner.get("/api/admin/off-site")).body.data;
const saveDestination = async (fields: object = {}) =>
  send(owner, "PUT", "/api/admin/off-site", {
    ...store.form,
    version: (await readState()).version,
    ...fields,
  });
const confirmPassphrase = (passphrase: string) =>
  send(owner, "PUT", "/api/admin/off-site/passphrase", { passphrase });
/** The upload task of one server, which remembers what it has uploaded. */
const createUploader = (ctx = shop.ctx) => {
  const { task } = offSiteUpload(ctx);
  return () => task.run({}, { attempt: 1, isLastAttempt: false, signal: new AbortController().signal });
};
const upload = (run = createUploader()) => run();
const query = (text: string) => shop.database.pool.query(text);
const readOpenIssues = async () =>
  (await query("select message from issues where kind like 'off_site%' and resolved_at is null")).rows.map(
    ({ message }) => message,
  );
/** Signs in again, since the clock was moved. */
const readStateAnew = async () => {
  owner = await adminBrowser(shop);
  return readState();
};
/** Adds a backup file of `bytes`, dated yesterday. */
async function addBackup(bytes: number): Promise<string> {
  timeOffsetMs += 1_000;
  const name = backupName("manual", new Date(Date.now() - dayMs + timeOffsetMs));
  writeFileSync(join(shop.dataDir, "backups", name), randomBytes(bytes));
  await listBackup(name, bytes);
  return name;
}
let timeOffsetMs = 0;
const listBackup = (name: string, bytes: number) =>
  query(
    `insert into backups (kind, status, path, bytes) values ('manual', 'done', '${join(shop.dataDir, "backups", name)}', ${bytes})`,
  );
/** Creates a backup as the panel does, but for its test; returns its name. */
async function createBackup(): Promise<string> {
  const name = backupName("manual", new Date());
  const path = join(shop.dataDir, "backups", name);
  const { bytes } = await takeBackup({ url: shop.database.directUrl, path, passphrase: null, pauseRatio: 0 });
  await listBackup(name, bytes);
  return name;
}

describe("the test of a bucket before it is stored", () => {
  test.each([
    ["an unknown key", { accessKeyId: "AKIA" }, /accessKeyId.*not known/],
    ["a wrong secret", { secretAccessKey: "wrong" }, /secretAccessKey.*does not fit/],
    ["a missing bucket", { bucket: "gone" }, /bucket.*There is no bucket gone/],
    ["an address with a path", { endpoint: "https://s3.example.com/x" }, /endpoint.*without the bucket/],
    [
      "an unreachable service",
      { endpoint: "http://127.0.0.1:9" },
      /provider_unavailable.*could not be reached/,
    ],
  ])("refuses %s in plain words", async (_, fields, message) => {
    const response = await saveDestination(fields);
    expect(JSON.stringify(response.body)).toMatch(message);
    expect((await readState()).destination).toBeNull();
  });

  test.each([
    ["a key that may not write", 403, "AccessDenied", /may not write to the bucket shop-backups/],
    ["a wrong region", 301, "PermanentRedirect", /region.*another region/],
    ["a broken service", 503, "SlowDown", /provider_unavailable.*answered SlowDown/],
  ])("refuses %s in plain words", async (_, status, code, message) => {
    store.fail(({ method }, response) => method === "PUT" && refuse(response, status, code));
    expect(JSON.stringify((await saveDestination()).body)).toMatch(message);
  });

  test("reports the error of this machine's clock", async () => {
    const date = new Date(Date.now() - 3 * 60 * 60_000).toUTCString();
    store.fail((_, response) => refuse(response, 403, "RequestTimeTooSkewed", { Date: date }));
    expect((await saveDestination()).body.message).toMatch(/clock of this machine differs .* by 180 minutes/);
  });

  test("stores a bucket that works without showing its secret, e-mails the owner, and leaves no test file in it", async () => {
    const response = await saveDestination();
    expect(response).toMatchObject({
      status: 200,
      body: { data: { destination: { bucket: "shop-backups" }, passphrase: "none" } },
    });
    expect(JSON.stringify(response.body)).not.toContain("secretAccessKey");
    expect(store.names()).toEqual([]);
    const { rows } = await query(
      "select data ->> 'what' as what from messages where kind = 'owner_security'",
    );
    expect(rows).toContainEqual({ what: "Off-site backups: the destination was changed" });
    expect((await saveDestination({ version: 0 })).body.error).toBe("invalid_state");
    // An empty field keeps the stored secret, which is never sent to another address.
    expect((await saveDestination({ secretAccessKey: "" })).status).toBe(200);
    const otherEndpoint = await saveDestination({ secretAccessKey: "", endpoint: "https://s3.example.com" });
    expect(otherEndpoint.body.fields).toEqual({ secretAccessKey: "Enter it again for this address and key" });
  });
});

test("backups are uploaded only after the passphrase was typed again, and are encrypted and tested", async () => {
  const name = await createBackup();
  await upload();
  expect(store.names()).toEqual([]);
  ({ passphrase } = (await owner.post("/api/admin/off-site/passphrase")).body.data);
  expect(passphrase).toMatch(/^(\w{5}-){4}\w{5}$/);
  await upload();
  expect(store.names()).toEqual([]);
  expect((await confirmPassphrase("abcde-abcde-abcde-abcde-abcde")).body.fields).toEqual({
    passphrase: "This is another one",
  });
  expect((await confirmPassphrase(passphrase)).body.data.passphrase).toBe("panel");
  expect((await owner.post("/api/admin/off-site/passphrase")).body.error).toBe("invalid_state");

  await upload();
  expect(store.names()).toEqual([`palmira/backups/${name}.00001-of-00001`, "palmira/palmira.json"]);
  for (const name of store.names()) expect(store.read(name).includes("ada@example.com")).toBe(false);
  expect(await readState()).toMatchObject({
    waiting: { files: 0 },
    failure: null,
    backups: [{ name }],
    check: {
      name,
      isGood: true,
      lines: expect.arrayContaining([expect.stringMatching(/^Orders: 1 /)]),
    },
  });
  expect(await shop.ctx.metrics.text()).toMatch(/^off_site_backup_age_seconds \d{1,3}(\.\d+)?$/m);
  const { checks } = (await owner.get("/api/admin/go-live")).body.data;
  expect(checks).toContainEqual(
    expect.objectContaining({
      id: "offsite_backup",
      state: "ok",
      detail: expect.stringMatching(/^1 is in the bucket/),
    }),
  );
  const { rows } = await query("select summary from activity where summary like '%passphrase of off-site%'");
  expect(rows.length).toBe(1);
  // As stored by a version without accountant's files.
  await query("update secrets set facts = facts - 'books' where name = 'off_site_state'");
  expect(await readState()).toMatchObject({ backups: [{ name }], books: [], check: { isGood: true } });
});

test("a large file is uploaded in parts; after a lost connection or a kill only the missing ones are sent", async () => {
  const name = await addBackup(7 * 1024 ** 2);
  let remainingUploads = 2;
  store.fail((request, response) => {
    if (request.method !== "PUT") return false;
    remainingUploads -= 1;
    if (remainingUploads >= 0) return false;
    // Every retry is cut off in the middle of its body as well.
    request.once("data", () => response.socket?.destroy());
    return true;
  });
  await upload();
  expect(await readState()).toMatchObject({
    waiting: { files: 1 },
    failure: { message: expect.stringMatching(/could not be reached/) },
  });
  const before = store.writes();
  // Uploads pause after a failure.
  store.fail(null);
  await upload();
  expect(store.writes()).toBe(before);
  shop.travel(60_000);
  await upload();
  expect(store.writes() - before).toBe(2);
  expect((await readState()).backups).toContainEqual(expect.objectContaining({ name }));
});

test("a file that cannot be read is reported and does not delay other files", async () => {
  const unreadable = await addBackup(1);
  const path = join(shop.dataDir, "backups", unreadable);
  rmSync(path);
  mkdirSync(path);
  const name = await addBackup(1);
  await upload();
  expect(store.names()).toContain(`palmira/backups/${name}.00001-of-00001`);
  expect((await readState()).failure.message).toContain("EISDIR");
  await query(`delete from backups where path = '${path}'`);
  shop.travel(60_000);
  await upload();
  expect((await readStateAnew()).failure).toBeNull();
});

test("two servers that share a folder upload each backup once", async () => {
  const [firstServer, secondServer] = [createUploader(), createUploader()];
  await Promise.all([upload(firstServer), upload(secondServer)]);
  await addBackup(100);
  const before = store.writes();
  await upload(firstServer);
  await upload(secondServer);
  await upload(firstServer);
  expect(store.writes() - before).toBe(1);
});

describe("a failure while backups are uploaded", () => {
  afterEach(async () => {
    store.fail(null);
    shop.travel(11 * 60_000);
    await upload();
    expect(await readOpenIssues()).toEqual([]);
    expect((await readState()).failure).toBeNull();
    expect(await shop.ctx.metrics.text()).toMatch(/^off_site_behind 0$/m);
  });

  test.each([
    ["a key that was revoked", 403, "AccessDenied", /may not read and list the bucket shop-backups/],
    ["a bucket that is gone", 404, "NoSuchBucket", /There is no bucket shop-backups/],
  ])("%s is reported after a quarter of an hour", async (_, status, code, message) => {
    store.fail((_request, response) => refuse(response, status, code));
    await upload();
    expect((await readState()).failure.message).toMatch(message);
    expect(await readOpenIssues()).toEqual([]);
    shop.travel(16 * 60_000);
    await upload();
    expect(await readOpenIssues()).toEqual([expect.stringMatching(message)]);
    expect(await shop.ctx.metrics.text()).toMatch(/^off_site_behind 1$/m);
  });

  test("caused by a clock that was a year ahead ends once the clock is right, and a failure that lasts is then reported", async () => {
    shop.travel(365 * dayMs);
    store.fail((_, response) => refuse(response, 403, "RequestTimeTooSkewed"));
    await upload();
    shop.travel(-365 * dayMs);
    store.fail((_, response) => refuse(response, 403, "AccessDenied"));
    await upload();
    expect((await readState()).failure.message).toMatch(/may not read and list/);
    shop.travel(16 * 60_000);
    await upload();
    expect(await readOpenIssues()).toEqual([expect.stringMatching(/may not read and list/)]);
  });

  test.each([
    ["a page in place of the list", "<html><title>Sign in to this network</title></html>"],
    ["a list that was cut", "<ListBucketResult><Contents><Key>palmira/backups/a</Key>"],
    ["entries that never end", `<ListBucketResult>${"<Contents>".repeat(40_000)}</ListBucketResult>`],
    ["a list without its next page", "<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>"],
  ])("%s is not accepted as a list of objects, and nothing is uploaded again", async (_, body) => {
    const { backups } = await readState();
    const before = store.writes();
    store.fail(({ url = "" }, response) => {
      if (!url.includes("list-type")) return false;
      response.writeHead(200, { "Content-Type": "application/xml" }).end(body);
      return true;
    });
    await upload();
    expect(await readState()).toMatchObject({
      backups,
      failure: { message: expect.stringMatching(/did not answer with the whole list/) },
    });
    expect(store.writes()).toBe(before);
  });

  test("caused by a damaged upload is followed by an immediate retry, and reported with the file's name if it recurs", async () => {
    const bucket = openBucket(store.form, { pauses: [1] });
    let damaged = 1;
    store.fail((_, response) => damaged-- > 0 && refuse(response, 400, "XAmzContentSHA256Mismatch"));
    await bucket.put("checks/repeated", Buffer.from("x"));
    await bucket.remove("checks/repeated");
    store.fail((_, response) => refuse(response, 400, "XAmzContentSHA256Mismatch"));
    await expect(bucket.put("checks/damaged", Buffer.from("x"))).rejects.toThrow(/was damaged on its way to/);
  });

  test("of a service that never responds ends in a timeout", async () => {
    store.fail(() => true);
    const silentBucket = openBucket(store.form, { timeoutMs: 100, pauses: [1] });
    await expect(silentBucket.list("")).rejects.toThrow(/could not be reached \(no answer in time\)/);
  });
});

describe("the accountant's file of a month", () => {
  const hourMs = 60 * 60_000;
  const booksFiles = () => store.names().filter((name) => name.startsWith("palmira/books/"));
  const server = (dataDir: string) => {
    const config = { ...shop.ctx.config, dataDir };
    const account = { mode: "live" as const, account: "acct_2" };
    const ctx = { ...shop.ctx, config, provider: { ...shop.ctx.provider, ...account } };
    const run = createUploader(ctx);
    const waitingFiles = () =>
      existsSync(join(dataDir, "off-site-books")) ? readdirSync(join(dataDir, "off-site-books")) : [];
    const uploadAll = async () => {
      while ((await run()) === moreToDo);
    };
    return { ctx, waitingFiles, upload: uploadAll };
  };
  let month: string;

  test("is made once the provider's entries of the whole month have been read, and is copied once, by the first server that can", async () => {
    await query("update orders set mode = 'live'");
    const [first, second] = [server(join(shop.dataDir, "first")), server(join(shop.dataDir, "second"))];
    const { timeZone } = await shop.ctx.ownerSettings();
    const soldOn = dateIn(timeZone, soldAt);
    month = soldOn.slice(0, 7);
    const monthEnd = startOfDay(timeZone, monthRange(soldOn, 1).from);
    shop.travel(monthEnd.getTime() - shop.ctx.now().getTime() + 5 * hourMs);
    const readUntil = (at: Date, account = "acct_2") =>
      query(`insert into balance_cursors (provider, mode, account, read_until, read_at)
        values ('${shop.ctx.provider.name}', 'live', '${account}', '${at.toISOString()}', now())
        on conflict (provider, mode, account) do update set read_until = excluded.read_until`);
    const dueAfter = (hours: number) =>
      dueMonth({ ...first.ctx, now: () => new Date(monthEnd.getTime() + hours * hourMs) }, new Map());
    await readUntil(monthEnd);
    await first.upload();
    expect((await readStateAnew()).books).toEqual([]);
    shop.travel(hourMs);
    // Entries of the account whose keys the shop had before.
    await readUntil(monthEnd, "acct_1");
    await readUntil(new Date(monthEnd.getTime() - 1));
    await first.upload();
    // A shop with only test payments gets no accountant's file.
    await upload();
    expect(booksFiles()).toEqual([]);
    expect([await dueAfter(71), await dueAfter(72)]).toEqual([null, month]);

    await readUntil(monthEnd);
    store.fail((request, response) => {
      if (request.method !== "PUT" || !request.url?.includes("/books/")) return false;
      request.once("data", () => response.socket?.destroy());
      return true;
    });
    await first.upload();
    expect(await readStateAnew()).toMatchObject({
      books: [],
      waiting: { files: 1 },
      failure: { message: expect.stringMatching(/could not be reached/) },
    });
    expect(first.waitingFiles()).toEqual([expect.stringMatching(`^books-${month}-made-.*\\.zip$`)]);

    store.fail(null);
    shop.travel(60_000);
    await second.upload();
    const [stored = ""] = booksFiles();
    expect(booksFiles()).toEqual([
      expect.stringMatching(`^palmira/books/books-${month}-made-.*\\.zip\\.00001-of-00001$`),
    ]);
    expect(store.read(stored).includes("ada@example.com")).toBe(false);
    await first.upload();
    await second.upload();
    expect(booksFiles()).toEqual([stored]);
    expect([...first.waitingFiles(), ...second.waitingFiles()]).toEqual([]);
    expect(await readStateAnew()).toMatchObject({ books: [{ month }], waiting: { files: 0 }, failure: null });
  });

  test("delays no other copy and raises a separate issue if it cannot be made; a waiting backup is copied first", async () => {
    const [stored = ""] = booksFiles();
    rmSync(store.filePath(stored));
    const third = server(join(shop.dataDir, "third"));
    mkdirSync(third.ctx.config.dataDir);
    const [obstacle, name] = [join(third.ctx.config.dataDir, "off-site-books"), await addBackup(100)];
    writeFileSync(obstacle, "");
    await third.upload();
    const failure = {
      message: expect.stringMatching(/^The accountant’s file of \w+ \d{4} could not be made$/),
    };
    const state = await readStateAnew();
    expect(state).toMatchObject({ failure, waiting: { files: 0 } });
    expect(state.backups).toContainEqual(expect.objectContaining({ name }));
    const { checks } = (await owner.get("/api/admin/go-live")).body.data;
    expect(checks).toContainEqual(expect.objectContaining({ id: "offsite_backup", state: "ok" }));
    shop.travel(16 * 60_000);
    await third.upload();
    expect(await readOpenIssues()).toEqual([
      expect.stringMatching(/^The accountant’s file of .* all the same/),
    ]);

    rmSync(obstacle);
    shop.travel(11 * 60_000);
    await query("insert into backups (kind, status) values ('manual', 'queued')");
    await third.upload();
    expect(third.waitingFiles()).toEqual([]);
    await query("delete from backups where status = 'queued'");
    await third.upload();
    expect(await readStateAnew()).toMatchObject({ books: [{ month }], failure: null });
    expect(await readOpenIssues()).toEqual([]);
  });

  test("is decrypted by the restore command, and contains the month's orders", async () => {
    const [{ name }] = (await readStateAnew()).books;
    for (const [key, value] of Object.entries({
      AWS_ACCESS_KEY_ID: store.form.accessKeyId,
      AWS_SECRET_ACCESS_KEY: store.form.secretAccessKey,
      AWS_ENDPOINT_URL: store.form.endpoint,
    }))
      vi.stubEnv(key, value);
    const dataDir = join(shop.dataDir, "elsewhere");
    const { config } = shop.ctx;
    const save = (file: string) =>
      restoreOffSite(
        { ...config, dataDir, backups: { ...config.backups, passphrase } },
        `s3://shop-backups/${file}`,
        () => expect.unreachable("no backup is restored"),
      );
    // A folder may have the same name as the folder of accountant's files in it.
    cpSync(join(store.folder, "palmira"), join(store.folder, "books"), { recursive: true });
    for (const folder of ["palmira", "palmira/books", "books", "books/books"]) {
      rmSync(join(dataDir, name), { force: true });
      await save(`${folder}/${name}`);
      expect(existsSync(join(dataDir, name))).toBe(true);
    }
    rmSync(join(store.folder, "books"), { recursive: true });
    const files = unzip(readFileSync(join(dataDir, name)));
    const [orders = ""] = [...files.keys()].filter((file) => file.startsWith("orders-"));
    expect(files.get(orders)?.toString().trim().split("\r\n").length).toBe(2);
    await expect(save(`palmira/${name.replace("-made-2", "-made-1")}`)).rejects.toThrow(
      `There are:\n  ${name}`,
    );
    vi.unstubAllEnvs();
  });
});

test("the weekly test restore finds a damaged copy, and notifies the owner", async () => {
  const [{ name }] = (await readState()).backups;
  const object = store.filePath(`palmira/backups/${name}.00001-of-00001`);
  const bytes = readFileSync(object);
  const altered = Buffer.from(bytes);
  altered[altered.length >> 1] = (altered[altered.length >> 1] ?? 0) ^ 1;
  writeFileSync(object, altered);
  const travel = async (days: number) => {
    shop.travel(days * dayMs);
    owner = await adminBrowser(shop);
  };
  const { check } = await readState();
  await travel(6 - (shop.ctx.now().getTime() - Date.parse(check.at)) / dayMs);
  await upload();
  expect((await readState()).check.isGood).toBe(true);
  await travel(2);
  await upload();
  expect((await readState()).check).toMatchObject({
    isGood: false,
    lines: [expect.stringMatching(/damaged/)],
  });
  expect(await readOpenIssues()).toEqual([expect.stringMatching(/failed its test by a restore/)]);
  writeFileSync(object, bytes);
  await travel(2);
  await upload();
  expect(await readOpenIssues()).toEqual([]);
});

test("saving the same folder of a bucket again requires its passphrase, and another shop's folder is refused", async () => {
  const readVersion = async () => (await readState()).version;
  const removeResponse = await send(owner, "DELETE", `/api/admin/off-site?version=${await readVersion()}`);
  expect(removeResponse.body.data.destination).toBeNull();
  const count = store.names().length;
  expect((await saveDestination()).body.data.passphrase).toBe("existing");
  expect((await owner.post("/api/admin/off-site/passphrase")).body.error).toBe("invalid_state");
  expect((await confirmPassphrase("another")).body.fields.passphrase).toMatch(/files there have another one/);
  expect(store.names().length).toBe(count);

  const marker = store.filePath("palmira/palmira.json");
  const ownMarker = JSON.parse(readFileSync(marker, "utf8"));
  writeFileSync(marker, JSON.stringify({ ...ownMarker, shopId: "another" }));
  expect((await saveDestination()).body.fields.prefix).toMatch(/Another shop’s backups are there/);
  writeFileSync(marker, JSON.stringify(ownMarker));
});

test("base backups and write-ahead log are kept in the bucket as long as on disk; unfinished files are deleted", () => {
  const now = new Date("2026-11-22T12:00:00Z");
  const folder = "point-in-time/7/";
  const timeBefore = (days: number) => fileTimestamp(new Date(now.getTime() - days * dayMs));
  const baseBackupFiles = (days: number) => [
    `${folder}base/${timeBefore(days)}/data.tar.zst`,
    `${folder}base/${timeBefore(days)}/manifest.json`,
  ];
  const logFile = (days: number) =>
    `${folder}wal/0000000100000000/0000000100000000${days.toString(16).toUpperCase().padStart(8, "0")}.${timeBefore(days)}.zst`;
  const names = [12, 11, 10, 9, 8.5, 5, 1].flatMap((days) => baseBackupFiles(days));
  const log = [12, 11, 10, 9, 5, 1].map(logFile);
  const otherArchive = `point-in-time/8/wal/0000000100000000/000000010000000000000001.${timeBefore(30)}.zst`;
  const unfinished = "backups/palmira-2026-11-01T030000Z-nightly.backup";
  const files = storedFiles(
    [...names, ...log, otherArchive]
      .map((name) => pieceObjectKey(name, 1, 1))
      .concat(pieceObjectKey(unfinished, 1, 3))
      .map((key) => ({ key, bytes: 1 })),
  );
  const surplus = surplusFiles(files, { archiveId: "7", timeZone: "UTC", now });
  const expected = [unfinished, ...[12, 11, 10, 9].flatMap(baseBackupFiles), ...[12, 11, 10, 9].map(logFile)];
  expect(surplus.map(({ name }) => name).toSorted()).toEqual(expected.toSorted());
});
