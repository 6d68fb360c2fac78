import { callApi } from "../../api.ts";

/** The outcome of pressing Pay. `closed`: this payment has ended; only a new one can be made. */
export type PaymentOutcome =
  | { kind: "paid" }
  | { kind: "processing" }
  | { kind: "authenticate" }
  | PaymentFailure;

/** `uncertain`: the payment may have succeeded, but the request for its state failed. */
export type PaymentFailure = { kind: "refused" | "closed" | "uncertain"; message: string };

export const processingFailure: PaymentFailure = { kind: "refused", message: "Failed to process payment" };
export const unexpectedFailure: PaymentFailure = { kind: "refused", message: "An unexpected error occurred" };

/**
 * Asks the server about a payment whose response was lost or unclear, and which may have succeeded nevertheless. If it has
 * not, the outcome is `otherwise`.
 */
export async function fetchOutcome(intentId: string, otherwise: PaymentFailure): Promise<PaymentOutcome> {
  const response = await callApi("GET /api/stripe/payment-intent/:id", { params: { id: intentId } });
  if (!response.ok) return { kind: "uncertain", message: otherwise.message };
  const { payment, status } = response.body.data;
  if (payment === "paid" || payment === "processing") return { kind: payment };
  if (status !== "canceled" || otherwise.kind === "closed") return otherwise;
  return { kind: "closed", message: "This payment has been closed." };
}
