import * as v from "valibot";
import { usedBundleSchema } from "../catalog/bundles.ts";
import { totalsSchema } from "../checkout/totals.ts";
import { orderReturnSchema } from "./order-return.ts";
import { orderStatuses } from "./order-status.ts";
import { isCounted } from "./refund.ts";
import { linkedExchangeSchema, linkedOrderSchema, replacementReasonSchema } from "./replacement.ts";

/** Structured address; `country` is an ISO 3166 code. */
export const shippingAddressSchema = v.object({
  line1: v.string(),
  line2: v.nullable(v.string()),
  city: v.string(),
  state: v.string(),
  postalCode: v.string(),
  country: v.string(),
});
export type ShippingAddress = v.InferOutput<typeof shippingAddressSchema>;

/**
 * A gift's sender and note, which keeps its line breaks. Name, phone and address of the order are then the recipient's, its
 * e-mail address is the buyer's.
 */
const giftSchema = v.object({ from: v.nullable(v.string()), note: v.nullable(v.string()) });
export type Gift = v.InferOutput<typeof giftSchema>;

/** Recipient, address and shipping option of an order. */
export const deliverySchema = v.object({
  customerName: v.string(),
  phone: v.nullable(v.string()),
  /** The address on one line. */
  shippingAddress: v.string(),
  shipping: v.nullable(shippingAddressSchema),
  shippingOption: v.object({ id: v.string(), name: v.string() }),
  /** Null if it is no gift. */
  gift: v.nullable(giftSchema),
});

/** Optional entries of an order, all empty. */
export const noEntries = { phone: null, gift: null };

/**
 * A line as it was sold: copied, never looked up later. Cents. `price` is of one unit, `total = listTotal - bundleSaving`
 * before any discount; `bundles` are those applied.
 */
export const orderItemSchema = v.object({
  productId: v.number(),
  name: v.string(),
  quantity: v.number(),
  price: v.number(),
  total: v.number(),
  listTotal: v.number(),
  bundleSaving: v.number(),
  bundles: v.array(usedBundleSchema),
  image: v.nullable(v.string()),
});
export type OrderItem = v.InferOutput<typeof orderItemSchema>;

export function countUnits(lines: readonly { quantity: number }[]): number {
  return lines.reduce((sum, { quantity }) => sum + quantity, 0);
}

export const orderStatusSchema = v.picklist(orderStatuses);

export const orderEventSchema = v.object({
  at: v.string(),
  from: v.nullable(orderStatusSchema),
  to: orderStatusSchema,
  actor: v.string(),
  note: v.nullable(v.string()),
});
export type OrderEvent = v.InferOutput<typeof orderEventSchema>;

/** A parcel and its content. Times ISO 8601 UTC; `trackingNumber` null if it cannot be tracked. */
export const shipmentSchema = v.object({
  id: v.string(),
  /** Counts from 1 within the order. */
  number: v.number(),
  carrier: v.string(),
  trackingNumber: v.nullable(v.string()),
  trackingUrl: v.nullable(v.string()),
  shippedAt: v.string(),
  deliveredAt: v.nullable(v.string()),
  /**
   * The carrier's latest report and its time; null before the first report and after delivery. `exception`: it is held up or
   * lost.
   */
  tracking: v.nullable(v.object({ state: v.picklist(["on_the_way", "exception"]), since: v.string() })),
  items: v.array(v.object({ productId: v.number(), name: v.string(), quantity: v.number() })),
});
export type OrderShipment = v.InferOutput<typeof shipmentSchema>;

export const refundSchema = v.object({
  id: v.string(),
  amount: v.number(),
  status: v.picklist(["pending", "succeeded", "failed"]),
  reason: v.nullable(v.string()),
  createdAt: v.string(),
  /** Marks the refund of a late payment for an order edit, which never belonged to the order. */
  tooLate: v.exactOptional(v.literal(true)),
  /** Marks the credit of an exchange, which pays for another order without moving money. */
  isCredit: v.exactOptional(v.literal(true)),
});
export type Refund = v.InferOutput<typeof refundSchema>;

/** "with Visa ending in 4242", or "by exchange of order #1001" */
export function paidHow({ paidWith, exchangeOf }: Pick<Order, "paidWith" | "exchangeOf">): string {
  return exchangeOf && exchangeOf.difference <= 0
    ? `by exchange of order #${exchangeOf.of.number}`
    : `with ${paidWith}`;
}

/** `processing`: paid by a method that the bank confirms days later. `none`: a replacement, which needs no payment. */
export const paymentStateSchema = v.picklist(["unpaid", "processing", "paid", "none"]);
export type PaymentState = v.InferOutput<typeof paymentStateSchema>;

/** An order as its buyer and the admin see it. Amounts in cents, times ISO 8601 UTC. */
export const orderSchema = v.object({
  id: v.string(),
  number: v.number(),
  status: orderStatusSchema,
  payment: paymentStateSchema,
  createdAt: v.string(),
  paidAt: v.nullable(v.string()),
  /** "Visa ending in 4242"; null if it is not paid, or unknown. */
  paidWith: v.nullable(v.string()),
  currency: v.string(),
  email: v.string(),
  ...deliverySchema.entries,
  /** First and last promised date (`YYYY-MM-DD`) as of the purchase; null if none was promised. */
  arrival: v.nullable(v.object({ earliest: v.string(), latest: v.string() })),
  /** The discount code used; `totals.discount` is its effect on the goods. */
  discountCode: v.nullable(v.string()),
  items: v.array(orderItemSchema),
  /**
   * `chargedBack`: withdrawn by the buyer's bank for good. `exchanged`: exchanged for other items by edits, part of both `total`
   * and `refunded`, though no payment or refund was made; missing if there is none.
   */
  totals: v.object({
    ...totalsSchema.entries,
    refunded: v.number(),
    chargedBack: v.number(),
    exchanged: v.exactOptional(v.number()),
  }),
  events: v.array(orderEventSchema),
  /** The last parcel; null until all units have shipped. */
  fulfilment: v.nullable(
    v.object({
      carrier: v.string(),
      trackingNumber: v.nullable(v.string()),
      trackingUrl: v.nullable(v.string()),
      shippedAt: v.string(),
      deliveredAt: v.nullable(v.string()),
    }),
  ),
  /** The order's parcels, oldest first. */
  shipments: v.array(shipmentSchema),
  refunds: v.array(refundSchema),
  /** Oldest first. */
  returns: v.array(orderReturnSchema),
  /** When the order was cancelled after payment: it never ships, and is refunded. */
  cancelledAt: v.nullable(v.string()),
  /** When the last unit was restocked; an order that has not shipped then never ships. */
  allBackAt: v.nullable(v.string()),
  /** When its buyer's personal data was erased. */
  erasedAt: v.nullable(v.string()),
  /** Share of the proceeds to donate, as of the purchase. */
  givingPercent: v.number(),
  /** The order that it replaces units of at no charge, and why; null if it is not a replacement. */
  replaces: v.nullable(v.object({ ...linkedOrderSchema.entries, reason: replacementReasonSchema })),
  /** Replacements of its units, oldest first. */
  replacements: v.array(linkedOrderSchema),
  /** Exchanges of its units, oldest first. */
  exchanges: v.array(linkedExchangeSchema),
  /** The exchange that created this order; null if there is none. */
  exchangeOf: v.nullable(v.object({ ...linkedExchangeSchema.entries, of: linkedOrderSchema })),
});
export type Order = v.InferOutput<typeof orderSchema>;

/** A row of "My Orders". `total` is in dollars, for the older client. */
export const orderSummarySchema = v.object({
  id: v.string(),
  number: v.number(),
  status: orderStatusSchema,
  payment: paymentStateSchema,
  createdAt: v.string(),
  cancelledAt: v.nullable(v.string()),
  /** Whether the whole order was credited to exchanges, without a refund of money. */
  isExchanged: v.boolean(),
  total: v.number(),
  /** Difference of an unpaid order edit in cents; null if there is none. */
  toPay: v.nullable(v.number()),
  items: v.array(v.omit(orderItemSchema, ["total", "listTotal", "bundleSaving", "bundles"])),
});
export type OrderSummary = v.InferOutput<typeof orderSummarySchema>;

/** "1 Main St, Austin, TX 78701, United States" */
export function joinAddress(address: ShippingAddress, countryName: string): string {
  return [
    address.line1,
    address.line2,
    address.city,
    [address.state, address.postalCode].filter(Boolean).join(" "),
    countryName,
  ]
    .filter(Boolean)
    .join(", ");
}

/** Cents that the buyer pays for the order. */
export function payableCents({ total, exchanged = 0 }: Pick<Order["totals"], "total" | "exchanged">): number {
  return total - exchanged;
}

/** Cents refunded to the buyer, without those that paid for other items or another order. */
export function paidBackCents(order: Pick<Order, "totals" | "refunds">): number {
  return order.totals.refunded - (order.totals.exchanged ?? 0) - creditedCents(order);
}

/** Cents of the order that paid for new orders of exchanges. */
export function creditedCents({ refunds }: Pick<Order, "refunds">): number {
  return refunds.filter(({ isCredit }) => isCredit).reduce((sum, { amount }) => sum + amount, 0);
}

/** Whether the order was ever completed. A late payment that was only refunded sets `paidAt`, but sells nothing. */
export function wasSold({ events }: Pick<Order, "events">): boolean {
  return events.some(({ to }) => to === "completed");
}

/** Whether the whole order was credited to exchanges without refunding money; its status is still "refunded". */
export function isExchanged(order: Pick<Order, "status" | "totals" | "refunds">): boolean {
  const { status, totals } = order;
  return (
    status === "refunded" &&
    creditedCents(order) > 0 &&
    totals.chargedBack === 0 &&
    paidBackCents(order) === 0
  );
}

/** Money that is or is being refunded or credited. */
export function refundedCents({ refunds }: Pick<Order, "refunds">): number {
  return refunds.filter(isCounted).reduce((sum, { amount }) => sum + amount, 0);
}

/** The account page of a browser. */
export type Account = {
  /** The newest few orders, newest first. */
  latest: OrderSummary[];
  ordersCount: number;
  /** Addresses of its orders without duplicates, newest first. */
  addresses: { name: string; address: string }[];
  /** The e-mail address of the newest order; null without orders. */
  email: string | null;
};

/** Purpose of an e-mailed link to personal data. */
export type DataLink = { purpose: "export" | "deletion"; email: string };
