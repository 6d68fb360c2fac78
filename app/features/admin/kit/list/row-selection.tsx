import { type ReactNode, useEffect, useRef, useState } from "react";
import { giveFocusBack } from "../../../../ui/browser/focus.ts";

export type RowSelection = {
  has(id: string): boolean;
  /** Ids of the selected rows that are on this page. */
  ids: string[];
  toggle(id: string, isChosen: boolean): void;
  toggleAll(isChosen: boolean): void;
  isAll: boolean;
};

/**
 * The selected rows of a list. `selectableIds`: ids of the selectable rows on this page; rows that have left the page are no
 * longer selected.
 */
export function useRowSelection(selectableIds: readonly string[]): RowSelection {
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<string>>(new Set());
  const ids = selectableIds.filter((id) => selectedIds.has(id));
  return {
    has: (id) => selectedIds.has(id),
    ids,
    toggle: (id, isChosen) =>
      setSelectedIds(new Set(isChosen ? [...ids, id] : ids.filter((one) => one !== id))),
    toggleAll: (isChosen) => setSelectedIds(new Set(isChosen ? selectableIds : [])),
    isAll: ids.length > 0 && ids.length === selectableIds.length,
  };
}

/** A checkbox that selects one row of a list, or all, with a target of 44 px. */
export function ChoiceBox({
  label,
  words,
  checked,
  isRowChoice = false,
  isPartly = false,
  onChange,
  className = "",
}: {
  /** For screen readers: "Choose order #1001". */
  label: string;
  /** Visible text beside the checkbox. */
  words?: ReactNode;
  checked: boolean;
  /** It belongs to a row of a DataTable, which reserves space for it on phones. */
  isRowChoice?: boolean;
  /** Some, but not all, of its rows are selected. */
  isPartly?: boolean;
  onChange: (checked: boolean) => void;
  className?: string;
}) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current) box.current.indeterminate = isPartly && !checked;
  }, [isPartly, checked]);
  return (
    <label className={`inline-flex min-h-11 min-w-11 cursor-pointer items-center gap-2.5 p-3 ${className}`}>
      <input
        ref={box}
        type="checkbox"
        data-row-choice={isRowChoice || undefined}
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        className="size-5 shrink-0 accent-forest-800"
      />
      <span className="sr-only">{label}</span>
      {words && <span aria-hidden="true">{words}</span>}
    </label>
  );
}

/** Bulk actions for the selected rows; sticky while the list scrolls. `words`: "2 orders chosen". */
export function SelectionBar({ words, children }: { words: string; children: ReactNode }) {
  // The bar unmounts without a selection; focus inside it then moves to the page's heading.
  useEffect(() => () => void setTimeout(() => giveFocusBack(null)), []);
  return (
    <div className="sticky top-2 z-(--z-sticky) mb-4 flex flex-wrap items-center gap-x-2 gap-y-2 rounded-md border border-line bg-surface px-4 py-2.5 shadow-pop max-sm:*:grow max-sm:[&>:not([role])]:px-2.5">
      <span role="status" className="mr-auto text-ui font-medium max-sm:w-full">
        {words}
      </span>
      {children}
    </div>
  );
}
