import { callApi } from "../../api.ts";

/** What pressing Pay came to. `closed`: this payment can no longer be made, only a new one. */
export type PaymentOutcome =
  | { kind: "paid" }
  | { kind: "processing" }
  | { kind: "authenticate" }
  | PaymentFailure;

/** `uncertain`: nobody could be asked whether it went through after all. */
export type PaymentFailure = { kind: "refused" | "closed" | "uncertain"; message: string };

export const failedToProcess: PaymentFailure = { kind: "refused", message: "Failed to process payment" };
export const unexpectedError: PaymentFailure = { kind: "refused", message: "An unexpected error occurred" };

/**
 * Asks how a payment stands whose answer was lost or made no sense: it may have gone through all the same.
 * `otherwise` is the outcome where it has not.
 */
export async function settledOutcome(intentId: string, otherwise: PaymentFailure): Promise<PaymentOutcome> {
  const answer = await callApi("GET /api/stripe/payment-intent/:id", { params: { id: intentId } });
  if (!answer.ok) return { kind: "uncertain", message: otherwise.message };
  const { payment, status } = answer.body.data;
  if (payment === "paid" || payment === "processing") return { kind: payment };
  if (status !== "canceled" || otherwise.kind === "closed") return otherwise;
  return { kind: "closed", message: "This payment has been closed." };
}
