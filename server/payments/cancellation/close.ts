import { and, asc, eq, inArray, lt, or, type SQL } from "drizzle-orm";
import type { ShopContext } from "../../context.ts";
import { raiseIssue } from "../../issues/issues.ts";
import { cancelUnpaidOrder, lockOrder } from "../../orders/lifecycle.ts";
import { orders } from "../../orders/tables.ts";
import { maxDeclines } from "../settling/declines.ts";
import {
  expiredOrders,
  pauseMs,
  processDue,
  type Run,
  type RunLimits,
  scheduleNextPaymentCheck,
} from "../settling/due-payments.ts";
import { storeSessionIntents } from "../settling/session-intent.ts";
import { settleSession } from "../settling/sessions.ts";
import { settlePayment } from "../settling/settle.ts";
import { payments } from "../tables.ts";
import { abandonIfUnknown, abandonPayments } from "./abandon.ts";
import { type EndReason, recordEndReason } from "./end-reason.ts";
import { type CurrentOrder, isSuperseded } from "./superseded.ts";

/** Cancels an intent at the provider, and its order unless the intent turns out to be paid. Returns the outcome. */
export async function closePayment(
  ctx: ShopContext,
  { intentId, orderId }: { intentId: string; orderId: string | null },
): Promise<string> {
  if (orderId !== null) await storeSessionIntents(ctx, orderId);
  const [payment] = await ctx.db.select().from(payments).where(eq(payments.intentId, intentId));
  // The intent's metadata names an order of the shop, but the shop did not create the intent.
  if (!payment) return "foreign";
  const note = `Payment closed after ${maxDeclines} declined tries`;
  return endPayment(ctx, payment, { actor: "system", note });
}

const isPayable = inArray(payments.status, ["requires_payment", "processing"]);

/**
 * Job: ends expired unpaid orders in small batches. If an order cannot be ended yet, because its payment is being processed or the
 * provider fails, it is retried after a growing pause.
 */
export async function expireOrders(ctx: ShopContext, limits: RunLimits = {}): Promise<Run> {
  return processDue(ctx, expiredOrders, limits, async ({ orderId, payment }) => {
    try {
      await cancelUnpaidNow(ctx, orderId, { actor: "system", note: "Not paid in time" });
      if (payment) await pause(ctx, payment, "processing");
    } catch (error) {
      if (payment) await pause(ctx, payment, "failed");
      await raiseIssueIfOverdue(ctx, orderId);
      throw error;
    }
  });
}

/** Time after an order's expiry when an issue is raised if the order could not be ended: its units stay reserved. */
const issueAfterMs = 24 * 60 * 60 * 1000;

async function raiseIssueIfOverdue(ctx: ShopContext, orderId: string): Promise<void> {
  const hasExpired = lt(orders.expiresAt, new Date(ctx.now().getTime() - issueAfterMs));
  const isOverdue = and(eq(orders.id, orderId), eq(orders.status, "pending"), hasExpired);
  // `catch_up_events` reports a provider that does not respond at all.
  if ((await ctx.db.$count(orders, isOverdue)) === 0 || !(await ctx.provider.ping())) return;
  const message =
    "This order was not paid in time, and for more than a day it could not be ended: the payment provider neither cancels its payment nor says what became of it. Its units stay reserved, and the shop keeps trying. Look at the payment in the provider’s dashboard, and cancel it there";
  await ctx.db.transaction((tx) =>
    raiseIssue(tx, { kind: "order_not_ended", subject: orderId, orderId, message }),
  );
}

async function pause(
  ctx: ShopContext,
  { id, checks }: { id: number; checks: number },
  cause: "failed" | "processing",
): Promise<void> {
  await scheduleNextPaymentCheck(ctx, id, new Date(ctx.now().getTime() + pauseMs(ctx, { checks, cause })));
}

/** Maximum number of superseded orders of a shopper that are cancelled in one run. */
const maxSuperseded = 200;

/**
 * Cancels a shopper's superseded orders, so that a checkout with a corrected address does not leave a second order competing for
 * the same units. `codeHolder` is the id of the shopper's unpaid order, under any e-mail address, that uses up the personal code.
 */
export async function cancelSuperseded(
  ctx: ShopContext,
  current: CurrentOrder & { codeHolder?: string | null },
): Promise<{ checked: number; failed: number }> {
  const { codeHolder = null } = current;
  const isCancelled = or(isSuperseded(current), codeHolder === null ? undefined : eq(orders.id, codeHolder));
  const unpaidOrders = await findUnpaidOrders(ctx, isCancelled);
  let failed = 0;
  for (const order of unpaidOrders) {
    try {
      await endUnpaidOrder(ctx, order, { actor: "system", note: "Replaced by a later checkout" });
    } catch (error) {
      failed += 1;
      ctx.log.warn({ err: error, orderId: order.id }, "an unpaid order could not be cancelled yet");
    }
  }
  return { checked: unpaidOrders.length, failed };
}

/** Ends an unpaid order at somebody's request. While the provider is unavailable, throws without a change. */
export async function cancelUnpaidNow(ctx: ShopContext, orderId: string, reason: EndReason): Promise<void> {
  for (const order of await findUnpaidOrders(ctx, eq(orders.id, orderId)))
    await endUnpaidOrder(ctx, order, reason);
}

type Payment = typeof payments.$inferSelect;
type UnpaidOrder = Awaited<ReturnType<typeof findUnpaidOrders>>[number];

async function findUnpaidOrders({ db }: ShopContext, condition: SQL | undefined) {
  return db
    .select({ id: orders.id, payment: payments })
    .from(orders)
    .leftJoin(payments, and(eq(payments.orderId, orders.id), isPayable))
    .where(and(eq(orders.status, "pending"), condition))
    .orderBy(asc(orders.expiresAt))
    .limit(maxSuperseded);
}

/**
 * Ends the payment of an unpaid order at the provider, then the order. If the payment has succeeded, the order is completed
 * instead; if it is being processed, the order stays open. A payment that the current keys cannot read is abandoned with its
 * order.
 */
async function endUnpaidOrder(
  ctx: ShopContext,
  { id, payment }: UnpaidOrder,
  reason: EndReason,
): Promise<void> {
  if (payment === null) {
    if (await cancelWithoutPayment(ctx, id, reason)) return;
    // The order has ended, or a payment that was being opened has become payable.
    const [current] = await findUnpaidOrders(ctx, eq(orders.id, id));
    if (current?.payment) await endUnpaidOrder(ctx, current, reason);
    return;
  }
  await abandonIfUnknown(ctx, payment, reason, async () => {
    const outcome = await endPayment(ctx, payment, reason);
    // The wrong amount was paid: the owner decides about the money, and the units return to stock.
    if (outcome === "issue") await cancelAbandoned(ctx, id, reason);
  });
}

/**
 * Ends a payment at the provider. Reads it first, because the provider may accept a cancellation while a bank is already
 * processing the payment. Such a payment is not cancelled, even if processing takes days.
 */
async function endPayment(
  ctx: ShopContext,
  { id, intentId, sessionId, status }: Pick<Payment, "id" | "intentId" | "sessionId" | "status">,
  reason: EndReason,
): Promise<string> {
  // The intent of a hosted page cannot be cancelled; its page can be closed until the buyer submits it.
  if (sessionId !== null) {
    if (status !== "processing") await recordEndReason(ctx.db, id, reason);
    await ctx.provider.expireSession(sessionId);
    return settleSession(ctx, sessionId);
  }
  if (intentId === null) return "none";
  const intent = await ctx.provider.retrieveIntent(intentId);
  if (intent.status !== "requires_payment") return settlePayment(ctx, intent);
  await recordEndReason(ctx.db, id, reason);
  return settlePayment(ctx, await ctx.provider.cancelIntent(intentId));
}

async function cancelAbandoned(ctx: ShopContext, orderId: string, reason: EndReason): Promise<void> {
  await abandonPayments(ctx.db, orderId);
  await cancelWithoutPayment(ctx, orderId, reason);
}

/** Cancels a pending order that has no open payment. Returns false for any other order. */
export async function cancelWithoutPayment(
  ctx: ShopContext,
  orderId: string,
  reason: EndReason,
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
    await cancelUnpaidOrder(tx, order, { ...reason, now: ctx.now(), releaseRequestKey: true });
    return true;
  });
}
