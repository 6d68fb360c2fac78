import { expect, test } from "vitest";
import { countries, countryCode, countryName, countryStates } from "./country.ts";

test("every country has one code and one name, each found by the other", () => {
  expect(new Set(countries.map(([code]) => code)).size).toBe(countries.length);
  for (const [code, name] of countries) {
    expect(code).toMatch(/^[A-Z]{2}$/);
    expect(countryName(code)).toBe(name);
    expect(countryCode(name)).toBe(code);
    expect(countryCode(code.toLowerCase())).toBe(code);
  }
});

test("the list of countries has ISO 3166-1's 249 entries except 7 uninhabited territories", () => {
  expect(countries).toHaveLength(249 - 7);
  expect(["AQ", "BV", "GS", "HM", "IO", "TF", "UM"].filter((code) => countryName(code) !== null)).toEqual([]);
});

test.each(["USA", "u.s.", " United States of America ", "united states"])(
  "%s is recognized as US",
  (text) => {
    expect(countryCode(text)).toBe("US");
  },
);

test.each(["", "XX", "Atlantis", "usaa"])("%s is not a country", (text) => {
  expect(countryCode(text)).toBeNull();
  expect(countryName(text)).toBeNull();
});

test("only the US and Canada have lists of states", () => {
  expect(countryStates("US")).toContainEqual(["TX", "Texas"]);
  expect(countryStates("US")).toContainEqual(["AE", "Armed Forces Europe"]);
  expect(countryStates("CA")).toHaveLength(13);
  expect(countryStates("GB")).toBeNull();
});

test.each(["US", "CA"])("no state of %s is listed twice", (country) => {
  const codes = countryStates(country)?.map(([code]) => code) ?? [];
  expect(new Set(codes).size).toBe(codes.length);
});
