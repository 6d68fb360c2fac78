import { dispatchDays } from "../../../domain/settings/facts.ts";
import { countries as everyCountry } from "../../../domain/shared/country.ts";
import { centsToDollars } from "../../../domain/shared/money.ts";
import { leftOutCountries } from "../../../domain/shipping/delivery-facts.ts";
import { type ShippingPolicy, shippingPriceCents } from "../../../domain/shipping/shipping-policy.ts";
import type { Thing } from "./store.ts";

type Zone = ShippingPolicy["zones"][number];

const weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"].map(
  (day) => `https://schema.org/${day}`,
);

/** All shipping options for one unit of `goods`, with price and delivery time. */
export function shippingDetails(
  policy: ShippingPolicy,
  goods: { priceCents: number; currency: string },
): Thing[] {
  return policy.zones.flatMap((zone) =>
    zone.options.map((option) => ({
      "@type": "OfferShippingDetails",
      shippingLabel: option.name,
      shippingRate: {
        "@type": "MonetaryAmount",
        value: centsToDollars(shippingPriceCents(option, goods.priceCents)).toFixed(2),
        currency: goods.currency,
      },
      shippingDestination: { "@type": "DefinedRegion", addressCountry: countriesOf(policy, zone) },
      deliveryTime: {
        "@type": "ShippingDeliveryTime",
        handlingTime: daysBetween(dispatchDays),
        transitTime: daysBetween(option.days),
        businessDays: { "@type": "OpeningHoursSpecification", dayOfWeek: weekdays },
      },
    })),
  );
}

/** The zone's country codes; "*" is all countries that no other zone has and that are not excluded. */
export function countriesOf(policy: ShippingPolicy, zone: Zone): string[] {
  if (zone.countries !== "*") return zone.countries;
  const named = new Set(policy.zones.flatMap(({ countries }) => (countries === "*" ? [] : countries)));
  for (const country of leftOutCountries(policy)) named.add(country);
  return everyCountry.map(([code]) => code).filter((code) => !named.has(code));
}

function daysBetween([minValue, maxValue]: readonly [number, number]): Thing {
  return { "@type": "QuantitativeValue", minValue, maxValue, unitCode: "DAY" };
}
