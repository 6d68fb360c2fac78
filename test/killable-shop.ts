import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect } from "vitest";
import { readPostmaster } from "../server/platform/embedded-postgres/postmaster.ts";
import { patienceMs } from "./patience.ts";
import { programEnvironment } from "./program-environment.ts";

const accessCode = "open-sesame-1234";

/** A shop as a process that can be killed and started again on the same data. `root`: its folder, with `data` in it. */
export function openKillableShop(environmentOf: (root: string) => Record<string, string>) {
  const root = mkdtempSync(join(tmpdir(), "palmira-killed-"));
  const dataDir = join(root, "data");
  let server: ChildProcess | null = null;

  /** Ends the shop and its database as a power failure does. */
  async function kill(): Promise<void> {
    if (server?.exitCode !== null || server.signalCode !== null) return;
    const postmaster = readPostmaster(join(dataDir, "postgres"))?.pid;
    const exit = once(server, "exit");
    server.kill("SIGKILL");
    if (postmaster) process.kill(postmaster, "SIGKILL");
    await exit;
  }

  /** Starts the shop and signs in; returns a function that calls the panel's API, and throws unless it succeeds. */
  async function start() {
    const child = spawn(process.execPath, [join(import.meta.dirname, "../server/main.ts")], {
      cwd: root,
      env: {
        ...programEnvironment(),
        NODE_ENV: "production",
        PORT: "0",
        DATA_DIR: dataDir,
        ADMIN_ACCESS_CODE: accessCode,
        ...environmentOf(root),
      },
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
      if (Date.now() > until || child.exitCode !== null)
        throw new Error(`The shop did not start:\n${output}`);
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
    const cookie = (await call("POST", "/api/admin/verify", { accessCode })).headers
      .getSetCookie()
      .map((each) => each.split(";")[0])
      .join("; ");
    return (method: string, path: string, body?: object) => call(method, path, body, cookie);
  }

  return {
    root,
    dataDir,
    start,
    kill,
    async remove() {
      await kill();
      rmSync(root, { recursive: true, force: true });
    },
  };
}
