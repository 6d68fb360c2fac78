import * as v from "valibot";
import { paymentProviders } from "../payments/providers.ts";
import { countries } from "../shared/country.ts";
import { type ShippingPolicy, shippingOptionsFor } from "../shipping/shipping-policy.ts";

/** Answer of `GET /api/wallets`: what a page needs to offer Apple Pay and the like. */
export const walletSetupSchema = v.object({
  provider: v.picklist(paymentProviders),
  /** Null where the provider needs none. */
  publishableKey: v.nullable(v.string()),
  /** Whom the sheet says is paid. */
  businessName: v.string(),
  /** Codes of the countries that the sheet may offer to send to. */
  countries: v.array(v.string()),
});
export type WalletSetup = v.InferOutput<typeof walletSetupSchema>;

/** Where Stripe's own forms take no shipping address. */
const notTaken = new Set("AS CX CC CU HM IR KP MH FM NF MP PW SD SY UM VI".split(" "));

/** Codes of the countries that the shop ships to and a wallet takes addresses of. */
export function walletCountries(shipping: ShippingPolicy): string[] {
  return countries.flatMap(([code]) =>
    notTaken.has(code) || shippingOptionsFor(shipping, code).length === 0 ? [] : [code],
  );
}
