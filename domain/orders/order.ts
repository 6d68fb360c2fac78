import * as v from "valibot";
import { usedBundleSchema } from "../catalog/bundles.ts";
import { totalsSchema } from "../checkout/totals.ts";
import { orderReturnSchema } from "./order-return.ts";
import { orderStatuses } from "./order-status.ts";

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
 * What the slip of a gift says: whom it is from, and a note with its line breaks. The order's name, phone and address are the
 * recipient's then, and its e-mail address is the buyer's.
 */
export const giftSchema = v.object({ from: v.nullable(v.string()), note: v.nullable(v.string()) });
export type Gift = v.InferOutput<typeof giftSchema>;

/**
 * Line item as it was sold: copied, never looked up later. Cents. `price` is that of one unit, and `total = listTotal -
 * bundleSaving` before any discount code; `bundles` are those that it was priced by.
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

export const orderStatusSchema = v.picklist(orderStatuses);

export const orderEventSchema = v.object({
  at: v.string(),
  from: v.nullable(orderStatusSchema),
  to: orderStatusSchema,
  actor: v.string(),
  note: v.nullable(v.string()),
});
export type OrderEvent = v.InferOutput<typeof orderEventSchema>;

/** A parcel of an order, and what was in it. Times ISO 8601 UTC; `trackingNumber` null: it cannot be followed. */
export const shipmentSchema = v.object({
  id: v.string(),
  /** Counts from 1 within the order. */
  number: v.number(),
  carrier: v.string(),
  trackingNumber: v.nullable(v.string()),
  trackingUrl: v.nullable(v.string()),
  shippedAt: v.string(),
  deliveredAt: v.nullable(v.string()),
  items: v.array(v.object({ productId: v.number(), name: v.string(), quantity: v.number() })),
});
export type OrderShipment = v.InferOutput<typeof shipmentSchema>;

export const refundSchema = v.object({
  id: v.string(),
  amount: v.number(),
  status: v.picklist(["pending", "succeeded", "failed"]),
  reason: v.nullable(v.string()),
  createdAt: v.string(),
  /** It gives a payment back that came too late for a change of the order, and was never part of it; missing: it does not. */
  tooLate: v.exactOptional(v.literal(true)),
});
export type Refund = v.InferOutput<typeof refundSchema>;

/** Whether an order's money is here. `processing`: its buyer has paid in a way that takes the bank days to confirm. */
export const paymentStateSchema = v.picklist(["unpaid", "processing", "paid"]);
export type PaymentState = v.InferOutput<typeof paymentStateSchema>;

/** An order, whole, as its owner (and the admin) sees it. Amounts in cents, times ISO 8601 UTC. */
export const orderSchema = v.object({
  id: v.string(),
  number: v.number(),
  status: orderStatusSchema,
  payment: paymentStateSchema,
  createdAt: v.string(),
  paidAt: v.nullable(v.string()),
  /** "Visa ending in 4242"; null: not paid, or not known. */
  paidWith: v.nullable(v.string()),
  currency: v.string(),
  email: v.string(),
  customerName: v.string(),
  phone: v.nullable(v.string()),
  /** The address on one line. */
  shippingAddress: v.string(),
  shipping: v.nullable(shippingAddressSchema),
  shippingOption: v.object({ id: v.string(), name: v.string() }),
  /** First and last date (`YYYY-MM-DD`) on which it was promised to come when it was placed; null: nothing was. */
  arrival: v.nullable(v.object({ earliest: v.string(), latest: v.string() })),
  /** Null: it is no gift. */
  gift: v.nullable(giftSchema),
  /** The code it was placed with, if any; `totals.discount` is what that took off the goods. */
  discountCode: v.nullable(v.string()),
  items: v.array(orderItemSchema),
  /**
   * `chargedBack`: the amount that the buyer's bank took back for good. `exchanged`: the amount that edits exchanged for other items,
   * counted in `total` and in `refunded` alike, without any money moving; missing: none.
   */
  totals: v.object({
    ...totalsSchema.entries,
    refunded: v.number(),
    chargedBack: v.number(),
    exchanged: v.exactOptional(v.number()),
  }),
  events: v.array(orderEventSchema),
  /** Null until all of it has left; the parcel that left last. */
  fulfilment: v.nullable(
    v.object({
      carrier: v.string(),
      trackingNumber: v.nullable(v.string()),
      trackingUrl: v.nullable(v.string()),
      shippedAt: v.string(),
      deliveredAt: v.nullable(v.string()),
    }),
  ),
  /** Its parcels, in the order in which they left. */
  shipments: v.array(shipmentSchema),
  refunds: v.array(refundSchema),
  /** Oldest first. */
  returns: v.array(orderReturnSchema),
  /** When it was cancelled after it was paid: it never ships, and is refunded. */
  cancelledAt: v.nullable(v.string()),
  /** When the last of its units was restocked: if it has not shipped, nothing is left to ship. */
  allBackAt: v.nullable(v.string()),
  /** When its buyer's personal data was erased. */
  erasedAt: v.nullable(v.string()),
  /** Share of the proceeds given away, as it was when the order was placed. */
  givingPercent: v.number(),
});
export type Order = v.InferOutput<typeof orderSchema>;

/** One row of "My Orders". `total` is in dollars, for the older client. */
export const orderSummarySchema = v.object({
  id: v.string(),
  number: v.number(),
  status: orderStatusSchema,
  payment: paymentStateSchema,
  createdAt: v.string(),
  cancelledAt: v.nullable(v.string()),
  total: v.number(),
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

/** Cents that an order's buyer pays in all. */
export function payableCents({ total, exchanged = 0 }: Pick<Order["totals"], "total" | "exchanged">): number {
  return total - exchanged;
}

/** Cents that went back to an order's buyer in money. */
export function paidBackCents({
  refunded,
  exchanged = 0,
}: Pick<Order["totals"], "refunded" | "exchanged">): number {
  return refunded - exchanged;
}
