import { data, redirect } from "react-router";
import { phoneWarning } from "../../../domain/address/phone-rules.ts";
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
  zipCodeWarning,
} from "./address/address-form.ts";
import { checkoutRequest, type FieldProblems, fieldProblems, type NoticeCause } from "./checkout-request.ts";

/** A refused checkout form that was sent without JavaScript, with its problems. */
export type RefusedForm = {
  form: AddressForm;
  problems: FieldProblems;
  cause: NoticeCause | null;
  items: CartItem[];
  discountCode: string;
  /** Names of automatic discounts that this buyer cannot have. */
  withoutDiscounts: string[];
};

/**
 * Handles the address form without JavaScript: creates an order from the server's cart, and redirects to the provider's
 * payment page. If there is a problem, responds with the form, which then has the fields of the chosen country.
 */
export async function orderByForm(
  request: Request,
  api: PageApi,
  products: () => Promise<readonly CartProduct[]>,
) {
  const entry = await formEntries(request);
  const form = readAddressForm(entry);
  const discountCode = entry("discountCode").trim();
  let withoutDiscounts = entry.all("withoutDiscounts");
  const cart = await api.call("GET /api/cart");
  const items = cart.ok ? toCartItems(cart.body, await products()) : [];
  const formResult = (cause: NoticeCause | null, problems: FieldProblems = {}, status = 422) => {
    // A refused code is removed from the form.
    const code = cause?.kind === "discount" ? "" : discountCode;
    const refusedForm = { form, problems, cause, items, discountCode: code, withoutDiscounts };
    return data<RefusedForm>(refusedForm, { status });
  };

  const problems = checkAddressForm(form);
  if (Object.keys(problems).length > 0) {
    return formResult({ kind: "fields", isIncomplete: isIncomplete(form) }, problems);
  }
  const warning = phoneWarning(form.phone, form.country);
  // Only a warning: the same entry is accepted when it is sent again.
  if (warning !== null && entry("askedAbout") !== form.phone) {
    const sentence = `${warning} If it is right, press Continue to Payment again.`;
    return formResult({ kind: "fields", isIncomplete: false }, { phone: sentence });
  }
  const zipWarning = zipCodeWarning(form);
  if (zipWarning !== null && entry("askedAboutZip") !== form.postalCode) {
    return formResult({ kind: "fields", isIncomplete: false }, { postalCode: zipWarning });
  }
  if (!cart.ok) return formResult(...failureResult(cart.problem));
  if (items.length === 0) return redirect("/cart", 303);

  const quote = await api.call("POST /api/cart/quote", {
    body: {
      items: items.map(({ product, quantity }) => ({ productId: product.id, quantity })),
      country: form.country,
      state: form.state || null,
      shippingOption: form.shippingOption || null,
      discountCode: discountCode || null,
      withoutDiscounts,
    },
  });
  // The chosen option belongs to the country of the previous form.
  if (!quote.ok && quote.problem.fields.shippingOption) {
    form.shippingOption = "";
    const sentence = `Choose how to ship to ${countryInSentence(form.country)}`;
    return formResult({ kind: "fields", isIncomplete: false }, { shippingOption: sentence });
  }
  if (!quote.ok) return formResult(...failureResult(quote.problem));
  const { totals, discount, discountProblem, shippingOptions, shippingOption } = quote.body.data;
  const option = shippingOptions.find(({ id }) => id === shippingOption) ?? null;
  if (discountProblem !== null) return formResult({ kind: "discount", problem: discountProblem });
  const response = await api.call("POST /api/stripe/create-checkout-session", {
    body: checkoutRequest(form, items, { totals, option, discount }),
  });
  if (response.ok && response.body.data.url !== null) return redirect(response.body.data.url, 303);
  const problem = response.ok ? unavailableProblem : response.problem;
  // Whether a discount applies depends on the address.
  if (problem.fields.discountCode) {
    return formResult({ kind: "discount", problem: problem.fields.discountCode });
  }
  if (problem.error === "price_changed") {
    withoutDiscounts = problem.refusedDiscounts ?? [];
    const refusedDiscount = withoutDiscounts.find((name) => name === discount?.code) ?? null;
    return formResult({ kind: "price_changed", refusedDiscount }, {}, problem.status);
  }
  const refusedFields = fieldProblems(problem.fields);
  if (Object.keys(refusedFields).length > 0) {
    return formResult({ kind: "fields", isIncomplete: false }, refusedFields);
  }
  return formResult(...failureResult(problem));
}

/** Converts the server's cart to the items that the browser stores. */
export function toCartItems({ items }: Pick<Cart, "items">, products: readonly CartProduct[]): CartItem[] {
  return items.flatMap(({ productId, quantity }) => {
    const product = products.find(({ id }) => id === productId);
    return product ? [{ product: toCartProduct(product), quantity }] : [];
  });
}

const unavailableProblem: ApiProblem = {
  status: 503,
  error: "provider_unavailable",
  message: "The payment page could not be opened. Please try again.",
  fields: {},
  available: {},
  retryAfterSeconds: null,
};

function failureResult(problem: ApiProblem): [NoticeCause, FieldProblems, number] {
  return [{ kind: "failed", problem }, {}, problem.status || 503];
}
