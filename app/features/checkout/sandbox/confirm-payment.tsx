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
  const answer = await callApi("POST /api/sandbox/payment-intents/:id/confirm", {
    params: { id: intentId },
    body: { clientSecret, card, ...(authentication && { authentication }) },
  });
  if (answer.ok) {
    return answer.body.data.status === "requires_action" ? { kind: "authenticate" } : { kind: "paid" };
  }
  const { status, error, message } = answer.problem;
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
  onAnswer,
}: {
  isOpen: boolean;
  cents: number;
  onAnswer: (authentication: "pass" | "fail") => void;
}) {
  return (
    <Dialog
      open={isOpen}
      onClose={() => onAnswer("fail")}
      closable={false}
      title="Confirm it’s you"
      description={`Your bank asks you to approve this payment of ${formatCents(cents)}. This is a test: choose how it goes.`}
      actions={
        <>
          <Button size="small" onClick={() => onAnswer("pass")}>
            Complete authentication
          </Button>
          <Button size="small" variant="secondary" onClick={() => onAnswer("fail")}>
            Fail authentication
          </Button>
        </>
      }
    />
  );
}
