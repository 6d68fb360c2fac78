// This file has no imports, because every page loads it.

/** Country assumed for prices shown before the shopper gave an address. */
export const homeCountry = "US";

/** Countries of an entry; `*` stands for all that no other entry names. */
type ForCountries = { countries: "*" | readonly string[] };

/** Notes about shipping that several countries share. */
export type CountryNote = ForCountries & {
  /** "Free shipping on orders over $50"; null if it is never free. */
  freeText: string | null;
  /** "Shipping from $5.95", for the default option. */
  priceText: string;
  /** " in the United States", for cached pages if `freeText` does not apply everywhere. */
  freePlaceText: string | null;
};

/**
 * The entry for a country; undefined if the shop does not ship there. Callers have to exclude sanctioned countries that no entry
 * names.
 */
export function entryForCountry<Note extends ForCountries>(
  notes: readonly Note[],
  country: string,
): Note | undefined {
  return (
    notes.find(({ countries }) => countries !== "*" && countries.includes(country)) ??
    notes.find(({ countries }) => countries === "*")
  );
}
