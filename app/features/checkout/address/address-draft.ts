import { readStored, store, storeJson } from "../../browser-storage.ts";
import { keepCountry } from "../../shipping/known-country.ts";
import { type AddressForm, parseAddressForm } from "./address-form.ts";

const key = "checkout-form";

/** The entries of this browser tab, kept over reloads and going back; never anything of a card. */
export function readDraft(): AddressForm {
  return parseAddressForm(readStored("session", key) ?? null);
}

export function saveDraft(form: AddressForm): void {
  storeJson("session", key, form);
  keepCountry(form.country);
}

export function discardDraft(): void {
  store("session", key, null);
}
