import { and, asc, eq, inArray, type SQL } from "drizzle-orm";
import type { ShopContext } from "../../context.ts";
import { cancelUnpaidOrder, lockOrder } from "../../orders/lifecycle.ts";
import { orders } from "../../orders/tables.ts";
import { declinesMax } from "../settling/declines.ts";
import {
  expiredOrders,
  nextPaymentCheck,
  pauseMs,
  processDue,
  type Run,
  type RunLimits,
} from "../settling/due.ts";
import { learnSessionIntents } from "../settling/session-intent.ts";
import { settleSession } from "../settling/sessions.ts";
import { settlePayment } from "../settling/settle.ts";
import { payments } from "../tables.ts";
import { abandonIfUnknown, abandonPayments } from "./abandon.ts";
import { type EndReason, recordEndReason } from "./end-reason.ts";
import { type CurrentOrder, isSuperseded } from "./superseded.ts";

/** Cancels an intent at the provider and, unless it turns out to be paid, its order here. */
export async function closePayment(
  ctx: ShopContext,
  { intentId, orderId }: { intentId: string; orderId: string | null },
): Promise<string> {
  if (orderId !== null) await learnSessionIntents(ctx, orderId);
  const [payment] = await ctx.db.select().from(payments).where(eq(payments.intentId, intentId));
  // Not made by the shop, whatever it claims: none of its business.
  if (!payment) return "foreign";
  const note = `Payment closed after ${declinesMax} declined tries`;
  return endPayment(ctx, payment, { actor: "system", note });
}

const isPayable = inArray(payments.status, ["requires_payment", "processing"]);

/**
 * Job: ends unpaid orders whose time is over, a few at a time. What cannot be ended (its payment is being processed, the
 * provider fails) is left with a pause that grows.
 */
export async function expireOrders(ctx: ShopContext, limits: RunLimits = {}): Promise<Run> {
  return processDue(ctx, expiredOrders, limits, async ({ orderId, payment }) => {
    try {
      await cancelUnpaidNow(ctx, orderId, { actor: "system", note: "Not paid in time" });
      if (payment) await pause(ctx, payment, "processing");
    } catch (error) {
      if (payment) await pause(ctx, payment, "failed");
      throw error;
    }
  });
}

async function pause(
  ctx: ShopContext,
  { id, checks }: { id: number; checks: number },
  why: "failed" | "processing",
): Promise<void> {
  await nextPaymentCheck(ctx, id, new Date(ctx.now().getTime() + pauseMs(ctx, { checks, why })));
}

/** Superseded orders of one shopper that are cancelled in one run. */
const supersededMax = 200;

/**
 * Cancels the orders that a shopper has superseded: the same browser's unpaid orders to the same address, apart from the one it went on
 * with. Without this, somebody who corrects the address would compete with their own reservation, and see two orders.
 */
export async function cancelSuperseded(
  ctx: ShopContext,
  current: CurrentOrder,
): Promise<{ looked: number; failed: number }> {
  return endUnpaid(ctx, isSuperseded(current), "Replaced by a later checkout");
}

async function endUnpaid(
  ctx: ShopContext,
  which: SQL | undefined,
  note: string,
): Promise<{ looked: number; failed: number }> {
  const unpaid = await findUnpaid(ctx, which);
  let failed = 0;
  for (const order of unpaid) {
    try {
      await end(ctx, order, { actor: "system", note });
    } catch (error) {
      failed += 1;
      ctx.log.warn({ err: error, orderId: order.id }, "an unpaid order could not be cancelled yet");
    }
  }
  return { looked: unpaid.length, failed };
}

/** Ends one order because somebody wants it, if it is still unpaid. Throws while the provider is away: nothing has changed. */
export async function cancelUnpaidNow(ctx: ShopContext, orderId: string, why: EndReason): Promise<void> {
  for (const order of await findUnpaid(ctx, eq(orders.id, orderId))) await end(ctx, order, why);
}

type Payment = typeof payments.$inferSelect;
type Unpaid = Awaited<ReturnType<typeof findUnpaid>>[number];

async function findUnpaid({ db }: ShopContext, which: SQL | undefined) {
  return db
    .select({ id: orders.id, payment: payments })
    .from(orders)
    .leftJoin(payments, and(eq(payments.orderId, orders.id), isPayable))
    .where(and(eq(orders.status, "pending"), which))
    .orderBy(asc(orders.expiresAt))
    .limit(supersededMax);
}

/**
 * The payment is ended at the provider first; one that has succeeded meanwhile completes its order instead, and one
 * still processing keeps it open. One that the present keys cannot see can no longer be ended: its order is abandoned.
 */
async function end(ctx: ShopContext, { id, payment }: Unpaid, why: EndReason): Promise<void> {
  if (payment === null) {
    await cancelWithoutPayment(ctx, id, why);
    return;
  }
  await abandonIfUnknown(ctx, payment, why, async () => {
    const outcome = await endPayment(ctx, payment, why);
    // Paid, but not with what the order costs: the owner decides about the money, the units go back.
    if (outcome === "issue") await endAbandoned(ctx, id, why);
  });
}

/**
 * Ends a payment at the provider, after a look at it: some banks would stop a payment that they are already working on,
 * and one that takes days is as good as any other.
 */
async function endPayment(
  ctx: ShopContext,
  { id, intentId, sessionId, status }: Pick<Payment, "id" | "intentId" | "sessionId" | "status">,
  why: EndReason,
): Promise<string> {
  // An intent of a hosted page cannot be cancelled by itself; its page can be closed, as long as it was not sent off.
  if (sessionId !== null) {
    if (status !== "processing") await recordEndReason(ctx.db, id, why);
    await ctx.provider.expireSession(sessionId);
    return settleSession(ctx, sessionId);
  }
  if (intentId === null) return "none";
  const intent = await ctx.provider.retrieveIntent(intentId);
  if (intent.status !== "requires_payment") return settlePayment(ctx, intent);
  await recordEndReason(ctx.db, id, why);
  return settlePayment(ctx, await ctx.provider.cancelIntent(intentId));
}

async function endAbandoned(ctx: ShopContext, orderId: string, why: EndReason): Promise<void> {
  await abandonPayments(ctx.db, orderId);
  await cancelWithoutPayment(ctx, orderId, why);
}

/** Cancels a pending order that cannot be paid any more; nothing happens where it can, or was. */
export async function cancelWithoutPayment(
  ctx: ShopContext,
  orderId: string,
  why: EndReason,
): Promise<boolean> {
  return ctx.db.transaction(async (tx) => {
    const order = await lockOrder(tx, orderId);
    if (order?.status !== "pending") return false;
    const [payment] = await tx
      .select({ id: payments.id })
      .from(payments)
      .where(and(eq(payments.orderId, orderId), isPayable))
      .limit(1);
    if (payment) return false;
    await cancelUnpaidOrder(tx, order, { ...why, now: ctx.now(), releaseRequestKey: true });
    return true;
  });
}
