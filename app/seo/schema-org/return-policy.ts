import type { ShopSettings } from "../../../domain/settings/settings.ts";
import { countriesOf } from "./shipping-details.ts";
import type { Thing } from "./store.ts";

/** Limit of search engines. */
const countriesMax = 50;

/** schema.org terms by the payer of return shipping, if the owner has set one. */
const returnFees = {
  shop: "https://schema.org/FreeReturn",
  buyer: "https://schema.org/ReturnFeesCustomerResponsibility",
};

/** The return policy, which is the same everywhere, for the countries in the shipping settings. */
export function returnPolicy(publicUrl: string, { returns, returnShipping, shipping }: ShopSettings): Thing {
  const named = shipping.zones.flatMap(({ countries }) => (countries === "*" ? [] : countries));
  const countries = named.length > 0 ? named : shipping.zones.flatMap((zone) => countriesOf(shipping, zone));
  const common = {
    "@type": "MerchantReturnPolicy",
    applicableCountry: countries.slice(0, countriesMax),
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
