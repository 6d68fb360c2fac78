import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { openBucketServer } from "../../test/bucket-server.ts";
import { patienceMs } from "../../test/patience.ts";
import { programEnvironment } from "../../test/program-environment.ts";
import { readPostmaster } from "../platform/embedded-postgres/postmaster.ts";
import { filesOf, isWhole } from "./off-site/pieces.ts";

const root = mkdtempSync(join(tmpdir(), "palmira-off-site-"));
const dataDir = join(root, "data");
const program = join(import.meta.dirname, "../..");
const passphrase = "correct horse battery staple";
let server: ChildProcess | null = null;
afterAll(async () => {
  await kill();
  rmSync(root, { recursive: true, force: true });
});

/** Ends the shop and its database as a power failure does. */
async function kill(): Promise<void> {
  if (server?.exitCode !== null || server.signalCode !== null) return;
  const postmaster = readPostmaster(join(dataDir, "postgres"))?.pid;
  const exit = once(server, "exit");
  server.kill("SIGKILL");
  if (postmaster) process.kill(postmaster, "SIGKILL");
  await exit;
}

const environment = (more: object) =>
  ({ ...programEnvironment(), BACKUP_PASSPHRASE: passphrase, ...more }) as NodeJS.ProcessEnv;

/** Starts the shop and signs in; returns a function that calls the panel's API. */
async function start() {
  const child = spawn(process.execPath, [join(program, "server/main.ts")], {
    cwd: root,
    env: environment({
      NODE_ENV: "production",
      PORT: "0",
      DATA_DIR: dataDir,
      BACKUP_DIR: join(root, "backups"),
      ADMIN_ACCESS_CODE: "open-sesame-1234",
    }),
    stdio: ["ignore", "pipe", "pipe"],
  });
  server = child;
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  let url = "";
  for (const until = Date.now() + patienceMs; url === ""; await delay(50)) {
    if (Date.now() > until || child.exitCode !== null) throw new Error(`The shop did not start:\n${output}`);
    const address = /is open at (\S+)/.exec(output)?.[1];
    if (address && (await fetch(`${address}/readyz`)).ok) url = address;
  }
  const call = async (method: string, path: string, body: object = {}, cookie = "") => {
    const answer = await fetch(url + path, {
      method,
      headers: { "Content-Type": "application/json", Origin: url, Cookie: cookie },
      body: JSON.stringify(body),
    });
    expect(answer.ok, await answer.clone().text()).toBe(true);
    return answer;
  };
  const signInAnswer = await call("POST", "/api/admin/verify", { accessCode: "open-sesame-1234" });
  const cookie = signInAnswer.headers
    .getSetCookie()
    .map((each) => each.split(";")[0])
    .join("; ");
  return (method: string, path: string, body?: object) => call(method, path, body, cookie);
}

const restore = (
  store: Awaited<ReturnType<typeof openBucketServer>>,
  folder: string,
  args: string[],
  variables = {},
) =>
  promisify(execFile)(process.execPath, [join(program, "scripts/restore.ts"), ...args], {
    cwd: root,
    env: environment({
      DATA_DIR: join(root, folder),
      AWS_ACCESS_KEY_ID: store.form.accessKeyId,
      AWS_SECRET_ACCESS_KEY: store.form.secretAccessKey,
      AWS_ENDPOINT_URL: store.form.endpoint,
      ...variables,
    }),
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
  const callPanel = await start();
  await callPanel("PUT", "/api/admin/off-site", { ...store.form, version: 0 });
  await middlePartRequested.promise;
  await kill();
  store.fail(({ method, url = "" }) => {
    if (method === "PUT") uploaded.push(url);
    return false;
  });
  const callRestarted = await start();
  await callRestarted("POST", "/api/admin/backups");
  const completeFiles = () => {
    const names = store.names().map((name) => ({ key: name.slice("palmira/".length), bytes: 1 }));
    return [...filesOf(names).values()].filter(isWhole).map(({ name }) => name);
  };
  const waitForFile = (pattern: RegExp) =>
    expect.poll(() => completeFiles().some((name) => pattern.test(name)), { timeout: 60_000 }).toBe(true);
  await waitForFile(/base\/.*\/manifest\.json/);
  await waitForFile(/^backups\//);
  expect(uploaded.filter((url) => /data\.tar\.zst\.00001-of/.test(url)).length).toBe(1);

  // The machine is lost with all its files.
  await kill();
  rmSync(dataDir, { recursive: true });
  rmSync(join(root, "backups"), { recursive: true });
  store.fail(null);
  const address = "s3://shop-backups/palmira";
  await expect(restore(store, "one", [address], { BACKUP_PASSPHRASE: "another" })).rejects.toThrow(
    /The passphrase is not the one of the backups/,
  );
  await expect(restore(store, "one", ["s3://shop-backups/elsewhere"])).rejects.toThrow(
    /There are no backups of a shop in s3:\/\/shop-backups\/elsewhere/,
  );
  expect((await restore(store, "one", [address])).stdout).toMatch(/The shop is back as it was on /);
  const latest = await restore(store, "two", [address, "--at", "latest", "--yes"]);
  expect(latest.stdout).toMatch(/The database is back as it was at .*: 0 orders/);
  await store.close();
});
