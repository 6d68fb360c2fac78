import type { ReactNode } from "react";
import { formatCents } from "../../../../../domain/shared/money.ts";

/** Such as "−$5.00" for -500. */
export function signedCents(cents: number): string {
  // Adding 0 turns a negative zero, which would print as "-$0.00", into zero.
  return cents < 0 ? `−${formatCents(-cents)}` : formatCents(cents + 0);
}

/** A line of a sum in a `<dl>`; `cents` may be negative. */
export function SumRow({ name, cents }: { name: string; cents: number }) {
  return (
    <div className="flex justify-between gap-4">
      <dt className="min-w-0 wrap-anywhere">{name}</dt>
      <dd>{signedCents(cents)}</dd>
    </div>
  );
}

/** A line of a `<dl>` with two columns, which are stacked on phones. */
export function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="contents max-sm:block">
      <dt className="text-small text-ink-muted">{label}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </div>
  );
}
