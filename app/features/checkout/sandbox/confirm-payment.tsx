import type { Card } from "../../../../domain/payments/card-entry.ts";
import { formatCents } from "../../../../domain/shared/money.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { callApi } from "../../api.ts";
import {
  fetchOutcome,
  type PaymentOutcome,
  processingFailure,
  unexpectedFailure,
} from "../payment/payment-outcome.ts";

/** Pays an intent of the sandbox with a test card. */
export async function confirmSandboxPayment(
  { intentId, clientSecret }: { intentId: string; clientSecret: string },
  card: Card,
  authentication?: "pass" | "fail",
): Promise<PaymentOutcome> {
  const response = await callApi("POST /api/sandbox/payment-intents/:id/confirm", {
    params: { id: intentId },
    body: { clientSecret, card, ...(authentication && { authentication }) },
  });
  if (response.ok) {
    return response.body.data.status === "requires_action" ? { kind: "authenticate" } : { kind: "paid" };
  }
  const { status, error, message } = response.problem;
  if (error === "payment_failed") {
    return { kind: "refused", message: message || "An error occurred with your payment" };
  }
  if (error === "invalid_state") return fetchOutcome(intentId, { kind: "closed", message });
  if (error === "validation_failed") return { kind: "refused", message };
  if (error === "rate_limited") return { kind: "refused", message };
  return fetchOutcome(intentId, status === 0 ? processingFailure : unexpectedFailure);
}

/** The sandbox's replacement for a bank's 3-D Secure dialog. */
export function AuthenticationDialog({
  isOpen,
  cents,
  onAuthentication,
}: {
  isOpen: boolean;
  cents: number;
  onAuthentication: (authentication: "pass" | "fail") => void;
}) {
  return (
    <Dialog
      open={isOpen}
      onClose={() => onAuthentication("fail")}
      closable={false}
      title="Confirm it’s you"
      description={`Your bank asks you to approve this payment of ${formatCents(cents)}. This is a test: choose how it goes.`}
      actions={
        <>
          <Button size="small" onClick={() => onAuthentication("pass")}>
            Complete authentication
          </Button>
          <Button size="small" variant="secondary" onClick={() => onAuthentication("fail")}>
            Fail authentication
          </Button>
        </>
      }
    />
  );
}
