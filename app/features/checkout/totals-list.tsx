import type { ReactNode } from "react";
import type { Totals } from "../../../domain/checkout/totals.ts";
import { discountRow } from "../../../domain/discounts/discount.ts";
import { formatCents } from "../../../domain/shared/money.ts";
import { useTotalText } from "./use-total-text.ts";

/** Subtotal, discount, shipping, tax and total of an order or cart; an included tax is named below the total. */
export function TotalsList({
  totals,
  taxPending = null,
  discountCode = null,
  deductions = [],
  children,
}: {
  totals: Totals;
  /** Shown instead of a tax that is not known yet, such as "at checkout"; null if it is known. */
  taxPending?: string | null;
  discountCode?: string | null;
  /**
   * Rows below the total, such as refunds and credits. Rows of 0 cents are left out, unless they have a `text` instead
   * of an amount.
   */
  deductions?: readonly { name: ReactNode; cents?: number; text?: string | null }[];
  /** More rows. */
  children?: ReactNode;
}) {
  const { taxIncluded } = totals;
  const discount = discountRow(discountCode, totals.discount);
  const totalText = useTotalText();
  return (
    <dl className="grid gap-3 text-ui leading-[1.6] tabular-nums">
      <TotalsRow name="Subtotal" value={formatCents(totals.subtotal)} />
      {discount && <TotalsRow name={discount[0]} value={discount[1]} />}
      <TotalsRow name="Shipping" value={totals.shipping === 0 ? "Free" : formatCents(totals.shipping)} />
      {!taxIncluded && <TotalsRow name="Tax" value={taxPending ?? formatCents(totals.tax)} />}
      <div className="mt-1 flex flex-wrap items-baseline justify-between gap-4 border-t border-sand pt-4 text-[1.0625rem] font-semibold">
        <dt>
          {taxPending ? "Total before tax" : "Total"}
          {taxIncluded && (
            <span className="mt-1 block text-small font-normal text-ink-muted">
              Includes {formatCents(totals.tax)} {taxIncluded.name}
            </span>
          )}
        </dt>
        <dd className="type-display text-[1.75rem] leading-none font-normal tracking-[-.01em] lining-nums">
          {totalText(taxPending ? totals.total - totals.tax : totals.total)}
        </dd>
      </div>
      {deductions.map(({ name, cents = 0, text = cents > 0 && `−${formatCents(cents)}` }, index) => {
        const key = index;
        return text && <TotalsRow key={key} name={name} value={text} />;
      })}
      {children}
    </dl>
  );
}

export function TotalsRow({
  name,
  value,
  className = "",
}: {
  name: ReactNode;
  value: string;
  className?: string;
}) {
  return (
    <div className={`flex justify-between gap-4 ${className}`}>
      <dt className="min-w-0 wrap-anywhere">{name}</dt>
      <dd className="whitespace-nowrap">{value}</dd>
    </div>
  );
}
