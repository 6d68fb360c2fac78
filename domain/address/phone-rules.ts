import { isSupportedCountry, parsePhoneNumberFromString } from "libphonenumber-js/min";

const warning = "Please check this number. From another country it starts with + and the country’s code.";

/**
 * Asks the shopper to check a text that cannot be a phone number in the country's or the international notation; null if it
 * can be one. The number is accepted anyway, since numbering plans change.
 */
export function phoneWarning(phone: string, country: string): string | null {
  const defaultCountry = isSupportedCountry(country) ? country : undefined;
  const isPossible = phone.trim() === "" || parsePhoneNumberFromString(phone, defaultCountry)?.isPossible();
  return isPossible ? null : warning;
}
