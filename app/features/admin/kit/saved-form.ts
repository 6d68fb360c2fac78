import { isSame } from "../../../ui/value-path.ts";

/** The typed values of a saved record, with the saved values they started from (`base`). */
export type Typed<Values> = { revision: number; base: Values; values: Values };
/** A value changed in this form and, differently, by another save since. */
export type Conflict<Values> = {
  [Name in keyof Values & string]: { name: Name; theirs: Values[Name]; mine: Values[Name] };
}[keyof Values & string];

/**
 * Merges newer saved values into the typed ones. Values not changed in this form are updated; a value changed on both sides
 * is a conflict and keeps its typed text until the conflict is settled.
 */
export function rebase<Values extends object>(
  typed: Typed<Values>,
  saved: { revision: number; values: Values },
): { typed: Typed<Values>; conflicts: Conflict<Values>[] } {
  if (saved.revision <= typed.revision) return { typed, conflicts: [] };
  const conflicts: Conflict<Values>[] = [];
  const base = { ...typed.base };
  const values = { ...typed.values };
  for (const name of namesOf(base)) {
    const theirs = saved.values[name];
    const mine = typed.values[name];
    if (isSame(theirs, typed.base[name])) continue;
    if (!isSame(mine, typed.base[name]) && !isSame(mine, theirs)) conflicts.push({ name, theirs, mine });
    else base[name] = values[name] = theirs;
  }
  // With conflicts it keeps the old revision, so that the API refuses a save.
  return {
    typed: { revision: conflicts.length > 0 ? typed.revision : saved.revision, base, values },
    conflicts,
  };
}

/** The values that differ from the saved ones. */
export function changesOf<Values extends object>({ base, values }: Typed<Values>): Partial<Values> {
  const changed = namesOf(base).filter((name) => !isSame(base[name], values[name]));
  return Object.fromEntries(changed.map((name) => [name, values[name]])) as Partial<Values>;
}

function namesOf<Values extends object>(values: Values) {
  return Object.keys(values) as (keyof Values & string)[];
}
