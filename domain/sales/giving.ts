import type { Order } from "../orders/order.ts";
import { formatDay } from "../orders/order-text.ts";
import { proceedsSentence } from "../settings/facts.ts";
import { formatCents } from "../shared/money.ts";

/** What the shop gives of its proceeds. Amounts in cents. */
export type Giving = SetAside & Sent;

/** What was earned to be given away. */
export type SetAside = {
  /** The share of every paid order, each by the percentage that held when it was placed. */
  setAsideCents: number;
  /** What that is a share of: goods after discounts and refunds, without shipping and tax. */
  proceedsCents: number;
  /** When the first of those orders was paid, ISO 8601 UTC; null before there is one. */
  since: string | null;
};

/** What the owner recorded as sent. */
export type Sent = {
  sentCents: number;
  /** Dates of the first and the last donation, `YYYY-MM-DD`; null before there is one. */
  firstSentOn: string | null;
  lastSentOn: string | null;
};

/** How "set aside so far" comes about, for wherever it is shown. */
export const givingComputation = `${proceedsSentence} Each order counts once it’s paid, at the share that applied when it was placed. What is refunded no longer counts.`;

/** What an order's goods came to without what was refunded or charged back; each takes of goods, shipping and tax alike. Cents. */
export function proceedsCents({ totals, cancelledAt }: Pick<Order, "totals" | "cancelledAt">): number {
  if (cancelledAt !== null || totals.total === 0) return 0;
  const { subtotal, discount, tax, taxIncluded } = totals;
  const goods = BigInt(subtotal - discount - (taxIncluded ? tax - taxIncluded.inShipping : 0));
  // Both may have been given back: nothing is left then, not less than nothing.
  const kept = Math.max(0, totals.total - totals.refunded - totals.chargedBack);
  return Number((goods * BigInt(kept)) / BigInt(totals.total));
}

/** The share of an order that is given away, rounded down to the cent. Percentages have two decimals at most. */
export function givenCents(order: Pick<Order, "totals" | "cancelledAt" | "givingPercent">): number {
  return Math.floor((proceedsCents(order) * Math.round(order.givingPercent * 100)) / 10_000);
}

/** What a receipt says of the order's share and of the whole; null where nothing is given, or nothing was yet. */
export function givingNote(
  order: Pick<Order, "totals" | "cancelledAt" | "givingPercent">,
  giving: Pick<Giving, "setAsideCents" | "sentCents" | "lastSentOn">,
): string | null {
  const cents = givenCents(order);
  if (cents === 0 || giving.setAsideCents === 0) return null;
  return `${order.givingPercent}% of what you paid for the goods, ${formatCents(cents)}, goes to education in a village in Liberia. Set aside so far from all orders: ${formatCents(giving.setAsideCents)}. ${sentSentence(giving)}`;
}

function sentSentence({ sentCents, lastSentOn }: Pick<Giving, "sentCents" | "lastSentOn">): string {
  return lastSentOn === null
    ? "We haven’t sent the first donation yet."
    : `Sent: ${formatCents(sentCents)}, last on ${formatDay(lastSentOn, "UTC")}.`;
}
