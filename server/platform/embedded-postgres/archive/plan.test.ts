import { expect, test } from "vitest";
import type { ArchiveContents, BaseBackup, Segment } from "./contents.ts";
import { planRestore, restoreWindows } from "./plan.ts";

/** A clock time such as "10:05", on the same day for all tests. */
const at = (clock: string) => new Date(`2026-11-22T${clock}:00Z`);
const segment = (timeline: number, number: number, closed: string): Segment => ({
  name: `${timeline}-${number}`,
  timeline,
  number,
  closedAt: at(closed),
});
const positionIn = (number: number) => BigInt(number) * 16n * 1024n * 1024n + 100n;
const base = (timeline: number, firstNumber: number, stopped: string) =>
  ({
    startedAt: at(stopped).toISOString(),
    stoppedAt: at(stopped).toISOString(),
    stopLsn: `0/${positionIn(firstNumber).toString(16)}`,
    timeline,
    firstNumber,
  }) as BaseBackup;

/**
 * Base backups at 9:00 and 10:00. At 10:40 the database was restored to 10:15, in the middle of segment 4; at 11:10 to 10:35,
 * which only the first timeline contains.
 */
const archive: ArchiveContents = {
  id: "1",
  folder: "",
  segments: [
    segment(1, 1, "09:30"),
    segment(1, 2, "10:00"),
    segment(1, 3, "10:10"),
    segment(1, 4, "10:20"),
    segment(1, 5, "10:30"),
    segment(1, 6, "10:38"),
    segment(2, 4, "10:50"),
    segment(2, 5, "11:00"),
    segment(3, 6, "11:20"),
    segment(3, 7, "11:30"),
  ],
  timelines: [
    { id: 1, since: new Date(0), ancestors: [] },
    { id: 2, since: at("10:40"), ancestors: [{ id: 1, until: positionIn(4) }] },
    { id: 3, since: at("11:10"), ancestors: [{ id: 1, until: positionIn(6) }] },
  ],
  bases: [base(1, 1, "09:00"), base(1, 2, "10:00")],
};
const planAt = (when: string | null, from = archive) => {
  const plan = planRestore(from, when === null ? null : at(when));
  return plan && [plan.timeline, plan.segments.map(({ name }) => name).join(" "), plan.until];
};

test.each<[string, string | null, unknown]>([
  ["from the last base backup before it", "09:45", [1, "1-1 1-2", at("09:45")]],
  ["from a base backup of that moment", "10:00", [1, "1-2", at("10:00")]],
  ["before the first restore", "10:15", [1, "1-2 1-3 1-4", at("10:15")]],
  ["a moment that the first restore undid", "10:25", [1, "1-2 1-3 1-4 1-5", at("10:25")]],
  ["between the last segment of a timeline and its end", "10:39", [1, "1-2 1-3 1-4 1-5 1-6", null]],
  ["after the first restore", "10:45", [2, "1-2 1-3 2-4", at("10:45")]],
  ["after the second one", "11:15", [3, "1-2 1-3 1-4 1-5 3-6", at("11:15")]],
  ["the newest", null, [3, "1-2 1-3 1-4 1-5 3-6 3-7", null]],
])("the timeline and segments of a restore: %s", (_, when, expected) =>
  expect(planAt(when)).toEqual(expected),
);

test("a time before the first base backup or after the last segment cannot be restored", () => {
  expect(planAt("08:59")).toBeNull();
  expect(planAt("11:31")).toBeNull();
  expect(restoreWindows(archive)).toEqual([{ from: at("09:00"), to: at("11:30") }]);
});

test("a base backup made on a timeline after a later one branched off cannot restore the later one", () => {
  const withLateBackup = { ...archive, bases: [base(1, 6, "10:35")] };
  expect(planAt("10:36", withLateBackup)).toEqual([1, "1-6", at("10:36")]);
  expect(planAt("10:45", withLateBackup)).toBeNull();
});

test("times from a missing segment to the next base backup cannot be restored, and are not offered", () => {
  const segments = archive.segments.filter(({ name }) => name !== "1-3");
  const broken = { ...archive, segments, bases: [...archive.bases, base(1, 4, "10:15")] };
  expect(planAt("10:05", broken)).toBeNull();
  expect(planAt("10:18", broken)).toEqual([1, "1-4", at("10:18")]);
  expect(restoreWindows(broken)).toEqual([
    { from: at("09:00"), to: at("10:00") },
    { from: at("10:15"), to: at("11:30") },
  ]);
});
