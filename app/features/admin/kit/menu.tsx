import type { LucideIcon } from "lucide-react";
import Ellipsis from "lucide-react/icons/ellipsis";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { Icon } from "../../../ui/icon.tsx";

export type MenuEntry = {
  label: string;
  glyph?: LucideIcon | undefined;
  isDanger?: boolean;
  busy?: boolean;
  /** `href` opens a page in a new tab; `onSelect` runs an action, such as opening a page of the panel. */
} & ({ href: string } | { onSelect: () => void });

/**
 * A square button that opens a list of further actions. Arrow keys move through it; Escape, or a press or focus elsewhere,
 * closes it.
 */
export function Menu({ label, entries }: { label: string; entries: readonly MenuEntry[] }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isOpen) return;
    const onPress = ({ target }: Event) => {
      if (target instanceof Node && !root.current?.contains(target)) setOpen(false);
    };
    document.addEventListener("pointerdown", onPress);
    document.addEventListener("focusin", onPress);
    return () => {
      document.removeEventListener("pointerdown", onPress);
      document.removeEventListener("focusin", onPress);
    };
  }, [isOpen]);

  function close() {
    setOpen(false);
    button.current?.focus();
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === "Escape" && isOpen) close();
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    if (!isOpen) return setOpen(true);
    const items = [...(root.current?.querySelectorAll<HTMLElement>("button, a") ?? [])];
    const index = items.findIndex((entry) => entry.matches(":focus"));
    items.at((index + step) % items.length)?.focus();
  }

  if (entries.length === 0) return null;
  const entryClass =
    "flex min-h-11 w-full items-center gap-3 rounded-sm px-3 text-left text-ui no-underline -outline-offset-2! hover:bg-cream-soft disabled:text-disabled-ink";
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys only add to what Tab does
    <div ref={root} className="relative" onKeyDown={onKeyDown}>
      <button
        ref={button}
        type="button"
        aria-label={label}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        className={squareClass}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon glyph={Ellipsis} />
      </button>
      {isOpen && (
        <ul
          id={id}
          className="absolute top-full right-0 z-(--z-sticky) mt-1.5 w-64 animate-fade rounded-md border border-line bg-surface p-1.5 shadow-pop"
        >
          {entries.map((entry) => {
            const content = (
              <>
                {entry.glyph && <Icon glyph={entry.glyph} size="small" />} {entry.label}
              </>
            );
            return (
              <li key={entry.label}>
                {"href" in entry ? (
                  <a
                    href={entry.href}
                    target="_blank"
                    rel="noopener opener"
                    className={entryClass}
                    onClick={() => setOpen(false)}
                  >
                    {content}
                    <span className="sr-only"> in a new tab</span>
                  </a>
                ) : (
                  <button
                    type="button"
                    disabled={entry.busy}
                    className={`${entryClass} ${entry.isDanger ? "text-danger" : ""}`}
                    onClick={() => {
                      close();
                      entry.onSelect();
                    }}
                  >
                    {content}
                  </button>
                )}
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
}

/** A square target of 44 px around one icon. */
export const squareClass =
  "inline-grid size-11 shrink-0 place-items-center rounded-sm border border-line-strong bg-surface no-underline hover:bg-cream-soft";
