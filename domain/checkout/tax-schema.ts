import * as v from "valibot";
import { strictForm } from "../shared/strict-form.ts";

// Separate from tax.ts, so that shoppers' browsers do not load the schema library for it.

const taxRateSchema = strictForm({
  country: v.pipe(v.string("Must be text"), v.regex(/^[A-Z]{2}$/, "Must be a two-letter country code")),
  /** State or province code; null for the whole country. */
  state: v.nullable(
    v.pipe(
      v.string("Must be text"),
      v.regex(/^[A-Z0-9]{1,3}$/, "Must be a state’s code of up to three capitals or digits"),
    ),
  ),
  /** At most three decimals, the precision of `applyPercent`. */
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

/** `included`: the name ("VAT") of a tax included in prices; see `withIncludedTax`. */
export type TaxRate = v.InferOutput<typeof taxRateSchema> & { included?: string };
export type TaxPolicy = Omit<v.InferOutput<typeof taxPolicySchema>, "rates"> & { rates: TaxRate[] };
