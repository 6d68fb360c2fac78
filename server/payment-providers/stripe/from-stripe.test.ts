import type { Stripe } from "stripe";
import { expect, test } from "vitest";
import { paidWith } from "./from-stripe.ts";

const card = (changes: object) => ({
  type: "card",
  card: { brand: "visa", last4: "4242", wallet: null, ...changes },
});

test.each([
  [card({}), "Visa ending in 4242"],
  [card({ brand: "amex", last4: "0005" }), "American Express ending in 0005"],
  [card({ wallet: { type: "apple_pay" } }), "Visa ending in 4242 (Apple Pay)"],
  [card({ brand: "unknown" }), "Card ending in 4242"],
  [card({ brand: null, last4: null }), "Card"],
  [{ type: "paypal" }, "PayPal"],
  [{ type: "link" }, "Link"],
  [{ type: "customer_balance" }, "Customer balance"],
  [null, null],
])("a payment method is named as on a receipt: %j", (details, label) => {
  const charge = { payment_method_details: details as Stripe.Charge["payment_method_details"] };
  expect(paidWith(charge)).toBe(label);
});

test("without a charge the payment method is unknown", () => {
  expect(paidWith(null)).toBeNull();
});
