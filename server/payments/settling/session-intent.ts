import { and, eq, isNotNull, isNull } from "drizzle-orm";
import type { ShopContext } from "../../context.ts";
import { UnknownPayment } from "../../payment-providers/provider.ts";
import { isOtherAccount } from "../other-account.ts";
import { payments } from "../tables.ts";

/**
 * A hosted page makes its intent only when the shopper pays. Asks the provider which intents the order's pages made and
 * writes them down, so that a payment is believed because our own page led to it, not because it names the order.
 */
export async function learnSessionIntents(ctx: ShopContext, orderId: string): Promise<void> {
  const unknown = await ctx.db
    .select()
    .from(payments)
    .where(and(eq(payments.orderId, orderId), isNotNull(payments.sessionId), isNull(payments.intentId)));
  for (const { id, sessionId, ...origin } of unknown) {
    if (sessionId === null || isOtherAccount(ctx.provider, origin)) continue;
    const intentId = await intentOf(ctx, sessionId);
    if (intentId !== null) await ctx.db.update(payments).set({ intentId }).where(eq(payments.id, id));
  }
}

async function intentOf({ provider }: ShopContext, sessionId: string): Promise<string | null> {
  try {
    return (await provider.retrieveSession(sessionId)).intentId;
  } catch (error) {
    if (error instanceof UnknownPayment) return null;
    throw error;
  }
}
