import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { lockDataDir } from "./data-dir.ts";
import { StartProblem } from "./start-problem.ts";

const folder = mkdtempSync(join(tmpdir(), "palmira-lock-"));
afterAll(() => rmSync(folder, { recursive: true }));

async function startOtherShop(dataDir: string): Promise<ChildProcess> {
  const module = JSON.stringify(join(import.meta.dirname, "data-dir.ts"));
  const code = `import(${module}).then((m) => { globalThis.lock = m.lockDataDir(process.argv[1]); console.log("locked"); setInterval(() => {}, 1e6) })`;
  const child = spawn(process.execPath, ["-e", code, dataDir], { stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  return child;
}

test("a data folder is locked by one process, and free as soon as that process is killed", async () => {
  const other = await startOtherShop(folder);

  expect(() => lockDataDir(folder)).toThrow(StartProblem);
  expect(() => lockDataDir(folder)).toThrow(/^Another shop is already running on .*palmira-lock-/);

  other.kill("SIGKILL");
  await once(other, "exit");
  lockDataDir(folder).release();
});

test("two data folders are locked independently, and an unlocked one can be locked again", () => {
  const first = lockDataDir(join(folder, "first"));
  const second = lockDataDir(join(folder, "second"));
  first.release();
  lockDataDir(join(folder, "first")).release();
  second.release();
});
