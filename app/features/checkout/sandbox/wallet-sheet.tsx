import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { type Card, testCards } from "../../../../domain/payments/card-entry.ts";
import { businessDays } from "../../../../domain/shared/business-days.ts";
import { formatCents } from "../../../../domain/shared/money.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Banner } from "../../../ui/error-banner.tsx";
import { Field, Options, Select } from "../../../ui/field.tsx";
import { useForm } from "../../../ui/use-form.ts";
import { type SheetPrice, type SheetResult, startPurchase } from "../wallets/wallet-purchase.ts";
import type { WalletButtonsProps } from "../wallets/wallets.tsx";
import { AuthenticationDialog, confirmSandboxPayment } from "./confirm-payment.tsx";

/** Addresses of the test wallet. The shop does not ship to the last address by default. */
const addresses = [
  {
    line1: "1 Main St",
    line2: null,
    city: "Austin",
    state: "TX",
    postalCode: "78701",
    country: "US",
  },
  {
    line1: "12 Park Allee",
    line2: null,
    city: "Berlin",
    state: "",
    postalCode: "10119",
    country: "DE",
  },
  {
    line1: "23 Harbor St",
    line2: null,
    city: "Havana",
    state: "",
    postalCode: "10400",
    country: "CU",
  },
];
const [home] = addresses;

type OpenPayment = { intentId: string; clientSecret: string; amountCents: number };

export function WalletSheet({
  goods,
  onClose,
  onPlaced,
  onPaid,
}: Pick<WalletButtonsProps, "setup" | "goods" | "onPlaced" | "onPaid"> & { onClose: () => void }) {
  const [purchase] = useState(() => startPurchase(goods));
  const [address, setAddress] = useState(home);
  const form = useForm({ email: "wallet@example.com", card: testCards[0].number as string });
  const [price, setPrice] = useState<SheetPrice | null>(null);
  const [problem, setProblem] = useState<{ message: string } | null>(null);
  const [state, setState] = useState<"pricing" | "open" | "paying">("pricing");
  const [pendingAuthentication, setPendingAuthentication] = useState<{
    payment: OpenPayment;
    card: Card;
  } | null>(null);
  // A ref, because state would be set too late for the second press of a double click.
  const isPaying = useRef(false);

  const showPrice = async (pendingResponse: Promise<SheetResult>) => {
    setState("pricing");
    setProblem(null);
    const response = await pendingResponse;
    setPrice(response.ok ? response.price : null);
    if (!response.ok) setProblem(response);
    setState("open");
  };
  const shipTo = (newAddress: (typeof addresses)[number] | undefined) => {
    if (!newAddress) return;
    setAddress(newAddress);
    void showPrice(purchase.setDestination({ country: newAddress.country, state: newAddress.state }));
  };
  // Like a real sheet, it opens with an estimate and requests the price for its first address immediately.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when it opens
  useEffect(() => {
    void purchase
      .open()
      .then((response) => (response.ok ? shipTo(home) : showPrice(Promise.resolve(response))));
  }, []);

  const fail = (message: string) => {
    isPaying.current = false;
    setState("open");
    setProblem({ message });
  };

  const confirm = async (payment: OpenPayment, card: Card, authentication?: "pass" | "fail") => {
    const outcome = await confirmSandboxPayment(payment, card, authentication);
    if (outcome.kind === "authenticate") return setPendingAuthentication({ payment, card });
    if (outcome.kind === "paid" || outcome.kind === "processing") return onPaid(payment.intentId);
    fail(outcome.message);
  };

  const pay = async (event: FormEvent) => {
    event.preventDefault();
    if (isPaying.current || !price || !address || state !== "open") return;
    isPaying.current = true;
    setProblem(null);
    setState("paying");
    const buyer = { email: form.values.email.trim(), name: "Ada Test", phone: "", address };
    const placement = await purchase.place(buyer, price.rates[0]?.id ?? null);
    if (!placement.ok) return fail(placement.message);
    const { paymentIntentId: intentId, clientSecret, status, orderId, totals } = placement.checkout;
    onPlaced(orderId);
    if (status === "succeeded") return onPaid(intentId);
    const card = {
      number: form.values.card,
      expMonth: 12,
      expYear: new Date().getFullYear() + 2,
      cvc: "123",
    };
    await confirm({ intentId, clientSecret, amountCents: totals.total }, card);
  };

  const isLocked = state !== "open";
  return (
    <>
      <Dialog
        onClose={onClose}
        closable={state !== "paying"}
        title="Test wallet"
        description="It stands in for Apple Pay and Google Pay while payments are simulated. No money moves."
        actions={
          <>
            <Button
              type="submit"
              form="test-wallet"
              disabled={!price || isLocked}
              busy={state === "paying"}
              busyText="Paying..."
            >
              {price ? `Pay ${formatCents(price.amount)}` : "Pay"}
            </Button>
            <Button variant="secondary" disabled={state === "paying"} onClick={onClose}>
              Cancel
            </Button>
          </>
        }
      >
        <form id="test-wallet" noValidate className="mt-5 grid gap-5" onSubmit={pay}>
          <Choices legend="Ship to">
            {addresses.map((listedAddress) => (
              <Choice
                key={listedAddress.city}
                name="wallet-address"
                isChosen={listedAddress === address}
                disabled={isLocked}
                onChoose={() => shipTo(listedAddress)}
              >
                {[listedAddress.line1, listedAddress.city, listedAddress.state, listedAddress.country]
                  .filter(Boolean)
                  .join(", ")}
              </Choice>
            ))}
          </Choices>
          {price && (
            <Choices legend="Shipping">
              {/* In a fixed order, so that the chosen rate does not jump to the top. */}
              {[...price.rates]
                .sort((a, b) => a.id.localeCompare(b.id))
                .map(({ id, name, amount, days }) => (
                  <Choice
                    key={id}
                    name="wallet-rate"
                    isChosen={id === price.rates[0]?.id}
                    disabled={isLocked}
                    onChoose={() => void showPrice(purchase.chooseRate(id))}
                  >
                    <span className="flex justify-between gap-4">
                      <span>
                        {name}
                        <span className="text-ink-muted"> · {businessDays(days)}</span>
                      </span>
                      <span className="tabular-nums">{amount === 0 ? "Free" : formatCents(amount)}</span>
                    </span>
                  </Choice>
                ))}
            </Choices>
          )}
          <div className="grid gap-4 sm:grid-cols-2">
            <Field
              {...form.field("email")}
              label="Email"
              name="wallet-email"
              type="email"
              disabled={isLocked}
            />
            <Select {...form.field("card")} label="Card" name="wallet-card" disabled={isLocked}>
              <Options of={testCards.map(({ number, outcome }) => [number, outcome])} />
            </Select>
          </div>
          {price && (
            <dl className="grid gap-2 border-t border-line pt-4 text-ui tabular-nums">
              {price.lines.map(({ name, amount }) => (
                <div key={name} className="flex justify-between gap-4">
                  <dt className="min-w-0 wrap-anywhere">{name}</dt>
                  <dd>
                    {amount < 0 ? `−${formatCents(-amount)}` : amount === 0 ? "Free" : formatCents(amount)}
                  </dd>
                </div>
              ))}
              <div className="flex justify-between gap-4 font-semibold">
                <dt>Total</dt>
                <dd>{formatCents(price.amount)}</dd>
              </div>
            </dl>
          )}
          {/* At the end, so that it moves no controls; therefore it is scrolled into view. */}
          {problem && (
            <div ref={(banner) => banner?.scrollIntoView({ block: "nearest" })}>
              <Banner>{problem.message}</Banner>
            </div>
          )}
          <p role="status" className="sr-only">
            {state === "pricing" ? "Updating the price" : price ? `Total ${formatCents(price.amount)}` : ""}
          </p>
        </form>
      </Dialog>
      <AuthenticationDialog
        isOpen={pendingAuthentication !== null}
        cents={pendingAuthentication?.payment.amountCents ?? 0}
        onAuthentication={(authentication) => {
          setPendingAuthentication(null);
          if (pendingAuthentication)
            void confirm(pendingAuthentication.payment, pendingAuthentication.card, authentication);
        }}
      />
    </>
  );
}

function Choices({ legend, children }: { legend: string; children: ReactNode }) {
  return (
    <fieldset className="grid min-w-0 gap-2">
      <legend className="mb-1.5 text-small font-medium">{legend}</legend>
      {children}
    </fieldset>
  );
}

function Choice({
  name,
  isChosen,
  disabled,
  onChoose,
  children,
}: {
  name: string;
  isChosen: boolean;
  disabled: boolean;
  onChoose: () => void;
  children: ReactNode;
}) {
  return (
    <label className="grid min-h-11 cursor-pointer grid-cols-[auto_1fr] items-center gap-3 rounded-sm border border-line-strong bg-surface px-3.5 py-2 text-ui has-checked:border-forest-800 has-checked:bg-cream-soft">
      <input
        type="radio"
        name={name}
        checked={isChosen}
        // Not `disabled`, which would take the focus away.
        aria-disabled={disabled || undefined}
        onChange={() => disabled || onChoose()}
        className="size-5 accent-forest-800"
      />
      <span className="min-w-0">{children}</span>
    </label>
  );
}
