import X from "lucide-react/icons/x";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { restoreFocus } from "../../../../ui/browser/focus.ts";
import { IconButton } from "../../../../ui/button.tsx";
import { Icon } from "../../../../ui/icon.tsx";
import { useHiddenBottomBar } from "../../shell/admin-nav.tsx";
import { PanelButton } from "../action-button.tsx";

export type RowSelection = ReturnType<typeof useRowSelection>;

/**
 * The selected rows of a list. `selectableIds`: ids of the selectable rows on this page; rows that have left the page are no
 * longer selected.
 */
export function useRowSelection(selectableIds: readonly string[]) {
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<string>>(new Set());
  const ids = selectableIds.filter((id) => selectedIds.has(id));
  return {
    has: (id: string) => selectedIds.has(id),
    /** Ids of the selected rows that are on this page. */
    ids,
    toggle: (id: string, isSelected: boolean) =>
      setSelectedIds(new Set(isSelected ? [...ids, id] : ids.filter((selectedId) => selectedId !== id))),
    toggleAll: (isSelected: boolean) => setSelectedIds(new Set(isSelected ? selectableIds : [])),
    isAllSelected: ids.length > 0 && ids.length === selectableIds.length,
  };
}

/** A checkbox that selects one row of a list, or all, with a target of 44 px. */
export function ChoiceBox({
  label,
  text,
  checked,
  isRowChoice = false,
  isIndeterminate = false,
  onChange,
  className = "",
}: {
  /** For screen readers, such as "Choose order #1001". */
  label: string;
  /** Visible text beside the checkbox. */
  text?: ReactNode;
  checked: boolean;
  /** Whether the checkbox belongs to a row of a DataTable, which reserves space for it on phones. */
  isRowChoice?: boolean;
  /** Whether some rows are selected. */
  isIndeterminate?: boolean;
  onChange: (checked: boolean) => void;
  className?: string;
}) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current) box.current.indeterminate = isIndeterminate && !checked;
  }, [isIndeterminate, checked]);
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
      {text && <span aria-hidden="true">{text}</span>}
    </label>
  );
}

/**
 * Bulk actions for the selected rows, on phones in place of the menu. With `selection` it is the `bar` of a DataTable and
 * covers its head; otherwise it stays in view above the list. `text`: such as "2 orders selected".
 */
export function SelectionBar({
  selection,
  text,
  children,
}: {
  selection?: RowSelection;
  text: string;
  children: ReactNode;
}) {
  useHiddenBottomBar();
  // The bar unmounts without a selection; focus inside it then moves to the page's heading.
  useEffect(() => () => void setTimeout(() => restoreFocus(null)), []);
  return (
    <div
      className={`flex items-center gap-2 bg-surface max-md:fixed max-md:inset-x-0 max-md:bottom-0 max-md:z-(--z-buybar) max-md:min-h-(--admin-bar-h) max-md:px-(--gutter) max-md:pb-[env(safe-area-inset-bottom)] max-md:shadow-bar ${selection ? "md:absolute md:inset-x-0 md:top-0 md:h-15 md:bg-forest-100 md:pr-3 md:pl-1" : "md:sticky md:top-2 md:z-(--z-sticky) md:mb-4 md:rounded-md md:border md:border-line md:px-4 md:py-2.5 md:shadow-pop"}`}
    >
      {selection && (
        <>
          <ChoiceBox
            label="Select all on this page"
            className="max-md:hidden"
            checked={selection.isAllSelected}
            isIndeterminate={selection.ids.length > 0}
            onChange={selection.toggleAll}
          />
          <IconButton
            label="Clear selection"
            className="-ml-3 md:hidden"
            onClick={() => selection.toggleAll(false)}
          >
            <Icon glyph={X} />
          </IconButton>
        </>
      )}
      <span role="status" className={`mr-auto text-ui font-semibold ${selection ? "md:mr-2" : ""}`}>
        {text}
      </span>
      {children}
      {selection && (
        <PanelButton
          variant="quiet"
          className="ml-auto max-md:hidden"
          onClick={() => selection.toggleAll(false)}
        >
          Clear
        </PanelButton>
      )}
    </div>
  );
}
