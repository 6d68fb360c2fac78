import { and, eq, inArray, ne, notInArray, or } from "drizzle-orm";
import type { ShopContext } from "../../context.ts";
import { raiseIssue } from "../../issues/issues.ts";
import { cancelUnpaidOrder, lockOrder } from "../../orders/lifecycle.ts";
import { UnknownPayment } from "../../payment-providers/provider.ts";
import { eventTypes } from "../../payment-providers/providers.ts";
import type { Db } from "../../platform/database/database.ts";
import { isOtherAccount, otherAccountText } from "../other-account.ts";
import { paymentEvents, payments } from "../tables.ts";
import type { EndReason } from "./end-reason.ts";

type Payment = Pick<
  typeof payments.$inferSelect,
  "id" | "orderId" | "intentId" | "sessionId" | "provider" | "account" | "mode" | "orderEditId"
>;

/**
 * `cancel`: its order was cancelled. `issue`: the owner has to decide about a payment that the current keys cannot read. `none`:
 * no change.
 */
type AbandonOutcome = "cancel" | "issue" | "none";

/**
 * Runs `request`, which calls the provider about a payment. If the current keys cannot read that payment, abandons it and cancels
 * its unpaid order. `reason` says who cancels the order and why; null for background checks.
 */
export async function abandonIfUnknown<T>(
  ctx: ShopContext,
  payment: Payment,
  reason: EndReason | null,
  request: () => Promise<T>,
): Promise<{ result: T } | { abandoned: AbandonOutcome }> {
  if (!isOtherAccount(ctx.provider, payment)) {
    try {
      return { result: await request() };
    } catch (error) {
      if (!(error instanceof UnknownPayment)) throw error;
    }
  }
  return { abandoned: await abandon(ctx, payment, reason) };
}

/**
 * If an event has reported the payment's success, the money is in another account: an issue is raised, and the order stays open
 * until the owner cancels it. A payment that was last known to be processing also raises an issue, but its order is cancelled.
 */
async function abandon(
  ctx: ShopContext,
  payment: Payment,
  reason: EndReason | null,
): Promise<AbandonOutcome> {
  const account = otherAccountText(ctx.provider, payment);
  const { actor, note } = reason ?? { actor: "system" as const, note: null };
  return ctx.db.transaction(async (tx) => {
    const order = await lockOrder(tx, payment.orderId);
    if (payment.orderEditId !== null) {
      await abandonEditPage(tx, payment, account);
      return "none";
    }
    if (order?.status !== "pending" || (await hasOtherPayment(tx, payment))) return "none";
    const isPaid = await hasSuccessEvent(tx, payment);
    const [current] = await tx
      .select({ status: payments.status })
      .from(payments)
      .where(eq(payments.id, payment.id));
    if (isPaid || current?.status === "processing") {
      const state = isPaid ? "was paid" : "was being processed";
      await raiseIssue(tx, {
        kind: "payment_elsewhere",
        subject: payment.intentId ?? payment.sessionId ?? String(payment.id),
        orderId: order.id,
        message: `The payment ${state} and belongs to ${account}: connect that account again, or refund it in its dashboard and cancel the order`,
      });
      if (isPaid && actor !== "owner") return "issue";
    }
    await tx.update(payments).set({ status: "canceled" }).where(eq(payments.id, payment.id));
    await cancelUnpaidOrder(tx, order, {
      actor,
      note: `Abandoned: the payment belongs to ${account}${note === null ? "" : ` (${note})`}`,
      now: ctx.now(),
      releaseRequestKey: true,
    });
    return "cancel";
  });
}

/** Abandons the payment page of an order edit. The edit keeps waiting, and its link opens a new page. */
async function abandonEditPage(tx: Db, payment: Payment, account: string): Promise<void> {
  if (await hasSuccessEvent(tx, payment)) {
    await raiseIssue(tx, {
      kind: "payment_elsewhere",
      subject: payment.intentId ?? payment.sessionId ?? String(payment.id),
      orderId: payment.orderId,
      message: `Items to be added were paid by a payment that belongs to ${account}: connect that account again, or refund it in its dashboard`,
    });
  }
  const isOpen = inArray(payments.status, ["opening", "requires_payment", "processing"]);
  await tx
    .update(payments)
    .set({ status: "canceled" })
    .where(and(eq(payments.id, payment.id), isOpen));
}

/** Whether another payment has paid the order or still may. */
async function hasOtherPayment(tx: Db, { id, orderId }: Payment): Promise<boolean> {
  const isOther = and(
    eq(payments.orderId, orderId),
    ne(payments.id, id),
    notInArray(payments.status, ["canceled"]),
  );
  return (await tx.$count(payments, isOther)) > 0;
}

async function hasSuccessEvent(tx: Db, { intentId, sessionId }: Payment): Promise<boolean> {
  const isSuccessOfPayment = or(
    intentId === null
      ? undefined
      : and(
          eq(paymentEvents.intentId, intentId),
          inArray(paymentEvents.type, eventTypes("payment_succeeded")),
        ),
    sessionId === null
      ? undefined
      : and(eq(paymentEvents.objectId, sessionId), inArray(paymentEvents.type, eventTypes("page_completed"))),
  );
  return isSuccessOfPayment !== undefined && (await tx.$count(paymentEvents, isSuccessOfPayment)) > 0;
}

/** Marks an order's open payments as cancelled without calling the provider, whose response no longer matters. */
export async function abandonPayments(db: Db, orderId: string): Promise<void> {
  await db
    .update(payments)
    .set({ status: "canceled" })
    .where(and(eq(payments.orderId, orderId), inArray(payments.status, ["requires_payment", "processing"])));
}
