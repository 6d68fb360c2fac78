import { eq } from "drizzle-orm";
import type { ShopContext } from "../../context.ts";
import type { ProviderPayment } from "../../payment-providers/provider.ts";
import { abandonIfUnknown } from "../cancellation/abandon.ts";
import { payments } from "../tables.ts";
import { settleSession } from "./sessions.ts";
import { settlePayment } from "./settle.ts";

/**
 * Reads a payment from the provider and books it, because the shopper may be waiting on the success page while the webhook has
 * not arrived yet. Returns the provider's status.
 */
export async function refreshPayment(
  ctx: ShopContext,
  payment: typeof payments.$inferSelect,
): Promise<ProviderPayment["status"]> {
  const { sessionId } = payment;
  const result = await abandonIfUnknown(ctx, payment, null, async () => {
    if (sessionId !== null) await settleSession(ctx, sessionId);
    // A submitted page has an intent, which may just have been stored.
    const intentId = payment.intentId ?? (await findIntentId(ctx, payment.id));
    if (intentId === null) return "requires_payment";
    const intent = await ctx.provider.retrieveIntent(intentId);
    await settlePayment(ctx, intent);
    return intent.status;
  });
  if ("result" in result) return result.result;
  // An event reported success before the keys were replaced, so the owner has to check the payment.
  return result.abandoned === "issue" ? "processing" : "requires_payment";
}

async function findIntentId({ db }: ShopContext, id: number): Promise<string | null> {
  const [payment] = await db
    .select({ intentId: payments.intentId })
    .from(payments)
    .where(eq(payments.id, id));
  return payment?.intentId ?? null;
}
