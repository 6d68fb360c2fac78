import { readStored, store } from "../browser-storage.ts";

// Apart from the address it was taken from: pages that read it do not know that form.
const key = "country";

/** The country that this tab's checkout was begun for; empty: none yet. */
export function knownCountry(): string {
  return readStored("session", key) ?? "";
}

export function keepCountry(country: string): void {
  store("session", key, country);
}
