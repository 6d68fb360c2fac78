import type { OrderSummary } from "./order.ts";

/** What the account page shows a browser of its own orders. */
export type Account = {
  /** A few, newest first. */
  latest: OrderSummary[];
  ordersCount: number;
  /** Each once, newest first. */
  addresses: { name: string; address: string }[];
  /** The address of the newest order; null without orders. */
  email: string | null;
};

/** What an e-mailed link to a person's data is for. */
export type DataLink = { purpose: "export" | "deletion"; email: string };
