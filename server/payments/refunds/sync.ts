import { randomUUID } from "node:crypto";
import { and, eq, isNull, ne, or, sql } from "drizzle-orm";
import { formatCents } from "../../../domain/shared/money.ts";
import type { ShopContext } from "../../context.ts";
import { raiseIssue } from "../../issues/issues.ts";
import { bookRefunds, type LockedOrder, lockOrder } from "../../orders/lifecycle.ts";
import { type ProviderRefund, UnknownPayment } from "../../payment-providers/provider.ts";
import type { Db } from "../../platform/database/database.ts";
import { closeSettledIssues } from "../close-issues.ts";
import { enqueueRefunded } from "../mail.ts";
import { isOtherAccount, otherAccountRefundText } from "../other-account.ts";
import { payments, refunds } from "../tables.ts";
import { refundNews } from "./news.ts";
import { splitAnew, splitOfAmount } from "./refundable.ts";
import { partsOf, refundedCentsOf } from "./refunds.ts";

type RefundRow = typeof refunds.$inferSelect;

/**
 * Brings the shop's refunds of an intent in line with the provider's, those made in its dashboard included, and moves
 * the order accordingly; a refund that the bank bounced takes the order back. The buyer is told of each that succeeded,
 * the owner of each that failed. Throws UnknownPayment for a payment of another account or mode. A payment outside the shop
 * has no provider: whoever asks for a refund of it pays it back, and it stands as such at once.
 */
export async function syncRefunds(ctx: ShopContext, intentId: string): Promise<"synced" | "foreign"> {
  const ofIntent = eq(payments.intentId, intentId);
  const [known] = await ctx.db.select().from(payments).where(ofIntent);
  if (!known) return "foreign";
  const isManual = known.provider === "manual";
  if (!isManual && isOtherAccount(ctx.provider, known))
    throw new UnknownPayment(otherAccountRefundText(ctx.provider, known));
  const listed = isManual ? [] : await ctx.provider.listRefunds(intentId);
  await ctx.db.transaction(async (tx) => {
    const order = await lockOrder(tx, known.orderId);
    if (!order) throw new Error(`Payment ${intentId} has no order`);
    const given = isManual ? await paidBackOutside(ctx, tx, intentId) : listed;
    for (const refund of given) await adoptRefund(ctx, tx, order.id, refund);
    await splitAnew(tx, order.id);
    const [payment] = await tx.select({ status: payments.status }).from(payments).where(ofIntent);
    // News of a refund may come before that of its payment, which then asks for the refunds itself.
    if (payment?.status === "succeeded") await applyRefunds(ctx, tx, order, intentId);
    // Of an order edit that was paid too late: the order's money stays as it is, but its buyer is told.
    else if (known.orderEditId !== null) await tellOfRefunds(ctx, tx, order, intentId);
    await closeSettledIssues(tx, { orderId: order.id, now: ctx.now() });
    for (const { onRefundsChanged } of ctx.paymentHooks) await onRefundsChanged?.(ctx, tx, order.id);
  });
  const isAsked = and(eq(refunds.intentId, intentId), eq(refunds.status, "pending"));
  if (isManual && (await ctx.db.$count(refunds, isAsked)) > 0)
    throw new UnknownPayment(otherAccountRefundText(ctx.provider, known));
  return "synced";
}

/**
 * What the owner asked for of a payment that no provider knows, as a provider would list it. What a buyer asked for waits
 * until the owner has paid it back. The caller holds the order's lock.
 */
async function paidBackOutside(ctx: ShopContext, tx: Db, intentId: string): Promise<ProviderRefund[]> {
  const asked = await tx
    .select()
    .from(refunds)
    .where(and(eq(refunds.intentId, intentId), eq(refunds.status, "pending"), eq(refunds.actor, "owner")));
  return asked.map(({ id: refundId, amountCents: amount }) => ({
    ...{ id: `manual_${refundId}`, refundId, intentId, amount },
    ...{ status: "succeeded", failure: null, createdAt: ctx.now() },
  }));
}

/** The same where another account's or mode's refunds may wait until its keys are back. */
export async function syncOrLeave(
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

/** A refund only ever goes on from one to the next: a list that was read earlier may be booked later. */
const stages = { pending: 0, succeeded: 1, failed: 2 };

/** Books one refund as the provider has it. The caller holds the order's lock. */
async function adoptRefund(ctx: ShopContext, tx: Db, orderId: string, given: ProviderRefund): Promise<void> {
  const known = await findRefund(tx, orderId, given);
  const { id: providerRefundId, status, failure, createdAt } = given;
  const isNews = !known?.providerRefundId;
  if (known && !isNews && stages[status] <= stages[known.status]) return;
  // One that was pending before has succeeded since; the provider does not say when.
  const settledAt = status !== "succeeded" ? null : isNews ? createdAt : ctx.now();
  const state = { providerRefundId, status, failure, settledAt };
  const refundId = known?.id ?? randomUUID();
  if (known) {
    await tx.update(refunds).set(state).where(eq(refunds.id, refundId));
  } else {
    await tx.insert(refunds).values({
      ...state,
      id: refundId,
      orderId,
      intentId: given.intentId,
      amountCents: given.amount,
      ...partsOf(await splitOfAmount(tx, { orderId, intentId: given.intentId, amountCents: given.amount })),
      origin: "provider",
      createdAt,
    });
    if (status !== "failed") await raiseSecondPayment(tx, orderId, given);
  }
  if (status !== "failed") return;
  await raiseIssue(tx, {
    kind: "refund_failed",
    subject: refundId,
    orderId,
    message: failedMessage(given, known),
  });
}

/** What the shop asked for once stands at the provider a second time. Nothing here does that; should it be, it is seen. */
async function raiseSecondPayment(
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

/** By the provider's id, or by ours where the provider has just been asked for it. */
async function findRefund(tx: Db, orderId: string, given: ProviderRefund): Promise<RefundRow | null> {
  const isOurs =
    given.refundId === null
      ? undefined
      : and(sql`${refunds.id}::text = ${given.refundId}`, isNull(refunds.providerRefundId));
  const [known] = await tx
    .select()
    .from(refunds)
    .where(and(eq(refunds.orderId, orderId), or(eq(refunds.providerRefundId, given.id), isOurs)))
    .orderBy(sql`${refunds.providerRefundId} nulls last`)
    .limit(1);
  return known ?? null;
}

function failedMessage({ amount, failure }: ProviderRefund, known: RefundRow | null): string {
  const what =
    known?.status === "succeeded"
      ? `A refund of ${formatCents(amount)} did not reach the buyer: the bank sent it back`
      : `A refund of ${formatCents(amount)} could not be carried out`;
  return failure === null ? what : `${what} (${failure})`;
}

/** Tells the buyer of refunds of a payment that have just succeeded; answers these. */
async function tellOfRefunds(ctx: ShopContext, tx: Db, order: LockedOrder, intentId: string) {
  const succeeded = and(eq(refunds.intentId, intentId), eq(refunds.status, "succeeded"));
  const newlySucceeded = await tx
    .update(refunds)
    .set({ notifiedAt: ctx.now() })
    .where(and(succeeded, isNull(refunds.notifiedAt)))
    .returning();
  for (const { id } of newlySucceeded) await enqueueRefunded(tx, { orderId: order.id, refundId: id });
  return newlySucceeded;
}

/** Moves the order to what its refunds come to, and tells the buyer of those that succeeded. */
async function applyRefunds(ctx: ShopContext, tx: Db, order: LockedOrder, intentId: string): Promise<void> {
  const newlySucceeded = await tellOfRefunds(ctx, tx, order, intentId);
  const refundedCents = Math.min(await refundedCentsOf(tx, order.id), order.payableCents);
  const news =
    newlySucceeded.length === 0
      ? ({ by: "provider", note: "A refund failed: the money came back" } as const)
      : await refundNews(tx, newlySucceeded);
  await bookRefunds(tx, order, { refundedCents, ...news, now: ctx.now() });
}
