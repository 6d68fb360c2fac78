import * as v from "valibot";
import { expect, test } from "vitest";
import { includedTaxSentence, withIncludedTax } from "./included-tax.ts";
import { noTax, type TaxPolicy, taxRateFor } from "./tax.ts";
import { taxPolicySchema } from "./tax-schema.ts";

const policy: TaxPolicy = {
  mode: "table",
  rates: [
    { country: "US", state: null, percent: 1, onShipping: false },
    { country: "US", state: "TX", percent: 8.25, onShipping: true },
    { country: "CA", state: "ON", percent: 13, onShipping: true },
  ],
};

test.each([
  ["US", "TX", 8.25],
  ["US", "OR", 1],
  ["US", null, 1],
  ["CA", "ON", 13],
  ["CA", "AB", undefined],
  ["CA", null, undefined],
  ["FR", "TX", undefined],
])("%s %s is taxed at %s percent", (country, state, percent) => {
  expect(taxRateFor(policy, country, state)?.percent).toBe(percent);
});

test("a tax table that is switched off charges no tax", () => {
  expect(taxRateFor({ ...policy, mode: "none" }, "US", "TX")).toBeNull();
  expect(taxRateFor(noTax, "US", "TX")).toBeNull();
});

test.each([
  { percent: -1 },
  { percent: 100.5 },
  { country: "usa" },
  { country: "U" },
  { state: "Texas" },
  { state: "" },
])("a rate with %o is refused", (wrong) => {
  const rate = { country: "US", state: "TX", percent: 8.25, onShipping: true };
  expect(v.is(taxPolicySchema, { mode: "table", rates: [rate] })).toBe(true);
  expect(v.is(taxPolicySchema, { mode: "table", rates: [{ ...rate, ...wrong }] })).toBe(false);
});

test("rates of countries with tax included in prices carry the tax's name, and a sentence lists those countries", () => {
  const rate = { state: null, percent: 20, onShipping: true };
  const rates = ["DE", "FR", "AU", "US"].map((country) => ({ ...rate, country }));
  const marked = withIncludedTax({ mode: "table", rates }, ["DE", "FR", "AU"]);
  expect(marked.rates.map(({ included }) => included)).toEqual(["VAT", "VAT", "GST", undefined]);
  expect(includedTaxSentence(marked)).toBe(
    "VAT on orders to Germany and France is in our prices already. GST on orders to Australia is in our prices already.",
  );
  expect(includedTaxSentence({ ...marked, mode: "none" })).toBeNull();
  expect(includedTaxSentence(policy)).toBeNull();
  expect(withIncludedTax(policy, [])).toBe(policy);
});
