import { and, eq, lt } from "drizzle-orm";
import type { Order } from "../../domain/orders/order.ts";
import { refillRequestDays } from "../../domain/privacy/retention.ts";
import type { ShopContext } from "../context.ts";
import { findBuyerOrder } from "../order-desk/viewer-orders.ts";
import { hashEmail, optBackIn } from "../outbox/optouts.ts";
import { messages } from "../outbox/tables.ts";
import type { Db } from "../platform/database/database.ts";
import { deleteInBatches } from "../platform/database/in-batches.ts";
import type { Viewer } from "../platform/http/viewer.ts";
import { refillReminders } from "./tables.ts";

const dayMs = 24 * 60 * 60 * 1000;

/** The offer on an order's page. `weeks` is the number of weeks from delivery to the e-mail. */
export type RefillChoice = { weeks: number; isWanted: boolean };

type RefillRequest = { viewer: Viewer; orderId: string; token: string | null; isWanted: boolean };

/** Stores or deletes a buyer's request for a reminder. Null if the viewer is not the buyer, or no reminder is offered. */
export async function chooseRefill(
  ctx: ShopContext,
  { viewer, orderId, token, isWanted }: RefillRequest,
): Promise<RefillChoice | null> {
  const order = await findBuyerOrder(ctx, viewer, orderId, token);
  const offer = order && (await refillChoice(ctx, order));
  if (!order || !offer) return null;
  await ctx.db.transaction(async (tx) => {
    if (!isWanted) {
      await tx.delete(refillReminders).where(eq(refillReminders.orderId, order.id));
      return;
    }
    await tx.insert(refillReminders).values({ orderId: order.id, askedAt: ctx.now() }).onConflictDoNothing();
    await optBackIn(tx, hashEmail(order.email), "refill_reminder");
  });
  return { ...offer, isWanted };
}

/** The reminder offered for an order; null if none is offered, or if it was already sent. */
export async function refillChoice(ctx: ShopContext, order: Order): Promise<RefillChoice | null> {
  const { refillReminderWeeks: weeks } = await ctx.settings();
  // The buyer of a gift is not the person who uses the bottle.
  if (order.gift !== null) return null;
  const isCancelledOrRefunded =
    order.cancelledAt !== null || order.status === "refunded" || order.status === "cancelled";
  if (weeks === 0 || order.paidAt === null || isCancelledOrRefunded || (await wasSent(ctx.db, order.id)))
    return null;
  const isWanted = (await ctx.db.$count(refillReminders, eq(refillReminders.orderId, order.id))) > 0;
  return { weeks, isWanted };
}

async function wasSent(db: Db, orderId: string): Promise<boolean> {
  return (
    (await db.$count(messages, and(eq(messages.orderId, orderId), eq(messages.kind, "refill_reminder")))) > 0
  );
}

/** Deletes old requests, whose parcels were never delivered. */
export async function purgeRefillReminders({ db, now }: ShopContext): Promise<void> {
  const before = new Date(now().getTime() - refillRequestDays * dayMs);
  await deleteInBatches(db, refillReminders, lt(refillReminders.askedAt, before));
}
