// Without imports: every page loads it.

/** Country assumed for prices shown before the shopper gave an address. */
export const homeCountry = "US";

/** Countries under comprehensive US sanctions: "all other countries" leaves them out, only a zone that names them ships there. */
export const sanctionedCountries: readonly string[] = ["CU", "IR", "KP", "SY"];

/** Countries that something holds for: `*` are all that no other entry names. */
type ForCountries = { countries: "*" | readonly string[] };

/** What is said of shipping in the countries that have it in common. */
export type CountryNote = ForCountries & {
  /** "Free shipping on orders over $50"; null: it is never free there. */
  free: string | null;
  /** "$5.95": of the usual option, for one small thing. */
  price: string;
  /** "in the United States", where `free` does not hold everywhere and pages say it to those whose country they cannot know. */
  only: string | null;
};

/** What holds for a country; undefined: nothing does, because the shop does not ship there. */
export function noteFor<Note extends ForCountries>(
  notes: readonly Note[],
  country: string,
): Note | undefined {
  return (
    notes.find(({ countries }) => countries !== "*" && countries.includes(country)) ??
    (sanctionedCountries.includes(country) ? undefined : notes.find(({ countries }) => countries === "*"))
  );
}
