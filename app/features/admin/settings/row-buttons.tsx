import ArrowDown from "lucide-react/icons/arrow-down";
import ArrowUp from "lucide-react/icons/arrow-up";
import Trash from "lucide-react/icons/trash-2";
import { IconButton } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";

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
          <IconButton label={`Move ${what} up`} disabled={!onUp} className={off} onClick={onUp ?? undefined}>
            <Icon glyph={ArrowUp} size="small" />
          </IconButton>
          <IconButton
            label={`Move ${what} down`}
            disabled={!onDown}
            className={off}
            onClick={onDown ?? undefined}
          >
            <Icon glyph={ArrowDown} size="small" />
          </IconButton>
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

/** The list with one entry in another's place. */
export function replaced<T>(list: readonly T[], index: number, entry: T): T[] {
  return list.map((one, at) => (at === index ? entry : one));
}
