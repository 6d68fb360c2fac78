import Plus from "lucide-react/icons/plus";
import Trash from "lucide-react/icons/trash-2";
import { useState } from "react";
import { flushSync } from "react-dom";
import { IconButton } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { PanelButton } from "../kit/action-button.tsx";
import { MoveButtons } from "../kit/rows/move-buttons.tsx";
import type { SettingsField } from "./settings-section.tsx";

/** Handlers of a row's buttons; null disables a button. */
type RowActions = Record<"onUp" | "onDown", ((button: HTMLButtonElement) => void) | null> & {
  onRemove: (() => void) | null;
};
/** Props of the fields of any row. */
export type RowFields<Path extends string> = { path: Path; field: SettingsField; actions: RowActions };

/**
 * A list in a form: adds, removes and moves rows, keeps the focus on the moved row, and notifies screen readers. A row's
 * focusable element has the id `<path>.<index>`; the button that adds a row has `<path>.add`.
 */
export function useRows<Row>(path: string, list: readonly Row[], set: (next: Row[]) => void) {
  const [announcement, setAnnouncement] = useState("");
  const addId = `${path}.add`;

  function remove(index: number, name: string): void {
    flushSync(() => {
      set(list.toSpliced(index, 1));
      setAnnouncement(`${name} removed. It is deleted when you save.`);
    });
    // `list.length - 2` is the last index after the removal.
    focus(list.length === 1 ? addId : `${path}.${Math.min(index, list.length - 2)}`);
  }
  function move(from: number, to: number, button: HTMLButtonElement): void {
    const [row] = list.slice(from, from + 1);
    if (row !== undefined) flushSync(() => set(list.toSpliced(from, 1).toSpliced(to, 0, row)));
    // The button has moved with its row; at an end of the list it is disabled, and the button beside it receives the focus.
    const otherButton = to < from ? button.nextElementSibling : button.previousElementSibling;
    const target = button.disabled ? otherButton : button;
    if (target instanceof HTMLElement) target.focus();
  }
  return {
    addId,
    announcement,
    /** `field`: the field of the new row to focus. */
    add(row: Row, field: string, index = list.length): void {
      flushSync(() => {
        set(list.toSpliced(index, 0, row));
        setAnnouncement("");
      });
      focus(`${path}.${index}.${field}`);
    },
    /** `movableCount`: how many rows, from the first on, can be moved. `minCount`: minimum number of rows. */
    actions(index: number, name: string, { movableCount = 0, minCount = 0 } = {}): RowActions {
      return {
        onUp: index > 0 && index < movableCount ? (button) => move(index, index - 1, button) : null,
        onDown: index < movableCount - 1 ? (button) => move(index, index + 1, button) : null,
        onRemove: list.length > minCount ? () => remove(index, name) : null,
      };
    },
  };
}

/** `name`: the row's name for screen readers, such as "Standard". */
export function RowButtons({ name, onUp, onDown, onRemove }: RowActions & { name: string }) {
  if (!onUp && !onDown && !onRemove) return null;
  return (
    <span className="flex">
      {(onUp || onDown) && <MoveButtons name={name} onUp={onUp} onDown={onDown} />}
      {onRemove && (
        <IconButton label={`Remove ${name}`} onClick={onRemove}>
          <Icon glyph={Trash} size="small" />
        </IconButton>
      )}
    </span>
  );
}

/** The button that adds a row, and the announcement for screen readers when a row is removed. */
export function AddRow({
  rows: { addId, announcement },
  label,
  disabled = false,
  onAdd,
}: {
  rows: Pick<ReturnType<typeof useRows>, "addId" | "announcement">;
  label: string;
  disabled?: boolean;
  onAdd: () => void;
}) {
  return (
    <div>
      <PanelButton id={addId} disabled={disabled} onClick={onAdd}>
        <Icon glyph={Plus} size="small" /> {label}
      </PanelButton>
      <span role="status" className="sr-only">
        {announcement}
      </span>
    </div>
  );
}

function focus(id: string): void {
  document.getElementById(id)?.focus();
}
