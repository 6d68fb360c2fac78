import * as v from "valibot";
import type { ShippingAddress } from "../../domain/orders/order.ts";
import type { Recipient } from "./carrier.ts";

/** A text field of a provider's response; null if it is missing. */
export const nullableText = v.nullish(v.string(), null);

/** An address in the responses of EasyPost and Shippo. */
export const addressFields = {
  street1: nullableText,
  street2: nullableText,
  city: nullableText,
  state: nullableText,
  zip: nullableText,
  country: nullableText,
};
type AddressSuggestion = v.InferOutput<v.ObjectSchema<typeof addressFields, undefined>>;

/** The recipient's name and address in the fields of EasyPost's and Shippo's requests. */
export function carrierAddress({ name, phone, address }: Recipient) {
  const { line1: street1, line2: street2, city, state, postalCode: zip, country } = address;
  return { name, street1, street2, city, state, zip, country, phone };
}

/** Words and their abbreviations in USPS Publication 28; buyers use either. */
const shortWords: Record<string, string> = {
  street: "st",
  avenue: "ave",
  av: "ave",
  road: "rd",
  boulevard: "blvd",
  drive: "dr",
  lane: "ln",
  court: "ct",
  place: "pl",
  square: "sq",
  terrace: "ter",
  trail: "trl",
  circle: "cir",
  highway: "hwy",
  parkway: "pkwy",
  north: "n",
  south: "s",
  east: "e",
  west: "w",
  northeast: "ne",
  northwest: "nw",
  southeast: "se",
  southwest: "sw",
  mount: "mt",
  saint: "st",
  fort: "ft",
  heights: "hts",
};
/** Words before an apartment number. They are ignored, because carriers replace them. */
const unitWords = ["apartment", "apt", "unit", "suite", "ste", "no", "floor", "fl", "room", "rm"];

/** Normalizes a text for comparison: ignores case, punctuation, accents, abbreviations and unit words. */
function normalize(...parts: (string | null)[]): string {
  const text = parts.join(" ").normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  const words = text.split(/[^\p{L}\p{N}]+/u).map((word) => shortWords[word] ?? word);
  return words.filter((word) => !unitWords.includes(word)).join("");
}
/** Normalizes a postal code, without the four optional digits of a US ZIP+4 code. */
const normalizeZip = (zip: string | null) => normalize(zip?.replace(/-\d{4}$/, "") ?? "");

/** The carriers' spelling of an address, if it differs from the entered one after normalization (`normalize`); otherwise null. */
export function suggestedCorrection(
  entered: ShippingAddress,
  suggestion: AddressSuggestion,
): ShippingAddress | null {
  const isSame =
    normalize(entered.line1, entered.line2) === normalize(suggestion.street1, suggestion.street2) &&
    normalize(entered.city) === normalize(suggestion.city) &&
    (entered.country !== "US" || normalize(entered.state) === normalize(suggestion.state)) &&
    normalizeZip(entered.postalCode) === normalizeZip(suggestion.zip);
  if (isSame || !suggestion.street1 || !suggestion.city) return null;
  return {
    line1: capitalizeWords(suggestion.street1),
    line2: suggestion.street2 ? capitalizeWords(suggestion.street2) : null,
    city: capitalizeWords(suggestion.city),
    state: suggestion.state ?? entered.state,
    postalCode: suggestion.zip ?? entered.postalCode,
    country: suggestion.country ?? entered.country,
  };
}

/** Carriers write in capitals: "179 N HARBOR DR". */
function capitalizeWords(text: string): string {
  if (text !== text.toUpperCase()) return text;
  return text.toLowerCase().replace(/(?<![\p{L}\p{N}])\p{L}/gu, (letter) => letter.toUpperCase());
}
