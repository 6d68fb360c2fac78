import * as v from "valibot";
import { addressFormat } from "../../../domain/address/address-format.ts";
import { countryName, stateCode } from "../../../domain/shared/country.ts";

/** A suggested address. Parts that the country does not use, or that the service does not return, are empty. */
export const foundAddressSchema = v.object({
  line1: v.string(),
  line2: v.string(),
  city: v.string(),
  state: v.string(),
  postalCode: v.string(),
  country: v.string(),
});
export type FoundAddress = v.InferOutput<typeof foundAddressSchema>;

/** Maximum lengths, as in the checkout form. */
const maxLengths = { line1: 200, line2: 200, city: 100, state: 100, postalCode: 20 };

/**
 * The address with the fields of its country's checkout form; null without a known country or a street. If the form has no field
 * for the city (Japan), the city is appended to the street.
 */
export function fitToForm(suggested: FoundAddress): FoundAddress | null {
  const { country } = suggested;
  if (countryName(country) === null || suggested.line1.trim() === "") return null;
  const { parts } = addressFormat(country);
  const part = (name: keyof typeof maxLengths, text = suggested[name]) =>
    parts.includes(name) ? text.trim().slice(0, maxLengths[name]) : "";
  const hasOwnCity =
    parts.includes("city") || !parts.includes("state") || suggested.line1.includes(suggested.city);
  return {
    line1: part("line1", hasOwnCity ? suggested.line1 : `${suggested.line1}, ${suggested.city}`),
    line2: part("line2"),
    city: part("city"),
    state: part("state", stateCode(country, suggested.state)),
    postalCode: part("postalCode"),
    country,
  };
}
