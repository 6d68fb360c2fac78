import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { Restock } from "../../../domain/orders/admin-order.ts";
import { refundByLines, requestedLinesProblems } from "../../../domain/orders/line-refund.ts";
import { formatCents } from "../../../domain/shared/money.ts";
import type { ShopContext } from "../../context.ts";
import { lockOrder } from "../../orders/lifecycle.ts";
import { recordRestock, restockableUnits } from "../../orders/restock.ts";
import {
  reachableCents,
  readOrderMoney,
  readRefundable,
  refundSources,
} from "../../payments/refunds/refundable.ts";
import { refundLockedOrder } from "../../payments/refunds/refunds.ts";
import { sendRefundNow } from "../../payments/refunds/send.ts";
import { refunds } from "../../payments/tables.ts";
import type { Db } from "../../platform/database/database.ts";
import { endUnpayableEdit, findWaitingEdit } from "../edits/waiting-edit.ts";
import { idForKey } from "../exchanges/allowance.ts";
import { ExchangeRefused, lockNewOrders, receiveReturn } from "../exchanges/settle.ts";
import { closeReturn, hasOpenReturn, isPartOfExchange } from "../fulfilment/returns.ts";

type OwnerRefundRequest = {
  orderId: string;
  /** Cents; null to refund everything not refunded yet. */
  amount: number | null;
  /** Units to refund with their tax, and whether each is restocked; null to refund by amount. */
  items: readonly { productId: number; quantity: number; restock: boolean }[] | null;
  /** Cents of shipping to refund with the items; null if there are none, or to refund by amount. */
  shipping: number | null;
  reason: string | null;
  /** Units to restock with a refund by amount. */
  restock: Restock | null;
  /** The open return that it settles; null if there is none. */
  returnId: string | null;
  /** Calls with the same key make one refund. */
  idempotencyKey: string | null;
};

/** `refundIds` has several ids if no single payment covers the refund. `isNew` is false for a repeated call. */
type OwnerRefundResult =
  | { ok: true; refundIds: string[]; isNew: boolean }
  | { ok: false; code: "unknown_order" }
  | { ok: false; code: "state"; message: string }
  | { ok: false; code: "input"; fields: Record<string, string> };

/** Time after which a job sends a refund that was not sent immediately because of a crash. */
const takeOverMs = 60_000;

/**
 * Refunds an order in whole or in part and restocks units. Both are written in one transaction; then the provider is called
 * immediately, and if that fails, by a job.
 */
export async function refundOrder(ctx: ShopContext, request: OwnerRefundRequest): Promise<OwnerRefundResult> {
  const result = await ctx.db
    .transaction((tx) => writeOwnerRefund(ctx, tx, request))
    .catch((error: unknown) => {
      if (error instanceof ExchangeRefused) return refuse(error.message);
      throw error;
    });
  if (result.ok && result.isNew) await Promise.all(result.refundIds.map((id) => sendRefundNow(ctx, id)));
  return result;
}

async function writeOwnerRefund(
  ctx: ShopContext,
  tx: Db,
  request: OwnerRefundRequest,
): Promise<OwnerRefundResult> {
  const { orderId, reason, returnId, idempotencyKey } = request;
  if (returnId !== null) await lockNewOrders(tx, returnId);
  const order = await lockOrder(tx, orderId);
  if (!order) return { ok: false, code: "unknown_order" };
  const refundId = idForKey([orderId], idempotencyKey);
  const before = await findRefund(tx, refundId);
  if (before) {
    const wholeRefund = await readWholeRefund(tx, before);
    return (await isSameRefund(tx, request, wholeRefund))
      ? { ok: true, refundIds: wholeRefund.ids, isNew: false }
      : refuse(keyReusedMessage);
  }
  if (returnId !== null && !(await hasOpenReturn(tx, orderId, returnId)))
    return { ok: false, code: "input", fields: { returnId: "Is no open return of this order" } };
  if (returnId !== null && (await isPartOfExchange(tx, returnId))) return refuse(exchangeWaitsText);
  const isByLines = request.items !== null || request.shipping !== null;
  const requested = { items: request.items ?? [], shipping: request.shipping ?? 0 };
  const refundable = isByLines ? await readRefundable(tx, orderId) : null;
  const problems = refundable && requestedLinesProblems(refundable, requested);
  if (problems && Object.keys(problems).length > 0) {
    return { ok: false, code: "input", fields: problems };
  }
  const split = refundable && refundByLines(refundable, requested);
  if (split && split.amount === 0) {
    return { ok: false, code: "input", fields: { items: "Choose what to refund" } };
  }
  const amount = split ? split.amount : request.amount;
  const restockedItems = (request.items ?? [])
    .filter((item) => item.restock)
    .map(({ productId, quantity }) => ({ productId, quantity }));
  const restock = isByLines ? (restockedItems.length > 0 ? restockedItems : null) : request.restock;
  const restockable =
    restock === null ? { ok: true as const, units: [] } : await restockableUnits(tx, order, restock);
  if (!restockable.ok) {
    const [problem = ""] = Object.values(restockable.fields);
    return { ok: false, code: "input", fields: isByLines ? { items: problem } : restockable.fields };
  }
  // A full refund ends the waiting edit.
  if ((await findWaitingEdit(tx, orderId)) !== null && !(await isFullRefund(ctx, tx, { orderId, amount })))
    return refuse(editWaitsText);
  if (await waitsForProvider(tx, orderId, amount)) return refuse(underWayText);
  const sendAt = new Date(ctx.now().getTime() + takeOverMs);
  const result = await refundLockedOrder(ctx, tx, {
    orderId,
    amountCents: amount,
    reason,
    actor: "owner",
    from: "reachable",
    refundId,
    sendAt,
    ...(split && { split }),
  });
  if (result.ok) {
    await endUnpayableEdit(ctx, tx, order.id);
    if (returnId !== null) {
      await receiveReturn(ctx, tx, returnId);
      await closeReturn(tx, returnId, ctx.now());
    }
    await recordRestock(tx, order, restockable.units, ctx.now());
    return { ok: true, refundIds: result.refundIds, isNew: true };
  }
  if (result.reason !== "too_much") return refuse(notPaidText);
  const { refundableCents: leftCents, elsewhere } = result;
  if (leftCents <= 0) return refuse(elsewhere ?? nothingLeftText);
  const limit = `At most ${formatCents(leftCents)} can be refunded`;
  const fields = { [split ? "items" : "amount"]: elsewhere === null ? limit : `${limit} here. ${elsewhere}` };
  return { ok: false, code: "input", fields };
}

/**
 * Whether `amount` is all that is left of the order's payments. Null stands for the amount that the current API keys can refund.
 */
async function isFullRefund(
  { provider }: ShopContext,
  tx: Db,
  { orderId, amount }: { orderId: string; amount: number | null },
): Promise<boolean> {
  const sources = refundSources(provider, await readOrderMoney(tx, orderId));
  const allCents = sources.reduce((sum, { leftCents }) => sum + leftCents, 0);
  return (amount ?? reachableCents(sources)) >= allCents;
}

/** Whether a repeated request equals the first; restocking is not compared. */
async function isSameRefund(tx: Db, request: OwnerRefundRequest, before: RefundRow): Promise<boolean> {
  const { orderId, amount, items, shipping, reason } = request;
  if (reason !== before.reason) return false;
  if (items === null && shipping === null) return amount === null || amount === before.amountCents;
  const serializeUnits = (units: readonly { productId: number; quantity: number }[]) =>
    JSON.stringify(units.map(({ productId, quantity }) => [productId, quantity]).sort());
  const { shippingCents, taxCents, lines } = before;
  const isTaxIncluded = (await readRefundable(tx, orderId))?.taxIncluded !== undefined;
  const withTax = lines.reduce((cents, line) => cents - line.taxCents, shippingCents + taxCents);
  return (
    serializeUnits(items ?? []) === serializeUnits(lines) &&
    (shipping ?? 0) === (isTaxIncluded ? withTax : shippingCents)
  );
}

/**
 * Whether a refund of this amount waits to be retried after the provider failed: an owner who saw the failure may request it
 * again, which would refund twice. An amount of null, everything left, cannot be refunded twice.
 */
async function waitsForProvider(tx: Db, orderId: string, amountCents: number | null): Promise<boolean> {
  if (amountCents === null) return false;
  const isWaiting = and(
    eq(refunds.orderId, orderId),
    eq(refunds.status, "pending"),
    isNull(refunds.providerRefundId),
    isNotNull(refunds.failedAt),
    eq(refunds.amountCents, amountCents),
  );
  return (await tx.$count(refunds, isWaiting)) > 0;
}

const exchangeWaitsText =
  "An exchange expects this return. Mark it as received under Returns: that settles the exchange.";
const underWayText =
  "A refund of this amount is on its way already; the payment provider has not confirmed it yet.";
const editWaitsText =
  "An edit of this order’s items has not been paid yet. Withdraw it first: its price may depend on what you refund.";
const keyReusedMessage = "This Idempotency-Key was used for another refund.";
const notPaidText = "This order has not been paid: there is nothing to refund.";
const nothingLeftText =
  "The whole amount has been refunded, is being refunded, or was withdrawn by a dispute.";

function refuse(message: string): Extract<OwnerRefundResult, { code: "state" }> {
  return { ok: false, code: "state", message };
}

type RefundRow = typeof refunds.$inferSelect;

/** Sums up the refunds that one request wrote for several payments; they were written at the same time as `first`. */
async function readWholeRefund(tx: Db, first: RefundRow): Promise<RefundRow & { ids: string[] }> {
  const [sum] = await tx
    .select({
      ids: sql<string[] | null>`json_agg(${refunds.id})`,
      amount: sql<number>`sum(${refunds.amountCents})::int`,
      shipping: sql<number>`sum(${refunds.shippingCents})::int`,
      tax: sql<number>`sum(${refunds.taxCents})::int`,
    })
    .from(refunds)
    .where(
      and(
        eq(refunds.orderId, first.orderId),
        eq(refunds.origin, "shop"),
        sql`${refunds.createdAt} = (select created_at from ${refunds} as the_first where the_first.id = ${first.id})`,
      ),
    );
  return {
    ...first,
    ids: sum?.ids ?? [first.id],
    amountCents: sum?.amount ?? first.amountCents,
    shippingCents: sum?.shipping ?? first.shippingCents,
    taxCents: sum?.tax ?? first.taxCents,
  };
}

async function findRefund(tx: Db, refundId: string): Promise<RefundRow | null> {
  const [refund] = await tx.select().from(refunds).where(eq(refunds.id, refundId));
  return refund ?? null;
}
