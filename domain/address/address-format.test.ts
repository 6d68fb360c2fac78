import { expect, test } from "vitest";
import { countries } from "../shared/country.ts";
import { addressFormat, addressLines, missingParts, missingText } from "./address-format.ts";
import { postalCodes, postalCodeWarning } from "./postal-codes.ts";

test("every country's format has a street, and requires only parts that it has a field for", () => {
  for (const [code] of countries) {
    const { lines, parts, required } = addressFormat(code);
    expect(lines.join(), code).toContain("%A");
    expect(new Set(parts).size, code).toBe(parts.length);
    for (const part of required) expect(parts, code).toContain(part);
    // Each example fits its pattern.
    expect(postalCodeWarning(code, postalCodes[code]?.split(";")[1] ?? ""), code).toBeNull();
  }
});

test.each([
  ["US", "line1 line2 city state postalCode", "line1 city state postalCode"],
  ["DE", "line1 line2 postalCode city", "line1 postalCode city"],
  ["GB", "line1 line2 city postalCode", "line1 city postalCode"],
  ["IE", "line1 line2 city state postalCode", "line1 city"],
  ["ES", "line1 line2 postalCode city state", "line1 postalCode city state"],
  ["JP", "line1 line2 state postalCode", "line1 state postalCode"],
  ["SG", "line1 line2 postalCode", "line1 postalCode"],
  ["HK", "line1 line2 city state", "line1 state"],
  ["GH", "line1 line2 city", "line1 city"],
])(
  "the address form for %s has the parts of its addresses in their usual order",
  (country, parts, required) => {
    const format = addressFormat(country);
    expect(format.parts.join(" ")).toBe(parts);
    expect([...format.required].join(" ")).toBe(required);
  },
);

test.each([
  ["US", "City", "State/Province", "ZIP/Postal Code"],
  ["GB", "Town or City", "Province", "Postcode"],
  ["IE", "City", "County", "Eircode"],
  ["JP", "City", "Prefecture", "Postal Code"],
  ["AU", "Suburb", "State", "Postcode"],
  ["CA", "City", "Province", "Postal Code"],
  ["IN", "City", "State", "PIN Code"],
  ["AE", "City", "Emirate", "Postal Code"],
])("in %s the fields of an address have the labels %s, %s, %s", (country, ...names) => {
  const { labels } = addressFormat(country);
  expect([labels.city, labels.state, labels.postalCode]).toEqual(names);
});

test.each([
  ["US", "postalCode", "Enter your ZIP or postal code"],
  ["GB", "postalCode", "Enter your postcode"],
  ["GB", "city", "Enter your town or city"],
  ["IE", "postalCode", "Enter your Eircode"],
  ["IN", "postalCode", "Enter your PIN code"],
  ["JP", "state", "Enter your prefecture"],
] as const)("in %s an empty %s causes the error: %s", (country, part, text) => {
  expect(missingText(part, country)).toBe(text);
});

test.each([
  ["US", { city: "Austin" }, ["state", "postalCode"]],
  ["AU", { city: "Sydney" }, ["state", "postalCode"]],
  ["DE", { city: "Berlin" }, ["postalCode"]],
  ["GB", { postalCode: "SW1A 1AA" }, ["city"]],
  ["IE", { city: "Cork" }, []],
  // The postal code implies the province, and the city the area.
  ["IT", { city: "Roma", postalCode: "00144" }, []],
  ["HK", { city: "Central" }, []],
  ["HK", {}, ["state"]],
  ["JP", { city: "Tokyo", postalCode: "100-0001" }, []],
  ["SG", { postalCode: "546080" }, []],
  ["GH", { city: "Accra" }, []],
])("an address in %s with only %j lacks the required parts %j", (country, parts, missing) => {
  expect(missingParts(country, { line1: "1 Main St", ...parts })).toEqual(missing);
});

test.each([
  ["US", { city: "Austin", state: "TX", postalCode: "78701" }, ["Austin, TX 78701", "United States"]],
  ["US", { city: "Austin", state: "", postalCode: "78701" }, ["Austin, 78701", "United States"]],
  ["DE", { city: "Berlin", postalCode: "10117" }, ["10117 Berlin", "Germany"]],
  ["GB", { city: "London", postalCode: "SW1A 1AA" }, ["London", "SW1A 1AA", "United Kingdom"]],
  ["CH", { city: "Bern", postalCode: "3011" }, ["CH-3011 Bern", "Switzerland"]],
  ["CH", { city: "Bern", postalCode: "CH-3011" }, ["CH-3011 Bern", "Switzerland"]],
  ["CH", { city: "Bern", postalCode: "" }, ["Bern", "Switzerland"]],
  ["BR", { city: "Olinda", state: "PE", postalCode: "53010-000" }, ["Olinda-PE", "53010-000", "Brazil"]],
  ["BR", { city: "Olinda" }, ["Olinda", "Brazil"]],
  // Japan's format has no city; one that an older client sent is kept.
  ["JP", { city: "Shibuya", state: "Tokyo", postalCode: "150-0002" }, ["150-0002", "Shibuya", "Japan"]],
])("an address in %s is printed in its country's format: %j", (country, parts, end) => {
  const shipping = { line1: "1 Main St", line2: null, country, ...parts };
  const lines = addressLines({ customerName: "Ada Obi", shipping, shippingAddress: "" });
  expect(lines.slice(-end.length)).toEqual(end);
  expect(lines.slice(0, 2)).toEqual(["Ada Obi", country === "JP" ? "1 Main St, Tokyo" : "1 Main St"]);
});

test("the second address line is printed on a separate line in every format", () => {
  const lines = (country: string) =>
    addressLines({
      customerName: "Ada Obi",
      shipping: { line1: "Fő utca 1", line2: "2. em.", city: "Budapest", postalCode: "1037", country },
      shippingAddress: "",
    });
  expect(lines("HU")).toEqual(["Ada Obi", "Budapest", "Fő utca 1", "2. em.", "1037", "Hungary"]);
  expect(lines("DE")).toEqual(["Ada Obi", "Fő utca 1", "2. em.", "1037 Budapest", "Germany"]);
});

test.each([
  ["US", "78701"],
  ["US", "78701-1234"],
  ["US", " 78701 "],
  ["CA", "K1A 0B1"],
  ["CA", "k1a0b1"],
  ["GB", "SW1A 1AA"],
  ["GB", "m11ae"],
  ["GB", "GIR 0AA"],
  ["DE", "10117"],
  ["HK", "whatever"],
  ["US", ""],
])("in %s the postal code %s gives no warning", (country, postalCode) => {
  expect(postalCodeWarning(country, postalCode)).toBeNull();
});

test.each([
  ["DE", "1011", "Germany postal code (like 26133)"],
  ["IE", "12", "Ireland Eircode (like A65 F4E2)"],
  ["US", "7870", "United States ZIP code (like 95014)"],
  ["US", "K1A 0B1", "United States ZIP code (like 95014)"],
  ["CA", "78701", "Canada postal code (like H3Z 2Y7)"],
  ["CA", "D1A 0B1", "Canada postal code (like H3Z 2Y7)"],
  ["GB", "12345", "United Kingdom postcode (like EC1Y 8SY)"],
])("in %s the postal code %s causes a warning", (country, postalCode, kind) => {
  expect(postalCodeWarning(country, postalCode)).toBe(`This doesn’t look like a ${kind}. Please check it.`);
});
