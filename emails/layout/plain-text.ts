import { addressLines } from "../../domain/address/address-format.ts";
import { formatTotal } from "../../domain/checkout/total-text.ts";
import type { Order } from "../../domain/orders/order.ts";
import type { Sender } from "../../domain/outbox/email.ts";
import { formatCents } from "../../domain/shared/money.ts";
import { oneLine, splitLines } from "./one-line.ts";
import {
  type Discount,
  discountLine,
  type ItemLine,
  lineNotes,
  orderNotes,
  totalNotes,
  totalRows,
} from "./order-facts.tsx";

/** Paragraphs of a text part; nulls are left out. */
export function paragraphs(...parts: (string | null)[]): string {
  return `${parts.filter((part) => part !== null).join("\n\n")}\n`;
}

/** Lines and totals with their amounts in one column; lines alone for a replacement, which is free. */
export function orderTable(order: Order, sender: Sender): string {
  if (order.replaces) return order.items.map((item) => `${item.quantity} x ${oneLine(item.name)}`).join("\n");
  const rows = [
    ...order.items.flatMap((item) => [
      [`${item.quantity} x ${oneLine(item.name)}`, formatCents(item.total)],
      ...lineNotes(order, item).map((note) => [`  ${note}`, ""]),
    ]),
    ...totalRows(order),
    ["Total", formatTotal(order.totals.total, sender.currencyDisplay)],
    ...totalNotes(order).map((note) => [note, ""]),
  ] as [string, string][];
  const labelWidth = Math.max(...rows.map(([label]) => label.length));
  const amountWidth = Math.max(...rows.map(([, amount]) => amount.length));
  return rows
    .map(([label, amount]) => `${label.padEnd(labelWidth)}  ${amount.padStart(amountWidth)}`.trimEnd())
    .join("\n");
}

/** Items of a cart or a draft with their amounts, and a draft's discount. */
export function itemLines(items: readonly ItemLine[], discount: Discount | null = null): string {
  const saving = discount && discountLine(discount.code, discount.cents);
  return [
    ...items.map(
      ({ quantity, name, totalCents }) => `${quantity} × ${oneLine(name)}, ${formatCents(totalCents)}`,
    ),
    ...(saving ? [saving.join(": ")] : []),
  ].join("\n");
}

/** The sentences below the address, each followed by its quoted text. */
export function noteTexts(order: Order): string[] {
  return orderNotes(order).flatMap(({ sentence, quote }) => {
    if (!quote) return [sentence];
    const quotedLines = splitLines(quote).map((line) => `> ${line}`.trimEnd());
    return [sentence, `Its note:\n${quotedLines.join("\n")}`];
  });
}

export function addressBlock(order: Order): string {
  return addressLines(order).map(oneLine).join("\n");
}
