import { useSyncExternalStore } from "react";
import { entryForCountry, homeCountry } from "../../../domain/shipping/served-countries.ts";
import { changeListeners } from "../../ui/browser/browser-state.ts";
import { readStored, store } from "../browser-storage.ts";

// Stored separately from the checkout form, which most pages do not load.
const key = "country";

let current = "";
const { notify, subscribe } = changeListeners();

/**
 * The shopper's country: the one that they chose or last started a checkout for, else that of the browser's language. The
 * shop may not ship there. On the server, whose pages are the same for everybody, it is the shop's own.
 */
export function useShopperCountry(): string {
  return useSyncExternalStore(subscribe, read, () => homeCountry);
}

/** The shopper's country if the shop ships there by these notes, else the shop's own. */
export function useServedCountry(notes: Parameters<typeof entryForCountry>[0]): string {
  const country = useShopperCountry();
  return entryForCountry(notes, country) ? country : homeCountry;
}

/** The country that the shopper chose; "" for none. */
export function storedCountry(): string {
  return readStored("local", key) ?? "";
}

export function storeCountry(country: string): void {
  store("local", key, country);
  current = country;
  notify();
}

function read(): string {
  if (!current) current = storedCountry() || guessCountry();
  return current;
}

/** "de" and "de-DE" mean Germany; "en" and "es-419" mean no particular country. */
function guessCountry(): string {
  try {
    const { region } = new Intl.Locale(navigator.language).maximize();
    // Without Kosovo (XK), which has no code in the standard, and countries the shop must not ship to (`sanctionedCountries`).
    if (region && /^(?!CU|IR|KP|SY|XK)\D+$/.test(region)) return region;
  } catch {}
  return homeCountry;
}
