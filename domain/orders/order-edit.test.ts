import { expect, test } from "vitest";
import { editRows } from "./order-edit.ts";

const line = { name: "Oil", image: null };

test("the rows of an edit add up to its difference, with tax added or included", () => {
  const onTop = {
    added: [{ ...line, productId: 2, quantity: 1, unitPrice: 3000, total: 3000, tax: 600 }],
    removed: [{ name: "Comb", productId: 1, quantity: 1, goodsCents: 1000, taxCents: 200 }],
    shipping: 500,
    tax: 700,
  };
  expect(editRows(onTop)).toMatchObject({
    removed: [{ total: 1000 }],
    shipping: 500,
    tax: 500,
    includedTax: 0,
  });
  // The same prices including a fifth of tax: $30.00 and $5.00 more, $10.00 less.
  const included = {
    added: [{ ...line, productId: 2, quantity: 1, unitPrice: 3000, total: 3000, tax: 500 }],
    removed: [{ name: "Comb", productId: 1, quantity: 1, goodsCents: 833, taxCents: 167 }],
    shipping: 417,
    tax: 583,
    taxIncluded: "VAT",
  };
  expect(editRows(included)).toMatchObject({
    removed: [{ total: 1000 }],
    shipping: 500,
    tax: 0,
    includedTax: 416,
  });
});
