import { countryName } from "../shared/country.ts";
import { addressFormat, inSentence } from "./address-format.ts";
import { postalCodes } from "./postal-codes.ts";

/** A warning about a postal code of unusual form for its country; it is never refused. */
export function postalCodeWarning(country: string, postalCode: string): string | null {
  const [pattern, example] = postalCodes[country]?.split(";") ?? [];
  if (!pattern || postalCode.trim() === "" || new RegExp(`^(?:${pattern})$`, "i").test(postalCode.trim()))
    return null;
  const kind = country === "US" ? "ZIP code" : inSentence(addressFormat(country).labels.postalCode);
  return `This doesn’t look like a ${countryName(country)} ${kind} (like ${example}). Please check it.`;
}
