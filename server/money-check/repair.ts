import { and, eq, isNull } from "drizzle-orm";
import type { ShopContext } from "../context.ts";
import { syncDisputesOf } from "../disputes/disputes.ts";
import { findIntent } from "../payment-providers/find-intent.ts";
import type { Intent } from "../payment-providers/provider.ts";
import { closeAllSettledIssues } from "../payments/close-issues.ts";
import type { SettleOutcome } from "../payments/hooks.ts";
import { raiseMissingOrder } from "../payments/missing-order.ts";
import { syncRefundsIfReachable } from "../payments/refunds/sync.ts";
import { settlePayment } from "../payments/settling/settle.ts";
import { type Comparison, compareIntents, compareMissing, type Difference } from "./compare.ts";
import { discrepancies } from "./tables.ts";

type Row = typeof discrepancies.$inferSelect;
/** `repairFailure`: why both sides still differ, as a sentence for the owner. */
type RepairResult = { isRepaired: true } | { isRepaired: false; repairFailure: string };

/**
 * Repairs a difference as far as the shop may, then compares again: the new comparison decides whether it is repaired. Safe to
 * repeat. Null: no such difference. Throws ProviderUnavailable.
 */
export async function repairDiscrepancy(
  ctx: ShopContext,
  { checkId, discrepancyId }: { checkId: number; discrepancyId: number },
): Promise<RepairResult | null> {
  const [discrepancy] = await ctx.db
    .select()
    .from(discrepancies)
    .where(and(eq(discrepancies.id, discrepancyId), eq(discrepancies.checkId, checkId)));
  if (!discrepancy) return null;
  if (discrepancy.repairedAt !== null) return { isRepaired: true };
  const intent = discrepancy.intentId.startsWith("#") ? null : await findIntent(ctx, discrepancy.intentId);
  const settled = intent ? await bookFromProvider(ctx, discrepancy, intent) : null;
  const remaining = (await compareNow(ctx, discrepancy, intent)).find(
    ({ kind }) => kind === discrepancy.kind,
  );
  if (!remaining) {
    await closeDiscrepancy(ctx, discrepancy);
    return { isRepaired: true };
  }
  const repairFailure = repairFailureText(discrepancy, settled);
  const { providerCents, bookedCents } = remaining;
  await ctx.db
    .update(discrepancies)
    .set({ repairFailure, providerCents, bookedCents })
    .where(eq(discrepancies.id, discrepancyId));
  return { isRepaired: false, repairFailure };
}

/** Books the payment, its refunds or its disputes, with the functions that handle the provider's events. */
async function bookFromProvider(
  ctx: ShopContext,
  discrepancy: Row,
  intent: Intent,
): Promise<SettleOutcome | null> {
  if (discrepancy.kind === "refund_differs") {
    await syncRefundsIfReachable(ctx, intent.intentId);
    return null;
  }
  if (discrepancy.kind === "dispute_differs") {
    await syncDisputesOf(ctx, intent.intentId);
    return null;
  }
  const settled = await settlePayment(ctx, intent);
  if (settled === "unknown_order") await raiseMissingOrder(ctx, intent);
  return settled;
}

async function compareNow(
  ctx: ShopContext,
  { intentId, kind, orderId, providerCents, bookedCents }: Row,
  intent: Intent | null,
): Promise<Difference[]> {
  // The order was booked as paid without a payment, so there is nothing to look up at the provider.
  if (intentId.startsWith("#")) return [{ intentId, kind, orderId, providerCents, bookedCents }];
  const compared: (Comparison | null)[] =
    intent?.status === "succeeded"
      ? await compareIntents(ctx, [intent])
      : [await compareMissing(ctx.db, intentId)];
  return compared.flatMap((one) => one?.differences ?? []);
}

function repairFailureText({ kind, orderId, intentId }: Row, settled: SettleOutcome | null): string {
  switch (kind) {
    case "missing_order":
      if (orderId === null) {
        return "The shop has no order for this payment. Look at the payment at the provider: refund it there, or write to its buyer.";
      }
      return settled === "issue"
        ? "The shop cannot book this payment: its order was paid already, or the payment was not made for it. Refund it at the provider."
        : "This payment could not be booked for its order. Refund it at the provider, or write to its buyer.";
    case "missing_payment":
      return intentId.startsWith("#")
        ? "This order has no payment. Do not ship it before you know why it was marked as paid."
        : "The provider still does not have this payment as paid. Do not ship the order before you know why.";
    case "amount_differs":
      return "The amounts still differ, and the shop never changes an order’s total. Refund the payment at the provider, or agree on the rest with the buyer.";
    case "refund_differs":
      return "The refunds still differ. A bank may still be processing one: check again tomorrow.";
    case "dispute_differs":
      return "The cost of the disputes still differs. Compare it with the payment at the provider.";
  }
}

/** Closes the difference in every check that found it, and the issues of checks that have no other open difference. */
async function closeDiscrepancy(ctx: ShopContext, { kind, intentId }: Row): Promise<void> {
  const now = ctx.now();
  await ctx.db.transaction(async (tx) => {
    await tx
      .update(discrepancies)
      .set({ repairedAt: now, repairFailure: null })
      .where(
        and(
          eq(discrepancies.kind, kind),
          eq(discrepancies.intentId, intentId),
          isNull(discrepancies.repairedAt),
        ),
      );
  });
  await closeAllSettledIssues(ctx.db, now);
}
