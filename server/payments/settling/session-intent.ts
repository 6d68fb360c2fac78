import { and, eq, isNotNull, isNull } from "drizzle-orm";
import type { ShopContext } from "../../context.ts";
import { UnknownPayment } from "../../payment-providers/provider.ts";
import { isOtherAccount } from "../other-account.ts";
import { payments } from "../tables.ts";

/**
 * Stores the intents of an order's hosted pages, which a page creates only when the shopper pays. The shop trusts an intent
 * because it belongs to a page that the shop opened, not because the intent names the order.
 */
export async function storeSessionIntents(ctx: ShopContext, orderId: string): Promise<void> {
  const pages = await ctx.db
    .select()
    .from(payments)
    .where(and(eq(payments.orderId, orderId), isNotNull(payments.sessionId), isNull(payments.intentId)));
  for (const { id, sessionId, ...origin } of pages) {
    if (sessionId === null || isOtherAccount(ctx.provider, origin)) continue;
    const intentId = await findSessionIntent(ctx, sessionId);
    if (intentId !== null) await ctx.db.update(payments).set({ intentId }).where(eq(payments.id, id));
  }
}

async function findSessionIntent({ provider }: ShopContext, sessionId: string): Promise<string | null> {
  try {
    return (await provider.retrieveSession(sessionId)).intentId;
  } catch (error) {
    if (error instanceof UnknownPayment) return null;
    throw error;
  }
}
