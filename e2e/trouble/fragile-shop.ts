import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { patienceMs } from "../../test/patience.ts";
import { programEnvironment, shortProgramOptions } from "../../test/program-environment.ts";

/** A shop that is killed and started again over the same data. */
export type FragileShop = {
  dataDir: string;
  /** Origin of the running process; null while none answers. */
  url(): string | null;
  /** Starts a process. `opened` resolves once it answers or has ended. */
  start(): { opened: Promise<void> };
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
      const address = /is open at (\S+)/.exec(startOutput)?.[1];
      if (address) {
        url = address;
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

  return {
    dataDir,
    url: () => url,
    start() {
      child = spawn(
        process.execPath,
        [...shortProgramOptions, join(import.meta.dirname, "../../server/main.ts")],
        {
          cwd: dataDir,
          env: { ...programEnvironment(), NODE_ENV: "production", PORT: "0", DATA_DIR: dataDir, ...env },
          stdio: ["ignore", "pipe", "pipe"],
        },
      );
      return { opened: open(child) };
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
  const [pid] = readFileSync(join(dataDir, "postgres", "postmaster.pid"), "utf8").split("\n");
  process.kill(Number(pid), "SIGKILL");
}
