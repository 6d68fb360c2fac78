import { expect, test } from "vitest";
import { readJoinedAddress } from "./new-order.ts";

test.each([
  ["1 Main St, Austin, TX 78701, United States", "US", "TX"],
  ["1 Main St, Apt 2, Austin, tx 78701-1234, usa", "US", "TX"],
  ["1 Main St, Austin, Texas, United States", "US", "TX"],
  ["1 Main St, Austin, TX, 78701, United States", "US", "TX"],
  ["1 Texas Ave, Washington, DC 20001, US", "US", "DC"],
  ["1 Main St, Austin, United States", "US", null],
  ["12 Rue X, Montréal, QC H2X 1Y4, Canada", "CA", "QC"],
  ["Unter den Linden 1, 10117 Berlin, Germany", "DE", null],
  ["Main Street 1, somewhere", null, null],
  // Ambiguous: "CA" is California or Canada, "Georgia" a state or a country.
  ["1 Main St, Los Angeles, CA", null, null],
  ["1 Main St, Atlanta, Georgia", null, null],
  ["", null, null],
])("country and state are read from a one-line address: %s", (line, country, state) => {
  expect(readJoinedAddress(line, null)).toEqual({ country, state });
});

test("the country sent separately decides between two possible readings of a one-line address", () => {
  expect(readJoinedAddress("1 Main St, Los Angeles, CA 90001", "US")).toEqual({ country: "US", state: "CA" });
  expect(readJoinedAddress("1 Main St, Tbilisi, Georgia", "GE")).toEqual({ country: "GE", state: null });
});

test("a country at the end of a one-line address is used instead of the separately sent one", () => {
  const line = "1 Main St, Austin, TX 78701, United States";
  expect(readJoinedAddress(line, "Canada")).toEqual({ country: "US", state: "TX" });
  expect(readJoinedAddress("1 Main St, Austin, TX 78701, US", "Canada").country).toBe("US");
  expect(readJoinedAddress("1 Azadi St, Tehran, IR", "US").country).toBe("IR");
  expect(readJoinedAddress("Via Garibaldi 1, 16124 Genova, GE", "IT").country).toBe("IT");
});

test.each([
  ["IR", "1 Azadi St, Tehran, Islamic Republic of Iran"],
  ["IR", "1 Azadi St, Tehran, Iran, Islamic Republic of"],
  ["IR", "1 Azadi St, Tehran 11369 Iran"],
  ["IR", "1 Azadi St, Tehran, IRAN."],
  ["IR", "1 Azadi St, Tehran, Ir\u200ban"],
  ["CU", "Calle 23, La Habana, Cuba 10400"],
  ["CU", "Calle 23\nHavana CUBA"],
  ["KP", "1 Main St, Pyongyang, D.P.R.K."],
  ["KP", "1 Main St, Pyongyang, Democratic People’s Republic of Korea"],
  ["SY", "1 Main St, Damascus - Syria"],
  ["SY", "1 Main St, Damascus, Syrian Arab Republic"],
  ["US", "1 Main St, Cuba, MO 65453, United States"],
  [null, "1 Main St, Cuba, NM 87013"],
  ["KR", "1 Sejong-daero, Seoul, South Korea"],
])("the country of a one-line address is recognized in any spelling: %s, %s", (country, line) => {
  expect(readJoinedAddress(line, null).country).toBe(country);
});

test("the street is never read as a state", () => {
  expect(readJoinedAddress("Texas, Austin, United States", null)).toEqual({ country: "US", state: null });
});

test("states of a country without a built-in list are recognized by the codes passed in", () => {
  const line = "1 George St, Sydney, NSW 2000, Australia";
  expect(readJoinedAddress(line, null)).toEqual({ country: "AU", state: null });
  expect(readJoinedAddress(line, null, ["NSW"])).toEqual({ country: "AU", state: "NSW" });
});
