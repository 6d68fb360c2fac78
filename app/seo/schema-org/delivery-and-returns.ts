import { dispatchDays } from "../../../domain/settings/facts.ts";
import type { ShopSettings } from "../../../domain/settings/settings.ts";
import { countries as everyCountry } from "../../../domain/shared/country.ts";
import { centsToDollars } from "../../../domain/shared/money.ts";
import { excludedCountries } from "../../../domain/shipping/delivery-facts.ts";
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
      shippingDestination: { "@type": "DefinedRegion", addressCountry: zoneCountries(policy, zone) },
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
function zoneCountries(policy: ShippingPolicy, zone: Zone): string[] {
  if (zone.countries !== "*") return zone.countries;
  const otherCountries = new Set(
    policy.zones.flatMap(({ countries }) => (countries === "*" ? [] : countries)),
  );
  for (const country of excludedCountries(policy)) otherCountries.add(country);
  return everyCountry.map(([code]) => code).filter((code) => !otherCountries.has(code));
}

function daysBetween([minValue, maxValue]: readonly [number, number]): Thing {
  return { "@type": "QuantitativeValue", minValue, maxValue, unitCode: "DAY" };
}

/** Search engines accept this many countries per return policy. */
const maxCountries = 50;

/** schema.org terms by the payer of return shipping, if the owner has set one. */
const returnFees = {
  shop: "https://schema.org/FreeReturn",
  buyer: "https://schema.org/ReturnFeesCustomerResponsibility",
};

/** The return policy, which is the same everywhere, for the countries in the shipping settings. */
export function returnPolicy(publicUrl: string, { returns, returnShipping, shipping }: ShopSettings): Thing {
  const listedCountries = shipping.zones.flatMap(({ countries }) => (countries === "*" ? [] : countries));
  const countries =
    listedCountries.length > 0
      ? listedCountries
      : shipping.zones.flatMap((zone) => zoneCountries(shipping, zone));
  const common = {
    "@type": "MerchantReturnPolicy",
    applicableCountry: countries.slice(0, maxCountries),
    merchantReturnLink: `${publicUrl}/returns-policy`,
  };
  return returns.days === 0
    ? { ...common, returnPolicyCategory: "https://schema.org/MerchantReturnNotPermitted" }
    : {
        ...common,
        returnPolicyCategory: "https://schema.org/MerchantReturnFiniteReturnWindow",
        merchantReturnDays: returns.days,
        returnMethod: "https://schema.org/ReturnByMail",
        refundType: "https://schema.org/FullRefund",
        ...(returnShipping !== null && { returnFees: returnFees[returnShipping] }),
      };
}
