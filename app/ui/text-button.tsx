import type { ComponentProps } from "react";

/** A quiet action that looks like a link: Remove, Clear Cart, Refresh Prices, Print receipt. */
export function TextButton({ className = "", ...rest }: ComponentProps<"button">) {
  return <button type="button" className={`${textLinkClass} ${className}`} {...rest} />;
}

/** Classes of a quiet action, for a link among them. */
export const textLinkClass =
  "inline-flex min-h-11 items-center gap-2 text-small text-ink-muted underline decoration-gold-500 underline-offset-[.25em] hover:text-ink disabled:cursor-default disabled:no-underline";
