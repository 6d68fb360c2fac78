import { and, eq, isNull } from "drizzle-orm";
import type { ShopContext } from "../../context.ts";
import { closeSettledIssues } from "../close-issues.ts";
import { syncDisputesOf } from "../disputes/disputes.ts";
import { findIntent } from "../find-intent.ts";
import { raiseMissingOrder } from "../issues.ts";
import type { Intent } from "../provider.ts";
import { syncOrLeave } from "../refunds/sync.ts";
import { type SettleOutcome, settlePayment } from "../settling/settle.ts";
import { moneyFindings } from "../tables.ts";
import { type Comparison, compareIntents, compareMissing, type Difference } from "./compare.ts";

type Finding = typeof moneyFindings.$inferSelect;
/** `outcome`: why it still differs, in a sentence for the owner. */
export type MendResult = { isMended: true } | { isMended: false; outcome: string };

/**
 * Does what the shop may do about a difference, then compares anew: what counts is what is true afterwards. Safe to
 * repeat. Null: there is no such finding. Throws ProviderUnavailable.
 */
export async function mendFinding(
  ctx: ShopContext,
  { checkId, findingId }: { checkId: number; findingId: number },
): Promise<MendResult | null> {
  const [finding] = await ctx.db
    .select()
    .from(moneyFindings)
    .where(and(eq(moneyFindings.id, findingId), eq(moneyFindings.checkId, checkId)));
  if (!finding) return null;
  if (finding.mendedAt !== null) return { isMended: true };
  const intent = finding.intentId.startsWith("#") ? null : await findIntent(ctx, finding.intentId);
  const settled = intent ? await act(ctx, finding, intent) : null;
  const left = (await compareNow(ctx, finding, intent)).find(({ kind }) => kind === finding.kind);
  if (!left) {
    await closeFinding(ctx, finding);
    return { isMended: true };
  }
  const outcome = outcomeOf(finding, settled);
  const { providerCents, bookedCents } = left;
  await ctx.db
    .update(moneyFindings)
    .set({ outcome, providerCents, bookedCents })
    .where(eq(moneyFindings.id, findingId));
  return { isMended: false, outcome };
}

/** The same ways in which the payment's news would have been booked. */
async function act(ctx: ShopContext, finding: Finding, intent: Intent): Promise<SettleOutcome | null> {
  if (finding.kind === "refund_differs") {
    await syncOrLeave(ctx, intent.intentId);
    return null;
  }
  if (finding.kind === "dispute_differs") {
    await syncDisputesOf(ctx, intent.intentId);
    return null;
  }
  const settled = await settlePayment(ctx, intent);
  if (settled === "unknown_order") await raiseMissingOrder(ctx, intent);
  return settled;
}

async function compareNow(
  ctx: ShopContext,
  { intentId, kind, orderId, providerCents, bookedCents }: Finding,
  intent: Intent | null,
): Promise<Difference[]> {
  // Booked without a payment: no question to the provider could change that.
  if (intentId.startsWith("#")) return [{ intentId, kind, orderId, providerCents, bookedCents }];
  const compared: (Comparison | null)[] =
    intent?.status === "succeeded"
      ? await compareIntents(ctx, [intent])
      : [await compareMissing(ctx.db, intentId)];
  return compared.flatMap((one) => one?.differences ?? []);
}

function outcomeOf({ kind, orderId, intentId }: Finding, settled: SettleOutcome | null): string {
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

/** Closes the difference in every check that found it, and what the owner was told of where nothing of it is left. */
async function closeFinding(ctx: ShopContext, { kind, intentId }: Finding): Promise<void> {
  const now = ctx.now();
  await ctx.db.transaction(async (tx) => {
    await tx
      .update(moneyFindings)
      .set({ mendedAt: now, outcome: null })
      .where(
        and(
          eq(moneyFindings.kind, kind),
          eq(moneyFindings.intentId, intentId),
          isNull(moneyFindings.mendedAt),
        ),
      );
    await closeSettledIssues(tx, { orderId: null, now });
  });
}
