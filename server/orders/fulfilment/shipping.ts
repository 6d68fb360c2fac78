import { eq, inArray } from "drizzle-orm";
import type { Parcel, Shipment, ShipResult } from "../../../domain/orders/admin-order.ts";
import type { OrderStatus } from "../../../domain/orders/order-status.ts";
import { type ShipHold, shipHoldOf, shipHoldText } from "../../../domain/payments/dispute.ts";
import type { ShopContext } from "../../context.ts";
import { scheduleReviewRequest } from "../../reviews/request.ts";
import { type ActionResult, lockForAction, refused } from "../actions.ts";
import { enqueueDelivered, enqueueParcelCorrected, enqueueShipped } from "../change-mail.ts";
import { orders } from "../tables.ts";
import { recordOrderEvent, transitionOrder } from "../transition.ts";

/** `shipHold`: why it is held back, and was shipped all the same, or not. */
export type Shipped = ActionResult & { shipHold?: ShipHold };

/**
 * Books a paid order's parcel as on its way, and tells the buyer. Never for an order that was cancelled; one that is disputed,
 * or is being refunded whole, or was only a test, only with `force` and a reason.
 */
export async function shipOrder(
  ctx: ShopContext,
  { orderId, carrier, trackingNumber, force, reason }: Shipment & { orderId: string },
): Promise<Shipped | null> {
  return ctx.db.transaction(async (tx) => {
    const found = await lockForAction(ctx, tx, orderId);
    if (!found) return null;
    const { status, fulfilment, cancelledAt, allBackAt } = found.order;
    const shipHold = shipHoldOf(found.locked, ctx.provider.mode);
    if (cancelledAt !== null) return refused("This order has been cancelled: it must not be shipped.");
    if (fulfilment !== null) return refused("This order has been shipped already.");
    if (status !== "completed" && status !== "partially_refunded") return refused(unpaid[status]);
    if (allBackAt !== null) return refused("All units of this order are back in stock.");
    if (shipHold && !(force && reason)) {
      return { ok: false, reason: `${shipHoldText[shipHold]} To ship it anyway, give a reason.`, shipHold };
    }
    const now = ctx.now();
    await transitionOrder(tx, {
      orderId,
      from: status,
      to: "shipped",
      actor: "owner",
      note: `${carrier} ${trackingNumber}`,
      now,
      set: { carrier, trackingNumber, shippedAt: now },
    });
    await enqueueShipped(tx, orderId);
    const { reviews } = await ctx.settings(tx);
    await scheduleReviewRequest(tx, { orderId, runAt: daysAfter(now, reviews.requestAfterShippedDays) });
    return { ok: true, ...(shipHold && { shipHold }) };
  });
}

/**
 * Ships several orders, each in its own transaction: one that cannot be shipped does not stop the others. Answers in the order they
 * were named.
 */
export async function shipOrders(
  ctx: ShopContext,
  parcels: readonly (Shipment & { id: string })[],
): Promise<ShipResult[]> {
  const ids = parcels.map(({ id }) => id);
  const known = await ctx.db
    .select({ id: orders.id, number: orders.number })
    .from(orders)
    .where(inArray(orders.id, ids));
  const numbers = new Map(known.map(({ id, number }) => [id, number]));
  const results: ShipResult[] = [];
  for (const { id, ...parcel } of parcels) {
    const number = numbers.get(id) ?? null;
    const result = await shipOrder(ctx, { orderId: id, ...parcel });
    if (result === null || number === null) {
      results.push({ id, ok: false, number, reason: "There is no such order." });
    } else {
      results.push({ id, number, ...result });
    }
  }
  return results;
}

/** Corrects how a parcel that is on its way can be followed; the buyer is told, unless it has arrived already. */
export async function correctParcel(
  ctx: ShopContext,
  { orderId, carrier, trackingNumber }: Parcel & { orderId: string },
): Promise<ActionResult | null> {
  return ctx.db.transaction(async (tx) => {
    const found = await lockForAction(ctx, tx, orderId);
    if (!found) return null;
    const { status, fulfilment, erasedAt } = found.order;
    if (fulfilment === null) return refused("This order has not been shipped.");
    if (erasedAt !== null) return refused("The buyer’s data of this order was deleted at their request.");
    if (fulfilment.carrier === carrier && fulfilment.trackingNumber === trackingNumber) return { ok: true };
    await tx.update(orders).set({ carrier, trackingNumber }).where(eq(orders.id, orderId));
    await recordOrderEvent(tx, {
      orderId,
      from: status,
      to: status,
      actor: "owner",
      note: `Tracking corrected: ${carrier} ${trackingNumber}`,
      now: ctx.now(),
    });
    if (fulfilment.deliveredAt === null) await enqueueParcelCorrected(tx, orderId);
    return { ok: true };
  });
}

/** Books a parcel as delivered: the days for a return count from now. */
export async function deliverOrder(ctx: ShopContext, orderId: string): Promise<ActionResult | null> {
  return ctx.db.transaction(async (tx) => {
    const found = await lockForAction(ctx, tx, orderId);
    if (!found) return null;
    const { status, fulfilment } = found.order;
    if (fulfilment === null) return refused("This order has not been shipped.");
    if (fulfilment.deliveredAt !== null) return refused("This order has been delivered already.");
    if (status !== "shipped" && status !== "partially_refunded") return refused(unpaid[status]);
    const now = ctx.now();
    await transitionOrder(tx, {
      orderId,
      from: status,
      to: "delivered",
      actor: "owner",
      note: null,
      now,
      set: { deliveredAt: now },
    });
    await enqueueDelivered(tx, orderId);
    const { reviews } = await ctx.settings(tx);
    await scheduleReviewRequest(tx, { orderId, runAt: daysAfter(now, reviews.requestAfterDeliveredDays) });
    return { ok: true };
  });
}

const unpaid: Record<OrderStatus, string> = {
  pending: "This order has not been paid.",
  cancelled: "This order was cancelled.",
  refunded: "This order has been paid back in full.",
  completed: "This order has not been shipped.",
  partially_refunded: "This order has not been shipped.",
  shipped: "This order has been shipped already.",
  delivered: "This order has been delivered already.",
};

function daysAfter(at: Date, days: number): Date {
  return new Date(at.getTime() + days * 24 * 60 * 60 * 1000);
}
