// Without imports: every page loads it.

/** Country assumed for prices shown before the shopper gave an address. */
export const homeCountry = "US";

/** Countries that something holds for: `*` are all that no other entry names. */
type ForCountries = { countries: "*" | readonly string[] };

/** What is said of shipping in the countries that have it in common. */
export type CountryNote = ForCountries & {
  /** "Free shipping on orders over $50"; null: it is never free there. */
  free: string | null;
  /** "Shipping from $5.95", with the usual option. */
  from: string;
  /** " in the United States", where `free` does not hold everywhere and pages say it to those whose country they cannot know. */
  only: string | null;
};

/**
 * What holds for a country; undefined: nothing does, because the shop does not ship there. Sanctioned countries that no entry
 * names are for the caller to leave out.
 */
export function noteFor<Note extends ForCountries>(
  notes: readonly Note[],
  country: string,
): Note | undefined {
  return (
    notes.find(({ countries }) => countries !== "*" && countries.includes(country)) ??
    notes.find(({ countries }) => countries === "*")
  );
}
