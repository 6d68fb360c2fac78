import { isSupportedCountry, parsePhoneNumberFromString } from "libphonenumber-js/min";

/** Whether this can be a phone number, as it is dialed in the country or with a country's code. */
export function isPhoneOf(typed: string, country: string): boolean {
  const home = isSupportedCountry(country) ? country : undefined;
  return parsePhoneNumberFromString(typed, home)?.isPossible() ?? false;
}
