import { callApi } from "../../api.ts";

/** The outcome of pressing Pay. */
export type PaymentOutcome =
  | { kind: "paid" }
  | { kind: "processing" }
  | { kind: "authenticate" }
  | PaymentFailure;

/**
 * `closed`: this payment can no longer be made; a new one must be started. `uncertain`: the payment may have succeeded,
 * but the request for its state failed.
 */
export type PaymentFailure = { kind: "refused" | "closed" | "uncertain"; message: string };

export const processingFailure: PaymentFailure = { kind: "refused", message: "Failed to process payment" };
export const unexpectedFailure: PaymentFailure = { kind: "refused", message: "An unexpected error occurred" };

/**
 * Asks the server about a payment whose response was lost or unclear, because it may have succeeded nevertheless. If it has
 * not, the outcome is `failure`.
 */
export async function fetchOutcome(intentId: string, failure: PaymentFailure): Promise<PaymentOutcome> {
  const response = await callApi("GET /api/stripe/payment-intent/:id", { params: { id: intentId } });
  if (!response.ok) return { kind: "uncertain", message: failure.message };
  const { payment, status } = response.body.data;
  if (payment === "paid" || payment === "processing") return { kind: payment };
  if (status !== "canceled" || failure.kind === "closed") return failure;
  return { kind: "closed", message: "This payment has been closed." };
}
