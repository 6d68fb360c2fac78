import { type ComponentProps, type ReactNode, useLayoutEffect, useRef } from "react";
import type { Link } from "react-router";
import { restoreFocus } from "./browser/focus.ts";
import { PageLink } from "./page-link.tsx";

type ButtonStyle = {
  variant?: keyof typeof variants | undefined;
  size?: "normal" | "small" | undefined;
  block?: boolean | undefined;
};

const base =
  "relative inline-flex items-center justify-center gap-2.5 rounded-sm border text-center leading-[1.2] font-medium tracking-[.005em] no-underline transition-[background-color,border-color,color,translate] duration-(--dur-2) active:translate-y-px disabled:translate-y-0 disabled:cursor-not-allowed";

const disabledFilledClass =
  "disabled:border-disabled disabled:bg-disabled disabled:text-disabled-ink disabled:hover:bg-disabled";

const variants = {
  primary: `border-action bg-action text-action-ink hover:border-action-hover hover:bg-action-hover ${disabledFilledClass}`,
  secondary:
    "border-forest-800 bg-transparent text-ink hover:bg-forest-800 hover:text-paper disabled:border-line-disabled disabled:bg-transparent disabled:text-disabled-ink",
  quiet: "border-transparent bg-transparent text-ink hover:bg-cream-soft disabled:text-disabled-ink",
  danger: `border-danger bg-danger text-white hover:border-danger-hover hover:bg-danger-hover ${disabledFilledClass}`,
  "danger-quiet": `border-danger-line bg-transparent text-danger hover:bg-danger-bg ${disabledFilledClass}`,
  "on-dark": `border-cream bg-cream text-forest-900 hover:border-white hover:bg-white ${disabledFilledClass}`,
};

const sizes = {
  normal: "min-h-13 py-3 text-body",
  small: "min-h-11 py-2 text-ui",
};

/** A quiet button has no border, so it needs less space between its text and its neighbors. */
function padding({ variant, size = "normal" }: ButtonStyle): string {
  if (variant === "quiet") return "px-3";
  return size === "small" ? "px-[1.1rem]" : "px-7";
}

/** Classes of a button, for elements that look like one: a `<label>`, a `<summary>`. */
export function buttonClass({ variant = "primary", size = "normal", block = false }: ButtonStyle): string {
  return `${base} ${variants[variant]} ${sizes[size]} ${padding({ variant, size })} ${block ? "w-full" : ""}`;
}

/**
 * A button. `busy` disables it and shows a spinner with `busyText`; it keeps its width, because both texts are always
 * laid out. A disabled button loses the focus, which is restored afterwards.
 */
export function Button({
  variant,
  size,
  block,
  busy = false,
  busyText,
  disabled = false,
  className = "",
  type = "button",
  children,
  ...rest
}: ButtonStyle & Omit<ComponentProps<"button">, "ref"> & { busy?: boolean; busyText?: ReactNode }) {
  const self = useRef<HTMLButtonElement>(null);
  const hadFocus = useRef(false);
  useLayoutEffect(() => {
    if (busy) hadFocus.current = document.activeElement === self.current;
    else if (hadFocus.current) {
      hadFocus.current = false;
      restoreFocus(self.current);
    }
  }, [busy]);
  return (
    <button
      ref={self}
      type={type}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      className={`${buttonClass({ variant, size, block })} ${className}`}
      {...rest}
    >
      {busyText === undefined ? (
        children
      ) : (
        <span className="grid items-center justify-items-center">
          <span
            className={`col-start-1 row-start-1 inline-flex items-center gap-2.5 ${busy ? "invisible" : ""}`}
          >
            {children}
          </span>
          <span
            className={`col-start-1 row-start-1 inline-flex items-center gap-2.5 ${busy ? "" : "invisible"}`}
            aria-hidden={!busy}
          >
            {busy && <Spinner />}
            {busyText}
          </span>
        </span>
      )}
    </button>
  );
}

/** A link that looks like a button. */
export function ButtonLink({
  variant,
  size,
  block,
  className = "",
  ...rest
}: ButtonStyle & ComponentProps<typeof Link>) {
  return <PageLink className={`${buttonClass({ variant, size, block })} ${className}`} {...rest} />;
}

/** A round target of 44 px around an icon; `label` is its accessible name. */
export function IconButton({
  label,
  className = "",
  type = "button",
  ...rest
}: ComponentProps<"button"> & { label: string }) {
  return <button type={type} aria-label={label} className={`${iconButtonClass} ${className}`} {...rest} />;
}

export const iconButtonClass =
  "relative inline-grid size-11 place-items-center rounded-full transition-colors duration-(--dur-2) hover:bg-forest-800/8";

export function Spinner() {
  return (
    <span
      aria-hidden="true"
      className="size-4.5 shrink-0 animate-spin rounded-full border-2 border-current border-r-transparent"
    />
  );
}
