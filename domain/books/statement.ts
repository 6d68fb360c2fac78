import type { SalesFigures } from "../overview/overview.ts";
import { formatCents } from "../shared/money.ts";

type StatementLine = {
  /** Sign of the amount in the sum; empty for the first line. */
  sign: "" | "−" | "+" | "=";
  name: string;
  /** Cents; only sums can be negative. */
  cents: number;
  note: string | null;
};

/** Shows how a period's figures add up, from gross sales through the money received to the net. */
export function salesStatement(figures: SalesFigures): StatementLine[] {
  const { orders, refundedCents, refundedGoodsCents, refundedShippingCents, refundedTaxCents, chargebacks } =
    figures;
  const line = (
    sign: StatementLine["sign"],
    name: string,
    cents: number,
    note: string | null = null,
  ): StatementLine => ({ sign, name, cents, note });
  return [
    line("", "Gross sales", figures.grossCents, "Goods before discounts and tax"),
    line("−", "Discounts", figures.discountCents),
    line("+", "Shipping", figures.shippingCents, "Before tax"),
    line("+", "Tax", figures.taxCents),
    line("=", "Received", figures.receivedCents, countText(orders, "paid order")),
    line(
      "−",
      "Refunds",
      refundedCents,
      refundedCents === 0
        ? null
        : `Goods ${formatCents(refundedGoodsCents)}, shipping ${formatCents(refundedShippingCents)}, tax ${formatCents(refundedTaxCents)}`,
    ),
    line(
      "−",
      "Chargebacks",
      figures.chargedBackCents,
      chargebacks === 0 ? null : `${countText(chargebacks, "dispute")} lost`,
    ),
    line("=", "Net", figures.netCents),
  ];
}

/** "1 paid order", "1,200 paid orders" */
export function countText(count: number, singular: string): string {
  return `${count.toLocaleString("en-US")} ${count === 1 ? singular : `${singular}s`}`;
}

/** First and last day of a period of the books, `YYYY-MM-DD`. */
type Days = { from: string; to: string };

/** "October 2026", "July to September 2026", "2026", or the days: "Oct 3, 2026 to Nov 5, 2026". */
export function periodName({ from, to }: Days): string {
  const year = from.slice(0, 4);
  const isWholeMonths = from.endsWith("-01") && to === lastDayOfMonth(to) && to.startsWith(year);
  if (!isWholeMonths) {
    const dayFormat = { month: "short", day: "numeric", year: "numeric" } as const;
    return from === to
      ? inWords(from, dayFormat)
      : `${inWords(from, dayFormat)} to ${inWords(to, dayFormat)}`;
  }
  const [first, last] = [from, to].map((date) => inWords(date, { month: "long" }));
  if (first === last) return `${first} ${year}`;
  return first === "January" && last === "December" ? year : `${first} to ${last} ${year}`;
}

/** First and last day of the month that contains the date, or of the month `offset` months later. */
export function monthRange(date: string, offset = 0): Days {
  const [year, month] = [Number(date.slice(0, 4)), Number(date.slice(5, 7))];
  const from = new Date(Date.UTC(year, month - 1 + offset, 1)).toISOString().slice(0, 10);
  return { from, to: lastDayOfMonth(from) };
}

function lastDayOfMonth(date: string): string {
  const [year, month] = [Number(date.slice(0, 4)), Number(date.slice(5, 7))];
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
}

function inWords(date: string, options: Intl.DateTimeFormatOptions): string {
  return new Date(`${date}T00:00:00Z`).toLocaleDateString("en-US", { ...options, timeZone: "UTC" });
}
