import { countryInSentence } from "../shared/country.ts";
import { formatCents } from "../shared/money.ts";
import {
  deliveryDays,
  type ShippingOption,
  type ShippingPolicy,
  sanctionedCountries,
  shippingOptionsFor,
  shippingPriceCents,
} from "./shipping-policy.ts";

/** A shipping option as a row of texts. */
export type DeliveryFact = {
  id: string;
  name: string;
  /** "the United States", "all other countries" */
  place: string;
  /** "3-5 business days" */
  days: string;
  /** "$5.95" or "Free"; "about $5.95" where checkout asks carriers for their prices. */
  price: string;
  /** The subtotal from which it is free: "$50.00". */
  freeFrom: string | null;
};

/** Every shipping option of the policy, in the owner's order. */
export function deliveryFacts({ zones }: ShippingPolicy): DeliveryFact[] {
  return zones.flatMap(({ countries, options, liveRates = false }) => {
    const place =
      countries === "*"
        ? zones.length === 1
          ? "every country"
          : "all other countries"
        : placeNames(countries);
    return options.map((option) => ({
      id: option.id,
      name: option.name,
      place,
      days: deliveryDays(option),
      ...prices(option, liveRates),
    }));
  });
}

/** "Standard shipping to the United States takes 3-5 business days.", one for each option. */
export function deliverySentences(policy: ShippingPolicy): string[] {
  return deliveryFacts(policy).map(
    ({ name, place, days }) => `${withShipping(name)} to ${place} takes ${days}.`,
  );
}

/** Sanctioned countries excluded from "all other countries"; none if all countries are named. */
export function excludedCountries(policy: ShippingPolicy): string[] {
  if (!policy.zones.some(({ countries }) => countries === "*")) return [];
  return sanctionedCountries.filter((country) => shippingOptionsFor(policy, country).length === 0);
}

/** "We don’t ship to Cuba, Iran, North Korea, or Syria."; null without exceptions. */
export function leftOutCountriesSentence(policy: ShippingPolicy): string | null {
  const names = excludedCountries(policy).map(countryInSentence);
  if (names.length === 0) return null;
  return `We don’t ship to ${new Intl.ListFormat("en", { type: "disjunction" }).format(names)}.`;
}

/** "Standard shipping"; a name that already ends with "shipping" or "delivery" is unchanged. */
function withShipping(name: string): string {
  return /\b(shipping|delivery)$/i.test(name) ? name : `${name} shipping`;
}

function prices(option: ShippingOption, isLive: boolean): Pick<DeliveryFact, "price" | "freeFrom"> {
  if (shippingPriceCents(option, 0) === 0) return { price: "Free", freeFrom: null };
  const freeFrom = option.freeFrom === null ? null : formatCents(option.freeFrom);
  return { price: `${isLive ? "about " : ""}${formatCents(option.price)}`, freeFrom };
}

/** Up to three countries by name; otherwise two names and a count. Checkout lists all. */
function placeNames(codes: readonly string[]): string {
  const names = codes.map(countryInSentence);
  if (names.length <= 3) return new Intl.ListFormat("en").format(names);
  return `${names.slice(0, 2).join(", ")} and ${names.length - 2} other countries`;
}
