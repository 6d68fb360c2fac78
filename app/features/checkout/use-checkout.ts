import { useEffect, useRef, useState } from "react";
import { useRevalidator } from "react-router";
import type { CheckoutStarted } from "../../../domain/checkout/checkout.ts";
import { taxedStates, taxWaitsForAddress } from "../../../domain/checkout/tax.ts";
import type { Totals } from "../../../domain/checkout/totals.ts";
import { useBrowserState } from "../../ui/browser-state.ts";
import { pressOver } from "../../ui/press-over.ts";
import { useReturn } from "../../ui/use-return.ts";
import { type ApiProblem, callApi } from "../api.ts";
import type { CartItem } from "../cart/cart-storage.ts";
import { useCart } from "../cart/cart-store.ts";
import { type CartPolicies, cartTotals, pricedLines } from "../cart/cart-totals.ts";
import { lineProblem } from "../cart/line-problem.ts";
import { readDraft, saveDraft, typedBefore } from "./address/address-draft.ts";
import {
  type AddressField,
  type AddressForm,
  checkAddressForm,
  emptyAddressForm,
  isIncomplete,
  withCountry,
  zipDoubt,
} from "./address/address-form.ts";
import type { ReturnedForm } from "./checkout-action.ts";
import { checkoutRequest } from "./checkout-request.ts";
import { useDiscount } from "./discount/use-discount.ts";
import { keepOrder, readKeptOrder } from "./open-order.ts";
import { type FieldProblems, fieldProblems, type NoticeCause } from "./refusals.ts";
import { useQuote } from "./use-quote.ts";

/** What stands between the shopper and the payment step. `attempt` is new each time, so that it is announced again. */
export type CheckoutNotice = { attempt: number; cause: NoticeCause };

/** An order that waits for its payment, as it was made: the cart may have changed in another tab since. */
export type OpenOrder = {
  started: CheckoutStarted;
  items: readonly CartItem[];
  form: AddressForm;
  optionName: string;
  discountCode: string | null;
};

/** The first step's form, and turning it into an order. `returned` is the form as it was sent without JavaScript. */
export function useCheckout(
  policies: CartPolicies,
  kept: readonly CartItem[] | null,
  returned: ReturnedForm | undefined,
) {
  const { items: cartItems, ready, setAvailable } = useCart();
  const served = returned?.items ?? kept;
  const items = ready ? cartItems : (served ?? []);
  const { revalidate } = useRevalidator();
  const quote = useQuote();
  const servedForm = returned?.form ?? emptyAddressForm;
  const [form, setForm] = useBrowserState(servedForm, () => {
    const draft = returned?.form ?? readDraft();
    const typed = typedBefore(servedForm, draft);
    // What was typed before the scripts came has to outlast this page, too.
    if (JSON.stringify(typed) !== JSON.stringify(draft)) saveDraft(typed);
    return typed;
  });
  const [problems, setProblems] = useState<FieldProblems>(returned?.problems ?? {});
  const [notice, setNotice] = useState<CheckoutNotice | null>(
    returned?.cause ? { cause: returned.cause, attempt: 0 } : null,
  );
  const [isStarting, setStarting] = useState(false);
  const [order, setOpenOrder] = useState<OpenOrder | null>(null);
  const attempts = useRef(0);
  const askedAboutZip = useRef<string | null>(null);
  // State comes a render too late for the second press of a double click.
  const isInFlight = useRef(false);

  const setOrder = (next: OpenOrder | null) => {
    setOpenOrder(next);
    keepOrder(next && { ...next, paymentIntentId: next.started.paymentIntentId });
  };

  const destination = {
    country: form.country,
    state: form.state.trim() || null,
    shippingOption: form.shippingOption || null,
  };
  const discount = useDiscount(
    (discountCode) => quote(items, { ...destination, shippingOption: optionId, discountCode }),
    // The open order has the old price.
    () => setOrder(null),
  );
  const computed = cartTotals(policies, pricedLines(items), destination, discount.applied);
  const optionId = computed.option?.id ?? null;
  // What the server said of this very cart counts over our own sum: insisting on ours would be refused for ever.
  const subject = JSON.stringify([
    destination,
    items.map(({ product, quantity }) => [product.id, quantity]),
    discount.applied?.code,
  ]);
  const [quoted, setQuoted] = useState<{ subject: string; totals: Totals } | null>(null);
  const priced = quoted?.subject === subject ? { ...computed, totals: quoted.totals } : computed;

  const tell = (cause: NoticeCause) => {
    attempts.current += 1;
    setNotice({ cause, attempt: attempts.current });
  };
  /** Whoever comes back to a notice that is there already keeps their place. */
  const tellLines = () =>
    setNotice((now) =>
      now?.cause.kind === "lines" ? now : { cause: { kind: "lines" }, attempt: ++attempts.current },
    );

  const returns = useReturn();
  // biome-ignore lint/correctness/useExhaustiveDependencies: as checkout opens, and when the shopper comes back to it
  useEffect(() => {
    if (!ready || items.length === 0 || isInFlight.current || window.location.hash === "#payment") return;
    const discountCode = discount.applied?.code ?? null;
    void quote(items, discountCode ? { ...destination, shippingOption: optionId, discountCode } : {}).then(
      async (answer) => {
        await pressOver();
        if ("totals" in answer) {
          if (discountCode) discount.follow(answer);
          if (!answer.isAvailable) tellLines();
          else if (answer.hasChanged) tell({ kind: "price_changed" });
          return;
        }
        // Better told now than after the whole form.
        if (answer.error === "unavailable") tell({ kind: "failed", problem: answer });
      },
    );
  }, [ready, returns]);

  const fill = (entries: Partial<AddressForm>) => {
    const next = { ...withCountry(form, entries.country ?? form.country), ...entries };
    setForm(next);
    saveDraft(next);
    // The open order has the old address: it must not be paid for the new one.
    setOrder(null);
    setProblems(Object.fromEntries(Object.entries(problems).filter(([field]) => !(field in entries))));
  };
  const change = (field: AddressField, value: string) => fill({ [field]: value });

  const refused = async (problem: ApiProblem) => {
    const fields = fieldProblems(problem.fields);
    setProblems(fields);
    const { discountCode } = problem.fields;
    if (discountCode) discount.refuse(discountCode);
    if (Object.keys(fields).length > 0) {
      // The shop may have changed where and how it ships since this page was opened.
      if (fields.shippingOption || fields.country) await revalidate();
      return tell({ kind: "fields", isIncomplete: isIncomplete(form) });
    }
    if (discountCode) return tell({ kind: "discount", problem: discountCode });
    if (problem.error === "price_changed") {
      const option = {
        ...destination,
        shippingOption: optionId,
        discountCode: discount.applied?.code ?? null,
      };
      const [answer] = await Promise.all([quote(items, option), revalidate()]);
      if (!("totals" in answer)) return tell({ kind: "failed", problem });
      if (answer.discountProblem !== null) discount.refuse(answer.discountProblem);
      setQuoted({ subject, totals: answer.totals });
      return tell({ kind: "price_changed" });
    }
    if (problem.error === "out_of_stock") {
      setAvailable(new Map(Object.entries(problem.available).map(([id, left]) => [Number(id), left])));
      return tell({ kind: "lines" });
    }
    if (Object.keys(problem.fields).some((path) => path.startsWith("orderItems."))) {
      await quote(items);
      return tell({ kind: "lines" });
    }
    tell({ kind: "failed", problem });
  };

  /** Makes the order, or finds the one made before; null where there is none to be paid. */
  const submit = async (): Promise<CheckoutStarted | null> => {
    if (isInFlight.current) return null;
    // What was missing may be back by now; if not, nobody has to fill in the form first.
    if (items.some(lineProblem)) {
      isInFlight.current = true;
      const answer = await quote(items);
      isInFlight.current = false;
      if ("totals" in answer && !answer.isAvailable) {
        tell({ kind: "lines" });
        return null;
      }
    }
    const found = checkAddressForm(form);
    setProblems(found);
    if (Object.keys(found).length > 0) {
      tell({ kind: "fields", isIncomplete: isIncomplete(form) });
      return null;
    }
    const doubt = zipDoubt(form);
    if (doubt !== null && askedAboutZip.current !== form.postalCode) {
      askedAboutZip.current = form.postalCode;
      setProblems({ postalCode: doubt });
      tell({ kind: "fields", isIncomplete: false });
      return null;
    }
    setNotice(null);
    setStarting(true);
    isInFlight.current = true;
    const answer = await callApi("POST /api/stripe/create-payment-intent", {
      body: checkoutRequest(form, items, priced),
      timeoutMs: 30_000,
    });
    if (answer.ok)
      setOrder({
        discountCode: priced.discount?.code ?? null,
        started: answer.body,
        items,
        form,
        optionName: priced.option?.name ?? "",
      });
    else await refused(answer.problem);
    isInFlight.current = false;
    setStarting(false);
    return answer.ok ? answer.body : null;
  };

  /** After a reload: the kept order with its payment, opened again. Null where there is none to be paid. */
  const resume = async (): Promise<CheckoutStarted | null> => {
    const kept = readKeptOrder();
    if (!kept) return null;
    const { paymentIntentId: id, ...content } = kept;
    const answer = await callApi("GET /api/checkout/payments/:id", { params: { id } });
    if (!answer.ok && answer.problem.status !== 404) {
      tell({ kind: "failed", problem: answer.problem });
      return null;
    }
    const started = answer.ok ? answer.body.data : null;
    if (started === null) {
      keepOrder(null);
      tell({ kind: "closed" });
      return null;
    }
    if (started.payment === "unpaid") setOrder({ ...content, started });
    return started;
  };

  return {
    items,
    /** Whether the cart is known, and with it what it costs. */
    isPriced: ready || served !== null,
    isReady: ready,
    resume,
    form,
    change,
    fill,
    problems,
    notice,
    isStarting,
    order,
    priced,
    /** Whether tax comes on top, and how much is known only by the state, which is not chosen yet. */
    isStateAwaited:
      destination.state === null &&
      taxedStates(policies.tax, form.country).length > 0 &&
      taxWaitsForAddress(policies.tax, form.country),
    discount,
    submit,
    forgetOrder: () => setOrder(null),
  };
}
