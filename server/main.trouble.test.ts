import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from "node:fs";
import { createServer, request } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { sql } from "drizzle-orm";
import pg from "pg";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { createTestDatabase } from "../test/database.ts";
import { startFakeSmtp } from "../test/fake-smtp.ts";
import { insertPaidOrder } from "../test/paid-order.ts";
import { commandOptions, programEnvironment, shortProgramOptions } from "../test/program-environment.ts";
import { readDatabaseUrl, startShop } from "../test/running-shop.ts";
import { openTcpProxy } from "../test/tcp-proxy.ts";
import { enqueueMessages } from "./outbox/enqueue.ts";
import { migrationLock } from "./platform/database/migrate.ts";
import { readPostmaster } from "./platform/embedded-postgres/postmaster.ts";

/** A process of the shop, as `npm start` runs it, or of a script. */
type Process = { child: ChildProcess; stdout: string; stderr: string; exited: Promise<unknown> };

const root = mkdtempSync(join(tmpdir(), "palmira-main-"));
// The parent folder is readable by this user alone, and its path has a space.
const dataDir = join(root, "a shop", "data");
mkdirSync(join(root, "a shop"), { mode: 0o700 });
const processes: Process[] = [];

afterAll(async () => {
  for (const { child, exited } of processes) {
    child.kill("SIGTERM");
    await exited;
  }
  rmSync(root, { recursive: true });
});

function run(environment: Record<string, string>, script = "main.ts", stdio: StdioOptions = "pipe"): Process {
  const options = script === "main.ts" ? shortProgramOptions : commandOptions;
  const child = spawn(process.execPath, [...options, join(import.meta.dirname, script)], {
    // Runs outside the repository, where a developer's .env would change what is tested.
    cwd: root,
    env: { ...programEnvironment(), PORT: "0", DATA_DIR: dataDir, ...environment },
    stdio,
  });
  const running: Process = { child, stdout: "", stderr: "", exited: once(child, "exit") };
  child.stdout?.on("data", (chunk) => {
    running.stdout += chunk;
  });
  child.stderr?.on("data", (chunk) => {
    running.stderr += chunk;
  });
  processes.push(running);
  return running;
}

/** Runs `npm run admin:code` with the line `input`; returns the code that it set. */
async function setAccessCode(input: string): Promise<string | undefined> {
  const command = run({}, "../scripts/admin-code.ts");
  command.child.stdin?.end(`${input}\n`);
  await command.exited;
  expect([command.child.exitCode, command.stderr]).toEqual([0, ""]);
  return /^Admin access code: (\S+)$/m.exec(command.stdout)?.[1];
}

const signIn = async (url: string, accessCode: string | undefined) =>
  (
    await fetch(`${url}/api/admin/verify`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ accessCode }),
    })
  ).status;

/** Waits until the shop prints the URL at which it is open, and returns it. */
async function waitUntilOpen(shop: Process): Promise<string> {
  const url = () => shop.stdout.match(/open at (http:\S+)/)?.[1];
  while (!url()) {
    if (shop.child.exitCode !== null) throw new Error(`it ended: ${shop.stderr}`);
    await Promise.race([once(shop.child.stdout ?? shop.child, "data"), shop.exited]);
  }
  return url() ?? "";
}

async function runFailingStart(environment: Record<string, string>): Promise<string[]> {
  const shop = run(environment);
  await shop.exited;
  expect(shop.child.exitCode).toBe(1);
  expect(shop.stdout).toBe("");
  return shop.stderr.trimEnd().split("\n");
}

/** Status of the response to TRACE, which `fetch` cannot send. */
async function readTraceStatus(url: string, path: string): Promise<number | undefined> {
  const [response] = await once(request(url, { method: "TRACE", path }).end(), "response");
  response.resume();
  return response.statusCode;
}

/** The raw response to a request without further headers, sent over a new connection. */
async function rawResponse(url: string, request: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.write(`${request}\r\n\r\n`);
  return Buffer.concat(await socket.toArray()).toString();
}

const readiness = async (url: string, query = "") => (await fetch(`${url}/readyz${query}`)).status;

test("a shop starts, refuses a second one in its folder, starts again after kill -9, and stops gracefully", async () => {
  const first = run({});
  const firstUrl = await waitUntilOpen(first);
  expect(await readiness(firstUrl)).toBe(200);
  expect(first.stdout.trimEnd().split("\n").length).toBeLessThanOrEqual(6);
  expect(first.stdout).toMatch(/^Admin access code: \S+$/m);
  expect(first.stdout).toContain(dataDir);
  expect(first.stderr).toBe("");
  expect(statSync(join(dataDir, "session-secret")).mode & 0o777).toBe(0o600);

  // A second process on the same data folder ends with one line, and the first one continues.
  expect(await runFailingStart({})).toEqual([
    expect.stringMatching(/^Another shop is already running on .*a shop/),
  ]);
  expect(await readiness(firstUrl)).toBe(200);

  // After kill -9 its database still runs: the next start takes it over, and never shows the access code again.
  first.child.kill("SIGKILL");
  await first.exited;
  const second = run({ SESSION_SECRET: "another-than-the-one-in-the-data-folder", DRAIN_S: "1" });
  const url = await waitUntilOpen(second);
  expect(await readiness(url)).toBe(200);
  expect(second.stdout).not.toMatch(/access code/i);
  expect(second.stderr).toContain("SESSION_SECRET differs from the one this database was last used with");

  // TRACE, which Node handles separately, is refused like other methods, without an error in the log.
  for (const path of ["/", "/readyz", "/api/products"]) expect(await readTraceStatus(url, path)).toBe(405);
  expect(second.stderr).not.toContain(`"level":"error"`);

  // A backup works while the shop runs; its last line of output is the file's path, for scripts.
  const backup = run({}, "../scripts/backup.ts");
  await backup.exited;
  expect(backup.child.exitCode, backup.stderr).toBe(0);
  expect(existsSync(backup.stdout.trimEnd().split("\n").at(-1) ?? "")).toBe(true);

  // Health checks of load balancers such as HAProxy and nginx need not send a Host header.
  for (const [check, status] of [
    ["OPTIONS / HTTP/1.0", 204],
    ["OPTIONS * HTTP/1.0", 204],
    ["GET /readyz HTTP/1.0", 200],
    ["GET /readyz?for=pages HTTP/1.0", 200],
    ["HEAD /healthz HTTP/1.0", 200],
    ["GET / HTTP/1.0", 200],
  ] as const) {
    expect(`${check} ${await rawResponse(url, check)}`).toMatch(new RegExp(` HTTP/1.1 ${status} `));
  }

  // A new access code set while the shop runs is valid immediately.
  expect(await setAccessCode("my-own-code-99")).toBe("my-own-code-99");
  expect(await signIn(url, "my-own-code-99")).toBe(200);
  const mailFolder = join(dataDir, "mail");
  const readMails = () => readdirSync(mailFolder).map((name) => readFileSync(join(mailFolder, name), "utf8"));
  await expect.poll(() => readMails().join(), { timeout: 10_000 }).toContain("A new access code was set");

  // A request whose body is still arriving when SIGTERM comes gets its response; readiness is 503 immediately.
  const body = JSON.stringify({ items: [{ productId: 1, quantity: 2 }] });
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  let response = "";
  socket.on("data", (chunk) => {
    response += chunk;
  });
  socket.write(
    `POST /api/cart/quote HTTP/1.1\r\nHost: ${new URL(url).host}\r\nOrigin: ${url}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 10)}`,
  );
  await fetch(`${url}/healthz`);
  const stoppedAt = Date.now();
  second.child.kill("SIGTERM");
  // After one second (DRAIN_S) connections are refused; on a slow machine that may be all the test sees.
  for (const query of ["", "?for=pages"])
    await expect.poll(() => readiness(url, query).catch(() => 503), { interval: 20 }).toBe(503);
  setTimeout(() => socket.write(body.slice(10)), 700);
  await second.exited;

  expect(response).toMatch(/^HTTP\/1\.1 200 /);
  expect(response).toContain('"success":true');
  expect(second.child.exitCode).toBe(0);
  expect(Date.now() - stoppedAt).toBeLessThan(20_000);
  expect(second.stderr).not.toMatch(/could not|took too long|connection broke/);

  // While the shop is stopped, the command starts its database and stops it again.
  expect(await setAccessCode("")).toMatch(/^(\w{4}-){3}\w{4}$/);
  expect(existsSync(join(dataDir, "postgres", "postmaster.pid"))).toBe(false);
});

test("a shop whose database hangs and accepts no more connections returns 503 with database_up 0, until it is back", async () => {
  const shop = await startShop({ METRICS_TOKEN: "hangs" });
  onTestFinished(() => shop.stop());
  const call = () =>
    fetch(`${shop.url}/api/cart/add`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ productId: 1, quantity: 1 }),
    });
  const readMetrics = async () => {
    const response = await fetch(`${shop.url}/metrics`, { headers: { Authorization: "Bearer hangs" } });
    return `${response.status} ${/^database_up .*$/m.exec(await response.text())?.[0]}`;
  };
  expect((await call()).status).toBe(200);
  await expect.poll(readMetrics).toBe("200 database_up 1");

  const folder = join(shop.dataDir, "postgres");
  const { pid } = readPostmaster(folder) ?? { pid: 0 };
  const database = new pg.Client({ connectionString: readDatabaseUrl(shop.dataDir) });
  database.on("error", () => {});
  await database.connect();
  process.kill(pid, "SIGSTOP");
  onTestFinished(() => void process.kill(pid, "SIGCONT"));
  // Fill the socket's accept queue, so that further connections fail immediately with EAGAIN.
  const pendingConnections = Array.from({ length: 200 }, () =>
    connect(join(folder, ".s.PGSQL.5432")).on("error", () => {}),
  );
  await database.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()",
  );

  await expect.poll(readMetrics).toBe("200 database_up 0");
  await expect.poll(() => readiness(shop.url)).toBe(503);
  expect(await readiness(shop.url, "?for=pages")).toBe(200);
  const responses = await Promise.all(Array.from({ length: 20 }, call));
  expect(new Set(responses.map(({ status, headers }) => `${status} ${headers.get("retry-after")}`))).toEqual(
    new Set(["503 5"]),
  );
  expect(shop.output()).toContain("connect EAGAIN");

  for (const socket of pendingConnections) socket.destroy();
  await database.end();
  process.kill(pid, "SIGCONT");
  await expect.poll(() => readiness(shop.url)).toBe(200);
  expect((await call()).status).toBe(200);
  await expect.poll(readMetrics).toBe("200 database_up 1");
  const lines = shop.output().split("\n");
  expect(lines.filter((line) => /unhandled promise|"status":500/.test(line))).toEqual([]);
});

test("the command for a new access code fails if ADMIN_ACCESS_CODE is set, or if there is no shop", async () => {
  for (const [environment, reason] of [
    [{ ADMIN_ACCESS_CODE: "from-the-environment" }, /^ADMIN_ACCESS_CODE is set, and it wins/],
    [{ DATA_DIR: join(root, "nowhere") }, /^There is no shop in .*nowhere yet/],
  ] as const) {
    const command = run(environment, "../scripts/admin-code.ts");
    command.child.stdin?.end();
    await command.exited;
    expect([command.child.exitCode, command.stdout]).toEqual([1, ""]);
    expect(command.stderr).toMatch(reason);
  }
});

test("a port in use ends the start with one line and exit code 1", async () => {
  const otherServer = createServer().listen(0, "127.0.0.1");
  await once(otherServer, "listening");
  const address = otherServer.address();
  const port = address !== null && typeof address === "object" ? String(address.port) : "";

  const lines = await runFailingStart({ PORT: port, DATA_DIR: join(root, "other") });
  otherServer.close();

  expect(lines).toEqual([expect.stringMatching(`^PORT: ${port} on 127.0.0.1 is taken`)]);
});

test("a start that fails after the migrations ends with one line and exit code 1", async () => {
  const database = await createTestDatabase();
  await database.db.execute(sql`alter table admin_access rename to somewhere_else`);

  const lines = await runFailingStart({ DATABASE_URL: database.url, DATA_DIR: join(root, "other") });
  await database.drop();

  expect(lines).toEqual([expect.stringMatching(/^The shop could not start: .*admin_access/)]);
});

/** Starts a shop that waits, with its database open, for another server's migration that never ends. */
async function startWaitingShop() {
  const database = await createTestDatabase();
  await database.pool.query("drop schema drizzle cascade");
  const holder = await database.pool.connect();
  await holder.query("select pg_advisory_lock($1)", [migrationLock]);
  const proxy = await openTcpProxy(database.url);
  const shop = run({ DATABASE_URL: proxy.through(database.url), DATA_DIR: join(root, "starting") });
  onTestFinished(async () => {
    holder.release(true);
    await proxy.close();
    await database.drop();
  });
  await expect.poll(() => shop.stderr).toContain("waiting for it");
  return { shop, proxy };
}

test("a start that loses its database names the database as the reason", async () => {
  const { shop, proxy } = await startWaitingShop();
  proxy.cut({ refuse: true });
  await shop.exited;
  expect(shop.child.exitCode).toBe(1);
  expect(shop.stderr.trimEnd().split("\n").at(-1)).toMatch(
    /^The shop could not start: the database failed: /,
  );
});

test("SIGTERM ends a start with exit code 0, and leaves no database running", async () => {
  const { shop } = await startWaitingShop();
  shop.child.kill("SIGTERM");
  await shop.exited;
  expect([shop.child.exitCode, shop.stdout]).toEqual([0, ""]);
  expect(shop.stderr).not.toContain("could not");

  const folder = join(root, "ended", "postgres");
  const embedded = run({ DATA_DIR: join(root, "ended") });
  await expect.poll(() => existsSync(join(folder, "postmaster.pid")), { interval: 5 }).toBe(true);
  embedded.child.kill("SIGTERM");
  await embedded.exited;
  expect([embedded.child.exitCode, embedded.stdout]).toEqual([0, ""]);
  expect(readPostmaster(folder)).toBeNull();
});

test("SIGTERM ends a start with exit code 0 even if its database is slow to start, and leaves no database running", async () => {
  const folder = join(root, "slow", "postgres");
  const shop = run({ DATA_DIR: join(root, "slow") });
  await expect.poll(() => readPostmaster(folder), { interval: 5 }).not.toBeNull();
  const { pid } = readPostmaster(folder) ?? { pid: 0 };
  process.kill(pid, "SIGSTOP");
  shop.child.kill("SIGTERM");
  // Longer than the process waits for other steps of a start to end.
  await delay(4_300);
  process.kill(pid, "SIGCONT");
  await shop.exited;
  expect([shop.child.exitCode, shop.stdout, shop.stderr]).toEqual([0, "", ""]);
  expect(readPostmaster(folder)).toBeNull();
});

test("a database that accepts no writes ends the start with one line and exit code 1", async () => {
  const database = await createTestDatabase();
  const url = `${database.url}${database.url.includes("?") ? "&" : "?"}options=-c%20default_transaction_read_only%3Don`;

  const lines = await runFailingStart({ DATABASE_URL: url, DATA_DIR: join(root, "other") });
  await database.drop();

  expect(lines).toEqual([expect.stringMatching(/^The shop could not start: .*read-only transaction/)]);
});

test.skipIf(!existsSync("/dev/full"))(
  "a shop whose log and output cannot be written keeps working",
  async () => {
    const fullDevice = openSync("/dev/full", "w");
    const database = await createTestDatabase();
    const reserved = createServer().listen(0, "127.0.0.1");
    await once(reserved, "listening");
    const port = String((reserved.address() as AddressInfo).port);
    reserved.close();
    const shop = run(
      { PORT: port, DATABASE_URL: database.url, DATA_DIR: join(root, "silent"), LOG_LEVEL: "trace" },
      "main.ts",
      ["ignore", fullDevice, fullDevice],
    );
    onTestFinished(async () => {
      shop.child.kill("SIGTERM");
      await shop.exited;
      await database.drop();
      closeSync(fullDevice);
    });
    const url = `http://127.0.0.1:${port}`;

    await expect.poll(() => readiness(url).catch(() => 0)).toBe(200);
    const response = await fetch(`${url}/api/contact`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: "{}",
    });
    expect(response.status).toBe(422);
    expect((await fetch(`${url}/nothing-here`)).status).toBe(404);
    shop.child.kill("SIGTERM");
    await shop.exited;
    expect(shop.child.exitCode).toBe(0);
  },
);

test("a message that was being sent when the process was killed is sent once after the next start", async () => {
  const database = await createTestDatabase();
  const smtp = await startFakeSmtp();
  const environment = {
    DATABASE_URL: database.url,
    DATA_DIR: join(root, "mailing"),
    SMTP_URL: smtp.url,
    ADMIN_ACCESS_CODE: "open-sesame-1234",
  };
  onTestFinished(async () => {
    await smtp.close();
    await database.drop();
  });
  const first = run(environment);
  await waitUntilOpen(first);
  smtp.hold();
  const orderId = await insertPaidOrder(database.db);
  await enqueueMessages(database.db, [
    { kind: "order_confirmation", dedupeKey: "confirmation", orderId },
    { kind: "owner_new_order", dedupeKey: "new order", orderId },
  ]);
  await expect.poll(smtp.held).toBe(1);
  first.child.kill("SIGKILL");
  await first.exited;
  await expect.poll(smtp.held).toBe(0);
  smtp.release();

  const second = run(environment);
  await waitUntilOpen(second);
  await expect.poll(() => smtp.received.length).toBe(1);
  const readStatuses = async () => {
    const { rows } = await database.db.execute<{ status: string }>(
      sql`select status from messages order by 1`,
    );
    return rows.map(({ status }) => status);
  };
  await expect.poll(readStatuses).toEqual(["kept", "sent"]);
  expect(smtp.received.length).toBe(1);
  second.child.kill("SIGTERM");
  await second.exited;
});

test("invalid settings are reported all at once, before anything is opened", async () => {
  const lines = await runFailingStart({ PORT: "x", LOG_LEVEL: "loud", STRIPE_SECRET_KEY: "sk_live_hush" });

  expect(lines.map((line) => line.split(":")[0])).toEqual([
    "PORT",
    "STRIPE_PUBLISHABLE_KEY",
    "STRIPE_WEBHOOK_SECRET",
    "LOG_LEVEL",
  ]);
  expect(lines.join("\n")).not.toContain("hush");
});

test("a database that refuses connections is reported in one line, without its password", async () => {
  const lines = await runFailingStart({
    DATABASE_URL: "postgres://shop:hush@127.0.0.1:1/shop",
    DATA_DIR: join(root, "other"),
  });

  expect(lines).toEqual([
    expect.stringMatching(/^DATABASE_URL: the database cannot be used: .*ECONNREFUSED/),
  ]);
  expect(lines.join("\n")).not.toContain("hush");
});

test("the start waits for a database that does not respond yet", async () => {
  const database = await createTestDatabase();
  const proxy = await openTcpProxy(database.url);
  proxy.cut({ refuse: true });
  const shop = run({
    DATABASE_URL: proxy.through(database.url),
    DATABASE_WAIT_S: "60",
    DATA_DIR: join(root, "waits"),
  });
  onTestFinished(async () => {
    shop.child.kill("SIGTERM");
    await shop.exited;
    await proxy.close();
    await database.drop();
  });

  await expect.poll(() => shop.stderr).toContain("waiting for it");
  expect(shop.child.exitCode).toBeNull();
  proxy.restore();
  await waitUntilOpen(shop);
});
