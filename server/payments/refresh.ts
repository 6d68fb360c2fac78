import { eq } from "drizzle-orm";
import { orAbandon } from "./abandon.ts";
import type { PaymentParts } from "./parts.ts";
import { settleSession } from "./sessions.ts";
import { settlePayment } from "./settle.ts";
import type { PaymentTruth } from "./settlement.ts";
import { payments } from "./tables.ts";

/**
 * Asks the provider about a payment now and books what it says, for a shopper who waits on the success page: the
 * webhook may be late or lost. Answers what the provider said of it.
 */
export async function refreshPayment(
  parts: PaymentParts,
  payment: typeof payments.$inferSelect,
): Promise<PaymentTruth["status"]> {
  const { sessionId } = payment;
  const asked = await orAbandon(parts, payment, null, async () => {
    if (sessionId !== null) await settleSession(parts, sessionId);
    // A hosted page has its payment once it was sent off, which may just have been learnt.
    const intentId = payment.intentId ?? (await intentIdOf(parts, payment.id));
    if (intentId === null) return "requires_payment";
    const intent = await parts.provider.retrieveIntent(intentId);
    await settlePayment(parts, intent);
    return intent.status;
  });
  if ("answer" in asked) return asked.answer;
  // Seen to be paid before the keys were changed: the owner has to find it.
  return asked.abandoned === "issue" ? "processing" : "requires_payment";
}

async function intentIdOf({ db }: PaymentParts, id: number): Promise<string | null> {
  const [payment] = await db
    .select({ intentId: payments.intentId })
    .from(payments)
    .where(eq(payments.id, id));
  return payment?.intentId ?? null;
}
