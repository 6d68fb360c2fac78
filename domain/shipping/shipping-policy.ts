import { businessDays } from "../shared/business-days.ts";
import { formatCents, formatCentsShort } from "../shared/money.ts";
import { homeCountry } from "./served-countries.ts";
import type { ShippingOption, ShippingPolicy } from "./shipping-policy-schema.ts";

export type { ShippingOption, ShippingPolicy };
export { homeCountry };

/** What a new shop offers, until its owner sets something else. */
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

/** Countries under comprehensive US sanctions: "all other countries" leaves them out, only a zone that names them ships there. */
export const sanctionedCountries: readonly string[] = ["CU", "IR", "KP", "SY"];

/** Options offered for a country, in the owner's order; empty where the shop does not ship. */
export function shippingOptionsFor(policy: ShippingPolicy, country: string): ShippingOption[] {
  const zone =
    policy.zones.find(({ countries }) => countries !== "*" && countries.includes(country)) ??
    (sanctionedCountries.includes(country)
      ? undefined
      : policy.zones.find(({ countries }) => countries === "*"));
  return zone?.options ?? [];
}

/** What an option costs in cents for goods of `subtotalCents` (before discount). */
export function shippingPriceCents(option: ShippingOption, subtotalCents: number): number {
  return option.freeFrom !== null && subtotalCents >= option.freeFrom ? 0 : option.price;
}

/** The option taken when the shopper chose none: the cheapest, the owner's order breaking ties. */
export function defaultShippingOption(
  policy: ShippingPolicy,
  country: string,
  subtotalCents: number,
): ShippingOption | null {
  return usualOption(shippingOptionsFor(policy, country), subtotalCents);
}

/** The cheapest of some options, the first of them breaking ties. */
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

/** Standing note on product pages: "Free shipping on orders over $50", or null where nothing is ever free in a country. */
export function freeShippingNote(policy: ShippingPolicy, country = homeCountry): string | null {
  return freeNoteOf(policy, shippingOptionsFor(policy, country));
}

/** The same for the options of one zone. */
export function freeNoteOf(policy: ShippingPolicy, options: readonly ShippingOption[]): string | null {
  if (isEverythingFree(policy)) return "Free shipping on all orders!";
  const from = lowestFreeFrom(options);
  if (from === null) return null;
  return from === 0 ? "Free standard shipping" : `Free shipping on orders over ${formatCentsShort(from)}`;
}

/** Cart note: how far this subtotal is from free shipping to a country, or null where none is offered. */
export function freeShippingProgress(
  policy: ShippingPolicy,
  subtotalCents: number,
  country = homeCountry,
): { reached: boolean; missingCents: number; fromCents: number; text: string } | null {
  if (isEverythingFree(policy)) {
    return { reached: true, missingCents: 0, fromCents: 0, text: "Free shipping on all orders!" };
  }
  const fromCents = lowestFreeFrom(shippingOptionsFor(policy, country));
  if (fromCents === null) return null;
  const missingCents = Math.max(0, fromCents - subtotalCents);
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
