import type { Order } from "../orders/order.ts";
import { proceedsSentence } from "../settings/facts.ts";
import { formatCents } from "../shared/money.ts";

/** The shop's donations. Amounts in cents. */
export type Giving = SetAside & Sent;

/** Amounts set aside to donate. */
export type SetAside = {
  /** Sum over all paid orders, each by its percentage as of the purchase. */
  setAsideCents: number;
  /** The base of that share: goods after discounts and refunds, without shipping and tax. */
  proceedsCents: number;
  /** When the first of those orders was paid, ISO 8601 UTC; null if there is none. */
  since: string | null;
};

/** Donations recorded by the owner. */
export type Sent = {
  sentCents: number;
  /** Dates of the first and the last donation, `YYYY-MM-DD`; null if there is none. */
  firstSentOn: string | null;
  lastSentOn: string | null;
};

/** Explains "set aside so far" on pages. */
export const givingComputation = `${proceedsSentence} An order counts once it’s paid, at the percentage promised that day.`;

/** Price of an order's goods less refunds and chargebacks, which reduce goods, shipping and tax in proportion. Cents. */
export function proceedsCents({ totals, cancelledAt }: Pick<Order, "totals" | "cancelledAt">): number {
  if (cancelledAt !== null || totals.total === 0) return 0;
  const { subtotal, discount, tax, taxIncluded } = totals;
  const goods = BigInt(subtotal - discount - (taxIncluded ? tax - taxIncluded.inShipping : 0));
  // Refunds and chargebacks together may exceed the total.
  const remaining = Math.max(0, totals.total - totals.refunded - totals.chargedBack);
  return Number((goods * BigInt(remaining)) / BigInt(totals.total));
}

/** The part of an order to donate, rounded down to the cent. Percentages have at most two decimals. */
export function givenCents(order: Pick<Order, "totals" | "cancelledAt" | "givingPercent">): number {
  return Math.floor((proceedsCents(order) * Math.round(order.givingPercent * 100)) / 10_000);
}

/** A receipt's sentence about the order's donation; null if there is none. */
export function givingNote(order: Pick<Order, "totals" | "cancelledAt" | "givingPercent">): string | null {
  const cents = givenCents(order);
  if (cents === 0) return null;
  return `${formatCents(cents)} of this order goes to education in a village in Liberia.`;
}
