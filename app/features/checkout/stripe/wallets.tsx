import type {
  Stripe,
  StripeElements,
  StripeExpressCheckoutElement,
  StripeExpressCheckoutElementConfirmEvent,
} from "@stripe/stripe-js";
import { useEffect, useRef } from "react";
import { type PaymentOutcome, processingFailure } from "../payment/payment-outcome.ts";
import {
  type SheetPrice,
  type SheetResult,
  startPurchase,
  type WalletBuyer,
  type WalletPurchase,
  type WalletRefusal,
} from "../wallets/wallet-purchase.ts";
import type { WalletButtonsProps } from "../wallets/wallets.tsx";
import { appearance, confirmStripePayment, loadStripeScript } from "./payment.ts";

/** Longest wait for the price: a sheet must open within a second of the press. */
const priceTimeoutMs = 900;
/** How long a prefetched price may be used to open a sheet, which then requests the price for its first address anyway. */
const prefetchFreshMs = 5 * 60_000;

/** Stripe's Express Checkout Element. All prices in its sheet are the server's. */
export default function StripeWallets(props: WalletButtonsProps) {
  const frame = useRef<HTMLDivElement>(null);
  const currentProps = useRef(props);
  currentProps.current = props;
  const { publishableKey } = props.setup;
  const goodsKey = JSON.stringify(props.goods);
  const prefetch = useRef<{
    goodsKey: string;
    requestedAt: number;
    purchase: WalletPurchase;
    result: Promise<SheetResult>;
  }>(null);

  /** Requests the price in advance, because there is no time for it after the press. */
  const prefetchPrice = () => {
    const { goods } = currentProps.current;
    const goodsKey = JSON.stringify(goods);
    const lastPrefetch = prefetch.current;
    if (lastPrefetch?.goodsKey === goodsKey && Date.now() - lastPrefetch.requestedAt < prefetchFreshMs) {
      return lastPrefetch;
    }
    const purchase = startPurchase(goods);
    prefetch.current = { goodsKey, requestedAt: Date.now(), purchase, result: purchase.open() };
    return prefetch.current;
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: another quantity has another price
  useEffect(() => {
    if (currentProps.current.goods.items.length === 0) return;
    // Waits until the quantity has settled.
    const timer = setTimeout(prefetchPrice, 300);
    return () => clearTimeout(timer);
  }, [goodsKey]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the handlers read the other properties from `currentProps`
  useEffect(() => {
    let isUnmounted = false;
    let element: StripeExpressCheckoutElement | undefined;
    const showRefusal = (refusal: WalletRefusal) => currentProps.current.onProblem(refusal.message);

    const mount = async () => {
      const [stripe, estimate] = await Promise.all([
        loadStripeScript(publishableKey ?? ""),
        prefetchPrice().result,
      ]);
      if (isUnmounted) return;
      if (!stripe || !frame.current || !estimate.ok) return currentProps.current.onReady(false);
      const { businessName, countries } = currentProps.current.setup;
      const elements = stripe.elements({
        mode: "payment",
        amount: estimate.price.amount,
        currency: estimate.price.currency.toLowerCase(),
        appearance,
      });
      element = elements.create("expressCheckout", {
        buttonHeight: 52,
        // Outlined, because the page's only filled button is the shop's own.
        buttonTheme: { applePay: "white-outline", googlePay: "white", paypal: "white" },
        buttonType: { applePay: "plain", googlePay: "plain" },
        layout: { maxColumns: 2, maxRows: 1, overflow: "auto" },
        paymentMethods: { amazonPay: "never", klarna: "never" },
        business: { name: businessName },
        emailRequired: true,
        billingAddressRequired: true,
        shippingAddressRequired: true,
        allowedShippingCountries: countries,
        ...sheetDetails(estimate.price),
      });
      listen(stripe, elements, element);
      element.mount(frame.current);
    };

    const listen = (stripe: Stripe, elements: StripeElements, element: StripeExpressCheckoutElement) => {
      let purchase: WalletPurchase | null = null;
      let isPaying = false;

      element.on("ready", ({ availablePaymentMethods: methods }) => {
        if (!isUnmounted)
          currentProps.current.onReady(methods !== undefined && Object.values(methods).some(Boolean));
      });
      element.on("loaderror", () => !isUnmounted && currentProps.current.onReady(false));

      element.on("click", async (event) => {
        currentProps.current.onProblem(null);
        if (isPaying) return event.reject();
        const usedPrefetch = prefetchPrice();
        // Each sheet needs a new purchase.
        prefetch.current = null;
        const timeout = new Promise<null>((resolve) => setTimeout(() => resolve(null), priceTimeoutMs));
        const result = await Promise.race([usedPrefetch.result, timeout]);
        if (result === null) {
          // The response may have arrived by the next press.
          prefetch.current = usedPrefetch;
          event.reject();
          return currentProps.current.onProblem("The price took too long to load. Please try again.");
        }
        if (!result.ok) {
          event.reject();
          return showRefusal(result);
        }
        purchase = usedPrefetch.purchase;
        elements.update({ amount: result.price.amount });
        event.resolve(sheetDetails(result.price));
      });

      const respondWith = async (
        event: { resolve: (details: ReturnType<typeof sheetDetails>) => void; reject: () => void },
        pendingResponse: Promise<SheetResult> | undefined,
      ) => {
        const result = await pendingResponse;
        if (!result?.ok) {
          event.reject();
          if (result) showRefusal(result);
          return;
        }
        currentProps.current.onProblem(null);
        elements.update({ amount: result.price.amount });
        event.resolve(sheetDetails(result.price));
      };
      element.on("shippingaddresschange", (event) => {
        const { country, state } = event.address;
        return respondWith(event, purchase?.setDestination({ country, state }));
      });
      element.on("shippingratechange", (event) =>
        respondWith(event, purchase?.chooseRate(event.shippingRate.id)),
      );

      element.on("cancel", () => {
        purchase = null;
        prefetchPrice();
      });

      element.on("confirm", async (event) => {
        if (isPaying) return;
        isPaying = true;
        currentProps.current.onBusy(true);
        const outcome = await pay(event, { stripe, elements, purchase }).catch(() => ({
          kind: "failed" as const,
          message: processingFailure.message,
        }));
        isPaying = false;
        if (outcome.kind !== "failed") return currentProps.current.onPaid(outcome.intentId);
        currentProps.current.onBusy(false);
        currentProps.current.onProblem(outcome.message);
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
      const fail = (refusal: WalletRefusal) => {
        event.paymentFailed({ reason: sheetReasons[refusal.reason], message: refusal.message });
        return { kind: "failed" as const, message: refusal.message };
      };
      const buyer = walletBuyer(event);
      if (!purchase || !buyer) return fail({ ok: false, reason: "fail", message: incompleteMessage });
      const { error } = await elements.submit();
      if (error) return { kind: "failed", message: error.message ?? incompleteMessage };
      const placement = await purchase.place(buyer, event.shippingRate?.id ?? null);
      if (!placement.ok) return fail(placement);
      const { paymentIntentId: intentId, clientSecret, status, orderId } = placement.checkout;
      currentProps.current.onPlaced(orderId);
      // An earlier attempt, whose response was lost, has already paid.
      if (status === "succeeded" || status === "processing") return { kind: "paid", intentId };
      const outcome: PaymentOutcome = await confirmStripePayment(
        { stripe, elements, clientSecret },
        intentId,
      );
      if (outcome.kind === "paid" || outcome.kind === "processing") return { kind: outcome.kind, intentId };
      return { kind: "failed", message: "message" in outcome ? outcome.message : incompleteMessage };
    };

    mount().catch(() => !isUnmounted && currentProps.current.onReady(false));
    return () => {
      isUnmounted = true;
      element?.destroy();
    };
  }, [publishableKey]);

  return <div ref={frame} />;
}

const incompleteMessage =
  "Your wallet didn’t share everything we need for an order. Please pay by card at checkout.";

const sheetReasons = {
  fail: "fail",
  address: "invalid_shipping_address",
  unserviceable: "address_unserviceable",
} as const;

/** A price in Stripe's format. */
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

function walletBuyer({
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
