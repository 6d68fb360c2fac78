import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import pino from "pino";
import { adminAccess } from "../server/admin/tables.ts";
import { type Config, parseConfig } from "../server/platform/config.ts";
import { startJobs } from "../server/platform/jobs/job-workers.ts";
import { wakeWorkers } from "../server/platform/jobs/queued.ts";
import { createHealth, type Health } from "../server/platform/process/health.ts";
import { workIds } from "../server/platform/process/running-work.ts";
import { type OpenShop, openShop } from "../server/shop.ts";
import { checkResponse } from "./check-response.ts";
import { createTestDatabase, type TestDatabase } from "./database.ts";
import { closedWithFile } from "./left-open.ts";
import { patienceMs } from "./patience.ts";

export type TestShop = OpenShop & {
  database: TestDatabase;
  health: Health;
  /** A new browser, which keeps its cookies between calls. */
  browser(address?: string): TestBrowser;
  /** Another shop's browser with its cookies, sending requests to this shop. */
  moved(browser: TestBrowser): TestBrowser;
  /** Waits until the sandbox has delivered its events and all due jobs are done. */
  jobsDone(): Promise<void>;
  /** Runs failed jobs, which wait for an hour otherwise. */
  retryNow(): Promise<void>;
  /** Lets no job begin until `work` has ended: however slow the machine is, none overtakes it. */
  withoutJobs<T>(work: () => Promise<T>): Promise<T>;
  /** Log entries, one JSON line each. */
  logLines: string[];
  /** Moves the shop's clock. */
  travel(ms: number): void;
  dataDir: string;
  stop(): Promise<void>;
};

export type TestBrowser = {
  cookies: Map<string, string>;
  get(path: string): Promise<ApiResponse>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<ApiResponse>;
  fetch(path: string, init?: RequestInit): Promise<Response>;
};

// biome-ignore lint/suspicious/noExplicitAny: tests look into JSON of every shape
export type ApiResponse = { status: number; body: any; headers: Headers };

const accessCode = "open-sesame-1234";
/** The code's hash at the lowest cost: a real one takes 12 ms of processor time at each of hundreds of sign-ins. */
const accessCodeHash =
  "$argon2id$v=19$m=8,t=1,p=1$lM7vL5D9IdYN7oA71m1fbw$vO4IwcP3FY3KTV5G//jX9CUSNNrxpSgptoSUwWQ3w8w";

/** Short pauses, because tests wait for a few jobs hundreds of times. Failed jobs run again when a test asks for it. */
export const testTiming = {
  pollMs: 200,
  batchMs: 4,
  backlogBatchMs: 4,
  settleMs: 4,
  retrySeconds: () => 3_600,
};

export type TestShopOptions = {
  /** An existing database, which is kept when the shop stops. */
  database?: TestDatabase | undefined;
  /** Another build of the pages. */
  buildDir?: string;
  /** Recurring jobs start only with `all`: their first runs cost half as much as opening the shop. */
  background?: "none" | "jobs" | "all" | undefined;
};

/** A whole shop with background work on a new database, configured by `env`. */
export async function openTestShop(
  env: Record<string, string> = {},
  {
    database: existing,
    buildDir = join(import.meta.dirname, "../build"),
    background = "jobs",
  }: TestShopOptions = {},
): Promise<TestShop> {
  const dataDir = mkdtempSync(join(tmpdir(), "palmira-shop-"));
  const config = readConfig({
    DATA_DIR: dataDir,
    TRUST_PROXY: "127.0.0.1",
    ADMIN_ACCESS_CODE: accessCode,
    ...env,
  });
  const database = existing ?? (await createTestDatabase({ limits: config.databaseLimits }));
  if (config.adminAccessCode === accessCode) {
    await database.db.insert(adminAccess).values({ id: 1, codeHash: accessCodeHash }).onConflictDoNothing();
  }
  const logLines: string[] = [];
  const log = pino(
    { level: "debug", mixin: workIds, timestamp: pino.stdTimeFunctions.isoTime },
    { write: (line: string) => logLines.push(line) },
  );
  const health = createHealth();
  let clockOffsetMs = 0;
  let jobsReleased: Promise<unknown> = Promise.resolve();
  const shop = await openShop({
    config,
    directDatabaseUrl: database.sessionUrl,
    db: database.db,
    database: database.opened,
    log,
    secret: "test-session-secret",
    buildDir,
    vite: null,
    health,
    isStopping: () => false,
    onResponse: checkResponse,
    now: () => new Date(Date.now() + clockOffsetMs),
  });
  const jobs =
    background === "none"
      ? null
      : await startJobs({
          url: database.sessionUrl,
          pool: database.pool,
          log,
          tasks: shop.tasks.map(({ job, run }) => ({
            job,
            run: (payload, context) => jobsReleased.then(() => run(payload, context)),
          })),
          cron: background === "all" ? shop.cron : [],
          health,
          metrics: shop.ctx.metrics,
          timing: testTiming,
        });
  const jobsDone = async () => {
    for (
      const deadline = Date.now() + patienceMs;
      Date.now() < deadline;
      await new Promise((r) => setTimeout(r, 5))
    ) {
      // The limit is a parameter, so that this statement, which runs thousands of times, is prepared. Events delivered more than
      // five seconds ago are ignored: a simulated crash left them unhandled.
      const { rowCount } = await database.db.execute(sql`
        select from jobs where (leased_until is not null or run_at <= now()) and attempts < max_attempts
        union all select from sandbox_events
        union all select from payment_events
          where delivered_at > ${new Date(Date.now() + clockOffsetMs - 5_000)} and handled_at is null and outcome is null
        limit ${1}`);
      if (rowCount === 0) return;
    }
    throw new Error("the background work did not come to an end");
  };
  return {
    ...shop,
    database,
    health,
    dataDir,
    logLines,
    browser: (address = randomAddress()) => openBrowser(shop, address),
    moved: ({ cookies }) => openBrowser(shop, randomAddress(), cookies),
    travel: (ms) => {
      clockOffsetMs += ms;
    },
    jobsDone,
    async retryNow() {
      await jobsDone();
      await database.db.execute(sql`
        update jobs set run_at = now() where attempts > 0 and leased_until is null`);
      wakeWorkers();
    },
    async withoutJobs(work) {
      const { promise, resolve } = Promise.withResolvers<void>();
      jobsReleased = promise;
      return work().finally(resolve);
    },
    stop: closedWithFile(async () => {
      await jobs?.stop();
      await shop.close();
      if (!existing) await database.drop();
      rmSync(dataDir, { recursive: true, force: true });
    }),
  };
}

function readConfig(env: Record<string, string>): Config {
  const parsed = parseConfig(env);
  if (!parsed.ok) throw new Error(parsed.problems.join("; "));
  return parsed.config;
}

function openBrowser(
  shop: OpenShop,
  address: string,
  cookies: TestBrowser["cookies"] = new Map(),
): TestBrowser {
  const call = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers);
    if (!headers.has("X-Forwarded-For")) headers.set("X-Forwarded-For", address);
    if (cookies.size > 0)
      headers.set("Cookie", [...cookies].map(([name, value]) => `${name}=${value}`).join("; "));
    const response = await shop.app.request(path, { ...init, headers });
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ""] = cookie.split(";");
      cookies.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1));
    }
    return response;
  };
  const result = async (response: Response): Promise<ApiResponse> => {
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.includes("json");
    return { status: response.status, body: isJson ? JSON.parse(text) : text, headers: response.headers };
  };
  return {
    cookies,
    fetch: call,
    get: async (path) => result(await call(path)),
    post: async (path, body = {}, headers = {}) =>
      result(
        await call(path, {
          method: "POST",
          body: JSON.stringify(body),
          headers: { "Content-Type": "application/json", ...headers },
        }),
      ),
  };
}

/** Rate limits count by address: every browser has its own unless a test sets one. */
function randomAddress(): string {
  const byte = () => Math.floor(Math.random() * 254) + 1;
  return `10.${byte()}.${byte()}.${byte()}`;
}
