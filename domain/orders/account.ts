import type { OrderSummary } from "./order.ts";

/** The account page of a browser. */
export type Account = {
  /** A few, newest first. */
  latest: OrderSummary[];
  ordersCount: number;
  /** Without duplicates, newest first. */
  addresses: { name: string; address: string }[];
  /** The e-mail address of the newest order; null without orders. */
  email: string | null;
};

/** Purpose of an e-mailed link to personal data. */
export type DataLink = { purpose: "export" | "deletion"; email: string };
