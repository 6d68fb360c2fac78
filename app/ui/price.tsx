import { formatCents } from "../../domain/shared/money.ts";

/** The compare-at price, struck through; renders nothing if there is none. */
export function CompareAt({ cents }: { cents: number | null }) {
  return (
    cents !== null && (
      <span className="text-ink-muted">
        Compare at <s className="tabular-nums">{formatCents(cents)}</s>
      </span>
    )
  );
}

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
