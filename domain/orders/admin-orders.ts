import * as v from "valibot";
import { type ShipHold, shipHoldSchema } from "../disputes/dispute.ts";
import { orderStatusSchema, paymentStateSchema } from "./order.ts";
import type { OrderStatus } from "./order-status.ts";
import { followUpSchema } from "./replacement.ts";

/**
 * Filters of the list of orders: by payment, or a queue of work. Without a filter, it shows paid orders. `on_hold`: paid, with a ship hold;
 * `waiting`: with an unpaid edit. `canceled`: never paid. `cancelled_paid`: cancelled between payment and shipment. `problems`:
 * on hold, with an open issue, or with an open return.
 */
export const orderFilters = [
  "succeeded",
  "pending",
  "canceled",
  "cancelled_paid",
  "refunded",
  "to_ship",
  "shipped",
  "delivered",
  "attention",
  "on_hold",
  "waiting",
  "disputed",
  "returns",
  "problems",
  "all",
] as const;
export type OrderFilter = (typeof orderFilters)[number];

/** Whether a packer may see the list. */
export function isVisibleToPackers(filter: string): boolean {
  return filter === "to_ship" || filter === "shipped";
}

/** State of an order's payment, in the payment providers' words. */
const paymentLabelSchema = v.picklist(["succeeded", "pending", "canceled", "refunded"]);
export type PaymentLabel = v.InferOutput<typeof paymentLabelSchema>;

/**
 * State of an order's delivery. `on_hold`: paid, with a `shipHold`. `waiting`: with an unpaid edit. `partly_shipped`: further
 * parcels follow. `cancelled` and `not_sent` never ship: refunded, restocked or a test.
 */
const deliveryLabelSchema = v.picklist([
  "not_started",
  "to_ship",
  "partly_shipped",
  "on_hold",
  "waiting",
  "shipped",
  "delivered",
  "cancelled",
  "not_sent",
]);
export type DeliveryLabel = v.InferOutput<typeof deliveryLabelSchema>;

/** Another order waiting to be shipped to the same person at the same address. */
export const sameAddressSchema = v.object({
  id: v.string(),
  number: v.number(),
  /** Units of the order that are not shipped yet. */
  items: v.array(v.object({ quantity: v.number(), description: v.string() })),
});
export type SameAddress = v.InferOutput<typeof sameAddressSchema>;

/** Sort orders of the list. `packing`: expedited orders first, then the oldest. */
export const orderSorts = ["newest", "packing"] as const;

/** A row of the list. `amount` and `refunded` in cents, `created` in seconds since 1970. */
export const adminOrderRowSchema = v.object({
  /** The payment's id at the provider; the order's id if no payment was opened. */
  id: v.string(),
  orderId: v.string(),
  number: v.number(),
  /** Null once the buyer's personal data was erased. */
  customer: v.nullable(v.object({ name: v.nullable(v.string()), email: v.nullable(v.string()) })),
  created: v.number(),
  items: v.array(v.object({ quantity: v.number(), description: v.string() })),
  amount: v.number(),
  currency: v.string(),
  status: paymentLabelSchema,
  payment: paymentStateSchema,
  orderStatus: orderStatusSchema,
  delivery: deliveryLabelSchema,
  /** Null if it can ship. */
  shipHold: v.nullable(shipHoldSchema),
  shippingOption: v.string(),
  /** Whether that shipping option is faster than another one of its zone. */
  isExpedited: v.boolean(),
  /** Null if the address was not entered in parts, or was erased. `country`: ISO 3166 code. */
  shipTo: v.nullable(v.object({ city: v.string(), state: v.string(), country: v.string() })),
  /** Empty unless it can ship. */
  sameAddress: v.array(sameAddressSchema),
  isGift: v.boolean(),
  /** Null if it is neither a replacement nor the new order of an exchange. */
  followUp: v.nullable(followUpSchema),
  tags: v.array(v.string()),
  refunded: v.number(),
  /** Cents withdrawn by the buyer's bank for good. */
  chargedBack: v.number(),
  /** Whether it has an open issue. */
  attention: v.boolean(),
  /** Whether it has an open return or withdrawal. */
  returnAsked: v.boolean(),
  /** Whether it was placed in test mode, while the shop now accepts live payments. */
  isTest: v.boolean(),
});
export type AdminOrderRow = v.InferOutput<typeof adminOrderRowSchema>;

/** Number of orders in each queue, counted up to `maxQueueCount`. */
const orderQueuesSchema = v.object({
  to_ship: v.number(),
  shipped: v.number(),
  on_hold: v.number(),
  waiting: v.number(),
  returns: v.number(),
  attention: v.number(),
  problems: v.number(),
});
export type OrderQueues = v.InferOutput<typeof orderQueuesSchema>;
export const maxQueueCount = 100;

/** `nextCursor` null if this is the last page. */
export const adminOrderPageSchema = v.object({
  data: v.array(adminOrderRowSchema),
  nextCursor: v.nullable(v.string()),
  queues: orderQueuesSchema,
});
export type AdminOrderPage = v.InferOutput<typeof adminOrderPageSchema>;

const neighborSchema = v.nullable(v.object({ id: v.string(), number: v.number() }));
/**
 * The orders before and after one in a list. `position` (from 1) and `count` are null if it is not in the list (anymore), or the
 * list is longer than `maxQueueCount`.
 */
export const orderNeighborsSchema = v.object({
  previous: neighborSchema,
  next: neighborSchema,
  position: v.nullable(v.number()),
  count: v.nullable(v.number()),
});
export type OrderNeighbors = v.InferOutput<typeof orderNeighborsSchema>;

export function paymentLabel(status: OrderStatus): PaymentLabel {
  if (status === "pending") return "pending";
  if (status === "cancelled") return "canceled";
  return status === "refunded" ? "refunded" : "succeeded";
}

export function deliveryLabel(order: {
  status: OrderStatus;
  shippedAt: Date | string | null;
  partlyShippedAt: Date | string | null;
  deliveredAt: Date | string | null;
  cancelledAt: Date | string | null;
  allBackAt: Date | string | null;
  shipHold: ShipHold | null;
}): DeliveryLabel {
  if (order.deliveredAt !== null) return "delivered";
  if (order.shippedAt !== null) return "shipped";
  if (order.cancelledAt !== null) return "cancelled";
  if (order.status === "pending" || order.status === "cancelled") return "not_started";
  if (order.status === "refunded" || order.allBackAt !== null) return "not_sent";
  if (order.shipHold === "test") return "not_sent";
  if (order.shipHold === "change") return "waiting";
  if (order.shipHold !== null) return "on_hold";
  return order.partlyShippedAt === null ? "to_ship" : "partly_shipped";
}
