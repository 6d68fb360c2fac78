import { and, asc, eq, inArray, lt } from "drizzle-orm";
import { cancelOrder, lockOrder } from "../orders/commands.ts";
import { orders } from "../orders/tables.ts";
import type { PaymentParts } from "./parts.ts";
import { settleSession } from "./sessions.ts";
import { settlePayment } from "./settle.ts";
import { payments } from "./tables.ts";

/** Declined tries after which an order's payment is closed: cards are not to be tested here. */
export const declinesMax = 5;

/** Cancels an intent at the provider and, unless it turns out to be paid, its order here. */
export async function closePayment(parts: PaymentParts, intentId: string): Promise<string> {
  const [payment] = await parts.db.select().from(payments).where(eq(payments.intentId, intentId));
  // An intent of a hosted page cannot be cancelled by itself; its page can be closed.
  if (payment?.sessionId) {
    await parts.provider.expireSession(payment.sessionId);
    return settleSession(parts, payment.sessionId);
  }
  const intent = await parts.provider.cancelIntent(intentId);
  return settlePayment(parts, intent, `Payment closed after ${declinesMax} declined tries`);
}

const isPayable = inArray(payments.status, ["requires_payment", "processing"]);

/** Orders ended per run; the next run goes on. */
const expiryBatchMax = 200;

/**
 * Job: ends unpaid orders whose time is over. The payment is cancelled at the provider first; one that has succeeded
 * meanwhile completes its order instead, and one still processing keeps it open. A provider that is away leaves the
 * order for the next run.
 */
export async function expireOrders(parts: PaymentParts): Promise<{ looked: number; failed: number }> {
  const due = await parts.db
    .select({ id: orders.id, intentId: payments.intentId, sessionId: payments.sessionId })
    .from(orders)
    .leftJoin(payments, and(eq(payments.orderId, orders.id), isPayable))
    .where(and(eq(orders.status, "pending"), lt(orders.expiresAt, parts.now())))
    .orderBy(asc(orders.expiresAt))
    .limit(expiryBatchMax);
  let failed = 0;
  for (const { id, intentId, sessionId } of due) {
    try {
      if (sessionId !== null) {
        await parts.provider.expireSession(sessionId);
        await settleSession(parts, sessionId);
      } else if (intentId !== null) {
        await settlePayment(parts, await parts.provider.cancelIntent(intentId), "Not paid in time");
      } else {
        await cancelWithoutPayment(parts, id, "Not paid in time");
      }
    } catch (error) {
      failed += 1;
      parts.log.warn({ err: error, orderId: id }, "an expired order could not be ended yet");
    }
  }
  return { looked: due.length, failed };
}

/** Cancels a pending order that cannot be paid any more; nothing happens where it can, or was. */
export async function cancelWithoutPayment(
  parts: PaymentParts,
  orderId: string,
  note: string,
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
    await cancelOrder(tx, order, { actor: "system", note, now: parts.now(), forgetRequest: true });
    return true;
  });
}
