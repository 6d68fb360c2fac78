import { randomUUID } from "node:crypto";
import type { RefundSplit } from "../../domain/orders/line-refund.ts";
import type { Db } from "../platform/database/database.ts";
import { nextRevision } from "./opening/revision.ts";
import { splitColumns } from "./refunds/refunds.ts";
import { payments, refunds } from "./tables.ts";

type PaymentRow = typeof payments.$inferSelect;

/**
 * Credits a part of an order and pays another order with it, without moving money: writes a refund and a payment of the same
 * amount, neither of which exists at the provider. The caller holds the locks of both orders.
 */
export async function creditPayment(
  tx: Db,
  {
    exchangeId,
    from,
    to,
    split,
    now,
  }: {
    exchangeId: string;
    from: { orderId: string; number: number; intentId: string; payment: PaymentRow };
    to: { orderId: string; number: number; currency: string };
    split: RefundSplit;
    now: Date;
  },
): Promise<void> {
  const refundId = randomUUID();
  const { intentId, payment } = from;
  await tx.insert(refunds).values({
    id: refundId,
    orderId: from.orderId,
    intentId,
    exchangeId,
    amountCents: split.amount,
    ...splitColumns(split),
    status: "succeeded",
    reason: `Exchanged for order #${to.number}`,
    actor: "system",
    createdAt: now,
    settledAt: now,
    // The buyer gets the e-mail about the exchange instead.
    notifiedAt: now,
  });
  await tx.insert(payments).values({
    orderId: to.orderId,
    provider: "exchange",
    account: payment.account,
    mode: payment.mode,
    exchangeId,
    sourceIntentId: payment.sourceIntentId ?? intentId,
    revision: await nextRevision(tx, to.orderId),
    intentId: `exchange_${refundId}`,
    status: "succeeded",
    amountCents: split.amount,
    currency: to.currency,
    paidWith: `Exchange of order #${from.number}`,
  });
}
