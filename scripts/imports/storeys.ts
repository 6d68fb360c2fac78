import { arrowOf, partOf, storeyOf } from "./rules.ts";
import type { Source } from "./source.ts";
import type { Violation } from "./violations.ts";

type Arrow = { from: string; to: string; file: string; imported: string };

/** Imports of one room by another, types included; those of tables are left out. */
export function arrowsBetweenRooms(sources: readonly Source[]): Arrow[] {
  return sources.flatMap(({ file, imports }) =>
    imports.flatMap(({ file: imported }) => {
      const arrow = imported === null ? null : arrowOf(file, imported);
      return arrow && imported ? [{ ...arrow, file, imported }] : [];
    }),
  );
}

/** Rooms without a storey, and arrows that point up or around within a storey. */
export function storeyViolations(sources: readonly Source[]): Violation[] {
  const parts = sources.map(({ file }) => partOf(file));
  const rooms = new Set(parts.flatMap((part) => (part.kind === "room" ? [part.name] : [])));
  const unplaced = [...rooms].filter((room) => storeyOf(room) === -1);
  if (unplaced.length > 0) {
    return unplaced.map((room) => ({ file: `server/${room}`, problem: "has no storey in the import rules" }));
  }

  const arrows = arrowsBetweenRooms(sources);
  const sideways = new Map<string, Set<string>>();
  for (const { from, to } of arrows) {
    if (storeyOf(from) !== storeyOf(to)) continue;
    sideways.set(from, (sideways.get(from) ?? new Set()).add(to));
  }
  const isUp = ({ from, to }: Arrow) => storeyOf(to) > storeyOf(from);
  const isAround = ({ from, to }: Arrow) =>
    storeyOf(to) === storeyOf(from) && reachableFrom(to, sideways).has(from);
  return arrows
    .filter((arrow) => isUp(arrow) || isAround(arrow))
    .map((arrow) => ({
      file: arrow.file,
      problem: `imports ${arrow.imported}: ${arrow.to} stands ${isUp(arrow) ? "above" : "in a circle with"} ${arrow.from}`,
    }));
}

function reachableFrom(room: string, sideways: Map<string, Set<string>>): Set<string> {
  const reached = new Set([room]);
  // A set that grows while it is walked is walked to its end.
  for (const each of reached) for (const next of sideways.get(each) ?? []) reached.add(next);
  return reached;
}
