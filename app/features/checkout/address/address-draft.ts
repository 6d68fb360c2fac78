import { homeCountry } from "../../../../domain/shipping/shipping-policy.ts";
import { readStored, store, storeJson } from "../../browser-storage.ts";
import { storeCountry, storedCountry } from "../../shipping/shopper-country.ts";
import { storePlace } from "../../shipping/stored-place.ts";
import { type AddressForm, addressFields, parseAddressForm, withCountry } from "./address-form.ts";

const key = "checkout-form";

/** The entries of this browser tab, kept over reloads and going back; never anything of a card. */
export function readDraft(): AddressForm {
  const kept = readStored("session", key) ?? null;
  const form = parseAddressForm(kept);
  // Whoever has named a country before need not do it again.
  return kept === null && storedCountry() ? withCountry(form, storedCountry()) : form;
}

/**
 * The entries as the page's fields have them by now: what was typed before its scripts came, or filled in by the browser,
 * goes before what was `kept`. `served` is what the fields came with.
 */
export function typedBefore(served: AddressForm, kept: AddressForm): AddressForm {
  const form = { ...kept };
  for (const field of addressFields) {
    const control = document.getElementById(field);
    const isBox = control instanceof HTMLInputElement && control.type === "checkbox";
    const isTyped =
      control instanceof HTMLInputElement ||
      control instanceof HTMLSelectElement ||
      control instanceof HTMLTextAreaElement;
    const value = isBox && !control.checked ? "" : isTyped ? control.value : served[field];
    if (value !== served[field]) form[field] = value;
  }
  return withCountry(form, form.country);
}

export function saveDraft(form: AddressForm): void {
  storeJson("session", key, form);
  const isTyped = form.line1 !== "" || form.postalCode !== "";
  // Until an address is typed, the form's first country is nobody's answer.
  if (isTyped || form.country !== homeCountry || storedCountry()) storeCountry(form.country);
  storePlace(isTyped ? { country: form.country, state: form.state } : null);
}

export function discardDraft(): void {
  store("session", key, null);
  storePlace(null);
}
