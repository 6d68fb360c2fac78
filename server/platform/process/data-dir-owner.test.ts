import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { checkDataDir, makeDataDir } from "./data-dir.ts";

function createFolder(): string {
  const path = mkdtempSync(join(tmpdir(), "palmira-owner-"));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

const { uid, username } = userInfo();

test("a data folder of another account is refused, with both accounts named", () => {
  const dataDir = createFolder();
  writeFileSync(join(dataDir, "lock"), "");
  chmodSync(dataDir, 0o700);

  expect(() => checkDataDir(dataDir)).not.toThrow();
  expect(() => checkDataDir(dataDir, { uid: uid + 4_711 })).toThrow(
    `belongs to ${username}, and this runs as account ${uid + 4_711}`,
  );
  expect(() => checkDataDir(join(dataDir, "not there yet"), { uid: uid + 4_711 })).not.toThrow();
});

test("files of another account in a writable folder are refused, with the command that gives them to this account", () => {
  const dataDir = createFolder();
  chmodSync(dataDir, 0o777);
  expect(() => checkDataDir(dataDir, { uid: uid + 4_711 })).not.toThrow();

  mkdirSync(join(dataDir, "postgres"));
  expect(() => checkDataDir(dataDir, { uid: uid + 4_711 })).toThrow(`chown -R account ${uid + 4_711}`);
});

test("an installed program refuses a data folder below its own folder, a Git checkout accepts it", () => {
  const program = createFolder();
  const dataDir = join(program, "data");
  expect(() => checkDataDir(dataDir, { program })).not.toThrow();

  writeFileSync(join(program, ".installed"), "");
  expect(() => checkDataDir(dataDir, { program })).toThrow("use the command palmira");
  expect(() => checkDataDir(createFolder(), { program })).not.toThrow();
});

test("a data folder that cannot be created is refused immediately, with the reason", () => {
  // Here Node's own `recursive` would never end.
  for (const isNeeded of [true, false])
    expect(() => makeDataDir("/proc/palmira/data", { isNeeded })).toThrow(
      "DATA_DIR: /proc/palmira/data cannot be made: ENOENT",
    );
  const dataDir = createFolder();
  makeDataDir(join(dataDir, "of", "a", "shop"), { isNeeded: true });
  writeFileSync(join(dataDir, "file"), "");
  const belowFile = join(dataDir, "file", "data");
  expect(() => makeDataDir(belowFile, { isNeeded: true })).toThrow("cannot be made: ENOTDIR");
  expect(() => makeDataDir(belowFile, { isNeeded: false })).not.toThrow();
});
