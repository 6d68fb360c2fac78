import { type AppliedDiscount, discountKinds } from "../../../domain/discounts/discount.ts";
import type { Source } from "../../../domain/orders/source.ts";
import { homeCountry } from "../../../domain/shipping/shipping-policy.ts";
import { readStored, readStoredJson, sourceKey, store, storeJson } from "../browser-storage.ts";
import { type CartItem, parseCart, serializeCart } from "../cart/cart-storage.ts";
import { storeCountry, storedCountry } from "../shipping/shopper-country.ts";
import { storePlace } from "../shipping/stored-place.ts";
import { type AddressForm, addressFields, parseAddressForm, withCountry } from "./address/address-form.ts";
import { readSharedCode } from "./shared-code.ts";

/** Session storage keys of checkout, whose entries survive reloads and Back. Card details are never stored. */
export const checkoutKeys = {
  form: "checkout-form",
  order: "checkout-order",
  discount: "checkout-discount",
  reminder: "checkout-reminder",
};

export function readStoredForm(): AddressForm {
  const text = readStored("session", checkoutKeys.form) ?? null;
  const form = parseAddressForm(text);
  // A new form starts with the country that the shopper chose earlier.
  return text === null && storedCountry() ? withCountry(form, storedCountry()) : form;
}

/**
 * `storedForm` with the entries that the shopper typed, or the browser filled in, before the page's scripts were
 * loaded: the fields whose value differs from `servedForm`, the values with which the server rendered them.
 */
export function withTypedEntries(servedForm: AddressForm, storedForm: AddressForm): AddressForm {
  const form = { ...storedForm };
  for (const field of addressFields) {
    const control = document.getElementById(field);
    const isCheckbox = control instanceof HTMLInputElement && control.type === "checkbox";
    const hasValue =
      control instanceof HTMLInputElement ||
      control instanceof HTMLSelectElement ||
      control instanceof HTMLTextAreaElement;
    const value = isCheckbox && !control.checked ? "" : hasValue ? control.value : servedForm[field];
    if (value !== servedForm[field]) form[field] = value;
  }
  return withCountry(form, form.country);
}

export function storeForm(form: AddressForm): void {
  storeJson("session", checkoutKeys.form, form);
  const hasAddress = form.line1 !== "" || form.postalCode !== "";
  // Without an address, the country is only the form's default, not the shopper's choice.
  if (hasAddress || form.country !== homeCountry || storedCountry()) storeCountry(form.country);
  storePlace(hasAddress ? { country: form.country, state: form.state } : null);
}

/** Deletes the stored form, discount and reminder choice after a purchase. */
export function discardCheckout(): void {
  store("session", checkoutKeys.form, null);
  storePlace(null);
  storeDiscount(null);
  storeReminderChoice(false);
}

/** The unpaid order of this tab, without the payment's secret, which the server issues again. */
type StoredOrder = {
  paymentIntentId: string;
  items: readonly CartItem[];
  form: AddressForm;
  optionName: string;
  discountCode: string | null;
};

/** Stores the order, or deletes it (null). */
export function storeOrder(order: StoredOrder | null): void {
  if (!order) return void storeJson("session", checkoutKeys.order, null);
  const { paymentIntentId, items, form, optionName, discountCode } = order;
  storeJson("session", checkoutKeys.order, {
    paymentIntentId,
    optionName,
    discountCode,
    items: serializeCart(items),
    form: JSON.stringify(form),
  });
}

export function readStoredOrder(): StoredOrder | null {
  const entries = readStoredJson("session", checkoutKeys.order) as Partial<Record<string, unknown>> | null;
  const text = (name: string) => {
    const value = entries?.[name];
    return typeof value === "string" ? value : "";
  };
  if (text("paymentIntentId") === "") return null;
  return {
    paymentIntentId: text("paymentIntentId"),
    items: parseCart(text("items")).items,
    form: parseAddressForm(text("form")),
    optionName: text("optionName"),
    discountCode: text("discountCode") || null,
  };
}

/** The stored discount; the server validates it again with every quote. */
export function readStoredDiscount(): AppliedDiscount | null {
  const discount = readStoredJson("session", checkoutKeys.discount);
  return isDiscount(discount) ? discount : null;
}

/**
 * The discount code to send with a price request: the share link's, which is newer, or else the applied one; null for
 * none.
 */
export function codeToQuote(): string | null {
  return readSharedCode() ?? readStoredDiscount()?.code ?? null;
}

export function storeDiscount(discount: AppliedDiscount | null): void {
  storeJson("session", checkoutKeys.discount, discount);
}

function isDiscount(value: unknown): value is AppliedDiscount {
  if (typeof value !== "object" || value === null) return false;
  const { code, label, kind, value: amount, productIds = [] } = value as Record<string, unknown>;
  const hasTexts = typeof code === "string" && typeof label === "string";
  return (
    hasTexts &&
    Array.isArray(productIds) &&
    discountKinds.some((discountKind) => discountKind === kind) &&
    Number.isSafeInteger(amount)
  );
}

/** Whether the shopper has asked for the reminder; the checkbox is never checked by default. */
export function readReminderChoice(): boolean {
  return readStored("session", checkoutKeys.reminder) === "yes";
}

export function storeReminderChoice(isWanted: boolean): void {
  store("session", checkoutKeys.reminder, isWanted ? "yes" : null);
}

/** The field `source` of a checkout request: where this tab's visit came from. Omitted if that is unknown. */
export function sourceField(): { source?: Source } {
  const storedSource = readStored("session", sourceKey);
  if (!storedSource) return {};
  const { hostname, searchParams } = new URL(storedSource, location.origin);
  const [utmSource = null, utmMedium = null, utmCampaign = null] = ["source", "medium", "campaign"].map(
    // The server refuses requests with NUL.
    (name) => searchParams.get(`utm_${name}`)?.replaceAll("\0", ""),
  );
  return { source: { referrer: hostname, utmSource, utmMedium, utmCampaign } };
}
