import { and, eq, gte, lt, sql } from "drizzle-orm";
import type { ShopContext } from "../context.ts";
import { isCountedIn } from "../orders/mode.ts";
import { orders } from "../orders/tables.ts";
import { isThisAccount } from "../payments/other-account.ts";
import { payments } from "../payments/tables.ts";
import { type Comparison, type Difference, noDisputes } from "./compare.ts";

type Between = { from: Date; to: Date };

/** Ids of payments booked as succeeded that the current keys can read. */
export async function bookedIn({ db, provider }: ShopContext, { from, to }: Between): Promise<string[]> {
  const rows = await db
    .select({ intentId: payments.intentId })
    .from(payments)
    .where(
      and(
        eq(payments.status, "succeeded"),
        isThisAccount(provider),
        gte(payments.createdAt, from),
        lt(payments.createdAt, to),
      ),
    );
  return rows.flatMap(({ intentId }) => intentId ?? []);
}

/** Orders marked as paid without a successful payment, which only a manual edit of the database can cause. */
export async function paidWithoutPayment(
  { db, provider }: ShopContext,
  { from, to }: Between,
): Promise<Comparison[]> {
  const rows = await db
    .select({
      orderId: orders.id,
      number: orders.number,
      bookedIn: orders.totalCents,
      bookedRefunded: orders.refundedCents,
    })
    .from(orders)
    .where(
      and(
        gte(orders.paidAt, from),
        lt(orders.paidAt, to),
        isCountedIn(provider.mode),
        sql`${orders.totalCents} > 0 and not exists (select from ${payments}
          where payments.order_id = orders.id and payments.status = 'succeeded')`,
      ),
    );
  return rows.map(({ orderId, number, bookedIn, bookedRefunded }) => {
    const of = { intentId: `#${number}`, orderId };
    const differences: Difference[] = [
      { ...of, kind: "missing_payment", providerCents: 0, bookedCents: bookedIn },
    ];
    if (bookedRefunded > 0) {
      differences.push({ ...of, kind: "refund_differs", providerCents: 0, bookedCents: bookedRefunded });
    }
    const provider = { providerIn: 0, providerRefunded: 0, ...noDisputes };
    return { intentId: of.intentId, isApart: false, ...provider, bookedIn, bookedRefunded, differences };
  });
}
