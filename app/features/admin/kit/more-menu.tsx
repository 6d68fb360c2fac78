import Ellipsis from "lucide-react/icons/ellipsis";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { Icon } from "../../../ui/icon.tsx";

/** Actions that are not needed every day, behind a square button. `children`: `MenuAction`s. `label` names the button. */
export function MoreMenu({ label, children }: { label: string; children: ReactNode }) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const menu = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isOpen) return;
    const isOutside = (event: Event) => !menu.current?.contains(event.target as Node);
    const close = (event: Event) => isOutside(event) && setOpen(false);
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      setOpen(false);
      button.current?.focus();
    };
    document.addEventListener("pointerdown", close);
    document.addEventListener("focusin", close);
    document.addEventListener("keydown", onKeyDown);
    return () => {
      document.removeEventListener("pointerdown", close);
      document.removeEventListener("focusin", close);
      document.removeEventListener("keydown", onKeyDown);
    };
  }, [isOpen]);
  return (
    <div ref={menu} className="relative shrink-0">
      <button
        ref={button}
        type="button"
        aria-label={label}
        aria-expanded={isOpen}
        aria-controls={id}
        className="grid size-11 place-items-center rounded-sm border border-forest-800 hover:bg-cream-soft"
        onClick={() => setOpen(!isOpen)}
      >
        <Icon glyph={Ellipsis} />
      </button>
      {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: closes after a choice; its buttons are the controls */}
      <div
        id={id}
        hidden={!isOpen}
        className="absolute right-0 z-(--z-sticky) mt-1.5 w-60 rounded-md border border-line bg-surface py-1.5 shadow-pop"
        onClick={() => {
          // Before the choice's dialog opens, so that the focus comes back here when it closes.
          button.current?.focus();
          setOpen(false);
        }}
      >
        {children}
      </div>
    </div>
  );
}

const itemClass =
  "flex min-h-11 w-full items-center gap-2.5 px-4 py-2 text-left text-ui no-underline -outline-offset-2! hover:bg-cream-soft disabled:text-disabled-ink";

/** One entry of a MoreMenu. */
export function MenuAction({
  onClick,
  isDanger = false,
  disabled,
  children,
}: {
  onClick: () => void;
  isDanger?: boolean;
  disabled?: boolean;
  children: ReactNode;
}) {
  return (
    <button
      type="button"
      disabled={disabled}
      className={`${itemClass} ${isDanger ? "text-danger" : ""}`}
      onClick={onClick}
    >
      {children}
    </button>
  );
}

/** An entry that opens a page in a new tab, so that what was typed stays. */
export function MenuLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a className={itemClass} href={href} target="_blank" rel="noopener opener">
      {children}
      <span className="sr-only"> in a new tab</span>
    </a>
  );
}
