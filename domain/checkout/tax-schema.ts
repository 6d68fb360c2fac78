import * as v from "valibot";
import { strictForm } from "../shared/strict-form.ts";

// Apart from what the cart computes with: shoppers’ browsers never parse a policy, and the schema library weighs more.

const taxRateSchema = strictForm({
  country: v.pipe(v.string("Must be text"), v.regex(/^[A-Z]{2}$/, "Must be a country’s code of two letters")),
  /** State or province code; null: the whole country. */
  state: v.nullable(
    v.pipe(
      v.string("Must be text"),
      v.regex(/^[A-Z0-9]{1,3}$/, "Must be a state’s code of up to three capitals or digits"),
    ),
  ),
  /** Three decimals at most, as `percentOf` computes with them. */
  percent: v.pipe(
    v.number("Must be a number"),
    v.minValue(0, "At least 0%"),
    v.maxValue(100, "At most 100%"),
    v.check((percent) => Number(percent.toFixed(3)) === percent, "At most three decimals"),
  ),
  onShipping: v.boolean("Must be true or false"),
});

export const taxPolicySchema = strictForm({
  mode: v.picklist(["none", "table"], "One of none, table"),
  rates: v.pipe(v.array(taxRateSchema, "Must be a list"), v.maxLength(500, "At most 500 rates")),
});

/** `included`: prices there include the tax, which is called so ("VAT"); see `withIncludedTax`. */
export type TaxRate = v.InferOutput<typeof taxRateSchema> & { included?: string };
export type TaxPolicy = Omit<v.InferOutput<typeof taxPolicySchema>, "rates"> & { rates: TaxRate[] };
