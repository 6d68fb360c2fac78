import { expect, test } from "vitest";
import { deliveryFacts, deliverySentences, leftOutCountriesSentence } from "./delivery-facts.ts";
import { defaultShippingPolicy, type ShippingPolicy } from "./shipping-policy.ts";

test("every shipping option is listed with its destination, delivery time and price", () => {
  expect(deliverySentences(defaultShippingPolicy)).toEqual([
    "Standard shipping to the United States takes 3-5 business days.",
    "Expedited shipping to the United States takes 1-2 business days.",
    "International Standard shipping to all other countries takes 7-14 business days.",
  ]);
  expect(deliveryFacts(defaultShippingPolicy)[0]).toMatchObject({ price: "$5.95", freeFrom: "$50.00" });
});

test("a price that carriers may replace at checkout is stated as approximate", () => {
  const zones = defaultShippingPolicy.zones.map((zone) => ({ ...zone, liveRates: true }));
  expect(deliveryFacts({ zones })[0]).toMatchObject({ price: "about $5.95", freeFrom: "$50.00" });
});

test("the countries of a zone are named if few, and counted if many", () => {
  const zone = (countries: string[]): ShippingPolicy => ({
    zones: [
      {
        id: "zone",
        countries,
        options: [{ id: "post", name: "Slow shipping", price: 0, freeFrom: null, days: [1, 1] }],
      },
    ],
  });
  expect(deliverySentences(zone(["CA", "GB", "KY"]))).toEqual([
    "Slow shipping to Canada, the United Kingdom, and the Cayman Islands takes 1 business day.",
  ]);
  expect(deliveryFacts(zone(["AT", "BE", "BG", "HR"]))[0]).toMatchObject({
    place: "Austria, Belgium and 2 other countries",
    price: "Free",
  });
});

test("an option free from $0.00 on is shown as free", () => {
  const [fact] = deliveryFacts({
    zones: [
      {
        id: "world",
        countries: "*",
        options: [{ id: "post", name: "Post", price: 500, freeFrom: 0, days: [2, 9] }],
      },
    ],
  });
  expect(fact).toMatchObject({ place: "every country", price: "Free", freeFrom: null });
});

test("countries excluded from the rest of the world are named", () => {
  expect(leftOutCountriesSentence(defaultShippingPolicy)).toBe(
    "We don’t ship to Cuba, Iran, North Korea, or Syria.",
  );
  expect(leftOutCountriesSentence({ zones: defaultShippingPolicy.zones.slice(0, 1) })).toBeNull();
});
