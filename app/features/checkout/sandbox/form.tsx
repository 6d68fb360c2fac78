import FlaskConical from "lucide-react/icons/flask-conical";
import { type ChangeEvent, type FormEvent, useState } from "react";
import {
  type Card,
  type CardEntry,
  type CardProblems,
  formatCardNumber,
  formatExpiry,
  readCard,
  testCards,
} from "../../../../domain/payments/card-entry.ts";
import { Banner } from "../../../ui/error-banner.tsx";
import { Field } from "../../../ui/field.tsx";
import { PayButton, PaymentError } from "../payment/form-parts.tsx";
import type { PaymentOutcome } from "../payment/payment-outcome.ts";
import { paymentBox } from "../payment/preparing-payment.tsx";
import type { PaymentFormProps } from "../payment-forms.ts";
import { AuthenticationDialog, confirmSandboxPayment } from "./confirm-payment.tsx";

/** The sandbox's card form. Its entries stay in this component, and are sent to the sandbox only. */
export default function SandboxForm({
  payment,
  onPaid,
  onBusy,
  onStartAgain,
}: Omit<PaymentFormProps, "publishableKey" | "buyer" | "onProcessing">) {
  const [entry, setEntry] = useState<CardEntry>({ number: "", expiry: "", cvc: "" });
  const [problems, setProblems] = useState<CardProblems>({});
  const [isBusy, setBusy] = useState(false);
  const [cardToAuthenticate, setCardToAuthenticate] = useState<Card | null>(null);
  const [outcome, setOutcome] = useState<PaymentOutcome | null>(null);

  const changeField = (field: keyof CardEntry, value: string) => {
    setEntry({ ...entry, [field]: value });
    setProblems({ ...problems, [field]: undefined });
  };

  const pay = async (card: Card, authentication?: "pass" | "fail") => {
    setBusy(true);
    onBusy(true);
    const newOutcome = await confirmSandboxPayment(payment, card, authentication);
    if (newOutcome.kind === "paid" || newOutcome.kind === "processing") return onPaid();
    setBusy(newOutcome.kind === "authenticate");
    onBusy(newOutcome.kind === "authenticate");
    if (newOutcome.kind === "authenticate") setCardToAuthenticate(card);
    else setOutcome(newOutcome);
  };

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    setOutcome(null);
    const cardResult = readCard(entry, new Date());
    if (cardResult.ok) {
      setProblems({});
      void pay(cardResult.card);
    } else {
      setProblems(cardResult.problems);
      const invalidField = (["number", "expiry", "cvc"] as const).find((field) => cardResult.problems[field]);
      if (invalidField) document.getElementById(`card-${invalidField}`)?.focus();
    }
  };

  const chooseTestCard = (number: string) => {
    setEntry({
      number: formatCardNumber(number),
      expiry: `12 / ${(new Date().getFullYear() + 2) % 100}`,
      cvc: "123",
    });
    setProblems({});
  };

  const bind = (field: keyof CardEntry) => ({
    name: `card-${field}`,
    value: entry[field],
    error: problems[field],
    "aria-required": true,
    inputMode: "numeric" as const,
  });
  const value = (event: ChangeEvent<HTMLInputElement>) => event.target.value;

  return (
    <>
      {outcome && "message" in outcome && <PaymentError outcome={outcome} onStartAgain={onStartAgain} />}
      <TestCards onChoose={chooseTestCard} disabled={isBusy} />
      <form noValidate aria-label="Card" className={paymentBox} onSubmit={submit}>
        <fieldset
          disabled={isBusy || outcome?.kind === "closed"}
          className="grid min-w-0 gap-4.5 sm:grid-cols-2"
        >
          <legend className="sr-only">Card details</legend>
          <Field
            {...bind("number")}
            label="Card number"
            autoComplete="cc-number"
            placeholder="1234 1234 1234 1234"
            className="sm:col-span-2"
            onChange={(event) => changeField("number", formatCardNumber(value(event)))}
          />
          <Field
            {...bind("expiry")}
            label="Expiry date"
            autoComplete="cc-exp"
            placeholder="MM / YY"
            onChange={(event) => changeField("expiry", formatExpiry(value(event), entry.expiry))}
          />
          <Field
            {...bind("cvc")}
            label="CVC"
            autoComplete="cc-csc"
            placeholder="123"
            maxLength={4}
            hint="3 digits on the back, 4 on the front for Amex"
            onChange={(event) => changeField("cvc", value(event).replace(/\D/g, ""))}
          />
          <div className="sm:col-span-2">
            <PayButton cents={payment.amountCents} isBusy={isBusy} />
          </div>
        </fieldset>
      </form>
      <AuthenticationDialog
        isOpen={cardToAuthenticate !== null}
        cents={payment.amountCents}
        onAuthentication={(authentication) => {
          setCardToAuthenticate(null);
          if (cardToAuthenticate) void pay(cardToAuthenticate, authentication);
        }}
      />
    </>
  );
}

/** The sandbox's test cards; `onChoose` receives the chosen number. */
function TestCards({ onChoose, disabled }: { onChoose: (number: string) => void; disabled: boolean }) {
  return (
    <Banner tone="info" glyph={FlaskConical} title="Sandbox mode." className="mb-4">
      No real card is charged. Choose a test card:
      <ul className="mt-2 grid grid-cols-[repeat(auto-fit,minmax(min(8rem,100%),1fr))] gap-2 sm:grid-cols-2">
        {testCards.map(({ number, outcome }) => (
          <li key={number}>
            <button
              type="button"
              disabled={disabled}
              className="min-h-11 w-full rounded-sm border border-info-line bg-surface px-3 py-1.5 text-left text-small hover:border-info"
              onClick={() => onChoose(number)}
            >
              <span className="block font-medium">{outcome}</span>
              <CardNumber number={formatCardNumber(number)} />
            </button>
          </li>
        ))}
      </ul>
    </Banner>
  );
}

/** Only the last four digits on phones. */
function CardNumber({ number }: { number: string }) {
  return (
    <span className="tabular-nums">
      <span aria-hidden="true" className="sm:hidden">
        …{" "}
      </span>
      <span className="sr-only sm:not-sr-only">{number.slice(0, -4)}</span>
      {number.slice(-4)}
    </span>
  );
}
