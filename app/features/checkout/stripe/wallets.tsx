import type {
  Stripe,
  StripeElements,
  StripeExpressCheckoutElement,
  StripeExpressCheckoutElementConfirmEvent,
} from "@stripe/stripe-js";
import { useEffect, useRef } from "react";
import { failedToProcess, type PaymentOutcome } from "../payment/payment-outcome.ts";
import {
  type SheetAnswer,
  type SheetPrice,
  startPurchase,
  type WalletBuyer,
  type WalletPurchase,
  type WalletRefusal,
} from "../wallets/wallet-purchase.ts";
import type { WalletButtonsProps } from "../wallets/wallets.tsx";
import { appearance, confirmStripePayment, loadStripeScript } from "./payment.ts";

/** A sheet has to be opened within a second of the press, with a price. */
const openMs = 900;
/** How long a price that was asked for ahead opens a sheet: the first address in it is priced anew. */
const freshMs = 5 * 60_000;

/** Stripe's Express Checkout Element. Its prices are in the sheet alone: what it shows is what the server said. */
export default function StripeWallets(props: WalletButtonsProps) {
  const frame = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  latest.current = props;
  const { publishableKey } = props.setup;
  const wanted = JSON.stringify(props.goods);
  const ahead = useRef<{
    wanted: string;
    at: number;
    purchase: WalletPurchase;
    answer: Promise<SheetAnswer>;
  }>(null);

  /** The price of what is wanted now, asked for before the press: there is no time for it afterwards. */
  const lookAhead = () => {
    const { goods } = latest.current;
    const wanted = JSON.stringify(goods);
    const known = ahead.current;
    if (known?.wanted === wanted && Date.now() - known.at < freshMs) return known;
    const purchase = startPurchase(goods);
    const asked = { wanted, at: Date.now(), purchase, answer: purchase.open() };
    ahead.current = asked;
    return asked;
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: another quantity has another price
  useEffect(() => {
    if (latest.current.goods.items.length === 0) return;
    // A quantity is pressed several times in a row.
    const timer = setTimeout(lookAhead, 300);
    return () => clearTimeout(timer);
  }, [wanted]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the rest is read as it is when something happens
  useEffect(() => {
    let isLeft = false;
    let element: StripeExpressCheckoutElement | undefined;
    const tell = (refusal: WalletRefusal) => latest.current.onProblem(refusal.message);

    const mount = async () => {
      const [stripe, first] = await Promise.all([loadStripeScript(publishableKey ?? ""), lookAhead().answer]);
      if (isLeft) return;
      if (!stripe || !frame.current || !first.ok) return latest.current.onReady(false);
      const { businessName, countries } = latest.current.setup;
      const elements = stripe.elements({
        mode: "payment",
        amount: first.price.amount,
        currency: first.price.currency.toLowerCase(),
        appearance,
      });
      element = elements.create("expressCheckout", {
        buttonHeight: 52,
        // The page has one filled button, and it is ours.
        buttonTheme: { applePay: "white-outline", googlePay: "white", paypal: "white" },
        buttonType: { applePay: "plain", googlePay: "plain" },
        layout: { maxColumns: 2, maxRows: 1, overflow: "auto" },
        paymentMethods: { amazonPay: "never", klarna: "never" },
        business: { name: businessName },
        emailRequired: true,
        billingAddressRequired: true,
        shippingAddressRequired: true,
        allowedShippingCountries: countries,
        ...sheetDetails(first.price),
      });
      listen(stripe, elements, element);
      element.mount(frame.current);
    };

    const listen = (stripe: Stripe, elements: StripeElements, element: StripeExpressCheckoutElement) => {
      let purchase: WalletPurchase | null = null;
      let isPaying = false;

      element.on("ready", ({ availablePaymentMethods: methods }) => {
        if (!isLeft) latest.current.onReady(methods !== undefined && Object.values(methods).some(Boolean));
      });
      element.on("loaderror", () => !isLeft && latest.current.onReady(false));

      element.on("click", async (event) => {
        latest.current.onProblem(null);
        if (isPaying) return event.reject();
        const asked = lookAhead();
        // Used up: the next sheet begins anew, whatever becomes of this one.
        ahead.current = null;
        const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), openMs));
        const answer = await Promise.race([asked.answer, late]);
        if (answer === null) {
          // It may have come by the next press.
          ahead.current = asked;
          event.reject();
          return latest.current.onProblem("The price took too long to load. Please try again.");
        }
        if (!answer.ok) {
          event.reject();
          return tell(answer);
        }
        purchase = asked.purchase;
        elements.update({ amount: answer.price.amount });
        event.resolve(sheetDetails(answer.price));
      });

      const answerWith = async (
        event: { resolve: (details: ReturnType<typeof sheetDetails>) => void; reject: () => void },
        asked: Promise<SheetAnswer> | undefined,
      ) => {
        const answer = await asked;
        if (!answer?.ok) {
          event.reject();
          if (answer) tell(answer);
          return;
        }
        latest.current.onProblem(null);
        elements.update({ amount: answer.price.amount });
        event.resolve(sheetDetails(answer.price));
      };
      element.on("shippingaddresschange", (event) => {
        const { country, state } = event.address;
        return answerWith(event, purchase?.sendTo({ country, state }));
      });
      element.on("shippingratechange", (event) => answerWith(event, purchase?.shipBy(event.shippingRate.id)));

      element.on("cancel", () => {
        purchase = null;
        lookAhead();
      });

      element.on("confirm", async (event) => {
        if (isPaying) return;
        isPaying = true;
        latest.current.onBusy(true);
        const outcome = await pay(event, { stripe, elements, purchase }).catch(() => ({
          kind: "failed" as const,
          message: failedToProcess.message,
        }));
        isPaying = false;
        if (outcome.kind !== "failed") return latest.current.onPaid(outcome.intentId);
        latest.current.onBusy(false);
        latest.current.onProblem(outcome.message);
      });
    };

    const pay = async (
      event: StripeExpressCheckoutElementConfirmEvent,
      {
        stripe,
        elements,
        purchase,
      }: { stripe: Stripe; elements: StripeElements; purchase: WalletPurchase | null },
    ): Promise<{ kind: "paid" | "processing"; intentId: string } | { kind: "failed"; message: string }> => {
      const failed = (refusal: WalletRefusal) => {
        event.paymentFailed({ reason: sheetReasons[refusal.reason], message: refusal.message });
        return { kind: "failed" as const, message: refusal.message };
      };
      const buyer = buyerOf(event);
      if (!purchase || !buyer) return failed({ ok: false, reason: "fail", message: incomplete });
      const { error } = await elements.submit();
      if (error) return { kind: "failed", message: error.message ?? incomplete };
      const placed = await purchase.place(buyer, event.shippingRate?.id ?? null);
      if (!placed.ok) return failed(placed);
      const { paymentIntentId: intentId, clientSecret, status, orderId } = placed.started;
      latest.current.onPlaced(orderId);
      // Paid before, by a try whose answer was lost: nothing is charged twice.
      if (status === "succeeded" || status === "processing") return { kind: "paid", intentId };
      const outcome: PaymentOutcome = await confirmStripePayment(
        { stripe, elements, clientSecret },
        intentId,
      );
      if (outcome.kind === "paid" || outcome.kind === "processing") return { kind: outcome.kind, intentId };
      return { kind: "failed", message: "message" in outcome ? outcome.message : incomplete };
    };

    mount().catch(() => !isLeft && latest.current.onReady(false));
    return () => {
      isLeft = true;
      element?.destroy();
    };
  }, [publishableKey]);

  return <div ref={frame} />;
}

const incomplete =
  "Your wallet didn’t share everything we need for an order. Please pay by card at checkout.";

const sheetReasons = {
  fail: "fail",
  address: "invalid_shipping_address",
  unserviceable: "address_unserviceable",
} as const;

/** A price in the sheet's words. */
function sheetDetails({ lines, rates }: SheetPrice) {
  return {
    lineItems: lines,
    shippingRates: rates.map(({ id, name, amount, days: [least, most] }) => ({
      id,
      amount,
      displayName: name,
      deliveryEstimate: {
        minimum: { unit: "business_day" as const, value: least },
        maximum: { unit: "business_day" as const, value: most },
      },
    })),
  };
}

function buyerOf({
  billingDetails,
  shippingAddress,
}: StripeExpressCheckoutElementConfirmEvent): WalletBuyer | null {
  const { name, address } = shippingAddress ?? {};
  const email = billingDetails?.email;
  const buyerName = name || billingDetails?.name;
  if (!address || !email || !buyerName) return null;
  const { line1, line2, city, state, postal_code: postalCode, country } = address;
  return {
    email,
    name: buyerName,
    phone: billingDetails?.phone ?? "",
    address: { line1, line2: line2 || null, city, state, postalCode, country },
  };
}
