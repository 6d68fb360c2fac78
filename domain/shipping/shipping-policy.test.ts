import fc from "fast-check";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { excludedCountries } from "./delivery-facts.ts";
import {
  defaultShippingOption,
  defaultShippingPolicy,
  deliveryDays,
  freeShippingNote,
  freeShippingProgress,
  homeCountry,
  type ShippingOption,
  type ShippingPolicy,
  shippingOptionsFor,
  shippingPriceCents,
} from "./shipping-policy.ts";
import { shippingPolicySchema } from "./shipping-policy-schema.ts";

const standard: ShippingOption = {
  id: "standard",
  name: "Standard",
  price: 595,
  freeFrom: 5000,
  days: [3, 5],
};
const abroad: ShippingOption = { ...standard, id: "abroad", price: 2000, freeFrom: null };

function buildPolicy(
  home: Partial<ShippingOption>[],
  elsewhere: ShippingOption[] = [abroad],
): ShippingPolicy {
  const options = home.map((option, index) => ({ ...standard, id: `home-${index}`, ...option }));
  return {
    zones: [
      { id: "home", countries: ["US"], options },
      { id: "elsewhere", countries: "*", options: elsewhere },
    ],
  };
}

const free = { ...standard, price: 0, freeFrom: null };
const never = { price: 595, freeFrom: null };

test.each<[string, ShippingPolicy, string | null, string | undefined]>([
  [
    "the default policy",
    defaultShippingPolicy,
    "Free shipping on orders over $50",
    "Add $20.05 more for free shipping",
  ],
  [
    "a threshold with cents",
    buildPolicy([{ freeFrom: 4950 }]),
    "Free shipping on orders over $49.50",
    "Add $19.55 more for free shipping",
  ],
  [
    "the lower of two thresholds",
    buildPolicy([{ freeFrom: 8000 }, { freeFrom: 4000 }]),
    "Free shipping on orders over $40",
    "Add $10.05 more for free shipping",
  ],
  ["shipping that is never free", buildPolicy([never]), null, undefined],
  ["shipping free abroad only", buildPolicy([never], [free]), null, undefined],
  [
    "one free option among others",
    buildPolicy([free, never]),
    "Free standard shipping",
    "Free shipping on this order",
  ],
  [
    "an option free from $0",
    buildPolicy([{ freeFrom: 0 }]),
    "Free standard shipping",
    "Free shipping on this order",
  ],
  [
    "everything free everywhere",
    buildPolicy([free], [free]),
    "Free shipping on all orders!",
    "Free shipping on all orders!",
  ],
])("a policy with %s has its own sentences about free shipping", (_name, policy, note, progress) => {
  expect(freeShippingNote(policy)).toBe(note);
  expect(freeShippingProgress(policy, 2995)?.text).toBe(progress);
});

test("the cart shows to the cent how much is missing for free shipping", () => {
  expect(freeShippingProgress(defaultShippingPolicy, 4999)).toEqual({
    reached: false,
    missingCents: 1,
    fromCents: 5000,
    text: "Add $0.01 more for free shipping",
  });
  expect(freeShippingProgress(defaultShippingPolicy, 5000)?.text).toBe("Free shipping on this order");
  expect(freeShippingProgress(defaultShippingPolicy, 2995, "US", true)).toMatchObject({
    reached: true,
    text: "Free shipping on this order",
  });
});

const anyOption = fc.record({
  id: fc.constant("option"),
  name: fc.constant("Option"),
  price: fc.oneof(fc.constant(0), fc.nat(5000)),
  freeFrom: fc.option(fc.oneof(fc.constant(0), fc.nat(20_000))),
  days: fc.constant<[number, number]>([1, 2]),
});
const anyOptions = fc.array(anyOption, { minLength: 1, maxLength: 4 });
const anyPolicy = fc.record({
  zones: fc.array(
    fc.record({
      id: fc.constant("zone"),
      countries: fc.constantFrom<"*" | string[]>("*", ["US"], ["CA", "MX"], ["US", "FR"]),
      options: anyOptions,
    }),
    { minLength: 1, maxLength: 4 },
  ),
});

test("sentences about free shipping agree with checkout in the home country", () => {
  fc.assert(
    fc.property(anyPolicy, fc.nat(30_000), (policy, subtotal) => {
      fc.pre(shippingOptionsFor(policy, homeCountry).length > 0);
      const costAt = (cents: number) => {
        const option = defaultShippingOption(policy, homeCountry, cents);
        return option && shippingPriceCents(option, cents);
      };
      const progress = freeShippingProgress(policy, subtotal);
      expect(progress === null).toBe(freeShippingNote(policy) === null);
      if (progress === null || !progress.reached) expect(costAt(subtotal)).not.toBe(0);
      if (progress?.reached) expect(costAt(subtotal)).toBe(0);
      if (progress) expect(costAt(subtotal + progress.missingCents)).toBe(0);
      if (progress && progress.missingCents > 0) expect(costAt(progress.fromCents - 1)).not.toBe(0);
    }),
  );
});

test("'free on all orders' is shown only if every option of every zone is free", () => {
  fc.assert(
    fc.property(anyPolicy, (policy) => {
      fc.pre(freeShippingNote(policy) === "Free shipping on all orders!");
      const costs = policy.zones.flatMap(({ options }) =>
        options.map((option) => shippingPriceCents(option, 0)),
      );
      expect(Math.max(...costs)).toBe(0);
    }),
    { numRuns: 300 },
  );
});

test("a zone that names a country takes precedence over the rest of the world", () => {
  const { zones } = defaultShippingPolicy;
  const reversed = { zones: zones.toReversed() };
  expect(shippingOptionsFor(reversed, "US").map(({ id }) => id)).toEqual(["us-standard", "us-expedited"]);
  expect(shippingOptionsFor(reversed, "FR").map(({ id }) => id)).toEqual(["international-standard"]);
});

test("a country in no zone is not shipped to", () => {
  const policy = { zones: defaultShippingPolicy.zones.slice(0, 1) };
  expect(shippingOptionsFor(policy, "FR")).toEqual([]);
  expect(defaultShippingOption(policy, "FR", 2995)).toBeNull();
});

test("the option that is cheapest for the order is preselected", () => {
  const policy = buildPolicy([
    { price: 300, freeFrom: null },
    { price: 595, freeFrom: 5000 },
  ]);
  expect(defaultShippingOption(policy, "US", 2995)?.id).toBe("home-0");
  expect(defaultShippingOption(policy, "US", 5000)?.id).toBe("home-1");
});

test("the first of equally cheap options is preselected", () => {
  expect(defaultShippingOption(buildPolicy([never, never]), "US", 2995)?.id).toBe("home-0");
});

test.each<[[number, number], string]>([
  [[3, 5], "3-5 business days"],
  [[1, 1], "1 business day"],
  [[2, 2], "2 business days"],
])("delivery in %o business days is written as %s", (days, text) => {
  expect(deliveryDays({ days })).toBe(text);
});

test("the default policy is valid", () => {
  expect(v.parse(shippingPolicySchema, defaultShippingPolicy)).toEqual(defaultShippingPolicy);
});

test.each([
  { price: -1 },
  { price: 5.95 },
  { freeFrom: -1 },
  { name: "  " },
  { id: "US Standard" },
  { days: [3] },
  { days: [-1, 2] },
])("an option with %o is refused", (wrong) => {
  const zone = { id: "home", countries: ["US"], options: [{ ...standard, ...wrong }] };
  expect(v.is(shippingPolicySchema, { zones: [zone] })).toBe(false);
});

test("a zone without options, and a policy without zones, are refused", () => {
  expect(v.is(shippingPolicySchema, { zones: [] })).toBe(false);
  expect(v.is(shippingPolicySchema, { zones: [{ id: "home", countries: "*", options: [] }] })).toBe(false);
});

describe("countries under sanctions", () => {
  const [us, international] = defaultShippingPolicy.zones as [Zone, Zone];
  const policyWithCuba: ShippingPolicy = {
    zones: [us, { ...international, id: "cuba", countries: ["CU"] }, { ...international, id: "rest" }],
  };

  test.each(["CU", "IR", "KP", "SY"])("are not part of the rest of the world: %s", (country) => {
    expect(shippingOptionsFor(defaultShippingPolicy, country)).toEqual([]);
  });

  test("can be shipped to if a zone lists them by name", () => {
    expect(shippingOptionsFor(policyWithCuba, "CU")).toEqual(international.options);
    expect(excludedCountries(policyWithCuba)).toEqual(["IR", "KP", "SY"]);
  });

  test("are not mentioned if every country is named", () => {
    expect(excludedCountries({ zones: [us] })).toEqual([]);
  });
});

type Zone = ShippingPolicy["zones"][number];
