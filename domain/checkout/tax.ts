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

/** Whether the tax of an order can only be told by its country. */
export function taxNeedsCountry(policy: TaxPolicy): boolean {
  return policy.mode === "table" && policy.rates.length > 0;
}

/** Whether what tax adds to prices in a country can be told only once the address is known. */
export function taxWaitsForAddress({ mode, rates }: TaxPolicy, country: string): boolean {
  if (mode === "none" || rates.every(({ included }) => included)) return false;
  const inCountry = rates.filter((rate) => rate.country === country);
  return inCountry.length === 0 || inCountry.some(({ included }) => !included);
}

/** Codes of the states of a country that have rates of their own; where there are any, its tax needs the state. */
export function taxedStates(policy: TaxPolicy, country: string): string[] {
  if (policy.mode === "none") return [];
  return policy.rates.flatMap(({ country: of, state }) => (of === country && state !== null ? [state] : []));
}
