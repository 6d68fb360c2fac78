import { and, desc, eq, inArray, isNull, or, type SQL, sql } from "drizzle-orm";
import { divideRefund, type RefundSplit, refundByLines } from "../../../domain/orders/line-refund.ts";
import { isOpen } from "../../../domain/orders/order-return.ts";
import { leftOverReason } from "../../../domain/orders/replacement.ts";
import { formatCents } from "../../../domain/shared/money.ts";
import type { ShopContext } from "../../context.ts";
import { lockStock, type Units } from "../../inventory/commands.ts";
import { syncIssues } from "../../issues/issues.ts";
import { bookRefunds, completeIfInStock, type LockedOrder, lockOrder } from "../../orders/lifecycle.ts";
import { orderLines, orders } from "../../orders/tables.ts";
import { enqueueMessages } from "../../outbox/enqueue.ts";
import { cancelUnpaidNow } from "../../payments/cancellation/close.ts";
import { creditPayment } from "../../payments/exchange-credit.ts";
import { endExchangeJob } from "../../payments/job-kinds.ts";
import {
  heldByDisputes,
  readOrderMoney,
  readRefundable,
  refundSources,
} from "../../payments/refunds/refundable.ts";
import { readOrderRefundedCents, refundLockedOrder } from "../../payments/refunds/refunds.ts";
import { refunds } from "../../payments/tables.ts";
import type { Db } from "../../platform/database/database.ts";
import { addJob } from "../../platform/jobs/jobs.ts";
import { today } from "../../settings/today.ts";
import { lockForAction } from "../actions.ts";
import { type ExchangeRecord, orderExchanges, orderReturns } from "../tables.ts";
import { followUpProblem } from "./allowance.ts";

/** Thrown to roll back the transaction; the message is meant for the caller. */
export class ExchangeRefused extends Error {}

/**
 * The credit of an exchange, or why the exchange is no longer possible: its first order was refunded, cancelled, disputed or
 * erased, or the units to return were refunded. `hold` says why the exchange cannot be paid now; null if it can. The caller has
 * locked the new order; this locks the first one.
 */
async function exchangeCredit(
  ctx: ShopContext,
  tx: Db,
  exchange: ExchangeRecord,
): Promise<
  { ok: true; first: LockedOrder; returned: RefundSplit; hold: string | null } | { ok: false; reason: string }
> {
  const target = await lockForAction(ctx, tx, exchange.orderId);
  if (!target) return { ok: false, reason: "The first order does not exist." };
  const { order, locked } = target;
  const problem = followUpProblem(order, locked.shipHold);
  if (problem !== null) return { ok: false, reason: problem };
  const [newOrder] = await tx
    .select({ erasedAt: orders.erasedAt })
    .from(orders)
    .where(eq(orders.id, exchange.newOrderId));
  if (newOrder?.erasedAt !== null) return { ok: false, reason: "The buyer’s data was deleted." };
  const expected = order.returns.find(({ id }) => id === exchange.returnId);
  if (exchange.receivedAt === null && !(expected && isOpen(expected)))
    return { ok: false, reason: "The return is no longer expected." };
  const refundable = await readRefundable(tx, exchange.orderId);
  const canReturnAll = exchange.returned.every(
    ({ productId, quantity }) =>
      (refundable?.lines.find((line) => line.productId === productId)?.units ?? 0) >= quantity,
  );
  const returned =
    refundable && canReturnAll ? refundByLines(refundable, { items: exchange.returned, shipping: 0 }) : null;
  if (returned?.amount !== exchange.returnedCents)
    return { ok: false, reason: "The units to return have been refunded since." };
  const isDoubtful = locked.shipHold === "fraud" || locked.shipHold === "review";
  return {
    ok: true,
    first: locked,
    returned,
    hold: isDoubtful ? "The payment of the first order may be fraud." : null,
  };
}

/**
 * Pays the new order of an exchange, or part of it, with the credit for the returned units: the first order is credited without a
 * refund, and the new order gets one payment for each payment from which credit is taken. Returns null, or a message that
 * explains why this is impossible. The caller holds the new order's lock and completes the order in the same transaction.
 */
export async function takeCredit(ctx: ShopContext, tx: Db, order: LockedOrder): Promise<string | null> {
  const [exchange] = await tx.select().from(orderExchanges).where(eq(orderExchanges.newOrderId, order.id));
  if (!exchange) throw new Error(`order ${order.id} has a credit without an exchange`);
  const credit = await exchangeCredit(ctx, tx, exchange);
  if (!credit.ok) return credit.reason;
  const { first } = credit;
  const sources = refundSources(ctx.provider, await readOrderMoney(tx, first.id)).filter(
    ({ isReachable }) => isReachable,
  );
  let remainingCents = order.creditCents;
  if (sources.reduce((cents, { leftCents }) => cents + leftCents, 0) < remainingCents)
    return "The payment of the first order can no longer be credited.";
  const now = ctx.now();
  const numbers = await readOrderNumbers(tx, [first.id, order.id]);
  let [split] = divideRefund(credit.returned, remainingCents);
  const coveringSource = sources.find(({ leftCents }) => leftCents >= remainingCents);
  for (const { intentId, leftCents, payment } of coveringSource ? [coveringSource] : sources.toReversed()) {
    const cents = Math.min(leftCents, remainingCents);
    if (cents === 0) continue;
    const [part, rest] = divideRefund(split, cents);
    await creditPayment(tx, {
      exchangeId: exchange.id,
      from: { orderId: first.id, number: numbers.get(first.id) ?? 0, intentId, payment },
      to: { orderId: order.id, number: numbers.get(order.id) ?? 0, currency: order.currency },
      split: part,
      now,
    });
    split = rest;
    remainingCents -= cents;
  }
  const refundedCents = Math.min(await readOrderRefundedCents(tx, first.id), first.payableCents);
  const note = `${formatCents(order.creditCents)} exchanged for order #${numbers.get(order.id)}`;
  await bookRefunds(tx, first, { refundedCents, by: "system", note, now });
  return null;
}

export async function readOrderNumbers(tx: Db, ids: string[]): Promise<Map<string, number>> {
  const rows = await tx
    .select({ id: orders.id, number: orders.number })
    .from(orders)
    .where(inArray(orders.id, ids));
  return new Map(rows.map(({ id, number }) => [id, number]));
}

/** Whether a received return settles an exchange: one that expects this return, or after a withdrawal, any of its order. */
const isSettledBy = (returnId: string): SQL => sql`(${orderExchanges.returnId} = ${returnId}
  or exists (select from ${orderReturns} w
    where w.id = ${returnId} and w.kind = 'withdrawal' and w.order_id = ${orderExchanges.orderId}))`;

/** Locks the new orders of the exchanges that a return settles, the newest first. The caller locks the first order afterwards. */
export async function lockNewOrders(tx: Db, returnId: string): Promise<void> {
  const rows = await tx
    .select({ id: orderExchanges.newOrderId })
    .from(orderExchanges)
    .where(isSettledBy(returnId))
    .orderBy(desc(orderExchanges.createdAt), orderExchanges.newOrderId);
  for (const { id } of rows) await lockOrder(tx, id);
}

/**
 * Records that a return has been received: settles exchanges for which the buyer owes nothing, and refunds differences in the
 * buyer's favor. Returns the units of these exchanges that came back. Idempotent. Throws `ExchangeRefused`. The caller has locked
 * the new orders, then the first one.
 */
export async function receiveReturn(ctx: ShopContext, tx: Db, returnId: string): Promise<Units[]> {
  const expected = await tx
    .select()
    .from(orderExchanges)
    .where(and(isSettledBy(returnId), isNull(orderExchanges.receivedAt)))
    .orderBy(orderExchanges.createdAt, orderExchanges.id);
  const received: Units[] = [];
  for (const exchange of expected) {
    const order = await lockOrder(tx, exchange.newOrderId);
    if (!order) throw new Error(`order ${exchange.newOrderId} is missing`);
    // An exchange that has ended is not affected by its return.
    if (order.status === "cancelled" && order.cancelledAt === null) continue;
    // The return is a withdrawal, which is about to end this exchange.
    if (order.status === "pending" && exchange.returnId !== returnId) continue;
    await tx.update(orderExchanges).set({ receivedAt: ctx.now() }).where(eq(orderExchanges.id, exchange.id));
    received.push(...exchange.returned);
    if (order.status === "pending") {
      if (exchange.differenceCents > 0) continue;
      const problem = await settleWithoutPayment(ctx, tx, order, exchange.returned);
      if (problem !== null) throw new ExchangeRefused(problem);
    }
    await refundDifference(ctx, tx, exchange, order);
  }
  return received;
}

/**
 * Pays a new order with the credit alone. Returns null, or a message that explains why this is impossible. The `received` units
 * may be restocked afterwards, so their stock is locked together with the new order's, in sorted order.
 */
async function settleWithoutPayment(
  ctx: ShopContext,
  tx: Db,
  order: LockedOrder,
  received: readonly Units[],
): Promise<string | null> {
  const problem = await takeCredit(ctx, tx, order);
  if (problem !== null) return problem;
  const payment = {
    now: ctx.now(),
    today: await today(ctx, tx),
    actor: "owner",
    note: "Paid by the exchange",
  } as const;
  const dedupeKey = `order_confirmation:${order.id}`;
  await enqueueMessages(tx, [{ kind: "order_confirmation", dedupeKey, orderId: order.id }]);
  const lines = await tx.select().from(orderLines).where(eq(orderLines.orderId, order.id));
  await lockStock(tx, [...lines, ...received]);
  return (await completeIfInStock(tx, order, payment)) ? null : "There isn’t enough in stock anymore.";
}

/** Refunds a difference in the buyer's favor, and a new order that was cancelled before its return was received. */
async function refundDifference(
  ctx: ShopContext,
  tx: Db,
  { orderId, differenceCents, returnedCents, goodsCents, taxCents }: ExchangeRecord,
  order: LockedOrder,
): Promise<void> {
  const refund = { actor: "system", reason: leftOverReason } as const;
  const money = await readOrderMoney(tx, orderId);
  const paidCents = refundSources(ctx.provider, money).reduce((cents, { leftCents }) => cents + leftCents, 0);
  // Less than the difference if the owner has refunded it with the rest of the order, or if a lost dispute took the money.
  const dueCents = Math.min(-differenceCents, paidCents + heldByDisputes(ctx.provider, money));
  if (dueCents > 0) {
    const wholeRefund = { amount: returnedCents, goods: goodsCents, shipping: 0, tax: taxCents, lines: [] };
    const [, difference] = divideRefund(wholeRefund, order.creditCents);
    const [split] = divideRefund(difference, dueCents);
    const refundable = await readRefundable(tx, orderId);
    // Refunds by amount are divided over goods, shipping and tax, so less of the goods may be left than this split needs.
    const fits = refundable !== null && split.goods <= refundable.goods && split.tax <= refundable.tax;
    const result = await refundLockedOrder(ctx, tx, {
      ...refund,
      orderId,
      amountCents: dueCents,
      ...(fits && { split }),
      from: "reachable",
    });
    if (!result.ok) {
      const elsewhere = result.reason === "too_much" ? result.elsewhere : null;
      throw new ExchangeRefused(
        `The difference cannot be refunded: ${elsewhere ?? "a dispute holds the money."}`,
      );
    }
  }
  if (order.cancelledAt !== null) {
    await refundLockedOrder(ctx, tx, { ...refund, orderId: order.id, amountCents: null, from: "all" });
  }
}

/** Lets the new order of an exchange ship before its return has been received. Null if there is no such exchange of the order. */
export async function releaseNewOrder(
  ctx: ShopContext,
  { orderId, exchangeId }: { orderId: string; exchangeId: string },
): Promise<{ ok: true } | { ok: false; reason: string } | null> {
  try {
    return await ctx.db.transaction(async (tx) => {
      const [exchange] = await tx.select().from(orderExchanges).where(eq(orderExchanges.id, exchangeId));
      if (!exchange || (exchange.orderId !== orderId && exchange.newOrderId !== orderId)) return null;
      const order = await lockOrder(tx, exchange.newOrderId);
      if (!order) return null;
      if (order.status !== "pending") {
        return order.status === "cancelled"
          ? { ok: false, reason: "This exchange has ended." }
          : { ok: true };
      }
      if (exchange.differenceCents > 0)
        return { ok: false, reason: "The difference has to be paid first. Send the link again." };
      const problem = await settleWithoutPayment(ctx, tx, order, []);
      if (problem !== null) throw new ExchangeRefused(problem);
      return { ok: true };
    });
  } catch (error) {
    if (error instanceof ExchangeRefused) return { ok: false, reason: error.message };
    throw error;
  }
}

/**
 * Queues jobs that end the waiting exchanges of these orders: all of them if there is a `cause`, otherwise the ones that have
 * become impossible. This is done in jobs, because each new order must be locked before the first one. Call this in the
 * transaction of every change that may make an exchange impossible.
 */
export async function endExchanges(tx: Db, orderIds: readonly string[], cause?: string): Promise<void> {
  if (orderIds.length === 0) return;
  const exchanges = await tx
    .select({ id: orderExchanges.id })
    .from(orderExchanges)
    .innerJoin(orders, and(eq(orders.id, orderExchanges.newOrderId), sql`${orders.status} = 'pending'`))
    .where(
      or(inArray(orderExchanges.orderId, [...orderIds]), inArray(orderExchanges.newOrderId, [...orderIds])),
    );
  for (const { id } of exchanges)
    await addJob(tx, endExchangeJob, { exchangeId: id, ...(cause && { why: cause }) });
}

/** Whether a waiting exchange can be paid now. Ends it if it never can be, or if `cause` is given. */
export async function checkExchange(ctx: ShopContext, exchangeId: string, cause?: string): Promise<boolean> {
  const result = await ctx.db.transaction(async (tx) => {
    const [exchange] = await tx.select().from(orderExchanges).where(eq(orderExchanges.id, exchangeId));
    const order = exchange && (await lockOrder(tx, exchange.newOrderId));
    if (!exchange || order?.status !== "pending") return null;
    return { newOrderId: order.id, credit: await exchangeCredit(ctx, tx, exchange) };
  });
  if (result === null) return false;
  const { newOrderId, credit } = result;
  if (credit.ok && cause === undefined) return credit.hold === null;
  const reason = cause ?? (credit.ok ? "" : credit.reason);
  await cancelUnpaidNow(ctx, newOrderId, { actor: "system", note: `The exchange has ended. ${reason}` });
  return false;
}

/** Raises an issue for each exchange that ended unpaid after its return was received; it closes once the order is refunded. */
export async function watchEndedExchanges({ db, now }: ShopContext): Promise<void> {
  const { rows: ended } = await db.execute<{
    id: string;
    orderId: string;
    number: string;
    cents: number;
  }>(sql`
    select e.id, e.order_id as "orderId", n.number, e.returned_cents as cents
    from ${orderExchanges} e join ${orders} n on n.id = e.new_order_id join ${orders} o on o.id = e.order_id
    where e.received_at is not null and n.status = 'cancelled' and n.cancelled_at is null and o.status <> 'refunded'
      and e.returned_cents > (select coalesce(sum(r.amount_cents), 0) from ${refunds} r
        where r.order_id = e.order_id and r.exchange_id is null and r.status <> 'failed'
          and r.reason is distinct from ${leftOverReason} and r.created_at >= e.received_at)`);
  const cases = ended.map(({ id: subject, orderId, number, cents }) => ({
    subject,
    orderId,
    message: `The exchange for order #${number} has ended unpaid, but what the buyer sent back for it is here: refund its ${formatCents(cents)}, or close this if you have settled it otherwise`,
  }));
  const resolution = "Automatically: the order was refunded";
  await db.transaction((tx) => syncIssues(tx, { kind: "exchange_ended", cases, resolution, now: now() }));
}
