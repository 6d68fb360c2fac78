import { deliveryLabel, paymentLabel } from "../../../domain/orders/admin-orders.ts";
import type { OrderStatus } from "../../../domain/orders/order-status.ts";
import { addDays, startOfDay } from "../../../domain/shared/zoned-days.ts";
import { csvBatchSize, csvStream, csvTime } from "../../platform/csv.ts";
import type { Database } from "../../platform/database/database.ts";
import { withCustomPlans } from "../../platform/database/search.ts";
import { type ListedOrder, type OrderSelection, readOrderPage } from "./list.ts";

/**
 * The period from day `from` to day `to` (`2026-11-20`, both included) in the time zone. Ends now at the latest, so that a
 * file leaves out orders placed while it is written.
 */
export function placedBetween({
  from,
  to,
  timeZone,
  now,
}: {
  from: string | null;
  to: string | null;
  timeZone: string;
  now: Date;
}): { from: Date | null; before: Date } {
  const end = to === null ? now : startOfDay(timeZone, addDays(to, 1));
  return { from: from === null ? null : startOfDay(timeZone, from), before: end < now ? end : now };
}

/**
 * CSV of a selection, one order per line, newest first, with times in `timeZone`; test orders are left out if the shop takes
 * real money. Each batch is read in a separate transaction.
 */
export function exportOrdersFile(
  db: Database,
  { timeZone, ...selection }: Omit<OrderSelection, "limit" | "cursor"> & { timeZone: string },
): ReadableStream<Uint8Array> {
  return csvStream(
    columns.map(([title]) => title.replace(inZone, ` (${timeZone})`)),
    (cursor) =>
      withCustomPlans(db, (tx) =>
        readOrderPage(tx, { ...selection, isForBooks: true, limit: csvBatchSize, cursor }),
      ),
    (row) => columns.map(([, cell]) => cell(row, timeZone)),
  );
}

type Cell = (row: ListedOrder, timeZone: string) => string | number | null;

/** 3590 -> 35.90, a number to spreadsheets; the currency has a separate column. */
const money =
  (cents: (order: ListedOrder["order"]) => number): Cell =>
  ({ order }) =>
    (cents(order) / 100).toFixed(2);

const time =
  (at: (order: ListedOrder["order"]) => Date | null): Cell =>
  ({ order }, timeZone) =>
    csvTime(at(order), timeZone);

/** Empty once the buyer's data was erased. */
const personal =
  (text: (order: ListedOrder["order"]) => string | null | undefined): Cell =>
  ({ order }) =>
    order.erasedAt === null ? (text(order) ?? null) : null;

/** Placeholder for the name of the shop's time zone. */
const inZone = / \(zone\)$/;
/** The panel's label of an order that ended unpaid; an order cancelled after payment is labelled "cancelled". */
const neverPaid = "never paid";
const statusLabel = (status: OrderStatus): string => (status === "cancelled" ? neverPaid : status);

const columns: [title: string, cell: Cell][] = [
  ["Order", ({ order }) => order.number],
  ["Placed (zone)", time(({ createdAt }) => createdAt)],
  ["Paid (zone)", time(({ paidAt }) => paidAt)],
  ["Status", ({ order }) => (order.cancelledAt ? "cancelled" : statusLabel(order.status))],
  ["Payment", ({ order }) => (order.status === "cancelled" ? neverPaid : paymentLabel(order.status))],
  ["Delivery", ({ order }) => deliveryLabel(order)],
  ["Customer", personal(({ customerName }) => customerName)],
  ["Email", personal(({ email }) => email)],
  ["Phone", personal(({ phone }) => phone)],
  ["Address", personal(({ shippingAddress }) => shippingAddress)],
  ["City", personal(({ shipping }) => shipping?.city)],
  ["State", ({ order }) => order.shipping?.state ?? null],
  ["Postal code", personal(({ shipping }) => shipping?.postalCode)],
  ["Country", ({ order }) => order.shipping?.country ?? null],
  [
    "Items",
    ({ items }) => items.map(({ quantity, description }) => `${quantity} × ${description}`).join("; "),
  ],
  ["Units", ({ items }) => items.reduce((units, { quantity }) => units + quantity, 0)],
  ["Currency", ({ order }) => order.currency],
  // Before tax even if prices include it, so that columns add up.
  ["Subtotal", money(({ subtotalCents }) => subtotalCents)],
  ["Discount", money(({ discountCents }) => discountCents)],
  ["Discount code", ({ order }) => order.discountCode],
  ["Shipping", money(({ shippingCents }) => shippingCents)],
  ["Tax", money(({ taxCents }) => taxCents)],
  ["Total", money(({ totalCents }) => totalCents)],
  ["Refunded", money(({ creditedCents }) => creditedCents)],
  ["Shipping option", ({ order }) => order.shippingOptionName],
  ["Carrier", ({ order }) => order.carrier],
  ["Tracking number", personal(({ trackingNumber }) => trackingNumber)],
  ["Shipped (zone)", time(({ shippedAt }) => shippedAt)],
  ["Delivered (zone)", time(({ deliveredAt }) => deliveredAt)],
  ["Charged back", money(({ chargedBackCents }) => chargedBackCents)],
  ["Dispute fees", ({ disputeFeeCents }) => (disputeFeeCents / 100).toFixed(2)],
  [
    "Bundle saving",
    ({ items }) => (items.reduce((cents, { bundleSaving }) => cents + bundleSaving, 0) / 100).toFixed(2),
  ],
  ["Gift", ({ order }) => (order.gift ? "yes" : "no")],
  ["Gift from", personal(({ gift }) => gift?.from)],
  ["Gift note", personal(({ gift }) => gift?.note)],
  ["Order id", ({ order }) => order.id],
  ["Payment id", ({ intentId }) => intentId],
  // The products' current SKUs.
  ["SKUs", ({ items }) => items.map(({ quantity, sku }) => `${quantity} × ${sku ?? "-"}`).join("; ")],
  ["Replaces", ({ followUp }) => (followUp?.kind === "replacement" ? followUp.number : null)],
  ["Exchange of", ({ followUp }) => (followUp?.kind === "exchange" ? followUp.number : null)],
  ["Referrer", ({ order }) => order.source?.referrer ?? null],
  ["utm_source", ({ order }) => order.source?.utmSource ?? null],
  ["utm_medium", ({ order }) => order.source?.utmMedium ?? null],
  ["utm_campaign", ({ order }) => order.source?.utmCampaign ?? null],
];
