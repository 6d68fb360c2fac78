import * as v from "valibot";
import { paymentProviders } from "../payments/providers.ts";
import { countries } from "../shared/country.ts";
import { type ShippingPolicy, shippingOptionsFor } from "../shipping/shipping-policy.ts";

/** Response of `GET /api/wallets`: data needed to offer Apple Pay and other wallets. */
export const walletSetupSchema = v.object({
  provider: v.picklist(paymentProviders),
  /** Null if the provider needs none. */
  publishableKey: v.nullable(v.string()),
  /** The payee in the sheet. */
  businessName: v.string(),
  /** Codes of the countries that the sheet offers. */
  countries: v.array(v.string()),
});
export type WalletSetup = v.InferOutput<typeof walletSetupSchema>;

/** Countries for which Stripe's forms accept no shipping address. */
const withoutWalletAddress = new Set("AS CX CC CU HM IR KP MH FM NF MP PW SD SY UM VI".split(" "));

/** Codes of the countries that the shop ships to and for which wallets have addresses. */
export function walletCountries(shipping: ShippingPolicy): string[] {
  return countries.flatMap(([code]) =>
    withoutWalletAddress.has(code) || shippingOptionsFor(shipping, code).length === 0 ? [] : [code],
  );
}
