import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { readPostmaster, servesFolder } from "../server/platform/embedded-postgres/postmaster.ts";
import { patienceMs } from "./patience.ts";
import { programEnvironment, shortProgramOptions } from "./program-environment.ts";

export const accessCode = "open-sesame-1234";

/** A shop that is killed and started again over the same data. */
export type FragileShop = {
  dataDir: string;
  /** Origin of the running process; null while none responds. */
  url(): string | null;
  /** Starts a process. `opened` resolves once it responds or has ended. */
  start(): { opened: Promise<void> };
  /** Starts a process and signs in; returns a function that calls the panel's API, and throws unless it succeeds. */
  startForOwner(): Promise<(method: string, path: string, body?: object) => Promise<Response>>;
  /** Kills the server, or the server and its database, by `kill -9`. */
  kill(victim: "server" | "server and database"): Promise<void>;
  /** Freezes, continues or kills the process without waiting. */
  signal(signal: "SIGSTOP" | "SIGCONT" | "SIGKILL"): void;
  /** Id of the running process; null while there is none. */
  pid(): number | null;
  /** Stops the process gracefully; returns its exit code. */
  stop(): Promise<number | null>;
  /** The output of all its processes. */
  output(): string;
  remove(): void;
};

export function fragileShop(env: Record<string, string>): FragileShop {
  const dataDir = mkdtempSync(join(tmpdir(), "palmira-crash-"));
  let child: ChildProcess | null = null;
  let url: string | null = null;
  let output = "";

  async function open(server: ChildProcess): Promise<void> {
    let startOutput = "";
    for (const stream of [server.stdout, server.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => {
        startOutput += text;
        output += text;
      });
    }
    for (const until = Date.now() + patienceMs; server.exitCode === null && server.signalCode === null; ) {
      const absoluteUrl = /is open at (\S+)/.exec(startOutput)?.[1];
      if (absoluteUrl) {
        url = absoluteUrl;
        return;
      }
      if (Date.now() > until) throw new Error(`The shop did not open:\n${output}`);
      await delay(20);
    }
    if (server.exitCode !== null) throw new Error(`The shop exited on its own:\n${output}`);
  }

  async function end(signal: NodeJS.Signals): Promise<number | null> {
    url = null;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return null;
    const exit = once(child, "exit");
    child.kill(signal);
    await exit;
    return child.exitCode;
  }

  function start() {
    child = spawn(
      process.execPath,
      [...shortProgramOptions, join(import.meta.dirname, "../server/main.ts")],
      {
        cwd: dataDir,
        env: {
          ...programEnvironment(),
          NODE_ENV: "production",
          PORT: "0",
          DATA_DIR: dataDir,
          ADMIN_ACCESS_CODE: accessCode,
          ...env,
        },
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    return { opened: open(child) };
  }

  return {
    dataDir,
    url: () => url,
    start,
    async startForOwner() {
      await start().opened;
      let Cookie = "";
      const call = async (method: string, path: string, body: object = {}) => {
        const headers = { "Content-Type": "application/json", Cookie };
        const response = await fetch(url + path, { method, headers, body: JSON.stringify(body) });
        if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
        return response;
      };
      const signedIn = await call("POST", "/api/admin/verify", { accessCode });
      Cookie = signedIn.headers.getSetCookie()[0]?.split(";")[0] ?? "";
      return call;
    },
    async kill(victim) {
      if (victim === "server and database") killDatabase(dataDir);
      await end("SIGKILL");
    },
    signal: (signal) => void child?.kill(signal),
    pid: () => (child && child.exitCode === null && child.signalCode === null ? (child.pid ?? null) : null),
    stop: () => end("SIGTERM"),
    output: () => output,
    remove: () => rmSync(dataDir, { recursive: true, force: true }),
  };
}

/** Kills the database's main process; its child processes then end by themselves. */
function killDatabase(dataDir: string): void {
  const folder = join(dataDir, "postgres");
  const database = readPostmaster(folder);
  if (database && servesFolder(database.pid, folder)) process.kill(database.pid, "SIGKILL");
}
