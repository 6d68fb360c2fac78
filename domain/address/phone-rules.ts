import { isSupportedCountry, parsePhoneNumberFromString } from "libphonenumber-js/min";

const sentence = "Please check this number. From another country it starts with + and the country’s code.";

/**
 * Asks about what cannot be a phone number, neither as it is dialed in the country nor with a country's code; null: nothing
 * to ask. What is asked about is taken all the same: numbering plans change.
 */
export function phoneDoubt(typed: string, country: string): string | null {
  const home = isSupportedCountry(country) ? country : undefined;
  const isFine = typed.trim() === "" || parsePhoneNumberFromString(typed, home)?.isPossible();
  return isFine ? null : sentence;
}
