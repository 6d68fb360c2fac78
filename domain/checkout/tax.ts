import type { TaxPolicy, TaxRate } from "./tax-schema.ts";

export type { TaxPolicy, TaxRate };

export const noTax: TaxPolicy = { mode: "none", rates: [] };

/** The rate for an address: the state's, otherwise the country's, otherwise none. */
export function taxRateFor(policy: TaxPolicy, country: string, state: string | null): TaxRate | null {
  if (policy.mode === "none") return null;
  const inCountry = policy.rates.filter((rate) => rate.country === country);
  return (
    inCountry.find((rate) => rate.state !== null && rate.state === state) ??
    inCountry.find((rate) => rate.state === null) ??
    null
  );
}

/** Whether no tax can be computed before the country is known. */
export function taxNeedsCountry(policy: TaxPolicy): boolean {
  return policy.mode === "table" && policy.rates.length > 0;
}

/** Whether the tax added in a country depends on the rest of the address. */
export function taxWaitsForAddress({ mode, rates }: TaxPolicy, country: string): boolean {
  if (mode === "none" || rates.every(({ included }) => included)) return false;
  const inCountry = rates.filter((rate) => rate.country === country);
  return inCountry.length === 0 || inCountry.some(({ included }) => !included);
}

/** Codes of a country's states with separate rates; if there are any, its tax depends on the state. */
export function taxedStates(policy: TaxPolicy, country: string): string[] {
  if (policy.mode === "none") return [];
  return policy.rates.flatMap((rate) =>
    rate.country === country && rate.state !== null ? [rate.state] : [],
  );
}
