import { type ArchiveContents, type BaseBackup, parseLsn, type Segment, type Timeline } from "./contents.ts";
import { segmentBytes } from "./names.ts";

/** Steps to restore the database to a moment. */
export type RestorePlan = {
  archive: ArchiveContents;
  base: BaseBackup;
  /** The segments to replay, oldest first. */
  segments: Segment[];
  timeline: number;
  /** Null if it replays to the end of the timeline. */
  until: Date | null;
};

/** A period; the database can be restored to any moment in it. */
type Window = { from: Date; to: Date };

/**
 * Plans a restore to `at`, or to the newest state if it is null; null if the archive cannot provide it.
 *
 * After a restore, the same time may be part of two timelines. Chooses the one in use at that time by the shop's clock, which is
 * the timeline of the first segment completed afterwards.
 */
export function planRestore(archive: ArchiveContents, at: Date | null): RestorePlan | null {
  const existingTimelines = archive.timelines.filter(({ since }) => at === null || since <= at);
  const candidates = archive.segments.filter(({ timeline }) =>
    existingTimelines.some(({ id }) => id === timeline),
  );
  const newestCandidate = lastClosed(candidates);
  const newestSegment = lastClosed(archive.segments);
  if (!newestCandidate || !newestSegment || (at !== null && at > newestSegment.closedAt)) return null;
  const laterSegments = at === null ? [] : candidates.filter(({ closedAt }) => closedAt >= at);
  // If no segment was completed later, nothing was written after the newest one on that timeline.
  const last = laterSegments.toSorted(byClosingTime)[0] ?? newestCandidate;
  const until = laterSegments.length === 0 ? null : at;
  const timeline = existingTimelines.find(({ id }) => id === last.timeline);
  if (!timeline) return null;

  for (const base of archive.bases.toReversed()) {
    if (at !== null && new Date(base.stoppedAt) > at) continue;
    const segments = contiguousSegments(archive, base, timeline);
    const end = segments.indexOf(last);
    if (end < 0) continue;
    return { archive, base, segments: segments.slice(0, end + 1), timeline: timeline.id, until };
  }
  return null;
}

/** The periods that can be restored, sorted, with overlapping ones merged. */
export function restoreWindows(archive: ArchiveContents): Window[] {
  const windows = archive.bases.flatMap((base) =>
    archive.timelines.flatMap((timeline) => {
      const last = contiguousSegments(archive, base, timeline).at(-1);
      const from = new Date(base.stoppedAt);
      return last && last.closedAt >= from ? [{ from, to: last.closedAt }] : [];
    }),
  );
  const merged: Window[] = [];
  for (const window of windows.toSorted((a, b) => a.from.getTime() - b.from.getTime())) {
    const previous = merged.at(-1);
    if (!previous || window.from > previous.to) merged.push({ ...window });
    else if (window.to > previous.to) previous.to = window.to;
  }
  return merged;
}

/** The contiguous segments from a base backup along a timeline, up to the first missing one. */
function contiguousSegments(archive: ArchiveContents, base: BaseBackup, timeline: Timeline): Segment[] {
  const timelinePath = [...timeline.ancestors, { id: timeline.id, until: null }];
  const from = timelinePath.findIndex(({ id }) => id === base.timeline);
  const endOfTimeline = timelinePath[from]?.until;
  // The base backup is of another line of descent, or was taken after the timeline branched off.
  if (
    from < 0 ||
    (endOfTimeline !== null && endOfTimeline !== undefined && parseLsn(base.stopLsn) > endOfTimeline)
  )
    return [];
  const segmentsByKey = new Map(
    archive.segments.map((segment) => [`${segment.timeline} ${segment.number}`, segment]),
  );
  const segments: Segment[] = [];
  for (let number = base.firstNumber; ; number += 1) {
    // At a branch, the successor timeline has a copy of the segment and continues in it.
    const next = timelinePath
      .slice(from)
      .filter((_, index) =>
        isWithin(number, timelinePath[from + index - 1]?.until, timelinePath[from + index]?.until),
      )
      .map(({ id }) => segmentsByKey.get(`${id} ${number}`))
      .findLast((segment) => segment !== undefined);
    if (!next) return segments;
    segments.push(next);
  }
}

function isWithin(
  number: number,
  since: bigint | null | undefined,
  until: bigint | null | undefined,
): boolean {
  const numberAt = (bytes: bigint) => Number(bytes / BigInt(segmentBytes));
  return (since == null || number >= numberAt(since)) && (until == null || number <= numberAt(until));
}

const byClosingTime = (a: Segment, b: Segment) =>
  a.closedAt.getTime() - b.closedAt.getTime() || a.number - b.number;
const lastClosed = (segments: Segment[]) => segments.toSorted(byClosingTime).at(-1);
