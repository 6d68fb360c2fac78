import { useEffect, useRef, useState } from "react";
import { useRevalidator } from "react-router";
import type { CheckoutStarted } from "../../../domain/checkout/checkout.ts";
import { taxedStates, taxWaitsForAddress } from "../../../domain/checkout/tax.ts";
import { useBrowserState } from "../../ui/browser/browser-state.ts";
import { waitForPointerRelease } from "../../ui/browser/pointer-release.ts";
import { type ApiProblem, type ApiResult, callApi } from "../api.ts";
import { lineProblem } from "../cart/cart-line.tsx";
import type { CartItem } from "../cart/cart-storage.ts";
import { useCart } from "../cart/cart-store.ts";
import { type CartPolicies, type CartTotals, cartTotals, pricedLines } from "../cart/cart-totals.ts";
import { type QuotedRates, usePageReturnCount, useQuote } from "../cart/use-cart-quote.ts";
import {
  type AddressField,
  type AddressForm,
  checkAddressForm,
  emptyAddressForm,
  isIncomplete,
  withCountry,
  zipCodeWarning,
} from "./address/address-form.ts";
import type { RefusedForm } from "./checkout-action.ts";
import { checkoutRequest, type FieldProblems, fieldProblems, type NoticeCause } from "./checkout-request.ts";
import { useDiscount } from "./discount.tsx";
import {
  codeToQuote,
  readStoredForm,
  readStoredOrder,
  storeForm,
  storeOrder,
  withTypedEntries,
} from "./stored-checkout.ts";
import { useLiveRates } from "./use-live-rates.ts";

/** Why the payment step cannot be opened. `attempt` differs each time, so that the notice is announced again. */
export type CheckoutNotice = { attempt: number; cause: NoticeCause };

/** An unpaid order as it was created; the cart may have changed in another tab since. */
export type OpenOrder = {
  checkout: CheckoutStarted;
  items: readonly CartItem[];
  form: AddressForm;
  optionName: string;
  discountCode: string | null;
};

/** State of the checkout form and of the order created from it. `refusedForm` is a form that was sent without JavaScript. */
export function useCheckout(
  policies: CartPolicies,
  serverItems: readonly CartItem[] | null,
  refusedForm: RefusedForm | undefined,
) {
  const { items: cartItems, ready, setAvailable } = useCart();
  const servedItems = refusedForm?.items ?? serverItems;
  const items = ready ? cartItems : (servedItems ?? []);
  const { revalidate } = useRevalidator();
  const quote = useQuote();
  const servedForm = refusedForm?.form ?? emptyAddressForm;
  const [form, setForm] = useBrowserState(servedForm, () => {
    const storedForm = refusedForm?.form ?? readStoredForm();
    const form = withTypedEntries(servedForm, storedForm);
    // Stores the entries that were typed before the scripts were loaded.
    if (JSON.stringify(form) !== JSON.stringify(storedForm)) storeForm(form);
    return form;
  });
  const [problems, setProblems] = useState<FieldProblems>(refusedForm?.problems ?? {});
  const [notice, setNotice] = useState<CheckoutNotice | null>(
    refusedForm?.cause ? { cause: refusedForm.cause, attempt: 0 } : null,
  );
  const [isStarting, setStarting] = useState(false);
  const [order, setOpenOrder] = useState<OpenOrder | null>(null);
  const attempts = useRef(0);
  const warnedZipCode = useRef<string | null>(null);
  // A ref, because state would be set too late for the second press of a double click.
  const isInFlight = useRef(false);

  const setOrder = (next: OpenOrder | null) => {
    setOpenOrder(next);
    storeOrder(next && { ...next, paymentIntentId: next.checkout.paymentIntentId });
  };

  const destination = {
    country: form.country,
    state: form.state.trim() || null,
    shippingOption: form.shippingOption || null,
  };
  const discount = useDiscount(
    (discountCode) => quoteOrder(discountCode),
    // The unpaid order has the old price.
    () => setOrder(null),
  );
  const appliedCode = discount.appliedDiscount?.code ?? null;
  /** Names of automatic discounts that this buyer cannot have. */
  const [refusedDiscounts, setRefusedDiscounts] = useState(refusedForm?.withoutDiscounts ?? []);
  const automaticDiscounts = policies.automatic?.filter(({ code }) => !refusedDiscounts.includes(code)) ?? [];
  const priceWith = (shipping: CartPolicies["shipping"]) =>
    cartTotals(
      { ...policies, shipping, automatic: automaticDiscounts },
      pricedLines(items),
      destination,
      discount.appliedDiscount,
    );
  const carrierRates = useLiveRates(policies.shipping, {
    items,
    isReady: ready,
    form,
    ownPrice: priceWith(policies.shipping),
  });
  const computedPricing = priceWith(carrierRates.shipping);
  const optionId = computedPricing.option?.id ?? null;
  // After a refused price, the server's totals for exactly this cart replace the computed ones.
  const cartKeyWith = (rates: QuotedRates | null) =>
    JSON.stringify([
      destination,
      items.map(({ product, quantity }) => [product.id, quantity]),
      appliedCode,
      rates?.rateQuoteId,
    ]);
  const cartKey = cartKeyWith(carrierRates.rates);
  const [serverPrices, setServerPrices] = useState<
    Pick<CartTotals, "totals" | "discount"> & { cartKey: string }
  >();
  const pricing =
    serverPrices?.cartKey === cartKey
      ? { ...computedPricing, totals: serverPrices.totals, discount: serverPrices.discount }
      : computedPricing;

  const showNotice = (cause: NoticeCause) => {
    attempts.current += 1;
    setNotice({ cause, attempt: attempts.current });
  };
  /** Keeps a notice that is already shown, so that it does not receive the focus again. */
  const showLineNotice = () =>
    setNotice((current) =>
      current?.cause.kind === "lines" ? current : { cause: { kind: "lines" }, attempt: ++attempts.current },
    );

  const pageReturnCount = usePageReturnCount();
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when checkout opens and when the shopper returns to it
  useEffect(() => {
    if (!ready || items.length === 0 || isStarting || window.location.hash === "#payment") return;
    const discountCode = codeToQuote();
    void (discountCode ? quoteOrder(discountCode) : quote(items)).then(async (response) => {
      await waitForPointerRelease();
      if ("totals" in response) {
        if (discountCode) discount.applyQuote(response, discountCode);
        if (response.isOutdated) return;
        if (!response.isAvailable) showLineNotice();
        else if (response.hasChanged) showNotice({ kind: "price_changed", refusedDiscount: null });
        return;
      }
      // The reason is shown before the shopper fills in the form.
      if (response.error === "unavailable") showNotice({ kind: "failed", problem: response });
    });
  }, [ready, pageReturnCount]);

  const fill = (entries: Partial<AddressForm>) => {
    const next = { ...withCountry(form, entries.country ?? form.country), ...entries };
    setForm(next);
    storeForm(next);
    // The unpaid order has the old entries.
    setOrder(null);
    // A buyer with another e-mail address may be allowed to use the refused discounts.
    if (entries.email !== undefined) {
      setRefusedDiscounts([]);
      setServerPrices(undefined);
    }
    setProblems(Object.fromEntries(Object.entries(problems).filter(([field]) => !(field in entries))));
  };
  const change = (field: AddressField, value: string) => fill({ [field]: value });

  /** Requests the price with the code and the carriers' rates together: which discount saves most depends on both. */
  const quoteOrder = async (discountCode: string | null, withoutDiscounts = refusedDiscounts) => {
    const response = await quote(items, {
      ...destination,
      shippingOption: optionId,
      discountCode,
      withoutDiscounts,
      ...(carrierRates.address && { shipping: carrierRates.address }),
    });
    if ("totals" in response) carrierRates.renew(response.liveRates);
    return response;
  };

  const createOrder = async (): Promise<ApiResult<CheckoutStarted>> => {
    const create = (rates: QuotedRates | null) =>
      callApi("POST /api/stripe/create-payment-intent", {
        body: checkoutRequest(form, items, { ...pricing, rateQuoteId: rates?.rateQuoteId }),
        timeoutMs: 30_000,
      });
    const response = await create(carrierRates.rates);
    if (carrierRates.rates === null || response.ok || response.problem.error !== "price_changed")
      return response;
    // A discount was refused, not the price.
    if (response.problem.refusedDiscounts) return response;
    // Carriers' prices are valid for half an hour. Shoppers who take longer see a notice only if the new total differs.
    const newQuote = await quoteOrder(appliedCode);
    const isSameTotal = "totals" in newQuote && newQuote.totals.total === pricing.totals.total;
    return isSameTotal ? create(newQuote.liveRates) : response;
  };

  const showProblem = async (problem: ApiProblem) => {
    const fields = fieldProblems(problem.fields);
    setProblems(fields);
    const { discountCode } = problem.fields;
    if (discountCode) discount.refuse(discountCode);
    if (Object.keys(fields).length > 0) {
      // The shipping settings may have changed since this page was opened.
      if (fields.shippingOption || fields.country) await revalidate();
      return showNotice({ kind: "fields", isIncomplete: isIncomplete(form) });
    }
    if (discountCode) return showNotice({ kind: "discount", problem: discountCode });
    if (problem.error === "price_changed") {
      const withoutDiscounts = problem.refusedDiscounts ?? [];
      setRefusedDiscounts(withoutDiscounts);
      const [response] = await Promise.all([quoteOrder(appliedCode, withoutDiscounts), revalidate()]);
      if (!("totals" in response)) return showNotice({ kind: "failed", problem });
      if (response.discountProblem !== null) discount.refuse(response.discountProblem);
      setServerPrices({
        cartKey: cartKeyWith(response.liveRates),
        totals: response.totals,
        discount: response.discount,
      });
      const name = withoutDiscounts.find((code) => code === pricing.discount?.code) ?? null;
      return showNotice({ kind: "price_changed", refusedDiscount: name });
    }
    if (problem.error === "out_of_stock") {
      setAvailable(new Map(Object.entries(problem.available).map(([id, units]) => [Number(id), units])));
      return showNotice({ kind: "lines" });
    }
    if (Object.keys(problem.fields).some((path) => path.startsWith("orderItems."))) {
      await quote(items);
      return showNotice({ kind: "lines" });
    }
    showNotice({ kind: "failed", problem });
  };

  /** Creates the order, or finds the unpaid one for the same cart; null if there is nothing to pay. */
  const submit = async (): Promise<CheckoutStarted | null> => {
    if (isInFlight.current) return null;
    // Checks again whether missing units are available, before the form is checked.
    if (items.some(lineProblem)) {
      isInFlight.current = true;
      const response = await quote(items);
      isInFlight.current = false;
      if ("totals" in response && !response.isAvailable && !response.isOutdated) {
        showNotice({ kind: "lines" });
        return null;
      }
    }
    const formProblems = checkAddressForm(form);
    setProblems(formProblems);
    if (Object.keys(formProblems).length > 0) {
      showNotice({ kind: "fields", isIncomplete: isIncomplete(form) });
      return null;
    }
    const warning = zipCodeWarning(form);
    if (warning !== null && warnedZipCode.current !== form.postalCode) {
      warnedZipCode.current = form.postalCode;
      setProblems({ postalCode: warning });
      showNotice({ kind: "fields", isIncomplete: false });
      return null;
    }
    setNotice(null);
    setStarting(true);
    isInFlight.current = true;
    const response = await createOrder();
    if (response.ok)
      setOrder({
        discountCode: pricing.discount?.code ?? null,
        checkout: response.body,
        items,
        form,
        optionName: pricing.option?.name ?? "",
      });
    else await showProblem(response.problem);
    isInFlight.current = false;
    setStarting(false);
    return response.ok ? response.body : null;
  };

  /** Opens the stored order and its payment again after a reload; null if there is nothing to pay. */
  const resume = async (): Promise<CheckoutStarted | null> => {
    const storedOrder = readStoredOrder();
    if (!storedOrder) return null;
    const { paymentIntentId: id, ...content } = storedOrder;
    const response = await callApi("GET /api/checkout/payments/:id", { params: { id } });
    if (!response.ok && response.problem.status !== 404) {
      showNotice({ kind: "failed", problem: response.problem });
      return null;
    }
    const checkout = response.ok ? response.body.data : null;
    if (checkout === null) {
      storeOrder(null);
      showNotice({ kind: "closed" });
      return null;
    }
    if (checkout.payment === "unpaid") setOrder({ ...content, checkout });
    return checkout;
  };

  return {
    items,
    /** Whether the cart has been loaded, so that its price is known. */
    hasPrices: ready || servedItems !== null,
    isReady: ready,
    resume,
    form,
    change,
    fill,
    problems,
    notice,
    isStarting,
    order,
    pricing,
    shippingNote: carrierRates.note,
    /** Whether the tax depends on a state that has not been chosen yet. */
    needsStateForTax:
      destination.state === null &&
      taxedStates(policies.tax, form.country).length > 0 &&
      taxWaitsForAddress(policies.tax, form.country),
    discount,
    refusedDiscounts,
    submit,
    forgetOrder: () => setOrder(null),
  };
}
