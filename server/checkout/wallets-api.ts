import { walletCountries, walletSetupSchema } from "../../domain/checkout/wallet.ts";
import { dataOf, ok, route } from "../api-row.ts";

/** Data that pages load before offering wallets. */
export const walletsApi = [
  route("GET /api/wallets", {
    tag: "Checkout and orders",
    summary: "What Apple Pay and other wallets need to be offered",
    access: "anyone",
    limit: "none",
    cache: ["settings", "connections"],
    response: dataOf(walletSetupSchema),
    answers: { 200: "The provider, its publishable key, and the countries to ship to" },
    handle: async (ctx) => {
      const { brandName, shipping } = await ctx.settings();
      const { name: provider, publishableKey } = ctx.provider;
      return ok({ provider, publishableKey, businessName: brandName, countries: walletCountries(shipping) });
    },
  }),
];
