import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readFailure, recordFailure } from "./failure.ts";
import { isBaseDue, purgeArchive } from "./maintenance.ts";
import { fileTimestamp } from "./names.ts";

const archive = mkdtempSync(join(tmpdir(), "palmira-archive-"));
afterAll(() => rmSync(archive, { recursive: true }));

const now = new Date("2026-11-22T12:00:00Z");
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);
const segments = join(archive, "wal", "0000000100000000");

function addBaseBackup(days: number) {
  const at = daysAgo(days).toISOString();
  const folder = join(archive, "base", fileTimestamp(daysAgo(days)));
  mkdirSync(folder, { recursive: true });
  const manifest = { startedAt: at, stoppedAt: at, firstSegment: "000000010000000000000001", stopLsn: "0/1" };
  writeFileSync(join(folder, "manifest.json"), JSON.stringify(manifest));
}

test("the newest base backup older than seven days is kept, with all later ones and the log since then", async () => {
  for (const days of [10, 8, 6, 1]) addBaseBackup(days);
  mkdirSync(join(archive, "base", "unfinished-20261122T000000000Z"));
  mkdirSync(segments, { recursive: true });
  mkdirSync(join(archive, "wal", "timelines"));
  const history = "00000002.history.20261101T000000000Z.zst";
  writeFileSync(join(archive, "wal", "timelines", history), "");
  const segmentNames = [10, 8.1, 8.01, 7.9, 0].map((days, place) => {
    const name = `00000001000000000000000${place}.${fileTimestamp(daysAgo(days))}.zst`;
    writeFileSync(join(segments, name), "");
    return name;
  });

  await purgeArchive(archive, now);

  expect(readdirSync(join(archive, "base"))).toEqual([8, 6, 1].map((days) => fileTimestamp(daysAgo(days))));
  expect(readdirSync(segments)).toEqual(segmentNames.slice(2));
  expect(readdirSync(join(archive, "wal", "timelines"))).toEqual([history]);
});

test("a failure recorded while the clock was ahead neither discards the log once the archive works, nor hides how long archiving has failed", () => {
  const dataFolder = join(archive, "data");
  mkdirSync(join(dataFolder, "pg_wal", "archive_status"), { recursive: true });
  const name = "00000001000000000000000A";
  writeFileSync(join(dataFolder, "pg_wal", "archive_status", `${name}.ready`), "");
  writeFileSync(join(dataFolder, name), "segment");
  mkdirSync(segments, { recursive: true });
  const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
  const failure = { since: inAnHour, at: inAnHour, reason: "not mounted" };
  writeFileSync(join(dataFolder, "palmira-archive-failure.json"), JSON.stringify(failure));
  const program = join(import.meta.dirname, "archive-wal.ts");
  const { status } = spawnSync(process.execPath, [program, name, name, archive, "1"], { cwd: dataFolder });
  expect([status, readFailure(dataFolder)]).toEqual([0, null]);
  expect(readdirSync(segments).some((file) => file.startsWith(`${name}.`))).toBe(true);

  writeFileSync(join(dataFolder, "palmira-archive-failure.json"), JSON.stringify(failure));
  recordFailure(dataFolder, "still not mounted", now);
  expect(readFailure(dataFolder)?.since).toBe(now.toISOString());
});

test("a base backup is due a day after the last one, not counting one taken while the clock was ahead", () => {
  const madeAgo = (days: number) => ({ timeline: 1, startedAt: daysAgo(days).toISOString() });
  expect(isBaseDue([madeAgo(0.9)], 1, now)).toBe(false);
  expect(isBaseDue([madeAgo(1)], 1, now)).toBe(true);
  expect(isBaseDue([madeAgo(0.9)], 2, now)).toBe(true);
  expect(isBaseDue([madeAgo(1), madeAgo(-30)], 1, now)).toBe(true);
});

test("unfinished files of killed programs are deleted even without a base backup; files being written are kept", async () => {
  rmSync(join(archive, "base"), { recursive: true });
  mkdirSync(join(archive, "base", "unfinished-20261122T000000000Z"), { recursive: true });
  for (const [name, ageMs] of [
    ["unfinished-000000010000000000000007", 2 * 3_600_000],
    ["unfinished-000000010000000000000008", 30_000],
  ] as const) {
    writeFileSync(join(segments, name), "half");
    const at = new Date(now.getTime() - ageMs);
    utimesSync(join(segments, name), at, at);
  }
  await purgeArchive(archive, now);
  expect(readdirSync(join(archive, "base"))).toEqual([]);
  expect(readdirSync(segments).filter((name) => name.startsWith("unfinished-"))).toEqual([
    "unfinished-000000010000000000000008",
  ]);
});

test("the last base backup is never deleted, however old", async () => {
  rmSync(join(archive, "base"), { recursive: true });
  addBaseBackup(30);
  await purgeArchive(archive, now);
  expect(readdirSync(join(archive, "base"))).toHaveLength(1);
});
