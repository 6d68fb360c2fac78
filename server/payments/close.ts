import { and, asc, eq, inArray, type SQL } from "drizzle-orm";
import { cancelUnpaidOrder, lockOrder } from "../orders/lifecycle.ts";
import { orders } from "../orders/tables.ts";
import { orAbandon } from "./abandon.ts";
import { declinesMax } from "./declines.ts";
import { expiredOrders, nextLookAtPayment, pauseMs, type Run, type RunLimits, workDue } from "./due.ts";
import { type EndReason, recordEndReason } from "./end-reason.ts";
import { isLeftBehind, type Kept } from "./left-behind.ts";
import type { PaymentParts } from "./parts.ts";
import { abandonPayments } from "./record.ts";
import { learnSessionIntents } from "./session-intent.ts";
import { settleSession } from "./sessions.ts";
import { settlePayment } from "./settle.ts";
import { payments } from "./tables.ts";

/** Cancels an intent at the provider and, unless it turns out to be paid, its order here. */
export async function closePayment(
  parts: PaymentParts,
  { intentId, orderId }: { intentId: string; orderId: string | null },
): Promise<string> {
  if (orderId !== null) await learnSessionIntents(parts, orderId);
  const [payment] = await parts.db.select().from(payments).where(eq(payments.intentId, intentId));
  // Not made by the shop, whatever it claims: none of its business.
  if (!payment) return "foreign";
  const note = `Payment closed after ${declinesMax} declined tries`;
  return endPayment(parts, payment, { actor: "system", note });
}

const isPayable = inArray(payments.status, ["requires_payment", "processing"]);

/**
 * Job: ends unpaid orders whose time is over, a few at a time. What cannot be ended (its payment is being processed, the
 * provider fails) is left with a pause that grows.
 */
export async function expireOrders(parts: PaymentParts, limits: RunLimits = {}): Promise<Run> {
  return workDue(parts, expiredOrders, limits, async ({ orderId, payment }) => {
    try {
      await cancelUnpaidNow(parts, orderId, { actor: "system", note: "Not paid in time" });
      if (payment) await pause(parts, payment, "processing");
    } catch (error) {
      if (payment) await pause(parts, payment, "failed");
      throw error;
    }
  });
}

async function pause(
  parts: PaymentParts,
  { id, checks }: { id: number; checks: number },
  why: "failed" | "processing",
): Promise<void> {
  await nextLookAtPayment(parts, id, new Date(parts.now().getTime() + pauseMs(parts, { checks, why })));
}

/** Orders that one shopper left behind, ended at once. */
const leftBehindMax = 200;

/**
 * Ends what a shopper left behind: the same browser's unpaid orders to the same address, apart from the one it went on
 * with. Without this, somebody who corrects the address would compete with their own reservation, and see two orders.
 */
export async function giveUpOthers(
  parts: PaymentParts,
  kept: Kept,
): Promise<{ looked: number; failed: number }> {
  return endUnpaid(parts, isLeftBehind(kept), "Replaced by a later checkout");
}

async function endUnpaid(
  parts: PaymentParts,
  which: SQL | undefined,
  note: string,
): Promise<{ looked: number; failed: number }> {
  const unpaid = await findUnpaid(parts, which);
  let failed = 0;
  for (const order of unpaid) {
    try {
      await end(parts, order, { actor: "system", note });
    } catch (error) {
      failed += 1;
      parts.log.warn({ err: error, orderId: order.id }, "an unpaid order could not be cancelled yet");
    }
  }
  return { looked: unpaid.length, failed };
}

/** Ends one order because somebody wants it, if it is still unpaid. Throws while the provider is away: nothing has changed. */
export async function cancelUnpaidNow(parts: PaymentParts, orderId: string, why: EndReason): Promise<void> {
  for (const order of await findUnpaid(parts, eq(orders.id, orderId))) await end(parts, order, why);
}

type Payment = typeof payments.$inferSelect;
type Unpaid = Awaited<ReturnType<typeof findUnpaid>>[number];

async function findUnpaid({ db }: PaymentParts, which: SQL | undefined) {
  return db
    .select({ id: orders.id, payment: payments })
    .from(orders)
    .leftJoin(payments, and(eq(payments.orderId, orders.id), isPayable))
    .where(and(eq(orders.status, "pending"), which))
    .orderBy(asc(orders.expiresAt))
    .limit(leftBehindMax);
}

/**
 * The payment is ended at the provider first; one that has succeeded meanwhile completes its order instead, and one
 * still processing keeps it open. One that the present keys cannot see can no longer be ended: its order is abandoned.
 */
async function end(parts: PaymentParts, { id, payment }: Unpaid, why: EndReason): Promise<void> {
  if (payment === null) {
    await cancelWithoutPayment(parts, id, why);
    return;
  }
  await orAbandon(parts, payment, why, async () => {
    const outcome = await endPayment(parts, payment, why);
    // Paid, but not with what the order costs: the owner decides about the money, the units go back.
    if (outcome === "issue") await endAbandoned(parts, id, why);
  });
}

/**
 * Ends a payment at the provider, after a look at it: some banks would stop a payment that they are already working on,
 * and one that takes days is as good as any other.
 */
async function endPayment(
  parts: PaymentParts,
  { id, intentId, sessionId, status }: Pick<Payment, "id" | "intentId" | "sessionId" | "status">,
  why: EndReason,
): Promise<string> {
  // An intent of a hosted page cannot be cancelled by itself; its page can be closed, as long as it was not sent off.
  if (sessionId !== null) {
    if (status !== "processing") await recordEndReason(parts.db, id, why);
    await parts.provider.expireSession(sessionId);
    return settleSession(parts, sessionId);
  }
  if (intentId === null) return "none";
  const intent = await parts.provider.retrieveIntent(intentId);
  if (intent.status !== "requires_payment") return settlePayment(parts, intent);
  await recordEndReason(parts.db, id, why);
  return settlePayment(parts, await parts.provider.cancelIntent(intentId));
}

async function endAbandoned(parts: PaymentParts, orderId: string, why: EndReason): Promise<void> {
  await abandonPayments(parts.db, orderId);
  await cancelWithoutPayment(parts, orderId, why);
}

/** Cancels a pending order that cannot be paid any more; nothing happens where it can, or was. */
export async function cancelWithoutPayment(
  parts: PaymentParts,
  orderId: string,
  why: EndReason,
): Promise<boolean> {
  return parts.db.transaction(async (tx) => {
    const order = await lockOrder(tx, orderId);
    if (order?.status !== "pending") return false;
    const [payment] = await tx
      .select({ id: payments.id })
      .from(payments)
      .where(and(eq(payments.orderId, orderId), isPayable))
      .limit(1);
    if (payment) return false;
    await cancelUnpaidOrder(tx, order, { ...why, now: parts.now(), releaseRequestKey: true });
    return true;
  });
}
