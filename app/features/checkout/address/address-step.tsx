import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { countries } from "../../../../domain/shared/country.ts";
import { formatCents } from "../../../../domain/shared/money.ts";
import { shippingOptionsFor } from "../../../../domain/shipping/shipping-policy.ts";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { useCart } from "../../cart/cart-store.ts";
import type { CartPolicies } from "../../cart/cart-totals.ts";
import { DiscountField, DiscountForm } from "../discount.tsx";
import { ReminderBox, useReminder } from "../reminder.tsx";
import type { CheckoutNotice, useCheckout } from "../use-checkout.ts";
import { ContactFields, GiftFields, ShippingFields, ShippingOptions } from "./address-fields.tsx";

// Most shoppers never see the notice. Loaded right after the form, so that it can be shown even if the connection fails
// later.
const loadNotice = () =>
  import("../checkout-notice.tsx").then(
    ({ NoticeBanner: component }) => ({ default: component }),
    () => ({
      default: ({ notice }: { notice: CheckoutNotice }) => (
        <p role="alert">
          {notice.cause.kind === "failed" && "Could not initialize payment. Please try again. "}
          Please check your connection.
        </p>
      ),
    }),
  );
const NoticeBanner = lazy(loadNotice);

/** `arrivals`: arrival text by option id. `hasAddressLookup`: whether addresses are suggested. */
export type CheckoutPolicies = CartPolicies & {
  arrivals: Record<string, string>;
  hasAddressLookup: boolean;
};

/** Step 1: contact and address. `onSubmit` is called once per press of the button, even if the form is incomplete. */
export function AddressStep({
  checkout: {
    form,
    change,
    fill,
    problems,
    notice,
    pricing,
    shippingNote,
    discount,
    refusedDiscounts,
    isStarting,
    hasPrices,
    isReady,
  },
  policies,
  discountCode,
  onSubmit,
}: {
  checkout: ReturnType<typeof useCheckout>;
  policies: CheckoutPolicies;
  /** The code that was sent without JavaScript. */
  discountCode: string;
  onSubmit: () => void;
}) {
  const { items } = useCart();
  const reminder = useReminder(form.email, items);
  // A press while the cart is loading or the discount code is being checked submits the form afterwards.
  const [isWaiting, setWaiting] = useState(false);
  const isNotReady = discount.isBusy || !isReady;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the check ends
  useEffect(() => {
    if (!isWaiting || isNotReady) return;
    setWaiting(false);
    if (discount.problem === null) onSubmit();
  }, [isWaiting, isNotReady]);
  // A press before the page's scripts were loaded is repeated too: see shell/early-press.ts.
  const formElement = useRef<HTMLFormElement>(null);
  useEffect(() => {
    void loadNotice();
    if (!formElement.current) return;
    formElement.current.dataset.buy = "live";
    const { earlyPress } = window;
    if (earlyPress?.form !== formElement.current) return;
    window.earlyPress = null;
    earlyPress.removeAttribute("aria-busy");
    setWaiting(true);
  }, []);
  const servedCountries = countries.filter(
    ([code]) => shippingOptionsFor(policies.shipping, code).length > 0,
  );
  return (
    <>
      {notice && (
        <Suspense fallback={null}>
          <NoticeBanner
            notice={notice}
            country={form.country}
            problems={problems}
            totalCents={pricing.totals.total}
          />
        </Suspense>
      )}
      <form
        ref={formElement}
        noValidate
        data-buy=""
        method="post"
        // `kept` makes the page read the server's cart, which a browser without scripts needs.
        action="/checkout?kept=1"
        aria-label="Shipping information"
        className="grid gap-10"
        onSubmit={(event) => {
          event.preventDefault();
          reminder.refresh();
          if (isNotReady) setWaiting(true);
          else onSubmit();
        }}
        onBlur={({ target }) => {
          if (target.id === "email") reminder.refresh();
        }}
      >
        <p className="-mb-6 text-small text-ink-muted">Fields marked with * are required.</p>
        <ContactFields form={form} problems={problems} onChange={change}>
          <ReminderBox isWanted={reminder.isWanted} state={reminder.state} onChange={reminder.change} />
        </ContactFields>
        <ShippingFields
          form={form}
          problems={problems}
          onChange={change}
          countries={servedCountries}
          onFill={policies.hasAddressLookup && fill}
        />
        <GiftFields form={form} problems={problems} onChange={change} />
        <ShippingOptions
          pricing={pricing}
          arrivals={policies.arrivals}
          note={shippingNote}
          hasPrices={hasPrices}
          error={problems.shippingOption}
          onChoose={(id) => change("shippingOption", id)}
        />
        <DiscountField
          discount={discount}
          automatic={pricing.discount?.automatic ? pricing.discount.code : null}
        />
        <noscript>
          <Field label="Discount code" optional name="discountCode" defaultValue={discountCode} />
          {refusedDiscounts.map((name) => (
            <input key={name} type="hidden" name="withoutDiscounts" value={name} />
          ))}
          <input type="hidden" name="askedAbout" value={form.phone} />
          <input type="hidden" name="askedAboutZip" value={form.postalCode} />
        </noscript>
        <div>
          <Button
            type="submit"
            block
            disabled={isStarting || pricing.option === null}
            aria-busy={isWaiting || undefined}
          >
            <span>
              Continue to Payment
              {hasPrices && (
                <>
                  {" • "}
                  <span className="tabular-nums">{formatCents(pricing.totals.total)}</span>
                </>
              )}
            </span>
          </Button>
          <p className="mt-3 text-center text-caption text-ink-muted">You won’t be charged yet.</p>
        </div>
      </form>
      <DiscountForm discount={discount} />
    </>
  );
}
