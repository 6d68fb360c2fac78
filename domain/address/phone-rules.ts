import { isSupportedCountry, parsePhoneNumberFromString } from "libphonenumber-js/min";

const sentence = "Please check this number. From another country it starts with + and the country’s code.";

/**
 * Asks the shopper to check a text that cannot be a phone number, in the country's or the international notation; null: it
 * can. The number is accepted anyway, since numbering plans change.
 */
export function phoneWarning(typed: string, country: string): string | null {
  const defaultCountry = isSupportedCountry(country) ? country : undefined;
  const isFine = typed.trim() === "" || parsePhoneNumberFromString(typed, defaultCountry)?.isPossible();
  return isFine ? null : sentence;
}
