import { randomUUID } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import { divideRefund, type RefundSplit } from "../../../domain/orders/line-refund.ts";
import { giveAway } from "../../admin/given-away.ts";
import type { ShopContext } from "../../context.ts";
import { raiseIssue } from "../../issues/issues.ts";
import { type LockedOrder, notePayment } from "../../orders/lifecycle.ts";
import { updateShipHold } from "../../orders/ship-hold.ts";
import type { Intent } from "../../payment-providers/provider.ts";
import type { Db } from "../../platform/database/database.ts";
import { actingPerson } from "../../platform/http/acting-person.ts";
import { addJob } from "../../platform/jobs/jobs.ts";
import { sendRefundJob, sendRefundKey } from "../job-kinds.ts";
import { payments, refunds } from "../tables.ts";
import { elsewhereText, readOrderMoney, refundSources, splitOfAmount } from "./refundable.ts";

export type RefundResult =
  | { ok: true; refundIds: string[]; amountCents: number }
  | { ok: false; reason: "not_paid" }
  /** `elsewhere`: where there is more that the present keys cannot give back, as a sentence; null: nowhere. */
  | { ok: false; reason: "too_much"; refundableCents: number; elsewhere: string | null };

export type RefundRequest = {
  orderId: string;
  /** Null: all that is left. */
  amountCents: number | null;
  reason: string | null;
  /**
   * Which payments it may be of: those that the present keys see, and those outside the shop; or all, where the order is over and
   * the owner is told what could not be given back.
   */
  from: "reachable" | "all";
  /** Who asked for it. */
  actor?: "shopper" | "owner" | "system";
  /** Who of the owner's side; missing: whoever makes the call that runs. */
  personId?: string | null;
  /** What the amount gives back; missing: something of everything that is left, in proportion. */
  split?: RefundSplit;
  /** The order edit it belongs to. */
  orderEditId?: string;
  /** Of the refund to be written; missing: a new one. */
  refundId?: string;
  /** When the job hands it over; missing: at once. */
  sendAt?: Date;
};

/**
 * Asks for money to be given back, in the caller's transaction, which holds the order's lock. The request is written first
 * and sent by a job until the provider has it, so that a crash or an outage loses nothing and a repeat gives nothing
 * twice. Never more than was paid, pending ones counted. An order whose items were changed may have several payments: one
 * that covers the amount is chosen, the oldest first; where none does, several give a part each, and `refundId` is that of the first.
 * What the owner's side asks for is counted: throws `ConfirmationRequired` over the limit.
 */
export async function refundLocked(
  ctx: Pick<ShopContext, "provider">,
  tx: Db,
  input: RefundRequest,
): Promise<RefundResult> {
  const { orderId, from } = input;
  const all = refundSources(ctx.provider, await readOrderMoney(tx, orderId));
  if (all.length === 0) return { ok: false, reason: "not_paid" };
  const sources = from === "all" ? all : all.filter(({ isReachable }) => isReachable);
  const refundableCents = sources.reduce((sum, { left }) => sum + left, 0);
  const amountCents = input.amountCents ?? refundableCents;
  if (amountCents <= 0 || amountCents > refundableCents) {
    return { ok: false, reason: "too_much", refundableCents, elsewhere: elsewhereText(ctx.provider, all) };
  }
  if (input.actor === "owner" || input.actor === "shopper")
    await giveAway(tx, { cents: amountCents, as: "goes back" });
  const whole = sources.find(({ left }) => left >= amountCents);
  const chosen = whole ? [whole] : sources.filter(({ left }) => left > 0).toReversed();
  const refundIds: string[] = [];
  let missing = amountCents;
  let split = input.split ?? (await splitOfAmount(tx, { orderId, amountCents }));
  let rest: Omit<RefundRequest, "from"> = input;
  for (const { intentId, left } of chosen) {
    const cents = Math.min(left, missing);
    if (cents === 0) break;
    const [part, remaining] = divideRefund(split, cents);
    refundIds.push(await writeRefund(tx, { ...rest, intentId, amountCents: cents, split: part }));
    if (refundIds.length === 1) {
      // The others are new ones.
      const { refundId: _, ...others } = rest;
      rest = others;
    }
    split = remaining;
    missing -= cents;
  }
  return { ok: true, refundIds, amountCents };
}

/** Gives a whole payment back that cannot be honoured, and tells the owner. Inside the caller's transaction. */
export async function refundLatePayment(
  ctx: ShopContext,
  tx: Db,
  { order, intent, reason }: { order: LockedOrder; intent: Intent; reason: string },
): Promise<void> {
  await notePayment(tx, order.id, ctx.now());
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

/** Cents of an order that were given back of its booked payments; refunds of late payments do not count. */
export async function refundedCentsOf(tx: Db, orderId: string): Promise<number> {
  const [sum] = await tx
    .select({ cents: sql<number>`coalesce(sum(${refunds.amountCents}), 0)::int` })
    .from(refunds)
    .innerJoin(payments, and(eq(payments.intentId, refunds.intentId), eq(payments.status, "succeeded")))
    .where(and(eq(refunds.orderId, orderId), eq(refunds.status, "succeeded")));
  return sum?.cents ?? 0;
}

/** Cents of a payment that were given back. */
export async function refundedOf(tx: Db, intentId: string): Promise<number> {
  const [sum] = await tx
    .select({ cents: sql<number>`coalesce(sum(${refunds.amountCents}), 0)::int` })
    .from(refunds)
    .where(and(eq(refunds.intentId, intentId), eq(refunds.status, "succeeded")));
  return sum?.cents ?? 0;
}

/** Refunds of an order edit that the provider is still to be asked for. */
export async function refundsOfEdit(db: Db, orderEditId: string): Promise<string[]> {
  const rows = await db
    .select({ id: refunds.id })
    .from(refunds)
    .where(and(eq(refunds.orderEditId, orderEditId), eq(refunds.status, "pending")));
  return rows.map(({ id }) => id);
}

/** What a refund gives back, as it is stored. */
export function partsOf({ goods, shipping, tax, lines }: RefundSplit) {
  return { goodsCents: goods, shippingCents: shipping, taxCents: tax, lines };
}

/** Writes a refund down together with the job that hands it to the provider. */
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
    split = await splitOfAmount(tx, refund),
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
    ...partsOf(split),
    status: "pending",
  });
  const when = sendAt === undefined ? {} : { runAt: sendAt };
  await updateShipHold(tx, orderId);
  await addJob(tx, sendRefundJob, { refundId: id }, { key: sendRefundKey(id), ...when });
  return id;
}
