import ArrowDown from "lucide-react/icons/arrow-down";
import ArrowUp from "lucide-react/icons/arrow-up";
import { IconButton } from "../../../../ui/button.tsx";
import { Icon } from "../../../../ui/icon.tsx";

type Move = ((button: HTMLButtonElement) => void) | null;

/** Move an entry of a list up or down; null disables a button. `name`: the entry's name for screen readers, such as "Standard". */
export function MoveButtons({ name, onUp, onDown }: { name: string; onUp: Move; onDown: Move }) {
  return [
    { to: "up", glyph: ArrowUp, onMove: onUp },
    { to: "down", glyph: ArrowDown, onMove: onDown },
  ].map(({ to, glyph, onMove }) => (
    <IconButton
      key={to}
      label={`Move ${name} ${to}`}
      disabled={!onMove}
      className="shrink-0 disabled:cursor-not-allowed disabled:text-disabled-ink disabled:hover:bg-transparent"
      onClick={({ currentTarget }) => onMove?.(currentTarget)}
    >
      <Icon glyph={glyph} size="small" />
    </IconButton>
  ));
}
