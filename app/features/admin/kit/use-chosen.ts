import { useState } from "react";

export type Chosen = {
  has(id: string): boolean;
  /** Of the rows that can be chosen, those that are. */
  ids: string[];
  toggle(id: string, isChosen: boolean): void;
  toggleAll(isChosen: boolean): void;
  isAll: boolean;
};

/**
 * The selected rows of a list. `offered`: ids of the selectable rows on this page; rows that have left the page are no
 * longer selected.
 */
export function useChosen(offered: readonly string[]): Chosen {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const ids = offered.filter((id) => chosen.has(id));
  return {
    has: (id) => chosen.has(id),
    ids,
    toggle: (id, isChosen) => setChosen(new Set(isChosen ? [...ids, id] : ids.filter((one) => one !== id))),
    toggleAll: (isChosen) => setChosen(new Set(isChosen ? offered : [])),
    isAll: ids.length > 0 && ids.length === offered.length,
  };
}
