import type { TaxPolicy, TaxRate } from "./tax-schema.ts";

export type { TaxPolicy, TaxRate };

export const noTax: TaxPolicy = { mode: "none", rates: [] };

/** The rate of an address: its state's where there is one, else its country's, else none. */
export function taxRateFor(policy: TaxPolicy, country: string, state: string | null): TaxRate | null {
  if (policy.mode === "none") return null;
  const inCountry = policy.rates.filter((rate) => rate.country === country);
  return (
    inCountry.find((rate) => rate.state !== null && rate.state === state) ??
    inCountry.find((rate) => rate.state === null) ??
    null
  );
}
