import { eq, type Placeholder, type SQL, sql } from "drizzle-orm";
import { disputeNotes } from "../../domain/disputes/dispute.ts";
import { type OrderStatus, statusAfterRefunds } from "../../domain/orders/order-status.ts";
import { releaseUse, retakeUse } from "../discounts/uses.ts";
import { releaseStock, sellReserved, sellUnreserved, type Units } from "../inventory/commands.ts";
import type { Database, Db } from "../platform/database/database.ts";
import { recordOrderId } from "../platform/process/running-work.ts";
import { recordRestock, restockableUnits } from "./restock.ts";
import { orderLines, orders } from "./tables.ts";
import {
  type Actor,
  hasBeenCompleted,
  recordOrderEvent,
  recordOrderNote,
  transitionOrder,
} from "./transition.ts";

export type OrderRow = typeof orders.$inferSelect;

/** Only the columns that callers with the lock need, because every payment locks its order. */
export const lockedColumns = {
  id: orders.id,
  visitorId: orders.visitorId,
  email: orders.email,
  status: orders.status,
  currency: orders.currency,
  totalCents: orders.totalCents,
  payableCents: orders.payableCents,
  creditCents: orders.creditCents,
  refundedCents: orders.refundedCents,
  chargedBackCents: orders.chargedBackCents,
  discountCode: orders.discountCode,
  shippedAt: orders.shippedAt,
  deliveredAt: orders.deliveredAt,
  cancelledAt: orders.cancelledAt,
  shipHold: orders.shipHold,
  mode: orders.mode,
  expiresAt: orders.expiresAt,
  /**
   * Whether some of its units are not reserved, because unpaid orders may reserve only a share of the stock. These units are taken
   * from stock when the order is paid.
   */
  hasUnreservedUnits: sql<boolean>`exists (select from ${orderLines}
    where order_lines.order_id = orders.id and order_lines.unreserved_quantity > 0)`,
};
export type LockedOrder = Pick<OrderRow, Exclude<keyof typeof lockedColumns, "hasUnreservedUnits">> & {
  hasUnreservedUnits: boolean;
};

/** Locks an order until the transaction ends, so that concurrent events about it wait for each other. */
export async function lockOrder(tx: Db, orderId: string): Promise<LockedOrder | null> {
  recordOrderId(orderId);
  const [order] = await tx.select(lockedColumns).from(orders).where(eq(orders.id, orderId)).for("update");
  return order ?? null;
}

/**
 * `today` is the date in the owner's time zone, which decides whether units are past their best-before date. `actor` and `note`
 * are recorded in the order's history.
 */
type PaymentEntry = { now: Date; today: string; actor?: Actor; note?: string };

/**
 * Books the payment of an order whose units are not all reserved: it was cancelled before, or has more units than unpaid orders
 * may reserve. Returns false, without a change, if units are sold out.
 */
export async function completeIfInStock(
  tx: Database | Db,
  order: LockedOrder,
  { now, today, actor = "provider", note = "Paid" }: PaymentEntry,
): Promise<boolean> {
  const units = await readOrderUnits(tx, order.id);
  const isPending = order.status === "pending";
  try {
    await tx.transaction(async (nested) => {
      const { discountCode: code } = order;
      if (code !== null && !isPending) {
        await retakeUse(nested, { code, orderId: order.id, email: order.email, now });
      }
      const soldProductCount = isPending
        ? await sellReserved(nested, order.id, unitsIn(order.id), today)
        : await sellUnreserved(nested, order.id, units, today);
      if (soldProductCount < units.length) throw new OutOfStock();
      await expectTransition(nested, {
        order,
        to: "completed",
        actor,
        note: isPending ? note : "Paid after it was cancelled; its units were still in stock",
        now,
        set: { paidAt: now },
      });
    });
    return true;
  } catch (error) {
    if (error instanceof OutOfStock) return false;
    throw error;
  }
}

/** Cancels a pending order and releases its units. The caller holds the order's lock. */
export async function cancelUnpaidOrder(
  tx: Db,
  order: LockedOrder,
  change: { actor: Actor; note: string; now: Date; releaseRequestKey?: boolean },
): Promise<void> {
  await expectTransition(tx, {
    order,
    to: "cancelled",
    actor: change.actor,
    note: change.note,
    now: change.now,
    // A retry with the same key must not get a checkout that never reached the provider.
    set: change.releaseRequestKey ? { idempotencyKey: null } : {},
  });
  if (order.discountCode !== null) await releaseUse(tx, order.id);
  await releaseStock(tx, order.id, reservedUnitsIn(order.id));
}

/**
 * Marks a paid order as cancelled, releases its discount and, if `restock`, returns its units to stock. Its status changes when
 * the refund succeeds. The caller holds the order's lock and has checked that it has not shipped.
 */
export async function cancelPaidOrder(
  tx: Db,
  order: LockedOrder,
  change: { actor: "shopper" | "owner"; note: string; restock: boolean; now: Date },
): Promise<void> {
  const cancelled = { ...order, cancelledAt: change.now };
  await tx.update(orders).set({ cancelledAt: change.now }).where(eq(orders.id, order.id));
  await recordOrderNote(tx, order, { actor: change.actor, note: change.note, now: change.now });
  if (order.discountCode !== null) await releaseUse(tx, order.id);
  if (!change.restock) return;
  const restockable = await restockableUnits(tx, order, "all");
  if (restockable.ok) await recordRestock(tx, cancelled, restockable.units, change.now);
}

/** Records when an order that will not be fulfilled was paid. An order that is fulfilled gets this time on completion. */
export async function recordPaymentTime(tx: Db, orderId: string, now: Date): Promise<void> {
  await tx.update(orders).set({ paidAt: now }).where(eq(orders.id, orderId));
}

/**
 * Books the refunded amount of an order and the resulting status. Returns false if the amount is unchanged. The caller holds the
 * order's lock.
 */
export async function bookRefunds(
  tx: Db,
  order: LockedOrder,
  { refundedCents, ...entry }: { refundedCents: number } & HistoryEntry,
): Promise<boolean> {
  if (refundedCents === order.refundedCents) return false;
  await bookSums(tx, order, { refundedCents }, entry);
  return true;
}

/**
 * Books the amount that banks withdrew in lost disputes, which decreases when a verdict is overturned. Returns false if it is
 * unchanged. The caller holds the order's lock.
 */
export async function bookChargebacks(
  tx: Db,
  order: LockedOrder,
  chargedBackCents: number,
  now: Date,
): Promise<boolean> {
  if (chargedBackCents === order.chargedBackCents) return false;
  const note = chargedBackCents > order.chargedBackCents ? disputeNotes.lost : disputeNotes.overturned;
  await bookSums(tx, order, { chargedBackCents }, { by: "provider", note, now });
  return true;
}

type HistoryEntry = { by: Actor; personId?: string | null; note: string; now: Date };

async function bookSums(
  tx: Db,
  order: LockedOrder,
  sums: { refundedCents: number } | { chargedBackCents: number },
  { by: actor, personId = null, note, now }: HistoryEntry,
): Promise<void> {
  const wasCompleted = await hasBeenCompleted(tx, order.id);
  const to = statusAfterRefunds({ ...order, ...sums, wasCompleted });
  if (to === order.status) {
    await tx.update(orders).set(sums).where(eq(orders.id, order.id));
    await recordOrderEvent(tx, { orderId: order.id, from: to, to, actor, personId, note, now });
  } else {
    await expectTransition(tx, { order, to, actor, personId, note, now, set: sums });
    await updateDiscountUse(tx, order, to, now);
  }
}

/**
 * Releases the discount of an order that is refunded in full before it ships, as if it were cancelled, and takes it again if the
 * refund bounces. A shipped order keeps its discount.
 */
async function updateDiscountUse(tx: Db, order: LockedOrder, to: OrderStatus, now: Date): Promise<void> {
  const { id: orderId, discountCode: code, email, shippedAt, cancelledAt } = order;
  if (code === null || shippedAt !== null || cancelledAt !== null) return;
  if (to === "refunded") await releaseUse(tx, orderId);
  else if (order.status === "refunded" && to !== "cancelled") {
    await retakeUse(tx, { code, orderId, email, now });
  }
}

async function expectTransition(
  tx: Db,
  change: {
    order: LockedOrder;
    to: OrderStatus;
    actor: Actor;
    personId?: string | null;
    note: string;
    now: Date;
    set: NonNullable<Parameters<typeof transitionOrder>[1]["set"]>;
  },
): Promise<void> {
  const { order, ...rest } = change;
  if (!(await transitionOrder(tx, { ...rest, orderId: order.id, from: order.status }))) {
    throw new Error(`Order ${order.id} left ${order.status} although it was locked`);
  }
}

/** Subquery of the order's units, for statements that reserve, release or sell them. */
export function unitsIn(orderId: string | Placeholder): SQL {
  return sql`select product_id, quantity, unreserved_quantity as unreserved from ${orderLines} where order_id = ${orderId}`;
}

function reservedUnitsIn(orderId: string): SQL {
  return sql`select product_id, quantity - unreserved_quantity as quantity from ${orderLines}
    where order_id = ${orderId} and quantity > unreserved_quantity`;
}

async function readOrderUnits(tx: Db, orderId: string): Promise<Units[]> {
  return tx
    .select({ productId: orderLines.productId, quantity: orderLines.quantity })
    .from(orderLines)
    .where(eq(orderLines.orderId, orderId));
}

/** Thrown to roll back a sale if units are missing; caught in this file. */
class OutOfStock extends Error {}
