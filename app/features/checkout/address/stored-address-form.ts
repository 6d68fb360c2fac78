import { homeCountry } from "../../../../domain/shipping/shipping-policy.ts";
import { readStored, store, storeJson } from "../../browser-storage.ts";
import { storeCountry, storedCountry } from "../../shipping/shopper-country.ts";
import { storePlace } from "../../shipping/stored-place.ts";
import { type AddressForm, addressFields, parseAddressForm, withCountry } from "./address-form.ts";

const key = "checkout-form";

/** The entries of this browser tab, which survive reloads and Back. Card details are never stored. */
export function readStoredForm(): AddressForm {
  const text = readStored("session", key) ?? null;
  const form = parseAddressForm(text);
  // A new form starts with the country that the shopper chose before.
  return text === null && storedCountry() ? withCountry(form, storedCountry()) : form;
}

/**
 * The form after the page's scripts are loaded: entries typed or filled in by the browser before that replace those of
 * `stored`. `served` has the values with which the server rendered the fields.
 */
export function withTypedEntries(served: AddressForm, stored: AddressForm): AddressForm {
  const form = { ...stored };
  for (const field of addressFields) {
    const control = document.getElementById(field);
    const isBox = control instanceof HTMLInputElement && control.type === "checkbox";
    const hasValue =
      control instanceof HTMLInputElement ||
      control instanceof HTMLSelectElement ||
      control instanceof HTMLTextAreaElement;
    const value = isBox && !control.checked ? "" : hasValue ? control.value : served[field];
    if (value !== served[field]) form[field] = value;
  }
  return withCountry(form, form.country);
}

export function storeForm(form: AddressForm): void {
  storeJson("session", key, form);
  const isTyped = form.line1 !== "" || form.postalCode !== "";
  // Without an address, the home country is only the form's default and not the shopper's choice.
  if (isTyped || form.country !== homeCountry || storedCountry()) storeCountry(form.country);
  storePlace(isTyped ? { country: form.country, state: form.state } : null);
}

export function discardStoredForm(): void {
  store("session", key, null);
  storePlace(null);
}
