import { formatCents } from "../../domain/shared/money.ts";

/** An amount in cents; `large` is the serif price of the product, otherwise figures line up in columns. */
export function Price({
  cents,
  size = "normal",
  className = "",
}: {
  cents: number;
  size?: "normal" | "large";
  className?: string;
}) {
  const look =
    size === "large"
      ? "font-display text-[1.625rem] leading-[1.2] tracking-[-.01em] lining-nums"
      : "lining-nums tabular-nums";
  return <span className={`${look} ${className}`}>{formatCents(cents)}</span>;
}
