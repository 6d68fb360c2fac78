import { isSame } from "../../../ui/value-path.ts";

/** What is typed of something that is saved, and what it began from. */
export type Typed<Values> = { revision: number; base: Values; values: Values };
/** A value that somebody else saved otherwise while it was being changed here. */
export type Conflict<Values> = {
  [Name in keyof Values & string]: { name: Name; theirs: Values[Name]; mine: Values[Name] };
}[keyof Values & string];

/**
 * What is typed on top of what is saved now. Values that were not touched here follow; one that both have changed is a
 * conflict, and stays as typed until it is settled.
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
  // Not yet current while there are conflicts: a save would be refused.
  return {
    typed: { revision: conflicts.length > 0 ? typed.revision : saved.revision, base, values },
    conflicts,
  };
}

/** What to save. */
export function changesOf<Values extends object>({ base, values }: Typed<Values>): Partial<Values> {
  const changed = namesOf(base).filter((name) => !isSame(base[name], values[name]));
  return Object.fromEntries(changed.map((name) => [name, values[name]])) as Partial<Values>;
}

function namesOf<Values extends object>(values: Values) {
  return Object.keys(values) as (keyof Values & string)[];
}
