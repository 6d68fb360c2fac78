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
/** `outcome`: why it still differs, as a sentence for the owner. */
type RepairResult = { isRepaired: true } | { isRepaired: false; outcome: string };

/**
 * Repairs a difference as far as the shop may, then compares again: only the new comparison decides. Safe to repeat. Null: no
 * such difference. Throws ProviderUnavailable.
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
  const settled = intent ? await act(ctx, discrepancy, intent) : null;
  const remaining = (await compareNow(ctx, discrepancy, intent)).find(
    ({ kind }) => kind === discrepancy.kind,
  );
  if (!remaining) {
    await closeDiscrepancy(ctx, discrepancy);
    return { isRepaired: true };
  }
  const outcome = outcomeOf(discrepancy, settled);
  const { providerCents, bookedCents } = remaining;
  await ctx.db
    .update(discrepancies)
    .set({ outcome, providerCents, bookedCents })
    .where(eq(discrepancies.id, discrepancyId));
  return { isRepaired: false, outcome };
}

/** Books the payment by the same functions as its events. */
async function act(ctx: ShopContext, discrepancy: Row, intent: Intent): Promise<SettleOutcome | null> {
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
  // The order was booked as paid without a payment, so the provider has nothing to look up.
  if (intentId.startsWith("#")) return [{ intentId, kind, orderId, providerCents, bookedCents }];
  const compared: (Comparison | null)[] =
    intent?.status === "succeeded"
      ? await compareIntents(ctx, [intent])
      : [await compareMissing(ctx.db, intentId)];
  return compared.flatMap((one) => one?.differences ?? []);
}

function outcomeOf({ kind, orderId, intentId }: Row, settled: SettleOutcome | null): string {
  switch (kind) {
    case "missing_order":
      if (orderId === null) {
        return "The shop has no such order, so there is nothing to book it on. Look at the payment at the provider: refund it there, or write to its buyer.";
      }
      return settled === "issue"
        ? "The shop must not book it by itself: this order was paid already, or the payment was not made for it. Refund it at the provider."
        : "It could not be booked on this order. Refund it at the provider, or write to its buyer.";
    case "missing_payment":
      return intentId.startsWith("#")
        ? "This order was never given a payment. Do not ship it before you know how it came to be paid."
        : "The provider still does not have this payment as paid. Do not ship the order before you know why.";
    case "amount_differs":
      return "The amounts still differ, and the shop never changes what an order costs. Refund the payment at the provider, or agree on the rest with the buyer.";
    case "refund_differs":
      return "The refunds still differ. One may be on its way at the bank: check again tomorrow.";
    case "dispute_differs":
      return "What disputes have cost still differs. Compare it with the payment at the provider.";
  }
}

/** Closes the difference in every check that found it, and issues of checks without any other difference. */
async function closeDiscrepancy(ctx: ShopContext, { kind, intentId }: Row): Promise<void> {
  const now = ctx.now();
  await ctx.db.transaction(async (tx) => {
    await tx
      .update(discrepancies)
      .set({ repairedAt: now, outcome: null })
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
