import { useSyncExternalStore } from "react";
import { homeCountry, noteFor } from "../../../domain/shipping/served-countries.ts";
import { readStored, store } from "../browser-storage.ts";

// Apart from the address it was taken from: pages that read it do not know that form.
const key = "country";

let current = "";
const listeners = new Set<() => void>();

/**
 * The country that this shopper's parcels go to, as far as anybody knows: the one that they chose or last began a checkout
 * for, else the one that the browser's language speaks of. The shop's own on the server, whose pages are the same for
 * everybody. The shop need not ship there.
 */
export function useShopperCountry(): string {
  return useSyncExternalStore(subscribe, read, () => homeCountry);
}

/** The same, or else the shop's own country where the shop does not ship there by these notes. */
export function useServedCountry(notes: Parameters<typeof noteFor>[0]): string {
  const country = useShopperCountry();
  return noteFor(notes, country) ? country : homeCountry;
}

/** The country that the shopper named; empty: none yet. */
export function knownCountry(): string {
  return readStored("local", key) ?? "";
}

export function keepCountry(country: string): void {
  store("local", key, country);
  current = country;
  for (const listener of listeners) listener();
}

function read(): string {
  if (!current) current = knownCountry() || guessCountry();
  return current;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** "de" and "de-DE" speak of Germany, "en" and "es-419" of no country that is known to be meant. */
function guessCountry(): string {
  try {
    const { region } = new Intl.Locale(navigator.language).maximize();
    // Not Kosovo, which the standard's list of codes leaves out, nor where the shop may not ship (`sanctionedCountries`).
    if (region && /^(?!CU|IR|KP|SY|XK)\D+$/.test(region)) return region;
  } catch {}
  return homeCountry;
}
