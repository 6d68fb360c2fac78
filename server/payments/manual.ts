import { randomUUID } from "node:crypto";
import { and, eq, type Placeholder } from "drizzle-orm";
import type { PaymentMode } from "../../domain/payments/payment-mode.ts";
import type { NewOrder } from "../orders/commands.ts";
import type { OrderRow } from "../orders/lifecycle.ts";
import { type Placeholders, queryBuilder } from "../platform/database/compiled-statement.ts";
import type { Db } from "../platform/database/database.ts";
import { nextRevision } from "./opening/revision.ts";
import { payments } from "./tables.ts";

/**
 * Part of the statement that inserts an order: books it as paid outside the shop. No provider has this payment.
 */
export function manualPayment(
  values: Placeholders<ReturnType<typeof manualPaymentValues>>,
  orderId: Placeholder,
) {
  return queryBuilder
    .insert(payments)
    .values({ orderId, ...values })
    .returning({ id: payments.id });
}

export function manualPaymentValues(
  { amounts, currency }: Pick<NewOrder, "amounts" | "currency">,
  { mode, paidWith }: { mode: PaymentMode; paidWith: string },
) {
  return {
    provider: "manual" as const,
    mode,
    revision: 1,
    intentId: `manual_${randomUUID()}`,
    status: "succeeded" as const,
    amountCents: amounts.totalCents,
    currency,
    paidWith,
  };
}

/** Books the difference of an order edit as paid outside the shop, as the order was. The caller holds the order's lock. */
export async function bookPaidOutside(
  tx: Db,
  order: Pick<OrderRow, "id" | "mode" | "currency">,
  { orderEditId, cents }: { orderEditId: string; cents: number },
): Promise<void> {
  const [first] = await tx
    .select()
    .from(payments)
    .where(and(eq(payments.orderId, order.id), eq(payments.provider, "manual")));
  await tx.insert(payments).values({
    orderId: order.id,
    orderEditId,
    provider: "manual",
    mode: order.mode,
    revision: await nextRevision(tx, order.id),
    intentId: `manual_${randomUUID()}`,
    status: "succeeded",
    amountCents: cents,
    currency: order.currency,
    paidWith: first?.paidWith ?? null,
  });
}
