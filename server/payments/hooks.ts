import type { SQLWrapper } from "drizzle-orm";
import type { ShopContext } from "../context.ts";
import type { LockedOrder } from "../orders/lifecycle.ts";
import type { EventKind, Intent } from "../payment-providers/provider.ts";
import type { Db } from "../platform/database/database.ts";
import type { StoredEvent } from "./events/handle.ts";
import type { SettleOutcome } from "./settling/settle.ts";

/** What features above payments want done when money moves. Each may be called any number of times. */
export type PaymentHooks = {
  /** Called once an order is paid, in the same transaction, if `isNeeded` finds a row: most orders leave nothing to do. */
  onOrderPaid?: {
    isNeeded(tx: Db, visitorId: string): SQLWrapper;
    run(tx: Db, visitorId: string): Promise<void>;
  };
  /**
   * Settles a payment that was opened for an order edit, in the transaction that holds the order's lock, and instead of
   * settling its order.
   */
  settleEdit?(
    ctx: ShopContext,
    tx: Db,
    payment: { order: LockedOrder; intent: Intent },
  ): Promise<SettleOutcome>;
  /** Called with the order's lock after the refunds of a payment were booked. */
  onRefundsChanged?(ctx: ShopContext, tx: Db, orderId: string): Promise<void>;
  /** Handles the provider's events of a kind. Returns the outcome that is stored with the event. */
  events?: Partial<Record<EventKind, (ctx: ShopContext, event: StoredEvent) => Promise<string>>>;
  /** Compares objects made at the provider since `from` with what is booked. Returns how many differed. */
  syncMadeSince?(ctx: ShopContext, from: Date): Promise<{ changed: number }>;
  /** Part of each reconciliation. */
  onReconcile?(ctx: ShopContext, signal?: AbortSignal): Promise<{ looked: number; failed: number }>;
  /** Runs before each expiry of unpaid orders. */
  onExpiryRun?(ctx: ShopContext): Promise<unknown>;
};
