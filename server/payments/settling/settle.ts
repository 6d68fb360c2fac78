import { and, asc, eq, exists, type Placeholder, type SQL, sql } from "drizzle-orm";
import * as v from "valibot";
import { formatCents } from "../../../domain/shared/money.ts";
import { pick } from "../../../domain/shared/pick.ts";
import { uuidSchema } from "../../../domain/shared/uuid.ts";
import type { ShopContext } from "../../context.ts";
import { raiseIssue } from "../../issues/issues.ts";
import {
  cancelUnpaidOrder,
  completeIfInStock,
  type LockedOrder,
  lockedColumns,
  lockOrder,
} from "../../orders/lifecycle.ts";
import { enqueueOrderPaid } from "../../orders/mail.ts";
import { orderLines, orders } from "../../orders/tables.ts";
import { orderVersion } from "../../orders/transition.ts";
import type { Intent } from "../../payment-providers/provider.ts";
import { compiledStatement } from "../../platform/database/compiled-statement.ts";
import type { Db } from "../../platform/database/database.ts";
import { addJob } from "../../platform/jobs/jobs.ts";
import { recordOrderId } from "../../platform/process/running-work.ts";
import { today } from "../../settings/today.ts";
import { type EndReason, endReason } from "../cancellation/end-reason.ts";
import { isSuperseded, supersededByThis } from "../cancellation/superseded.ts";
import type { SettleOutcome } from "../hooks.ts";
import { cancelSupersededJob, endFailedJob, syncDisputesJob, syncRefundsJob } from "../job-kinds.ts";
import { readPaymentRefundedCents, refundLatePayment, writeRefund } from "../refunds/refunds.ts";
import { payments, refunds } from "../tables.ts";
import { recordDecline } from "./declines.ts";
import { markPayment } from "./mark-payment.ts";
import { type OrderToSell, sell } from "./sale.ts";
import { storeSessionIntents } from "./session-intent.ts";
import { decideSettlement, type OrderForSettlement, type Settlement } from "./settlement.ts";

/**
 * Applies a payment's state to its order. Nothing else does: webhook, success page, expiry and reconciliation all call this.
 * Idempotent: under the order's lock, it compares the provider's response with the database and does what is missing, so that
 * repeated and concurrent calls have the same effect as a single one. The result is `foreign` for another program's payment, and
 * `unknown_order` if the payment names an order that is not stored (yet).
 */
export async function settlePayment(
  ctx: ShopContext,
  intent: Intent,
  event: EventOfSale | null = null,
): Promise<SettleOutcome> {
  await recordDecline(ctx, intent);
  if (await sellIfSimple(ctx, intent, event)) return "complete";
  const booked = await ctx.db.transaction(async (tx) => {
    const order = await lockIntentOrder(tx, intent.intentId);
    return order && book(ctx, tx, { order, intent, event });
  });
  if (booked) return booked;
  const orderId = claimedOrderId(intent);
  if (orderId === null) return "foreign";
  if (intent.status === "succeeded" || intent.status === "processing")
    await storeSessionIntents(ctx, orderId);
  return ctx.db.transaction(async (tx) => {
    const order = await lockOrder(tx, orderId);
    return order ? book(ctx, tx, { order, intent, event }) : "unknown_order";
  });
}

type OrderPayment = { order: LockedOrder; intent: Intent };
/** The event that reported the payment, marked as handled in the sale's transaction if there is a sale. */
export type EventOfSale = {
  id: string;
  /** The order of its payment, if it was read with the event. */
  order: SaleCandidate | null;
  onRecorded(): void;
};

/**
 * Books the usual case: the first payment of a pending order whose units are all reserved. Decides without a lock, and writes the
 * sale only if the order has not changed since. If it returns false, nothing was written, and the payment must be settled under
 * the order's lock.
 */
async function sellIfSimple(ctx: ShopContext, intent: Intent, event: EventOfSale | null): Promise<boolean> {
  if (intent.status !== "succeeded" || intent.amountRefunded > 0 || intent.isDisputed) return false;
  const order = event?.order ?? (await readSaleCandidate(ctx.db, { intentId: intent.intentId })).at(0);
  if (!order?.isSimpleSale || decideSettlement(order, intent).action !== "complete") return false;
  recordOrderId(order.id);
  return writeSale(ctx, ctx.db, { order, intent, event });
}

export type SaleCandidate = OrderForSettlement & { id: string; version: string; isSimpleSale: boolean };

/** `isSimpleSale`: whether all units are reserved, there is no credit and no refund, and no other order is superseded. */
export function saleCandidateSql(intentId: Placeholder): SQL {
  const lines = sql`select from ${orderLines}
    where ${orderLines.orderId} = ${orders.id} and ${orderLines.unreservedQuantity} > 0`;
  return sql`
    select orders.id, ${orderVersion}::text as version, orders.status, orders.currency, orders.total_cents as "totalCents", own.*,
      orders.credit_cents = 0 and orders.refunded_cents = 0 and not exists (${lines}) and not exists (${supersededByThis}) as "isSimpleSale"
    from ${orders} cross join lateral (
      select json_agg(intent_id order by revision) as "intentIds",
        min(intent_id) filter (where payments.status = 'succeeded') as "paidIntentId"
      from ${payments} where order_id = orders.id
    ) as own
    where orders.id = (select order_id from ${payments} where intent_id = ${intentId} and order_edit_id is null)`;
}

const readSaleCandidate = compiledStatement<{ intentId: string }, SaleCandidate>(({ intentId }) =>
  saleCandidateSql(intentId),
);

async function writeSale(
  ctx: ShopContext,
  db: Db,
  { order, intent, event }: { order: OrderToSell; intent: Intent; event: EventOfSale | null },
): Promise<boolean> {
  const isSold = await sell(ctx, db, { order, intent, eventId: event?.id ?? null });
  if (isSold) event?.onRecorded();
  return isSold;
}

/** Compares the payment with the database, and does what is missing. The caller holds the order's lock. */
async function book(
  ctx: ShopContext,
  tx: Db,
  { order, intent, event }: OrderPayment & { event: EventOfSale | null },
): Promise<SettleOutcome> {
  const supersededOrders = tx
    .select({ one: sql`1` })
    .from(orders)
    .where(isSuperseded({ visitorId: order.visitorId, email: order.email, orderId: order.id }));
  const orderPayments = await tx
    .select({
      ...pick(payments, "orderEditId", "intentId", "status", "endActor", "endNote"),
      supersedesOrders: exists(supersededOrders).mapWith(Boolean),
    })
    .from(payments)
    .where(eq(payments.orderId, order.id))
    .orderBy(asc(payments.revision));
  if (
    orderPayments.some(({ intentId, orderEditId }) => intentId === intent.intentId && orderEditId !== null)
  ) {
    const settler = ctx.paymentHooks.find(({ settleEdit }) => settleEdit !== undefined);
    if (!settler?.settleEdit) throw new Error("no feature settles payments of order edits");
    return settler.settleEdit(ctx, tx, { order, intent });
  }
  const ownPayments = orderPayments.filter(({ orderEditId }) => orderEditId === null);
  const decision = decideSettlement(
    {
      status: order.status,
      totalCents: order.totalCents - order.creditCents,
      currency: order.currency,
      intentIds: ownPayments.map(({ intentId }) => intentId),
      paidIntentId: ownPayments.find(({ status }) => status === "succeeded")?.intentId ?? null,
    },
    intent,
  );
  const hasEdits = ownPayments.length < orderPayments.length;
  if (
    intent.amountRefunded >
    (hasEdits || order.refundedCents > 0
      ? await readPaymentRefundedCents(tx, intent.intentId)
      : order.refundedCents)
  ) {
    await addJob(tx, syncRefundsJob, { intentId: intent.intentId });
  }
  // A dispute's event may have arrived before the payment's.
  if (intent.isDisputed && decision.action.startsWith("complete")) {
    await addJob(tx, syncDisputesJob, { intentId: intent.intentId });
  }
  if (decision.action === "complete") {
    if (ownPayments.some(({ supersedesOrders }) => supersedesOrders))
      await addJob(tx, cancelSupersededJob, { orderId: order.id });
    for (const { onOrderPaid } of ctx.paymentHooks)
      if (onOrderPaid) await tx.execute(onOrderPaid(sql`${order.visitorId}`));
  }
  const reason = endReason(ownPayments.find(({ intentId }) => intentId === intent.intentId));
  return applyDecision(ctx, tx, { order, intent, reason, decision, event });
}

async function applyDecision(
  ctx: ShopContext,
  tx: Db,
  {
    order,
    intent,
    decision,
    reason,
    event,
  }: OrderPayment & { decision: Settlement; reason: EndReason | null; event: EventOfSale | null },
): Promise<SettleOutcome> {
  const now = ctx.now();
  switch (decision.action) {
    case "complete":
      if (order.creditCents > 0) return completeExchange(ctx, tx, { order, intent });
      if (order.hasUnreservedUnits) return completeOrRefund(ctx, tx, { order, intent });
      // Last, because every other order waits for the locks on stock.
      if (!(await writeSale(ctx, tx, { order: { id: order.id, version: null }, intent, event })))
        throw new Error(`Order ${order.id} is no longer ${order.status} although it was locked`);
      return "complete";
    case "complete_or_refund":
      if (order.creditCents > 0) return refundExchange(ctx, tx, { order, intent, reason: "It had ended." });
      return completeOrRefund(ctx, tx, { order, intent });
    case "cancel":
      await markPayment(ctx, tx, intent, "canceled");
      // An exchange stays open: the buyer's link opens another payment page until the shop ends the exchange.
      if (order.creditCents > 0 && reason === null) return "cancel";
      await cancelUnpaidOrder(tx, order, {
        ...(reason ?? { actor: "provider", note: "The payment was cancelled" }),
        now,
      });
      return "cancel";
    case "issue":
      await raiseIssue(tx, {
        kind: decision.kind,
        subject: intent.intentId,
        orderId: order.id,
        message: decision.message,
      });
      return "issue";
    case "none":
      if (intent.status === "canceled") await markPayment(ctx, tx, intent, "canceled");
      if (intent.status === "processing") await markProcessing(tx, intent.intentId);
      if (intent.status === "requires_payment") await markFailed(tx, { order, intent, now });
      return "none";
  }
}

/** Completes the order of an exchange, whose credit pays the rest. Refunds the payment if the exchange has become impossible. */
async function completeExchange(
  ctx: ShopContext,
  tx: Db,
  { order, intent }: OrderPayment,
): Promise<SettleOutcome> {
  const exchanges = ctx.paymentHooks.find(({ takeCredit }) => takeCredit !== undefined);
  if (!exchanges?.takeCredit) throw new Error("no feature settles exchanges");
  const reason = await exchanges.takeCredit(ctx, tx, order);
  if (reason !== null) return refundExchange(ctx, tx, { order, intent, reason });
  await markPayment(ctx, tx, intent, "succeeded");
  await enqueueOrderPaid(ctx, tx, order.id);
  if (!(await completeIfInStock(tx, order, { now: ctx.now(), today: await today(ctx, tx) })))
    throw new Error(`The units of order ${order.id} are gone although they were reserved for it`);
  return "complete";
}

/** Refunds once a payment that came too late for its exchange. The payment is not booked, because its order was not sold. */
async function refundExchange(
  ctx: ShopContext,
  tx: Db,
  { order, intent, reason }: OrderPayment & { reason: string },
): Promise<SettleOutcome> {
  const isOurs = and(eq(refunds.intentId, intent.intentId), eq(refunds.origin, "shop"));
  if ((await tx.$count(refunds, isOurs)) > 0) return "none";
  await markPayment(ctx, tx, intent, "canceled");
  const leftCents = intent.amountReceived - intent.amountRefunded;
  if (leftCents > 0) {
    await writeRefund(tx, {
      orderId: order.id,
      intentId: intent.intentId,
      amountCents: leftCents,
      reason: "Paid when the exchange could no longer be made",
      actor: "system",
    });
    await raiseIssue(tx, {
      kind: "late_payment_refunded",
      subject: intent.intentId,
      orderId: order.id,
      message: `${formatCents(intent.amountReceived)} came in for an exchange that could no longer be made. ${reason} The payment is being refunded`,
    });
  }
  if (order.status === "pending") {
    await cancelUnpaidOrder(tx, order, {
      actor: "system",
      note: `The exchange has ended. ${reason}`,
      now: ctx.now(),
    });
  }
  return "refund";
}

/** Sells units that were not reserved when they were paid, or refunds the payment if they are sold out. */
async function completeOrRefund(
  ctx: ShopContext,
  tx: Db,
  { order, intent }: OrderPayment,
): Promise<SettleOutcome> {
  const now = ctx.now();
  await markPayment(ctx, tx, intent, "succeeded");
  if (await completeIfInStock(tx, order, { now, today: await today(ctx, tx) })) {
    await enqueueOrderPaid(ctx, tx, order.id);
    return "complete";
  }
  const isPending = order.status === "pending";
  if (isPending) {
    await cancelUnpaidOrder(tx, order, {
      actor: "system",
      note: "Paid when not all of its units were left",
      now,
    });
  }
  await refundLatePayment(ctx, tx, {
    order,
    intent,
    reason: isPending
      ? "Paid for more units than were still there"
      : "Paid after the order was cancelled and the units were sold",
  });
  return "refund";
}

/** A payment that a bank is processing can no longer be ended, so an earlier reason for ending it is cleared. */
async function markProcessing(tx: Db, intentId: string): Promise<void> {
  await tx
    .update(payments)
    .set({ status: "processing", endActor: null, endNote: null, checks: 0 })
    .where(and(eq(payments.intentId, intentId), eq(payments.status, "requires_payment")));
}

/**
 * Makes a payment payable again after processing has failed. If the order has expired or was paid on a hosted page, a job ends it.
 */
async function markFailed(tx: Db, { order, intent, now }: OrderPayment & { now: Date }): Promise<void> {
  const [failed] = await tx
    .update(payments)
    .set({ status: "requires_payment", nextCheckAt: null, checks: 0 })
    .where(and(eq(payments.intentId, intent.intentId), eq(payments.status, "processing")))
    .returning({ sessionId: payments.sessionId });
  if (!failed || order.status !== "pending") return;
  if (failed.sessionId === null && order.expiresAt > now) return;
  await addJob(tx, endFailedJob, { orderId: order.id });
}

/** Locks the order for which the shop created an intent, until the transaction ends. */
async function lockIntentOrder(tx: Db, intentId: string): Promise<LockedOrder | null> {
  const [order] = await tx
    .select(lockedColumns)
    .from(orders)
    .innerJoin(payments, eq(payments.orderId, orders.id))
    .where(eq(payments.intentId, intentId))
    .for("update", { of: orders });
  if (order) recordOrderId(order.id);
  return order ?? null;
}

/** The order id that a payment or event claims; null if it is not a valid id. */
export function claimedOrderId({ orderId }: { orderId: string | null }): string | null {
  return v.is(uuidSchema, orderId) ? orderId : null;
}
