import type { ShipHold } from "../payments/dispute.ts";
import type { PaymentState } from "./order.ts";
import type { OrderStatus } from "./order-status.ts";

/** What the list of orders can be narrowed to: a word for the payment, or a queue of work. Without one: paid orders. */
export const orderFilters = [
  "succeeded",
  "pending",
  "canceled",
  "refunded",
  "to_ship",
  "shipped",
  "delivered",
  "attention",
  "returns",
  "all",
] as const;
export type OrderFilter = (typeof orderFilters)[number];

/** What became of an order's payment, in the words of payment providers. */
export type PaymentWord = "succeeded" | "pending" | "canceled" | "refunded";

/**
 * Where an order's parcel is. `on_hold`: paid, but must not ship now (`shipHold`). `cancelled` and `not_sent` never ship: the
 * money or the units went back, or it was only a test.
 */
export type DeliveryWord =
  | "not_started"
  | "to_ship"
  | "on_hold"
  | "shipped"
  | "delivered"
  | "cancelled"
  | "not_sent";

/** One row of the owner's list. `amount` and `refunded` in cents, `created` in seconds since 1970. */
export type AdminOrderRow = {
  /** The payment's id at the provider; the order's own where no payment was ever started. */
  id: string;
  orderId: string;
  number: number;
  /** Null once the buyer had the personal part deleted. */
  customer: { name: string | null; email: string | null } | null;
  created: number;
  items: { quantity: number; description: string }[];
  amount: number;
  currency: string;
  status: PaymentWord;
  payment: PaymentState;
  orderStatus: OrderStatus;
  delivery: DeliveryWord;
  shippingOption: string;
  refunded: number;
  /** What the buyer's bank took back for good. */
  chargedBack: number;
  /** Whether it has an open issue. */
  attention: boolean;
  /** Whether a return or withdrawal of it is open. */
  returnAsked: boolean;
  /** It was placed in test mode, and the shop takes real money by now. */
  isTest: boolean;
};

/** How many orders wait in each queue; counted up to `queueCountMax`. */
export type OrderQueues = { to_ship: number; returns: number; attention: number };
export const queueCountMax = 100;

/** `nextCursor` null: this is the last page. */
export type AdminOrderPage = { data: AdminOrderRow[]; nextCursor: string | null; queues: OrderQueues };

export function paymentWord(status: OrderStatus): PaymentWord {
  if (status === "pending") return "pending";
  if (status === "cancelled") return "canceled";
  return status === "refunded" ? "refunded" : "succeeded";
}

export function deliveryWord(order: {
  status: OrderStatus;
  shippedAt: Date | string | null;
  deliveredAt: Date | string | null;
  cancelledAt: Date | string | null;
  allBackAt: Date | string | null;
  shipHold: ShipHold | null;
}): DeliveryWord {
  if (order.deliveredAt !== null) return "delivered";
  if (order.shippedAt !== null) return "shipped";
  if (order.cancelledAt !== null) return "cancelled";
  if (order.status === "pending" || order.status === "cancelled") return "not_started";
  if (order.status === "refunded" || order.allBackAt !== null) return "not_sent";
  if (order.shipHold === "test") return "not_sent";
  return order.shipHold === null ? "to_ship" : "on_hold";
}
