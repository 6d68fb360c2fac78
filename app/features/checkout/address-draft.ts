import { type AddressForm, parseAddressForm } from "./address-form.ts";

const key = "checkout-form";

/** The entries of this browser tab, kept over reloads and going back; never anything of a card. */
export function readDraft(): AddressForm {
  try {
    return parseAddressForm(sessionStorage.getItem(key));
  } catch {
    return parseAddressForm(null);
  }
}

export function keepDraft(form: AddressForm): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(form));
  } catch {
    // Full or forbidden storage: the entries last as long as the page.
  }
}

export function dropDraft(): void {
  try {
    sessionStorage.removeItem(key);
  } catch {
    // Then nothing was kept either.
  }
}
