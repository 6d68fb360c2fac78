import fc from "fast-check";
import { expect, test } from "vitest";
import { gsmText, maxTextLength, orderText, testText } from "./text-message.ts";

const order = { number: 1001, totalCents: 3590, units: 1 };

test("a text message contains the order's number, its total and the panel's URL", () => {
  expect(orderText("Palmira", order, "https://shop.example/admin")).toBe(
    "Palmira: order #1001, $35.90, 1 item. https://shop.example/admin",
  );
  expect(orderText("Palmira", { ...order, units: 12 }, "https://shop.example/admin")).toContain("12 items");
});

test("an alert fits into a single text message, whatever the shop's name and URL", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), fc.nat(200), (brand, length) => {
      const url = `https://${"a".repeat(length)}.example/admin`;
      const largest = { number: 9_999_999, totalCents: 99_999_999, units: 9_999 };
      for (const text of [orderText(brand, largest, url), testText(brand, url)]) {
        expect(text.length).toBeLessThanOrEqual(maxTextLength);
        expect(gsmText(text)).toBe(text);
      }
      expect(orderText(brand, largest, url)).toContain("order #9999999, $999,999.99, 9999 items.");
    }),
  );
});

test("characters of a text message outside the GSM alphabet are replaced or removed", () => {
  expect(gsmText("Señor’s “Oil” – 100 % ✨")).toBe(`Senor's "Oil" - 100 %`);
});
