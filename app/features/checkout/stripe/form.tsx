import type { Stripe, StripeElements } from "@stripe/stripe-js";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { Banner } from "../../../ui/error-banner.tsx";
import { PayButton, PaymentError } from "../payment/form-parts.tsx";
import type { PaymentOutcome } from "../payment/payment-outcome.ts";
import { PreparingPayment, paymentBox } from "../payment/preparing-payment.tsx";
import type { PaymentFormProps } from "../payment-forms.ts";
import { billingDetails, confirmStripePayment, openStripe } from "./payment.ts";

export default function StripeForm({
  payment: { intentId, clientSecret, amountCents },
  publishableKey,
  buyer,
  onPaid,
  onProcessing,
  onBusy,
  onStartAgain,
}: PaymentFormProps) {
  const frame = useRef<HTMLDivElement>(null);
  const session = useRef<{ stripe: Stripe; elements: StripeElements } | null>(null);
  const [attempt, setAttempt] = useState(0);
  const [state, setState] = useState<"loading" | "ready" | "failed">("loading");
  const [isBusy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<PaymentOutcome | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt loads the script again; `buyer` belongs to the order of `clientSecret`
  useEffect(() => {
    let isCurrent = true;
    setState("loading");
    void openStripe(publishableKey ?? "", clientSecret).then((newSession) => {
      if (!isCurrent) return;
      if (!newSession || !frame.current) return setState("failed");
      session.current = newSession;
      const element = newSession.elements.create("payment", {
        layout: "tabs",
        ...(buyer && { defaultValues: { billingDetails: billingDetails(buyer) } }),
      });
      element.on("ready", () => isCurrent && setState("ready"));
      element.on("loaderror", () => isCurrent && setState("failed"));
      element.mount(frame.current);
    });
    return () => {
      isCurrent = false;
      session.current?.elements.getElement("payment")?.destroy();
      session.current = null;
    };
  }, [attempt, publishableKey, clientSecret]);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!session.current || isBusy) return;
    setBusy(true);
    onBusy(true);
    setOutcome(null);
    const newOutcome = await confirmStripePayment(session.current, intentId);
    if (newOutcome.kind === "paid") return onPaid();
    if (newOutcome.kind === "processing") return onProcessing();
    setOutcome(newOutcome);
    setBusy(false);
    onBusy(false);
  };

  return (
    <>
      {outcome && "message" in outcome && <PaymentError outcome={outcome} onStartAgain={onStartAgain} />}
      {state === "failed" && (
        <Banner title="Could not initialize payment. Please try again." className="mb-4">
          <div className="mt-3">
            <Button size="small" variant="secondary" onClick={() => setAttempt(attempt + 1)}>
              Try again
            </Button>
          </div>
        </Banner>
      )}
      {state === "loading" && <PreparingPayment />}
      <form
        noValidate
        aria-label="Card"
        // Hidden without removing it: the provider's frame only loads if it is laid out.
        className={state === "ready" ? `grid gap-5 ${paymentBox}` : "h-0 overflow-hidden"}
        onSubmit={submit}
      >
        <div ref={frame} />
        {state === "ready" && <PayButton cents={amountCents} isBusy={isBusy} />}
      </form>
    </>
  );
}
