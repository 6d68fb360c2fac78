import ArrowLeft from "lucide-react/icons/arrow-left";
import { Suspense, useDeferredValue, useEffect, useRef, useState } from "react";
import { Icon } from "../../../ui/icon.tsx";
import type { AddressField } from "../address/address-form.ts";
import { type PaymentFormProps, paymentForms } from "../payment-forms.ts";
import { Recap } from "../recap.tsx";
import { PaidNotice } from "../success/paid-notice.tsx";
import type { OpenOrder } from "../use-checkout.ts";
import { PreparingPayment } from "./preparing-payment.tsx";

/** Step 2. Without an `order` it is still being made. `onLeave` goes back to step 1, to a field of it if one is named. */
export function PaymentStep({
  order,
  isPaid,
  onPaid,
  onProcessing,
  onLeave,
  onStartAgain,
}: {
  order: OpenOrder | null;
  isPaid: boolean;
  onPaid: () => void;
  onProcessing: () => void;
  onLeave: (field?: AddressField) => void;
  onStartAgain: () => void;
}) {
  const [isBusy, setBusy] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  // Not at once: the boundary below would fall back while the form's code loads, and React leaves a fallback for 300 ms.
  const orderToPay = useDeferredValue(order);

  if (order && isPaid) return <PaidNotice cents={order.started.totals.total} />;
  return (
    <div className="grid gap-7">
      {order && <Recap order={order} disabled={isBusy} onChange={onLeave} />}
      <section id="payment" aria-labelledby="payment-title" className="scroll-mt-6">
        <h2 id="payment-title" ref={heading} tabIndex={-1} className="mb-4.5 text-h3 outline-none">
          Payment Information
        </h2>
        <Suspense fallback={<PreparingPayment />}>
          {orderToPay ? (
            <ProviderForm
              order={orderToPay}
              onPaid={onPaid}
              onProcessing={onProcessing}
              onBusy={setBusy}
              onStartAgain={onStartAgain}
            />
          ) : (
            <PreparingPayment />
          )}
        </Suspense>
      </section>
      {order && (
        <button
          type="button"
          disabled={isBusy}
          className="group inline-flex min-h-11 items-center gap-2 justify-self-start font-medium disabled:cursor-default disabled:text-disabled-ink"
          onClick={() => onLeave()}
        >
          <Icon
            glyph={ArrowLeft}
            className="transition-transform duration-(--dur-2) ease-out group-hover:-translate-x-[3px]"
          />
          <span className="border-b border-gold-500 pb-0.5">Back to Shipping Information</span>
        </button>
      )}
    </div>
  );
}

function ProviderForm({
  order: { started, form },
  ...events
}: { order: OpenOrder } & Pick<PaymentFormProps, "onPaid" | "onProcessing" | "onBusy" | "onStartAgain">) {
  const { paymentIntentId: intentId, clientSecret, totals, provider, publishableKey } = started;
  const payment = { intentId, clientSecret, amountCents: totals.total };
  const Form = paymentForms[provider];
  return <Form payment={payment} publishableKey={publishableKey} buyer={form} {...events} />;
}
