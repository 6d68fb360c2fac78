import { businessDays } from "../shared/business-days.ts";
import { formatCents, formatCentsShort } from "../shared/money.ts";
import { homeCountry } from "./served-countries.ts";
import type { ShippingOption, ShippingPolicy } from "./shipping-policy-schema.ts";

export type { ShippingOption, ShippingPolicy };
export { homeCountry };

/** The default of a new shop. */
export const defaultShippingPolicy: ShippingPolicy = {
  zones: [
    {
      id: "us",
      countries: ["US"],
      options: [
        { id: "us-standard", name: "Standard", price: 595, freeFrom: 5000, days: [3, 5] },
        { id: "us-expedited", name: "Expedited", price: 1495, freeFrom: null, days: [1, 2] },
      ],
    },
    {
      id: "international",
      countries: "*",
      options: [
        {
          id: "international-standard",
          name: "International Standard",
          price: 595,
          freeFrom: null,
          days: [7, 14],
        },
      ],
    },
  ],
};

/** Countries under comprehensive US sanctions: shipped to only if a zone names them. */
export const sanctionedCountries: readonly string[] = ["CU", "IR", "KP", "SY"];

/** Options for a country, in the owner's order; empty if the shop does not ship there. */
export function shippingOptionsFor(policy: ShippingPolicy, country: string): ShippingOption[] {
  return findZone(policy, country)?.options ?? [];
}

/** The zone of a country; undefined if the shop does not ship there. */
function findZone({ zones }: ShippingPolicy, country: string): ShippingPolicy["zones"][number] | undefined {
  return (
    zones.find(({ countries }) => countries !== "*" && countries.includes(country)) ??
    (sanctionedCountries.includes(country) ? undefined : zones.find(({ countries }) => countries === "*"))
  );
}

/** Carriers' prices in cents, by option id. */
export type LiveRates = Readonly<Record<string, number>>;

/** The policy with carriers' prices. An option is free from the same subtotal as before. */
export function withLiveRates(policy: ShippingPolicy, rates: LiveRates | null): ShippingPolicy {
  if (rates === null) return policy;
  const zones = policy.zones.map((zone) => ({
    ...zone,
    options: zone.options.map((option) => ({ ...option, price: rates[option.id] ?? option.price })),
  }));
  return { zones };
}

/** Options of a country whose prices come from carriers: none if its zone has no live rates. Free ones stay free. */
export function liveOptionsFor(policy: ShippingPolicy, country: string): ShippingOption[] {
  const zone = findZone(policy, country);
  return zone?.liveRates ? zone.options.filter(({ price }) => price > 0) : [];
}

/** Ids of options that are faster than another one of their zone; orders with them are packed first. */
export function expeditedOptionIds({ zones }: ShippingPolicy): string[] {
  return zones.flatMap(({ options }) => {
    const slowest = Math.max(...options.map(({ days: [, most] }) => most));
    return options.filter(({ days: [, most] }) => most < slowest).map(({ id }) => id);
  });
}

/** Price in cents for goods of `subtotalCents` (before discount). */
export function shippingPriceCents(option: ShippingOption, subtotalCents: number): number {
  return option.freeFrom !== null && subtotalCents >= option.freeFrom ? 0 : option.price;
}

/** The preselected option: the cheapest, in case of a tie the first. */
export function defaultShippingOption(
  policy: ShippingPolicy,
  country: string,
  subtotalCents: number,
): ShippingOption | null {
  return usualOption(shippingOptionsFor(policy, country), subtotalCents);
}

/** The cheapest option, in case of a tie the first. */
export function usualOption(
  options: readonly ShippingOption[],
  subtotalCents: number,
): ShippingOption | null {
  return options.reduce<ShippingOption | null>(
    (best, option) =>
      best === null || shippingPriceCents(option, subtotalCents) < shippingPriceCents(best, subtotalCents)
        ? option
        : best,
    null,
  );
}

/** Note on product pages: "Free shipping on orders over $50"; null if it is never free in the shop's own country. */
export function freeShippingNote(policy: ShippingPolicy): string | null {
  return freeShippingText(policy, shippingOptionsFor(policy, homeCountry));
}

export function freeShippingText(policy: ShippingPolicy, options: readonly ShippingOption[]): string | null {
  if (isEverythingFree(policy)) return "Free shipping on all orders!";
  const from = lowestFreeFrom(options);
  if (from === null) return null;
  return from === 0 ? "Free standard shipping" : `Free shipping on orders over ${formatCentsShort(from)}`;
}

/**
 * Cart note about the amount missing for free shipping; null if shipping to the country is never free. `isFree`: shipping is
 * free already, for example by a discount.
 */
export function freeShippingProgress(
  policy: ShippingPolicy,
  subtotalCents: number,
  country = homeCountry,
  isFree = false,
): { reached: boolean; missingCents: number; fromCents: number; text: string } | null {
  if (isEverythingFree(policy)) {
    return { reached: true, missingCents: 0, fromCents: 0, text: "Free shipping on all orders!" };
  }
  const fromCents = lowestFreeFrom(shippingOptionsFor(policy, country));
  if (fromCents === null) return null;
  const missingCents = isFree ? 0 : Math.max(0, fromCents - subtotalCents);
  return missingCents === 0
    ? { reached: true, missingCents, fromCents, text: "Free shipping on this order" }
    : {
        reached: false,
        missingCents,
        fromCents,
        text: `Add ${formatCents(missingCents)} more for free shipping`,
      };
}

/** "3-5 business days". */
export function deliveryDays({ days }: Pick<ShippingOption, "days">): string {
  return businessDays(days);
}

function isEverythingFree(policy: ShippingPolicy): boolean {
  return policy.zones.every(({ options }) => options.every((option) => shippingPriceCents(option, 0) === 0));
}

function lowestFreeFrom(options: readonly ShippingOption[]): number | null {
  const thresholds = options.flatMap((option) =>
    option.price === 0 ? [0] : option.freeFrom === null ? [] : [option.freeFrom],
  );
  return thresholds.length === 0 ? null : Math.min(...thresholds);
}
