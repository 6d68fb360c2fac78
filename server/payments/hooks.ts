import type { SQL, SQLWrapper } from "drizzle-orm";
import type { LockedOrder } from "../orders/lifecycle.ts";
import type { EventKind, Intent } from "../payment-providers/provider.ts";
import type { Db } from "../platform/database/database.ts";
import type { Settlement } from "./settling/settlement.ts";
import type { paymentEvents } from "./tables.ts";

export type StoredEvent = typeof paymentEvents.$inferSelect;

/** The result of settling a payment, for the event's record, the log and the tests. */
export type SettleOutcome = Settlement["action"] | "refund" | "foreign" | "unknown_order";

/** Hooks of features that build on payments. Each may be called repeatedly. `Context` is the shop context. */
export type PaymentHooksOf<Context> = {
  /** Query to run in the transaction that marks an order as paid. `visitorId` is null if the order is not marked after all. */
  onOrderPaid?(visitorId: SQL): SQLWrapper;
  /**
   * Settles the payment of an order edit, which leaves the order's own payment alone. Called in the transaction that holds the
   * order's lock.
   */
  settleEdit?(ctx: Context, tx: Db, payment: { order: LockedOrder; intent: Intent }): Promise<SettleOutcome>;
  /**
   * Pays the part of an exchange's new order that the returned units cover, before the order is completed. The caller holds the
   * order's lock. Returns null, or a message that explains why this is impossible.
   */
  takeCredit?(ctx: Context, tx: Db, order: LockedOrder): Promise<string | null>;
  /** Called with the order's lock after the refunds of a payment were booked. */
  onRefundsChanged?(ctx: Context, tx: Db, orderId: string): Promise<void>;
  /** Handles the provider's events of a kind. Returns the outcome that is stored with the event. */
  events?: Partial<Record<EventKind, (ctx: Context, event: StoredEvent) => Promise<string>>>;
  /** Stores changes of objects created at the provider since `from`. `changed` is the number of objects that differed. */
  syncMadeSince?(ctx: Context, from: Date): Promise<{ changed: number }>;
  /** Called in each reconciliation. `fault` is the first error. */
  onReconcile?(
    ctx: Context,
    signal?: AbortSignal,
  ): Promise<{ checked: number; failed: number; fault?: unknown }>;
  /** Runs before each expiry of unpaid orders. */
  onExpiryRun?(ctx: Context): Promise<unknown>;
};
