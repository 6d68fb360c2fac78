import Check from "lucide-react/icons/check";
import type { ReactNode } from "react";
import { Icon } from "../../ui/icon.tsx";

export type TimelineEntry = {
  id: string;
  title: string;
  note?: ReactNode;
  state: "done" | "now" | "open";
};

const discs = {
  done: "border-success bg-success text-white",
  now: "border-forest-800 bg-paper after:size-2.5 after:rounded-full after:bg-forest-800",
  open: "border-line-strong bg-paper",
};

/** Steps joined by a line: done, current and still to come. */
export function Timeline({ entries }: { entries: TimelineEntry[] }) {
  return (
    <ol>
      {entries.map(({ id, title, note, state }) => (
        <li
          key={id}
          aria-current={state === "now" ? "step" : undefined}
          className={`relative grid grid-cols-[28px_1fr] gap-x-4 pb-6 last:pb-0 not-last:before:absolute not-last:before:top-7 not-last:before:bottom-0 not-last:before:left-[13px] not-last:before:w-0.5 ${
            state === "done" ? "not-last:before:bg-success" : "not-last:before:bg-sand"
          }`}
        >
          <span className={`grid size-7 place-items-center rounded-full border-2 ${discs[state]}`}>
            {state === "done" && <Icon glyph={Check} size="small" />}
          </span>
          <div>
            <b className={state === "now" ? "font-semibold" : "font-medium"}>{title}</b>
            {state === "open" && <span className="sr-only"> (to come)</span>}
            {note && <div className="text-small text-ink-muted">{note}</div>}
          </div>
        </li>
      ))}
    </ol>
  );
}
