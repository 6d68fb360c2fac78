import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { openBucketServer } from "../../test/bucket-server.ts";
import { fragileShop } from "../../test/fragile-shop.ts";
import { commandOptions, programEnvironment } from "../../test/program-environment.ts";
import { isComplete, storedFiles } from "./off-site/pieces.ts";

const program = join(import.meta.dirname, "../..");
const passphrase = "correct horse battery staple";
const root = mkdtempSync(join(tmpdir(), "palmira-off-site-"));
const backups = join(root, "backups");
const shop = fragileShop({ BACKUP_PASSPHRASE: passphrase, BACKUP_DIR: backups });
afterAll(async () => {
  await shop.kill("server and database");
  shop.remove();
  rmSync(root, { recursive: true });
});

const restore = (
  store: Awaited<ReturnType<typeof openBucketServer>>,
  folder: string,
  args: string[],
  variables = {},
) =>
  promisify(execFile)(process.execPath, [...commandOptions, join(program, "scripts/restore.ts"), ...args], {
    cwd: root,
    env: {
      ...programEnvironment(),
      BACKUP_PASSPHRASE: passphrase,
      DATA_DIR: join(root, folder),
      AWS_ACCESS_KEY_ID: store.form.accessKeyId,
      AWS_SECRET_ACCESS_KEY: store.form.secretAccessKey,
      AWS_ENDPOINT_URL: store.form.endpoint,
      ...variables,
    } as NodeJS.ProcessEnv,
  });

test("an upload continues after kill -9, and another machine restores the shop from the bucket alone", async () => {
  const store = await openBucketServer();
  const uploaded: string[] = [];
  const middlePartRequested = Promise.withResolvers<void>();
  const middlePart = /data\.tar\.zst\.00002-of/;
  store.fail(({ method, url = "" }) => {
    if (method === "PUT") uploaded.push(url);
    if (!middlePart.test(url)) return false;
    middlePartRequested.resolve();
    return true;
  });
  const callPanel = await shop.startForOwner();
  await callPanel("PUT", "/api/admin/off-site", { ...store.form, version: 0 });
  await middlePartRequested.promise;
  await shop.kill("server and database");
  store.fail(({ method, url = "" }) => {
    if (method === "PUT") uploaded.push(url);
    return false;
  });
  const callRestarted = await shop.startForOwner();
  await callRestarted("POST", "/api/admin/backups");
  const completeFiles = () => {
    const names = store.names().map((name) => ({ key: name.slice("palmira/".length), bytes: 1 }));
    return [...storedFiles(names).values()].filter(isComplete).map(({ name }) => name);
  };
  const waitForFile = (pattern: RegExp) =>
    expect.poll(() => completeFiles().some((name) => pattern.test(name)), { timeout: 60_000 }).toBe(true);
  await waitForFile(/base\/.*\/manifest\.json/);
  await waitForFile(/^backups\//);
  expect(uploaded.filter((url) => /data\.tar\.zst\.00001-of/.test(url)).length).toBe(1);

  // The machine is lost with all its files.
  await shop.kill("server and database");
  shop.remove();
  rmSync(backups, { recursive: true });
  store.fail(null);
  const backupUrl = "s3://shop-backups/palmira";
  await expect(restore(store, "one", [backupUrl], { BACKUP_PASSPHRASE: "another" })).rejects.toThrow(
    /The passphrase is not the one of the backups/,
  );
  const unset = { AWS_ACCESS_KEY_ID: "", BACKUP_PASSPHRASE: "" };
  await expect(restore(store, "one", [backupUrl], unset)).rejects.toThrow(
    /Not set or entered: AWS_ACCESS_KEY_ID, BACKUP_PASSPHRASE\. Nothing was changed/,
  );
  await expect(restore(store, "one", ["s3://shop-backups/elsewhere"])).rejects.toThrow(
    /There are no backups of a shop in s3:\/\/shop-backups\/elsewhere/,
  );
  expect((await restore(store, "one", [backupUrl])).stdout).toMatch(/The shop is back as it was on /);
  const latest = await restore(store, "two", [backupUrl, "--at", "latest", "--yes"]);
  expect(latest.stdout).toMatch(/The database is back as it was at .*: 0 orders/);
  await store.close();
});
