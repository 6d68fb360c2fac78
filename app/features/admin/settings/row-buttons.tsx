import ArrowDown from "lucide-react/icons/arrow-down";
import ArrowUp from "lucide-react/icons/arrow-up";
import Trash from "lucide-react/icons/trash-2";
import { flushSync } from "react-dom";
import { IconButton } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";

type Move = "up" | "down";

/** Moves one entry of a list, or takes it away. Null: not possible here. `what` names it: "Standard". */
export function RowButtons({
  what,
  onUp,
  onDown,
  onRemove,
}: {
  what: string;
  onUp: (() => void) | null;
  onDown: (() => void) | null;
  onRemove: (() => void) | null;
}) {
  return (
    <span className="flex">
      {(onUp || onDown) && (
        <>
          <MoveButton what={what} to="up" onMove={onUp} />
          <MoveButton what={what} to="down" onMove={onDown} />
        </>
      )}
      {onRemove && (
        <IconButton label={`Remove ${what}`} onClick={onRemove}>
          <Icon glyph={Trash} size="small" />
        </IconButton>
      )}
    </span>
  );
}

function MoveButton({ what, to, onMove }: { what: string; to: Move; onMove: (() => void) | null }) {
  return (
    <IconButton
      label={`Move ${what} ${to}`}
      disabled={!onMove}
      className={off}
      onClick={({ currentTarget: button }) => {
        flushSync(() => onMove?.());
        // It has moved with its row; at the end of the list it is the other one that still leads somewhere.
        const other = button.nextElementSibling ?? button.previousElementSibling;
        const target = button.disabled ? other : button;
        if (target instanceof HTMLElement) target.focus();
      }}
    >
      <Icon glyph={to === "up" ? ArrowUp : ArrowDown} size="small" />
    </IconButton>
  );
}

const off = "disabled:cursor-not-allowed disabled:text-disabled-ink disabled:hover:bg-transparent";

/** The list with two entries changed over. */
export function swapped<T>(list: readonly T[], a: number, b: number): T[] {
  const next = [...list];
  const [one, other] = [next[a], next[b]];
  if (one !== undefined && other !== undefined) {
    next[a] = other;
    next[b] = one;
  }
  return next;
}
