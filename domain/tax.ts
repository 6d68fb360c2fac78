import * as v from "valibot";

export const taxRateSchema = v.object({
  country: v.pipe(v.string(), v.regex(/^[A-Z]{2}$/)),
  /** State or province code; null: the whole country. */
  state: v.nullable(v.pipe(v.string(), v.regex(/^[A-Z0-9]{1,3}$/))),
  percent: v.pipe(v.number(), v.minValue(0), v.maxValue(100)),
  onShipping: v.boolean(),
});

export const taxPolicySchema = v.object({
  mode: v.picklist(["none", "table"]),
  rates: v.pipe(v.array(taxRateSchema), v.maxLength(500)),
});

export type TaxRate = v.InferOutput<typeof taxRateSchema>;
export type TaxPolicy = v.InferOutput<typeof taxPolicySchema>;

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
