import type { OrderStatus } from "./order-status.ts";

/** What the unlocked panel shows first. Amounts in cents, times ISO 8601 UTC. */
export type AdminHome = {
  /** Matters of money that a person has to decide, oldest first. */
  attention: {
    id: number;
    message: string;
    createdAt: string;
    orderId: string | null;
    orderNumber: number | null;
  }[];
  /** Newest paid orders. */
  orders: {
    id: string;
    number: number;
    status: OrderStatus;
    paidAt: string;
    customerName: string;
    email: string;
    units: number;
    totalCents: number;
  }[];
};

/** What waits behind the panel's tabs, counted up to 100: "99+". */
export type AdminCounts = {
  /** Paid orders that have not left yet. */
  ordersToShip: number;
  unreadMessages: number;
  heldReviews: number;
  /** Matters that a person has to decide. */
  attention: number;
};
