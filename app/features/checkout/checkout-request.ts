import { type AddressPart, addressFormat, missingParts } from "../../../domain/address/address-format.ts";
import { joinAddress, type ShippingAddress } from "../../../domain/orders/order.ts";
import { countryName } from "../../../domain/shared/country.ts";
import type { ApiProblem } from "../api.ts";
import type { CartItem } from "../cart/cart-storage.ts";
import type { CartTotals } from "../cart/cart-totals.ts";
import { type AddressField, type AddressForm, fieldForPath, zipCodeWarning } from "./address/address-form.ts";
import { sourceField } from "./stored-checkout.ts";

/** The body of `create-payment-intent` for this form and cart. */
export function checkoutRequest(
  form: AddressForm,
  items: readonly CartItem[],
  {
    totals,
    option,
    discount,
    rateQuoteId,
  }: Pick<CartTotals, "totals" | "discount"> & {
    option: { id: string } | null;
    /** Id of the displayed carriers' prices; missing if the shop's own prices are displayed. */
    rateQuoteId?: string | undefined;
  },
) {
  const shipping = toShippingAddress(form);
  return {
    amount: totals.total,
    orderItems: items.map(({ product, quantity }) => ({
      productId: product.id,
      quantity,
      price: product.price,
    })),
    metadata: {
      email: form.email.trim(),
      customerName: customerName(form),
      phone: form.phone.trim(),
      shippingAddress: addressLine(form),
      country: shipping.country,
    },
    shipping,
    shippingOption: option?.id ?? null,
    discountCode: (!discount?.automatic && discount?.code) || null,
    // `gift` is omitted if there is none: the server recognizes a repeated call by an equal body.
    ...sourceField(),
    ...(rateQuoteId !== undefined && { rateQuoteId }),
    ...(form.gift && { gift: { from: form.giftFrom, note: form.giftNote } }),
  };
}

function customerName({ firstName, lastName }: AddressForm): string {
  return `${firstName.trim()} ${lastName.trim()}`;
}

function addressLine(form: AddressForm): string {
  return joinAddress(toShippingAddress(form), countryName(form.country) ?? form.country);
}

/** The address, once it is complete enough to price its shipping; null until then. */
export function completeAddress(form: AddressForm): ShippingAddress | null {
  const shipping = toShippingAddress(form);
  const isComplete = missingParts(form.country, shipping).length === 0 && zipCodeWarning(form) === null;
  return isComplete ? shipping : null;
}

/** The shipping address, without entries typed for another country in fields that this country does not have. */
function toShippingAddress(form: AddressForm): ShippingAddress {
  const { parts } = addressFormat(form.country);
  const part = (name: AddressPart) => (parts.includes(name) ? form[name].trim() : "");
  return {
    line1: part("line1"),
    line2: part("line2") || null,
    city: part("city"),
    state: part("state"),
    postalCode: part("postalCode"),
    country: form.country,
  };
}

/** The entries of step 1, for display in step 2. */
export function recapRows({ form, optionName }: { form: AddressForm; optionName: string }) {
  const gift = giftText(form);
  return [
    { name: "Contact", value: form.email, field: "email" },
    { name: "Ship to", value: `${customerName(form)}, ${addressLine(form)}`, field: "line1" },
    { name: "Shipping", value: optionName, field: "shippingOption" },
    ...(gift === null ? [] : [{ name: "Gift", value: gift, field: "gift" } as const]),
  ] as const;
}

/** Sender and note of a gift; null if the order is not a gift. */
export function giftText({ gift, giftFrom, giftNote }: AddressForm): string | null {
  if (gift === "") return null;
  const from = giftFrom.trim() && `From ${giftFrom.trim()}`;
  return [from, giftNote.trim()].filter(Boolean).join(": ") || "No note";
}

export type FieldProblems = Partial<Record<AddressField, string>>;

/** Why checkout cannot continue. `closed`: the unpaid order has been closed. */
export type NoticeCause =
  | { kind: "fields"; isIncomplete: boolean }
  /** `refusedDiscount`: name of the automatic discount that this buyer cannot have. */
  | { kind: "price_changed"; refusedDiscount: string | null }
  | { kind: "lines" }
  | { kind: "closed" }
  | { kind: "discount"; problem: string }
  | { kind: "failed"; problem: ApiProblem };

/** Assigns the server's error messages, by path in the request's body, to the form's fields. */
export function fieldProblems(messages: Record<string, string>): FieldProblems {
  const problems: FieldProblems = {};
  for (const [path, sentence] of Object.entries(messages)) {
    const field = fieldForPath(path);
    if (field) problems[field] = sentence;
  }
  return problems;
}
