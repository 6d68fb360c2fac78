import { expect, test } from "vitest";
import { noTax, type TaxPolicy } from "../../../domain/checkout/tax.ts";
import { defaultShippingPolicy } from "../../../domain/shipping/shipping-policy.ts";
import { cartTotals } from "./cart-totals.ts";

const policies = { shipping: defaultShippingPolicy, tax: noTax };
const bottle = { price: 2995, quantity: 1 };

test("one bottle costs $35.90 with Standard shipping in the home country", () => {
  const { totals, option } = cartTotals(policies, [bottle]);
  expect(totals.total).toBe(3590);
  expect(option?.id).toBe("us-standard");
});

test("two bottles ship free", () => {
  expect(cartTotals(policies, [{ ...bottle, quantity: 2 }]).totals).toMatchObject({
    shipping: 0,
    total: 5990,
  });
});

test("the chosen shipping option is charged", () => {
  expect(cartTotals(policies, [bottle], { shippingOption: "us-expedited" }).totals.total).toBe(4490);
});

test("a shipping option of another country is replaced by the default one", () => {
  const { option, totals } = cartTotals(policies, [{ ...bottle, quantity: 2 }], {
    country: "FR",
    shippingOption: "us-expedited",
  });
  expect(option?.id).toBe("international-standard");
  expect(totals.shipping).toBe(595);
});

test("tax is added once the state is known", () => {
  const tax: TaxPolicy = {
    mode: "table",
    rates: [{ country: "US", state: "TX", percent: 8.25, onShipping: true }],
  };
  expect(cartTotals({ ...policies, tax }, [bottle]).totals.tax).toBe(0);
  expect(cartTotals({ ...policies, tax }, [bottle], { country: "US", state: "TX" }).totals.tax).toBe(296);
});

test("a country that the shop does not ship to has no shipping option", () => {
  const [us] = defaultShippingPolicy.zones;
  expect(
    cartTotals({ ...policies, shipping: { zones: us ? [us] : [] } }, [bottle], { country: "FR" }),
  ).toMatchObject({
    options: [],
    option: null,
  });
});
