import type { Logger } from "pino";
import type { Database, Db } from "../platform/database.ts";
import type { PaymentProvider } from "./provider.ts";

/** What the payment commands work with; checkout/open-parts.ts puts it together. */
export type PaymentParts = {
  db: Database;
  provider: PaymentProvider;
  log: Logger;
  now(): Date;
  /** Between two runs of expiry and reconciliation, in ms. */
  betweenRunsMs: number;
  /** The date where the owner is (`YYYY-MM-DD`). Inside a transaction, which passes itself, it needs no other connection. */
  today(tx?: Db): Promise<string>;
  /** The owner's. */
  timeZone(): Promise<string>;
  announce: Announce;
  /** The shop's address as shoppers see it, without a slash at the end. */
  publicUrl: string;
};

/** Whom to tell, inside the transaction that makes it true: told if and only if it is booked. */
export type Announce = {
  orderPaid(tx: Db, orderId: string): Promise<void>;
  /** Money has reached the buyer's bank. */
  refunded(tx: Db, refund: { orderId: string; refundId: string }): Promise<void>;
  /** The visitor need not be reminded of a cart any more. */
  cartBought(tx: Db, visitorId: string): Promise<void>;
  needsAttention(tx: Db, issue: NewIssue): Promise<void>;
};

/** What a person has to decide. `url`: where, in the provider's own dashboard. */
export type NewIssue = {
  kind: string;
  subject: string;
  orderId: string | null;
  message: string;
  url?: string | null;
};
