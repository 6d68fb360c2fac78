import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { freePort } from "../test/free-port.ts";
import { readDatabaseUrl } from "../test/running-shop.ts";

/** Long enough for a first start, which installs and builds. */
const startMs = 300_000;
/** Opens the admin panel of every shop started by the benchmark. */
export const accessCode = "measured-often";

export type ShopProcess = {
  url: string;
  /** One connection to its database, which `stop` closes. */
  pool: pg.Pool;
  /** Process id of npm, which starts the server. */
  pid: number;
  /** Time from `npm start` until /readyz responded with 200. */
  startedInMs: number;
  stop(): Promise<void>;
};

/** Starts the shop by `npm start`, in this checkout or another. */
export async function startShop(
  dataDir: string,
  env: Record<string, string> = {},
  checkout = join(import.meta.dirname, ".."),
): Promise<ShopProcess> {
  const port = await freePort();
  const startedAt = performance.now();
  const npm = spawn("npm", ["start"], {
    cwd: checkout,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PORT: String(port),
      DATA_DIR: dataDir,
      // Settings of the benchmark instead of the machine's; buyers' addresses come in a header, as from a proxy.
      PAYMENTS: "sandbox",
      DATABASE_URL: "",
      TRUST_PROXY: "127.0.0.1",
      ADMIN_ACCESS_CODE: accessCode,
      LOG_LEVEL: "warn",
      DRAIN_S: "0",
      ...env,
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let output = "";
  npm.stderr.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  const url = `http://127.0.0.1:${port}`;
  if (!(await isReady(npm, url))) throw new Error(`The shop did not start:\n${output}`);
  const pool = new pg.Pool({ connectionString: readDatabaseUrl(dataDir), max: 1 });
  return {
    url,
    pool,
    pid: npm.pid ?? 0,
    startedInMs: performance.now() - startedAt,
    async stop() {
      await pool.end();
      const exit = once(npm, "exit");
      npm.kill("SIGTERM");
      await exit;
    },
  };
}

async function isReady(npm: ChildProcess, url: string): Promise<boolean> {
  for (const until = Date.now() + startMs; Date.now() < until; await delay(10)) {
    if (npm.exitCode !== null) break;
    const response = await fetch(`${url}/readyz`).catch(() => null);
    if (response?.ok) return true;
  }
  npm.kill("SIGTERM");
  return false;
}
