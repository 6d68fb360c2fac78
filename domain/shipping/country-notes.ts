import { countryInSentence } from "../shared/country.ts";
import { formatCents } from "../shared/money.ts";
import { type CountryNote, homeCountry } from "./served-countries.ts";
import {
  freeShippingNote,
  freeShippingText,
  type ShippingPolicy,
  shippingOptionsFor,
  shippingPriceCents,
  usualOption,
} from "./shipping-policy.ts";

/** Shipping notes per zone for cached pages, the shop's own country first. */
export function countryNotes(policy: ShippingPolicy): CountryNote[] {
  const homeZone = { countries: [homeCountry], options: shippingOptionsFor(policy, homeCountry) };
  const isEverywhere = policy.zones.every(
    ({ options }) => freeShippingText(policy, options) === freeShippingNote(policy),
  );
  return [homeZone, ...policy.zones].flatMap(({ countries, options }) => {
    const option = usualOption(options, 0);
    if (option === null) return [];
    const freeText = freeShippingText(policy, options);
    const isHome = countries === homeZone.countries;
    return {
      countries,
      freeText,
      freePlaceText:
        isHome && freeText !== null && !isEverywhere ? ` in ${countryInSentence(homeCountry)}` : null,
      priceText: `Shipping from ${formatCents(shippingPriceCents(option, 0))}`,
    };
  });
}
