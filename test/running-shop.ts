import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { patienceMs } from "./patience.ts";
import { programEnvironment } from "./program-environment.ts";

export type RunningShop = {
  /** Origin of the shop. */
  url: string;
  /** The access code printed by the first start. */
  accessCode: string;
  dataDir: string;
  /** Output of the process so far. */
  output(): string;
  /** Stops it gracefully and deletes its data. Throws if it has to be killed or exits with an error. */
  stop(): Promise<void>;
};

/** Starts a built shop as `npm start` does: a separate process on a free port with new data. `root`: the folder of the checkout, by default this one. */
export async function startShop(
  env: Record<string, string> = {},
  root = join(import.meta.dirname, ".."),
): Promise<RunningShop> {
  const dataDir = mkdtempSync(join(tmpdir(), "palmira-e2e-"));
  const server = spawn(process.execPath, [join(root, "server/main.ts")], {
    // Outside the repository, because a developer's `.env` may contain real keys.
    cwd: dataDir,
    env: { ...programEnvironment(), NODE_ENV: "production", PORT: "0", DATA_DIR: dataDir, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [server.stdout, server.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  try {
    const url = await waitUntilReady(server, () => output);
    return {
      url,
      accessCode: /^Admin access code: (\S+)$/m.exec(output)?.[1] ?? "",
      dataDir,
      output: () => output,
      async stop() {
        await stopServer(server);
        rmSync(dataDir, { recursive: true, force: true });
        if (server.exitCode !== 0) throw new Error(`The shop did not stop cleanly:\n${output}`);
      },
    };
  } catch (error) {
    await stopServer(server);
    rmSync(dataDir, { recursive: true, force: true });
    throw error;
  }
}

/** URL of the embedded database of a running shop. */
export function readDatabaseUrl(dataDir: string): string {
  const password = readFileSync(join(dataDir, "postgres-password"), "utf8").trim();
  const socket = encodeURIComponent(join(dataDir, "postgres"));
  return `postgres://palmira:${password}@127.0.0.1:5432/palmira?host=${socket}`;
}

async function waitUntilReady(server: ChildProcess, output: () => string): Promise<string> {
  for (const deadline = Date.now() + patienceMs; Date.now() < deadline; await delay(50)) {
    if (server.exitCode !== null) break;
    const url = /is open at (\S+)/.exec(output())?.[1];
    if (url && (await fetch(`${url}/readyz`)).ok) return url;
  }
  throw new Error(`The shop did not start:\n${output()}`);
}

async function stopServer(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exit = once(server, "exit");
  server.kill("SIGTERM");
  const killTimer = setTimeout(() => server.kill("SIGKILL"), patienceMs);
  await exit;
  clearTimeout(killTimer);
}
