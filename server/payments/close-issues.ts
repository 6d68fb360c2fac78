import { and, inArray, isNull, sql } from "drizzle-orm";
import type { ShopContext } from "../context.ts";
import { closeSettled } from "../issues/close-settled.ts";
import { closeIssue } from "../issues/issues.ts";
import { issues } from "../issues/tables.ts";
import { lockOrder } from "../orders/lifecycle.ts";
import { updateShipHold } from "../orders/ship-hold.ts";
import { findIntent } from "../payment-providers/find-intent.ts";
import { ProviderFailed, ProviderUnavailable } from "../payment-providers/provider.ts";
import type { Database, Db } from "../platform/database/database.ts";

/**
 * Closes an order's issues whose cause no longer exists according to the booked payments, and releases the order if only these
 * issues kept it on hold. Issues that merely inform the owner are not closed here: `late_payment_refunded`, `dispute_closed`,
 * `refund_twice`, `refund_of_credit`, `wrong_access_codes`. Reviews and settings close their own issues. The caller holds the order's
 * lock.
 */
export async function closeSettledIssues(
  tx: Db,
  { orderId, now }: { orderId: string; now: Date },
): Promise<void> {
  await closeSettled(tx, { orderId, now });
  await updateShipHold(tx, orderId);
}

/**
 * `closeSettledIssues` for all orders, and for issues without an order. Returns the number of closed issues. Do not call it in a
 * transaction, because it locks the orders in a transaction of its own for each.
 */
export async function closeAllSettledIssues(db: Database, now: Date): Promise<number> {
  const closedOrderIds = await closeSettled(db, { now });
  for (const orderId of new Set(closedOrderIds.flatMap((id) => id ?? []))) {
    await db.transaction(async (tx) => {
      await lockOrder(tx, orderId);
      await updateShipHold(tx, orderId);
    });
  }
  return closedOrderIds.length;
}

/** Maximum number of payments checked at the provider in one run. */
const maxChecked = 50;

/** Closes issues about payments that must not be booked, if these were refunded in full at the provider in the meantime. */
export async function closeRefundedIssues(ctx: ShopContext): Promise<void> {
  const openIssues = await ctx.db
    .select({ id: issues.id, intentId: issues.subject })
    .from(issues)
    .where(
      and(
        isNull(issues.resolvedAt),
        inArray(issues.kind, ["missing_order", "foreign_intent", "amount_mismatch", "second_payment"]),
      ),
    )
    .orderBy(sql`random()`)
    .limit(maxChecked);
  for (const { id, intentId } of openIssues) {
    try {
      await closeIfRefunded(ctx, id, intentId);
    } catch (error) {
      // A failed check must not keep the other issues open. If the provider is unreachable, this run ends, and a
      // later one repeats the checks.
      if (error instanceof ProviderUnavailable && !(error instanceof ProviderFailed)) throw error;
      ctx.log.warn({ err: error, intentId }, "an unbooked payment could not be checked");
    }
  }
}

async function closeIfRefunded(ctx: ShopContext, issueId: number, intentId: string): Promise<void> {
  const { db, provider } = ctx;
  const intent = await findIntent(ctx, intentId);
  if (!intent || intent.amountReceived === 0 || intent.amountRefunded < intent.amountReceived) return;
  // The provider's sum includes pending refunds, which may still fail.
  const refunds = await provider.listRefunds(intentId);
  const cents = refunds.reduce((sum, { status, amount }) => sum + (status === "succeeded" ? amount : 0), 0);
  if (cents < intent.amountReceived) return;
  await closeIssue(db, {
    id: issueId,
    resolution: "Automatically: the payment was refunded in full",
    now: ctx.now(),
  });
}
