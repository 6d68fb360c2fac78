import { eq } from "drizzle-orm";
import type { ShopContext } from "../../context.ts";
import type { ProviderPayment } from "../../payment-providers/provider.ts";
import { abandonIfUnknown } from "../cancellation/abandon.ts";
import { payments } from "../tables.ts";
import { settleSession } from "./sessions.ts";
import { settlePayment } from "./settle.ts";

/**
 * Asks the provider about a payment now and books what it says, for a shopper who waits on the success page: the
 * webhook may be late or lost. Answers what the provider said of it.
 */
export async function refreshPayment(
  ctx: ShopContext,
  payment: typeof payments.$inferSelect,
): Promise<ProviderPayment["status"]> {
  const { sessionId } = payment;
  const asked = await abandonIfUnknown(ctx, payment, null, async () => {
    if (sessionId !== null) await settleSession(ctx, sessionId);
    // A hosted page has its payment once it was sent off, which may just have been learnt.
    const intentId = payment.intentId ?? (await intentIdOf(ctx, payment.id));
    if (intentId === null) return "requires_payment";
    const intent = await ctx.provider.retrieveIntent(intentId);
    await settlePayment(ctx, intent);
    return intent.status;
  });
  if ("answer" in asked) return asked.answer;
  // Seen to be paid before the keys were changed: the owner has to find it.
  return asked.abandoned === "issue" ? "processing" : "requires_payment";
}

async function intentIdOf({ db }: ShopContext, id: number): Promise<string | null> {
  const [payment] = await db
    .select({ intentId: payments.intentId })
    .from(payments)
    .where(eq(payments.id, id));
  return payment?.intentId ?? null;
}
