import type { Totals } from "../checkout/totals.ts";
import type { OrderReturn } from "./order-return.ts";
import type { OrderStatus } from "./order-status.ts";

/** Structured address; `country` is an ISO 3166 code. */
export type ShippingAddress = {
  line1: string;
  line2: string | null;
  city: string;
  state: string;
  postalCode: string;
  country: string;
};

/** Line item as it was sold: copied, never looked up later. Cents. */
export type OrderItem = {
  productId: number;
  name: string;
  quantity: number;
  price: number;
  total: number;
  image: string | null;
};

export type OrderEvent = {
  at: string;
  from: OrderStatus | null;
  to: OrderStatus;
  actor: string;
  note: string | null;
};

export type Refund = {
  id: string;
  amount: number;
  status: "pending" | "succeeded" | "failed";
  reason: string | null;
  createdAt: string;
};

/** Whether an order's money is here. `processing`: its buyer has paid in a way that takes the bank days to confirm. */
export type PaymentState = "unpaid" | "processing" | "paid";

/** An order, whole, as its owner (and the admin) sees it. Amounts in cents, times ISO 8601 UTC. */
export type Order = {
  id: string;
  number: number;
  status: OrderStatus;
  payment: PaymentState;
  createdAt: string;
  paidAt: string | null;
  currency: string;
  email: string;
  customerName: string;
  phone: string | null;
  /** The address on one line. */
  shippingAddress: string;
  shipping: ShippingAddress | null;
  shippingOption: { id: string; name: string };
  /** The code it was placed with, if any; `totals.discount` is what that took off the goods. */
  discountCode: string | null;
  items: OrderItem[];
  /** `chargedBack`: what the buyer's bank took back for good. */
  totals: Totals & { refunded: number; chargedBack: number };
  events: OrderEvent[];
  fulfilment: {
    carrier: string;
    trackingNumber: string;
    trackingUrl: string | null;
    shippedAt: string;
    deliveredAt: string | null;
  } | null;
  refunds: Refund[];
  /** Oldest first. */
  returns: OrderReturn[];
  /** When it was cancelled after it was paid: it never ships, and is refunded. */
  cancelledAt: string | null;
  /** When the last of its units went back on the shelf: if it has not shipped, nothing is left to ship. */
  allBackAt: string | null;
  /** When its buyer had the personal part taken out. */
  erasedAt: string | null;
  /** Share of the proceeds given away, as it was when the order was placed. */
  givingPercent: number;
};

/** One row of "My Orders". `total` is in dollars, for the older client. */
export type OrderSummary = {
  id: string;
  number: number;
  status: OrderStatus;
  payment: PaymentState;
  createdAt: string;
  cancelledAt: string | null;
  total: number;
  items: { productId: number; name: string; quantity: number; price: number; image: string | null }[];
};

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
