import { randomUUID } from "node:crypto";
import { and, asc, eq, inArray, isNull, ne, or, sql } from "drizzle-orm";
import { formatCents } from "../../../domain/shared/money.ts";
import type { ShopContext } from "../../context.ts";
import { raiseIssue } from "../../issues/issues.ts";
import { bookRefunds, type LockedOrder, lockOrder } from "../../orders/lifecycle.ts";
import { orderLines } from "../../orders/tables.ts";
import type { Actor } from "../../orders/transition.ts";
import { type ProviderRefund, UnknownPayment } from "../../payment-providers/provider.ts";
import type { Db } from "../../platform/database/database.ts";
import { closeSettledIssues } from "../close-issues.ts";
import { enqueueRefunded } from "../mail.ts";
import { findSourcePayment, isOtherAccount, otherAccountRefundText } from "../other-account.ts";
import { payments, refunds } from "../tables.ts";
import { splitAmount, splitProviderRefunds } from "./refundable.ts";
import { readOrderRefundedCents, splitColumns } from "./refunds.ts";

type RefundRow = typeof refunds.$inferSelect;

/**
 * Books a payment's refunds as the provider lists them, including refunds made in its dashboard, and updates the order; a bounced
 * refund restores the order's former status. The buyer gets an e-mail for each success, the owner an issue for each failure. A
 * payment outside the shop has no provider: by recording its refund, the owner confirms having paid the money back. Throws
 * UnknownPayment if the payment belongs to another account or mode.
 */
export async function syncRefunds(ctx: ShopContext, intentId: string): Promise<"synced" | "foreign"> {
  const ofIntent = eq(payments.intentId, intentId);
  const [payment] = await ctx.db.select().from(payments).where(ofIntent);
  if (!payment) return "foreign";
  const source = await findSourcePayment(ctx.db, payment);
  if (source.intentId === null) return "foreign";
  const isManual = source.provider === "manual";
  if (!isManual && isOtherAccount(ctx.provider, source))
    throw new UnknownPayment(otherAccountRefundText(ctx.provider, source));
  const allRefunds = isManual ? [] : await ctx.provider.listRefunds(source.intentId);
  const intents = await findRefundIntents(ctx.db, allRefunds);
  const isExchange = payment.provider === "exchange";
  const providerRefunds = allRefunds.filter(({ refundId }) => {
    const refundIntent = intents.get(refundId ?? "");
    return isExchange ? refundIntent === intentId : refundIntent === undefined || refundIntent === intentId;
  });
  await ctx.db.transaction(async (tx) => {
    const order = await lockOrder(tx, payment.orderId);
    if (!order) throw new Error(`Payment ${intentId} has no order`);
    const currentRefunds = isManual ? await readRefundsMadeOutside(ctx, tx, intentId) : providerRefunds;
    for (const refund of currentRefunds) await bookRefund(ctx, tx, order.id, refund);
    await splitProviderRefunds(tx, order.id);
    const [current] = await tx.select({ status: payments.status }).from(payments).where(ofIntent);
    // If a refund's event is handled before the payment's, the refunds are synced when the payment is booked.
    if (current?.status === "succeeded") await applyRefunds(ctx, tx, order, intentId);
    // The refund of an order edit or exchange that was paid too late changes no amount of the order, but the buyer gets an e-mail.
    else if (payment.orderEditId !== null || order.creditCents > 0)
      await notifyRefunds(ctx, tx, order, intentId);
    await closeSettledIssues(tx, { orderId: order.id, now: ctx.now() });
    for (const { onRefundsChanged } of ctx.paymentHooks) await onRefundsChanged?.(ctx, tx, order.id);
  });
  const isPending = and(eq(refunds.intentId, intentId), eq(refunds.status, "pending"));
  if (isManual && (await ctx.db.$count(refunds, isPending)) > 0)
    throw new UnknownPayment(otherAccountRefundText(ctx.provider, source));
  if (!isExchange)
    for (const other of new Set(intents.values())) if (other !== intentId) await syncRefunds(ctx, other);
  return "synced";
}

/** Maps the ids of refunds written by the shop to their payments, which after an exchange may be another order's. */
async function findRefundIntents(
  db: Db,
  allRefunds: readonly ProviderRefund[],
): Promise<Map<string, string>> {
  const ids = allRefunds.flatMap(({ refundId }) => refundId ?? []);
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: refunds.id, intentId: refunds.intentId })
    .from(refunds)
    .where(inArray(sql`${refunds.id}::text`, ids));
  return new Map(rows.map(({ id, intentId }) => [id, intentId]));
}

/**
 * The owner's refunds of a payment outside the shop, in the provider's format. A refund that the buyer requested waits until the
 * owner records it as paid back. The caller holds the order's lock.
 */
async function readRefundsMadeOutside(ctx: ShopContext, tx: Db, intentId: string): Promise<ProviderRefund[]> {
  const rows = await tx
    .select()
    .from(refunds)
    .where(and(eq(refunds.intentId, intentId), eq(refunds.status, "pending"), eq(refunds.actor, "owner")));
  return rows.map(({ id: refundId, amountCents: amount }) => ({
    id: `manual_${refundId}`,
    refundId,
    intentId,
    amount,
    status: "succeeded",
    failure: null,
    createdAt: ctx.now(),
  }));
}

/** Syncs a payment's refunds, unless it belongs to another account or mode: they then wait until its keys are back. */
export async function syncRefundsIfReachable(
  ctx: ShopContext,
  intentId: string,
): Promise<"synced" | "foreign" | "elsewhere"> {
  try {
    return await syncRefunds(ctx, intentId);
  } catch (error) {
    if (error instanceof UnknownPayment) return "elsewhere";
    throw error;
  }
}

/** A refund's stage never decreases, because an older list of the provider may be processed after a newer one. */
const stages = { pending: 0, succeeded: 1, failed: 2 };

/** Books one refund of the provider. The caller holds the order's lock. */
async function bookRefund(ctx: ShopContext, tx: Db, orderId: string, refund: ProviderRefund): Promise<void> {
  const bookedRefund = await findRefund(tx, orderId, refund);
  const { id: providerRefundId, status, failure, createdAt } = refund;
  const isUnsynced = !bookedRefund?.providerRefundId;
  if (bookedRefund && !isUnsynced && stages[status] <= stages[bookedRefund.status]) return;
  // For a refund that was pending before, the provider does not report when it succeeded.
  const settledAt = status !== "succeeded" ? null : isUnsynced ? createdAt : ctx.now();
  const state = { providerRefundId, status, failure, settledAt };
  const refundId = bookedRefund?.id ?? randomUUID();
  if (bookedRefund) {
    await tx.update(refunds).set(state).where(eq(refunds.id, refundId));
  } else {
    await tx.insert(refunds).values({
      ...state,
      id: refundId,
      orderId,
      intentId: refund.intentId,
      amountCents: refund.amount,
      ...splitColumns(
        await splitAmount(tx, { orderId, intentId: refund.intentId, amountCents: refund.amount }),
      ),
      origin: "provider",
      createdAt,
    });
    if (status !== "failed") {
      await raiseSecondRefund(tx, orderId, refund);
      await raiseExchangedRefund(tx, orderId, refund);
    }
  }
  if (status !== "failed") return;
  await raiseIssue(tx, {
    kind: "refund_failed",
    subject: refundId,
    orderId,
    message: failedMessage(refund, bookedRefund),
  });
}

/** Raises an issue if the provider made a refund twice, which the shop never requests. */
async function raiseSecondRefund(
  tx: Db,
  orderId: string,
  { id, refundId, amount }: ProviderRefund,
): Promise<void> {
  if (refundId === null) return;
  const isFirst = and(
    eq(refunds.orderId, orderId),
    sql`${refunds.id}::text = ${refundId}`,
    ne(refunds.status, "failed"),
  );
  if ((await tx.$count(refunds, isFirst)) === 0) return;
  await raiseIssue(tx, {
    kind: "refund_twice",
    subject: id,
    orderId,
    message: `A refund of ${formatCents(amount)} was carried out twice at the payment provider`,
  });
}

/** Raises an issue for a refund made at the provider of money that an exchange has credited to another order. */
async function raiseExchangedRefund(
  tx: Db,
  orderId: string,
  { id, intentId, amount }: ProviderRefund,
): Promise<void> {
  const [row] = await tx
    .select({ excess: sql<number>`sum(${refunds.amountCents})::int - ${payments.amountCents}` })
    .from(payments)
    .innerJoin(refunds, and(eq(refunds.intentId, payments.intentId), ne(refunds.status, "failed")))
    .where(eq(payments.intentId, intentId))
    .groupBy(payments.id)
    .having(sql`count(${refunds.exchangeId}) > 0`);
  const excess = Math.min(row?.excess ?? 0, amount);
  if (excess <= 0) return;
  await raiseIssue(tx, {
    kind: "refund_of_credit",
    subject: id,
    orderId,
    message: `${formatCents(excess)} refunded at the payment provider had paid for another order by exchange: that order counts as paid, though its buyer has the money back`,
  });
}

/** Finds a refund by the provider's id, or by the shop's id if the provider's is not stored yet. */
async function findRefund(
  tx: Db,
  orderId: string,
  { id, refundId }: ProviderRefund,
): Promise<RefundRow | null> {
  const isShopRefund =
    refundId === null
      ? undefined
      : and(sql`${refunds.id}::text = ${refundId}`, isNull(refunds.providerRefundId));
  const [bookedRefund] = await tx
    .select()
    .from(refunds)
    .where(and(eq(refunds.orderId, orderId), or(eq(refunds.providerRefundId, id), isShopRefund)))
    .orderBy(sql`${refunds.providerRefundId} nulls last`)
    .limit(1);
  return bookedRefund ?? null;
}

function failedMessage({ amount, failure }: ProviderRefund, bookedRefund: RefundRow | null): string {
  const problem =
    bookedRefund?.status === "succeeded"
      ? `A refund of ${formatCents(amount)} did not reach the buyer: the bank sent it back`
      : `A refund of ${formatCents(amount)} could not be carried out`;
  return failure === null ? problem : `${problem} (${failure})`;
}

/** E-mails the buyer about newly succeeded refunds of a payment, and returns these refunds. */
async function notifyRefunds(ctx: ShopContext, tx: Db, order: LockedOrder, intentId: string) {
  const succeededRefunds = and(eq(refunds.intentId, intentId), eq(refunds.status, "succeeded"));
  const newlySucceeded = await tx
    .update(refunds)
    .set({ notifiedAt: ctx.now() })
    .where(and(succeededRefunds, isNull(refunds.notifiedAt)))
    .returning();
  for (const { id } of newlySucceeded) await enqueueRefunded(tx, { orderId: order.id, refundId: id });
  return newlySucceeded;
}

/** Updates the order's refunded sum, and e-mails the buyer about newly succeeded refunds. */
async function applyRefunds(ctx: ShopContext, tx: Db, order: LockedOrder, intentId: string): Promise<void> {
  const newlySucceeded = await notifyRefunds(ctx, tx, order, intentId);
  const refundedCents = Math.min(await readOrderRefundedCents(tx, order.id), order.payableCents);
  const entry =
    newlySucceeded.length === 0
      ? ({ by: "provider", note: "A refund failed: the bank returned the money" } as const)
      : await describeRefunds(tx, newlySucceeded);
  await bookRefunds(tx, order, { refundedCents, ...entry, now: ctx.now() });
}

/**
 * Actor and note of newly succeeded refunds for an order's history, with amounts and refunded lines, and without personal data.
 */
async function describeRefunds(
  tx: Db,
  succeededRefunds: readonly RefundRow[],
): Promise<{ by: Actor; personId: string | null; note: string }> {
  const [first] = succeededRefunds;
  const names = new Map<number, string>();
  if (first && succeededRefunds.some(({ lines }) => lines.length > 0)) {
    const lines = await tx
      .select({ productId: orderLines.productId, name: orderLines.name })
      .from(orderLines)
      .where(eq(orderLines.orderId, first.orderId))
      .orderBy(asc(orderLines.position));
    for (const { productId, name } of lines) names.set(productId, name);
  }
  // A panel user who acted as the buyer is recorded as the owner.
  const requester = first?.personId ? "owner" : (first?.actor ?? "owner");
  const actor = first?.origin === "provider" ? "provider" : requester;
  return {
    by: actor,
    personId: first?.personId ?? null,
    note: succeededRefunds.map((refund) => describeRefund(refund, names)).join("; "),
  };
}

/** "$24.90 refunded: 1 × Pure Batana Oil, shipping $5.95, tax $2.00" */
function describeRefund(refund: RefundRow, names: ReadonlyMap<number, string>): string {
  const { amountCents, goodsCents, shippingCents, taxCents, lines } = refund;
  const parts = [
    ...lines.map(({ productId, quantity }) => `${quantity} × ${names.get(productId) ?? "a product"}`),
    ...(lines.length === 0 && goodsCents !== 0 ? [`goods ${formatCents(goodsCents)}`] : []),
    ...(shippingCents === 0 ? [] : [`shipping ${formatCents(shippingCents)}`]),
    ...(taxCents === 0 ? [] : [`tax ${formatCents(taxCents)}`]),
  ];
  return `${formatCents(amountCents)} refunded: ${parts.join(", ")}`;
}
