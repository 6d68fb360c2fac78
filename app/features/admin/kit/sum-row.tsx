import { formatCents } from "../../../../domain/shared/money.ts";

/** `-500` -> "−$5.00" */
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
