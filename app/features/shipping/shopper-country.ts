import { useSyncExternalStore } from "react";
import { entryForCountry, homeCountry } from "../../../domain/shipping/served-countries.ts";
import { changeListeners } from "../../ui/browser/browser-state.ts";
import { readStored, store } from "../browser-storage.ts";

// Stored separately from the checkout form, which most pages do not load.
const key = "country";

let cachedCountry = "";
const { notify, subscribe } = changeListeners();

/**
 * The shopper's country: the country that they chose or last started a checkout for, otherwise the country of the
 * browser's language. The shop may not ship there. On the server, whose pages are the same for everybody, it is the
 * shop's own country.
 */
export function useShopperCountry(): string {
  return useSyncExternalStore(subscribe, currentCountry, () => homeCountry);
}

/** The shopper's country if, according to these notes, the shop ships there, otherwise the shop's own country. */
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
  cachedCountry = country;
  notify();
}

function currentCountry(): string {
  cachedCountry ||= storedCountry() || guessCountry();
  return cachedCountry;
}

/** "de" and "de-DE" mean Germany; "en" and "es-419" mean no particular country. */
function guessCountry(): string {
  try {
    const { region } = new Intl.Locale(navigator.language).maximize();
    // Not Kosovo (XK), which has no code in the standard, nor the countries to which the shop must not ship
    // (`sanctionedCountries`).
    if (region && /^(?!CU|IR|KP|SY|XK)\D+$/.test(region)) return region;
  } catch {}
  return homeCountry;
}
