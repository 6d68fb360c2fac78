import { data, redirect } from "react-router";
import { phoneDoubt } from "../../../domain/address/phone-rules.ts";
import type { Cart } from "../../../domain/cart/cart.ts";
import { countryInSentence } from "../../../domain/shared/country.ts";
import type { PageApi } from "../../shop-context.ts";
import type { ApiProblem } from "../api.ts";
import { type CartItem, type CartProduct, toCartProduct } from "../cart/cart-storage.ts";
import { formEntries } from "../form-entries.ts";
import {
  type AddressForm,
  checkAddressForm,
  isIncomplete,
  readAddressForm,
  zipDoubt,
} from "./address/address-form.ts";
import { checkoutRequest } from "./checkout-request.ts";
import { type FieldProblems, fieldProblems, type NoticeCause } from "./refusals.ts";

/** A form that was sent without JavaScript and comes back: what was typed, and what is wrong with it. */
export type ReturnedForm = {
  form: AddressForm;
  problems: FieldProblems;
  cause: NoticeCause | null;
  items: CartItem[];
  discountCode: string;
};

/**
 * Takes the address form without JavaScript: the server's cart becomes an order, and the provider's own page takes the
 * payment. Whatever is wrong comes back with the form, which then has the fields of the country that was chosen.
 */
export async function orderByForm(
  request: Request,
  api: PageApi,
  products: () => Promise<readonly CartProduct[]>,
) {
  const entry = await formEntries(request);
  const form = readAddressForm(entry);
  const discountCode = entry("discountCode").trim();
  const cart = await api.call("GET /api/cart");
  const items = cart.ok ? cartItemsOf(cart.body, await products()) : [];
  const back = (cause: NoticeCause | null, problems: FieldProblems = {}, status = 422) => {
    // A code that is of no use is not sent again.
    const code = cause?.kind === "discount" ? "" : discountCode;
    return data<ReturnedForm>({ form, problems, cause, items, discountCode: code }, { status });
  };

  const found = checkAddressForm(form);
  if (Object.keys(found).length > 0) return back({ kind: "fields", isIncomplete: isIncomplete(form) }, found);
  const doubt = phoneDoubt(form.phone, form.country);
  // Asked about once: the same number again is taken.
  if (doubt !== null && entry("askedAbout") !== form.phone) {
    const sentence = `${doubt} If it is right, press Continue to Payment again.`;
    return back({ kind: "fields", isIncomplete: false }, { phone: sentence });
  }
  const doubtedZip = zipDoubt(form);
  if (doubtedZip !== null && entry("askedAboutZip") !== form.postalCode) {
    return back({ kind: "fields", isIncomplete: false }, { postalCode: doubtedZip });
  }
  if (!cart.ok) return back(...failed(cart.problem));
  if (items.length === 0) return redirect("/cart", 303);

  const quote = await api.call("POST /api/cart/quote", {
    body: {
      items: items.map(({ product, quantity }) => ({ productId: product.id, quantity })),
      country: form.country,
      state: form.state || null,
      shippingOption: form.shippingOption || null,
      discountCode: discountCode || null,
    },
  });
  // What was chosen belongs to the country that the form showed before.
  if (!quote.ok && quote.problem.fields.shippingOption) {
    form.shippingOption = "";
    const sentence = `Choose how to ship to ${countryInSentence(form.country)}`;
    return back({ kind: "fields", isIncomplete: false }, { shippingOption: sentence });
  }
  if (!quote.ok) return back(...failed(quote.problem));
  const { totals, discount, discountProblem, shippingOptions, shippingOption } = quote.body.data;
  const option = shippingOptions.find(({ id }) => id === shippingOption) ?? null;
  if (discountProblem !== null) return back({ kind: "discount", problem: discountProblem });
  const answer = await api.call("POST /api/stripe/create-checkout-session", {
    body: checkoutRequest(form, items, { totals, option, discount }),
  });
  if (answer.ok && answer.body.data.url !== null) return redirect(answer.body.data.url, 303);
  const problem = answer.ok ? unavailable : answer.problem;
  const problems = fieldProblems(problem.fields);
  if (Object.keys(problems).length > 0) return back({ kind: "fields", isIncomplete: false }, problems);
  return back(...failed(problem));
}

/** The server's cart as the browser would keep it. */
export function cartItemsOf({ items }: Pick<Cart, "items">, products: readonly CartProduct[]): CartItem[] {
  return items.flatMap(({ productId, quantity }) => {
    const product = products.find(({ id }) => id === productId);
    return product ? [{ product: toCartProduct(product), quantity }] : [];
  });
}

const unavailable: ApiProblem = {
  status: 503,
  error: "provider_unavailable",
  message: "The payment page could not be opened. Please try again.",
  fields: {},
  available: {},
  retryAfterSeconds: null,
};

function failed(problem: ApiProblem): [NoticeCause, FieldProblems, number] {
  return [{ kind: "failed", problem }, {}, problem.status || 503];
}
