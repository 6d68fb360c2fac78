import ArrowLeft from "lucide-react/icons/arrow-left";
import Check from "lucide-react/icons/check";
import { Suspense, useDeferredValue, useEffect, useRef, useState } from "react";
import { formatCents } from "../../../../domain/shared/money.ts";
import { EmailAddress } from "../../../ui/email-address.tsx";
import { Icon } from "../../../ui/icon.tsx";
import type { AddressField } from "../address/address-form.ts";
import { recapRows } from "../checkout-request.ts";
import { type PaymentFormProps, paymentForms } from "../payment-forms.ts";
import type { OpenOrder } from "../use-checkout.ts";
import { PreparingPayment } from "./preparing-payment.tsx";

/** Step 2, payment. `order` is null while it is being created. `onLeave` returns to step 1 and focuses the field. */
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
  // Deferred, so that the placeholder stays until the form's code has loaded. Otherwise the boundary below would show its
  // fallback, which React keeps for at least 300 ms.
  const orderToPay = useDeferredValue(order);

  if (order && isPaid) return <PaidNotice cents={order.checkout.totals.total} />;
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
  order: { checkout, form },
  ...events
}: { order: OpenOrder } & Pick<PaymentFormProps, "onPaid" | "onProcessing" | "onBusy" | "onStartAgain">) {
  const { paymentIntentId: intentId, clientSecret, totals, provider, publishableKey } = checkout;
  const payment = { intentId, clientSecret, amountCents: totals.total };
  const Form = paymentForms[provider];
  return <Form payment={payment} publishableKey={publishableKey} buyer={form} {...events} />;
}

/** The entries of step 1, each with a button that returns to its field. */
function Recap({
  order,
  onChange,
  disabled,
}: {
  order: Pick<OpenOrder, "form" | "optionName">;
  onChange: (field: AddressField) => void;
  disabled: boolean;
}) {
  return (
    <dl className="grid divide-y divide-line rounded-md border border-line">
      {recapRows(order).map(({ name, value, field }) => (
        <div
          key={name}
          className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 px-4.5 py-2 text-ui sm:grid-cols-[5.5rem_minmax(0,1fr)_auto]"
        >
          <dt className="text-ink-muted max-sm:text-small">{name}</dt>
          <dd className="col-start-1 wrap-anywhere sm:col-start-2">
            {field === "email" ? <EmailAddress>{value}</EmailAddress> : value}
          </dd>
          <dd className="max-sm:col-start-2 max-sm:row-span-2 max-sm:row-start-1">
            <button
              type="button"
              disabled={disabled}
              className="inline-flex min-h-11 items-center link text-small disabled:cursor-default disabled:text-disabled-ink"
              aria-label={`Change ${name.toLowerCase()}`}
              onClick={() => onChange(field)}
            >
              Change
            </button>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Confirmation between the payment and the success page. */
function PaidNotice({ cents }: { cents: number }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div role="status" className="grid justify-items-start gap-4 py-6">
      <span className="grid size-14 place-items-center rounded-full bg-success-bg text-success">
        <Icon glyph={Check} size="large" />
      </span>
      <h2 ref={heading} tabIndex={-1} className="outline-none">
        Payment successful
      </h2>
      <p className="text-lead text-ink-muted">
        Your payment of {formatCents(cents)} went through. Taking you to your order.
      </p>
    </div>
  );
}
