import type { PaymentTruth } from "../../domain/settlement.ts";
import type { PaymentParts } from "./parts.ts";
import { settleSession } from "./sessions.ts";
import { settlePayment } from "./settle.ts";

/**
 * Asks the provider about a payment now and books what it says, for a shopper who waits on the success page: the
 * webhook may be late or lost. Answers what the provider said of it.
 */
export async function refreshPayment(
  parts: PaymentParts,
  payment: { intentId: string | null; sessionId: string | null },
): Promise<PaymentTruth["status"]> {
  if (payment.sessionId !== null) await settleSession(parts, payment.sessionId);
  if (payment.intentId === null) return "requires_payment";
  const intent = await parts.provider.retrieveIntent(payment.intentId);
  await settlePayment(parts, intent);
  return intent.status;
}
