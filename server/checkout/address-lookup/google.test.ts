import { expect, test } from "vitest";
import { addressFromComponents } from "./google.ts";

/** Builds Google's address components from lines such as "types: long text / short text". */
const addressComponents = (...lines: string[]) =>
  lines.map((line) => {
    const [types = "", texts = ""] = line.split(": ");
    const [longText = "", shortText = longText] = texts.split(" / ");
    return { types: [...types.split(","), "political"], longText, shortText };
  });

test.each([
  [
    "US: number first, the state's code, an apartment",
    addressComponents(
      "subpremise: 4B",
      "street_number: 350",
      "route: 5th Avenue / 5th Ave",
      "sublocality_level_1,sublocality: Manhattan",
      "locality: New York",
      "administrative_area_level_2: New York County",
      "administrative_area_level_1: New York / NY",
      "country: United States / US",
      "postal_code: 10118",
      "postal_code_suffix: 0110",
    ),
    ["350 5th Avenue", "4B", "New York", "NY", "10118", "US"],
  ],
  [
    "US: a borough instead of the city",
    addressComponents(
      "street_number: 12",
      "route: Court Street",
      "sublocality_level_1,sublocality: Brooklyn",
      "administrative_area_level_1: New York / NY",
      "country: United States / US",
      "postal_code: 11201",
    ),
    ["12 Court Street", "", "Brooklyn", "NY", "11201", "US"],
  ],
  [
    "DE: number after the street, and no state",
    addressComponents(
      "street_number: 7",
      "route: Lindenstraße",
      "sublocality_level_1,sublocality: Mitte",
      "locality: Berlin",
      "administrative_area_level_1: Berlin / BE",
      "country: Germany / DE",
      "postal_code: 10969",
    ),
    ["Lindenstraße 7", "", "Berlin", "", "10969", "DE"],
  ],
  [
    "GB: the post town instead of the village, and a house with a name",
    addressComponents(
      "premise: Rose Cottage",
      "route: Church Lane",
      "locality: Sarratt",
      "postal_town: Rickmansworth",
      "administrative_area_level_2: Hertfordshire",
      "administrative_area_level_1: England",
      "country: United Kingdom / GB",
      "postal_code: WD3 6HJ",
    ),
    ["Rose Cottage, Church Lane", "", "Rickmansworth", "", "WD3 6HJ", "GB"],
  ],
  [
    "JP: block and building, quarter, and the city on the street's line",
    addressComponents(
      "premise: 1",
      "sublocality_level_4,sublocality: 9",
      "sublocality_level_3,sublocality: 1-chōme",
      "sublocality_level_2,sublocality: Marunouchi",
      "locality: Chiyoda City",
      "administrative_area_level_1: Tokyo",
      "country: Japan / JP",
      "postal_code: 100-0005",
    ),
    ["1-9-1 Marunouchi, Chiyoda City", "", "", "Tokyo", "100-0005", "JP"],
  ],
])(
  "Google's address components become the fields of an address: %s",
  (_, components, [line1, line2, city, state, postalCode, country]) => {
    expect(addressFromComponents(components)).toEqual({ line1, line2, city, state, postalCode, country });
  },
);

test("a place without a street or country is not an address", () => {
  expect(addressFromComponents(addressComponents("locality: Berlin", "country: Germany / DE"))).toBeNull();
  expect(addressFromComponents(addressComponents("street_number: 7", "route: Lindenstraße"))).toBeNull();
});
