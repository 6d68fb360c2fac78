import { randomUUID } from "node:crypto";
import { and, eq, inArray, sql } from "drizzle-orm";
import type { ShippingAddress } from "../../domain/order.ts";
import { type OrderStatus, statusAfterRefunds } from "../../domain/order-status.ts";
import type { Totals } from "../../domain/totals.ts";
import {
  releaseStock,
  reserveStock,
  sellReserved,
  sellUnreserved,
  type Units,
} from "../inventory/commands.ts";
import type { Database, Db } from "../platform/database.ts";
import type { VisitorId } from "../platform/viewer.ts";
import { orderEvents, orderLines, orders, orderVisitors } from "./tables.ts";
import { type Actor, recordOrderEvent, transitionOrder } from "./transition.ts";

export type NewOrder = {
  visitorId: VisitorId;
  email: string;
  customerName: string;
  phone: string | null;
  shippingAddress: string;
  shipping: ShippingAddress | null;
  shippingOption: { id: string; name: string };
  discountCode: string | null;
  lines: {
    productId: number;
    name: string;
    image: string | null;
    quantity: number;
    unitPriceCents: number;
    discountCents: number;
    taxCents: number;
  }[];
  totals: Totals;
  idempotencyKey: Buffer | null;
  requestHash: Buffer;
  now: Date;
  reservationSeconds: number;
};

export type OrderRow = typeof orders.$inferSelect;

/**
 * Writes a pending order and reserves its units, or neither. `duplicate`: the database already holds the order of this
 * idempotency key, or the visitor's pending order of this request.
 */
export async function createOrder(
  db: Database,
  input: NewOrder,
): Promise<{ ok: true; order: OrderRow } | { ok: false; reason: "out_of_stock" | "duplicate" }> {
  try {
    return await db.transaction(async (tx) => {
      const { totals } = input;
      const [order] = await tx
        .insert(orders)
        .values({
          id: randomUUID(),
          visitorId: input.visitorId,
          currency: totals.currency,
          email: input.email,
          customerName: input.customerName,
          phone: input.phone,
          shippingAddress: input.shippingAddress,
          shipping: input.shipping,
          shippingOptionId: input.shippingOption.id,
          shippingOptionName: input.shippingOption.name,
          discountCode: input.discountCode,
          subtotalCents: totals.subtotal,
          discountCents: totals.discount,
          shippingCents: totals.shipping,
          taxCents: totals.tax,
          totalCents: totals.total,
          idempotencyKey: input.idempotencyKey,
          requestHash: input.requestHash,
          reusable: input.idempotencyKey === null,
          createdAt: input.now,
          expiresAt: new Date(input.now.getTime() + input.reservationSeconds * 1000),
        })
        .onConflictDoNothing()
        .returning();
      if (!order) return { ok: false, reason: "duplicate" };
      await tx
        .insert(orderLines)
        .values(input.lines.map((line, position) => ({ ...line, orderId: order.id, position })));
      await tx.insert(orderVisitors).values({ visitorId: input.visitorId, orderId: order.id });
      await recordOrderEvent(tx, {
        orderId: order.id,
        from: null,
        to: "pending",
        actor: "shopper",
        note: null,
        now: input.now,
      });
      if (!(await reserveStock(tx, order.id, input.lines))) throw new OutOfStock();
      return { ok: true, order };
    });
  } catch (error) {
    if (error instanceof OutOfStock) return { ok: false, reason: "out_of_stock" };
    throw error;
  }
}

/** Thrown to roll the order back; never leaves this file. */
class OutOfStock extends Error {}

/** Locks the order until the transaction ends, so that two pieces of news about it wait for each other. */
export async function lockOrder(tx: Db, orderId: string): Promise<OrderRow | null> {
  const [order] = await tx.select().from(orders).where(eq(orders.id, orderId)).for("update");
  return order ?? null;
}

/** Books a pending order as paid and its reserved units as sold. The caller holds the order's lock. */
export async function completeOrder(tx: Db, order: OrderRow, now: Date): Promise<void> {
  await expectTransition(tx, {
    order,
    to: "completed",
    actor: "provider",
    note: "Paid",
    now,
    set: { paidAt: now },
  });
  await sellReserved(tx, order.id, await unitsOf(tx, order.id));
}

/** The same for a cancelled order paid late; false, and nothing changed, where the units are gone. */
export async function completeCancelledOrder(
  tx: Database | Db,
  order: OrderRow,
  now: Date,
): Promise<boolean> {
  const units = await unitsOf(tx, order.id);
  try {
    await tx.transaction(async (nested) => {
      if (!(await sellUnreserved(nested, order.id, units))) throw new OutOfStock();
      await expectTransition(nested, {
        order,
        to: "completed",
        actor: "provider",
        note: "Paid after it was cancelled; units were still there",
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

/** Ends a pending order and gives its units back. The caller holds the order's lock. */
export async function cancelOrder(
  tx: Db,
  order: OrderRow,
  change: { actor: Actor; note: string; now: Date; forgetRequest?: boolean },
): Promise<void> {
  await expectTransition(tx, {
    order,
    to: "cancelled",
    actor: change.actor,
    note: change.note,
    now: change.now,
    // A try that never reached the provider must not be what a retry with the same key is answered with.
    set: change.forgetRequest ? { idempotencyKey: null } : {},
  });
  await releaseStock(tx, order.id, await unitsOf(tx, order.id));
}

/** Money came in for an order that will not be fulfilled: when it did is part of its record. */
export async function notePayment(tx: Db, orderId: string, now: Date): Promise<void> {
  await tx.update(orders).set({ paidAt: now }).where(eq(orders.id, orderId));
}

/**
 * Books how much of an order has been given back so far, and the state that follows. Answers false where nothing
 * changed. The caller holds the order's lock.
 */
export async function bookRefunds(
  tx: Db,
  order: OrderRow,
  refundedCents: number,
  now: Date,
): Promise<boolean> {
  if (refundedCents === order.refundedCents) return false;
  const wasCompleted = await hasBeenCompleted(tx, order.id);
  const to = statusAfterRefunds({ ...order, refundedCents, wasCompleted });
  const note =
    refundedCents > order.refundedCents
      ? "Refunded by the payment provider"
      : "A refund failed: the money came back";
  if (to === order.status) {
    await tx.update(orders).set({ refundedCents }).where(eq(orders.id, order.id));
    await recordOrderEvent(tx, { orderId: order.id, from: to, to, actor: "provider", note, now });
  } else {
    await expectTransition(tx, { order, to, actor: "provider", note, now, set: { refundedCents } });
  }
  return true;
}

async function hasBeenCompleted(tx: Db, orderId: string): Promise<boolean> {
  const [event] = await tx
    .select({ id: orderEvents.id })
    .from(orderEvents)
    .where(and(eq(orderEvents.orderId, orderId), eq(orderEvents.toStatus, "completed")))
    .limit(1);
  return event !== undefined;
}

async function expectTransition(
  tx: Db,
  change: {
    order: OrderRow;
    to: OrderStatus;
    actor: Actor;
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

async function unitsOf(tx: Db, orderId: string): Promise<Units[]> {
  return tx
    .select({ productId: orderLines.productId, quantity: orderLines.quantity })
    .from(orderLines)
    .where(eq(orderLines.orderId, orderId));
}

/** The orders made under any of these Idempotency-Keys. */
export async function findOrdersByKey(db: Db, idempotencyKeys: Buffer[]): Promise<OrderRow[]> {
  return db.select().from(orders).where(inArray(orders.idempotencyKey, idempotencyKeys));
}

/** The visitor's pending order of the same request, where it was made without a key. */
export async function findPendingRepeat(
  db: Db,
  visitorId: VisitorId,
  requestHash: Buffer,
): Promise<OrderRow | null> {
  const [order] = await db
    .select()
    .from(orders)
    .where(
      and(
        eq(orders.visitorId, visitorId),
        eq(orders.requestHash, requestHash),
        eq(orders.status, "pending"),
        eq(orders.reusable, true),
      ),
    );
  return order ?? null;
}

/** Lets one more browser see an order. */
export async function allowVisitor(db: Db, orderId: string, visitorId: VisitorId): Promise<void> {
  await db.insert(orderVisitors).values({ orderId, visitorId }).onConflictDoNothing();
}

/** Lets a browser see all orders of an e-mail address, after it proved that the address is its own. */
export async function attachOrdersOf(db: Db, email: string, visitorId: VisitorId): Promise<void> {
  await db.execute(sql`
    insert into order_visitors (visitor_id, order_id)
    select ${visitorId}, ${orders.id} from ${orders} where lower(${orders.email}) = lower(${email})
    on conflict do nothing`);
}
