import { randomUUID } from "node:crypto";
import type { PaymentMode } from "../../domain/payments/payment-mode.ts";
import type { OrderRow } from "../orders/lifecycle.ts";
import type { Db } from "../platform/database/database.ts";
import { payments } from "./tables.ts";

/** The payment of an order whose money came outside the shop: a query, to go along with its lines. No provider knows it. */
export function manualPayment(
  db: Db,
  order: Pick<OrderRow, "id" | "totalCents" | "currency">,
  { mode, paidWith }: { mode: PaymentMode; paidWith: string },
) {
  return db.insert(payments).values({
    orderId: order.id,
    provider: "manual",
    mode,
    revision: 1,
    intentId: `manual_${randomUUID()}`,
    status: "succeeded",
    amountCents: order.totalCents,
    currency: order.currency,
    paidWith,
  });
}
