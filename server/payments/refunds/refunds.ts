import { randomUUID } from "node:crypto";
import { and, eq, type SQL, sql } from "drizzle-orm";
import { divideRefund, type RefundSplit } from "../../../domain/orders/line-refund.ts";
import { enforceConfirmationLimit } from "../../admin/confirmation-limit.ts";
import type { ShopContext } from "../../context.ts";
import { raiseIssue } from "../../issues/issues.ts";
import { type LockedOrder, recordPaymentTime } from "../../orders/lifecycle.ts";
import { updateShipHold } from "../../orders/ship-hold.ts";
import type { Intent } from "../../payment-providers/provider.ts";
import type { Db } from "../../platform/database/database.ts";
import { actingPerson } from "../../platform/http/actor.ts";
import { addJob } from "../../platform/jobs/jobs.ts";
import { sendRefundJob, sendRefundKey } from "../job-kinds.ts";
import { payments, refunds } from "../tables.ts";
import { readOrderMoney, refundSources, splitAmount, unreachableRefundText } from "./refundable.ts";

export type RefundResult =
  | { ok: true; refundIds: string[]; amountCents: number }
  | { ok: false; reason: "not_paid" }
  /** `elsewhere`: message for the owner on where to refund money that the current keys cannot reach; null if there is none. */
  | { ok: false; reason: "too_much"; refundableCents: number; elsewhere: string | null };

export type RefundRequest = {
  orderId: string;
  /** Null to refund everything not refunded yet. */
  amountCents: number | null;
  reason: string | null;
  /**
   * Payments to refund. `reachable`: payments that the current keys can refund or that were made outside the shop. `all`: all of
   * them; the owner gets an issue for money that could not be refunded.
   */
  from: "reachable" | "all";
  actor?: "shopper" | "owner" | "system";
  /** Panel user; the person making the current call by default. */
  personId?: string | null;
  /** The amounts of goods, shipping and tax; by default in proportion to what is not refunded yet. */
  split?: RefundSplit;
  orderEditId?: string;
  /** Id of the new refund; random by default. */
  refundId?: string;
  /** When its job sends it; immediately by default. */
  sendAt?: Date;
};

/**
 * Writes a refund in the caller's transaction, which holds the order's lock. A job tries to send it until the provider has it, so
 * that no refund is lost in a crash or outage, and none is made twice. All refunds together, including pending ones, never exceed
 * the payments. The oldest payment that covers the amount is refunded; if there is none, several payments are, and `refundId`
 * becomes the first refund's id. The amount counts towards the panel user's limit: above it, throws `ConfirmationRequired`.
 */
export async function refundLockedOrder(
  ctx: Pick<ShopContext, "provider">,
  tx: Db,
  input: RefundRequest,
): Promise<RefundResult> {
  const { orderId, from } = input;
  const allSources = refundSources(ctx.provider, await readOrderMoney(tx, orderId));
  if (allSources.length === 0) return { ok: false, reason: "not_paid" };
  const sources = from === "all" ? allSources : allSources.filter(({ isReachable }) => isReachable);
  const refundableCents = sources.reduce((sum, { leftCents }) => sum + leftCents, 0);
  const amountCents = input.amountCents ?? refundableCents;
  if (amountCents <= 0 || amountCents > refundableCents) {
    return {
      ok: false,
      reason: "too_much",
      refundableCents,
      elsewhere: unreachableRefundText(ctx.provider, allSources),
    };
  }
  if (input.actor === "owner" || input.actor === "shopper")
    await enforceConfirmationLimit(tx, { cents: amountCents, verb: "goes back" });
  const coveringSource = sources.find(({ leftCents }) => leftCents >= amountCents);
  const usedSources = coveringSource
    ? [coveringSource]
    : sources.filter(({ leftCents }) => leftCents > 0).toReversed();
  const refundIds: string[] = [];
  let remainingCents = amountCents;
  let split = input.split ?? (await splitAmount(tx, { orderId, amountCents }));
  let template: Omit<RefundRequest, "from"> = input;
  for (const { intentId, leftCents } of usedSources) {
    const cents = Math.min(leftCents, remainingCents);
    if (cents === 0) break;
    const [part, remaining] = divideRefund(split, cents);
    refundIds.push(await writeRefund(tx, { ...template, intentId, amountCents: cents, split: part }));
    if (refundIds.length === 1) {
      // The other refunds get random ids.
      const { refundId: _, ...withoutId } = template;
      template = withoutId;
    }
    split = remaining;
    remainingCents -= cents;
  }
  return { ok: true, refundIds, amountCents };
}

/** Refunds a whole payment whose order can no longer be fulfilled, and raises an issue. Runs in the caller's transaction. */
export async function refundLatePayment(
  ctx: ShopContext,
  tx: Db,
  { order, intent, reason }: { order: LockedOrder; intent: Intent; reason: string },
): Promise<void> {
  await recordPaymentTime(tx, order.id, ctx.now());
  await writeRefund(tx, {
    orderId: order.id,
    intentId: intent.intentId,
    amountCents: intent.amountReceived,
    reason,
    actor: "system",
  });
  await raiseIssue(tx, {
    kind: "late_payment_refunded",
    subject: intent.intentId,
    orderId: order.id,
    message: `${reason}; the payment is being refunded`,
  });
}

/** Cents refunded from an order's booked payments; refunds of late payments do not count. */
export async function readOrderRefundedCents(tx: Db, orderId: string): Promise<number> {
  const [sum] = await tx
    .select({ cents: sql<number>`coalesce(sum(${refunds.amountCents}), 0)::int` })
    .from(refunds)
    .innerJoin(payments, and(eq(payments.intentId, refunds.intentId), eq(payments.status, "succeeded")))
    .where(and(eq(refunds.orderId, orderId), eq(refunds.status, "succeeded")));
  return sum?.cents ?? 0;
}

/** Cents that the provider has refunded from one of its payments. */
export async function readPaymentRefundedCents(tx: Db, intentId: string): Promise<number> {
  const [sum] = await tx
    .select({ cents: sql<number>`${refundedAtProvider(sql`${intentId}`)}` })
    .from(sql`(select) as one`);
  return sum?.cents ?? 0;
}

/**
 * SQL for the cents that are booked as refunded by the provider from one of its payments. Credits of exchanges do not count. The
 * money of a payment by exchange is in another payment, to which its refunds are added.
 */
export function refundedAtProvider(intentId: SQL): SQL {
  return sql`(select coalesce(sum(r.amount_cents), 0)::int from ${refunds} as r
    where r.status = 'succeeded' and r.exchange_id is null
      and r.intent_id in (select ${intentId} union all select p.intent_id from ${payments} as p where p.source_intent_id = ${intentId}))`;
}

export async function listUnsentEditRefunds(db: Db, orderEditId: string): Promise<string[]> {
  const rows = await db
    .select({ id: refunds.id })
    .from(refunds)
    .where(and(eq(refunds.orderEditId, orderEditId), eq(refunds.status, "pending")));
  return rows.map(({ id }) => id);
}

export function splitColumns({ goods, shipping, tax, lines }: RefundSplit) {
  return { goodsCents: goods, shippingCents: shipping, taxCents: tax, lines };
}

/** Stores a refund together with the job that sends it. Returns its id. */
export async function writeRefund(
  tx: Db,
  refund: Omit<RefundRequest, "from"> & { intentId: string; amountCents: number },
): Promise<string> {
  const {
    orderId,
    intentId,
    amountCents,
    reason,
    actor = null,
    personId = actingPerson(),
    refundId: id = randomUUID(),
    sendAt,
    split = await splitAmount(tx, refund),
    orderEditId = null,
  } = refund;
  await tx.insert(refunds).values({
    id,
    orderId,
    intentId,
    orderEditId,
    amountCents,
    reason,
    actor,
    personId: actor === "owner" || actor === "shopper" ? personId : null,
    ...splitColumns(split),
    status: "pending",
  });
  const schedule = sendAt === undefined ? {} : { runAt: sendAt };
  await updateShipHold(tx, orderId);
  await addJob(tx, sendRefundJob, { refundId: id }, { key: sendRefundKey(id), ...schedule });
  return id;
}
