/**
 * Countries whose law lets a buyer withdraw from a purchase at a distance within 14 days, by ISO 3166 code: the EU with
 * those of its regions that have a code of their own, the rest of the EEA, and the UK.
 */
const withdrawalCountries = new Set(
  [
    "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK",
    "AX GF GP MF MQ RE YT",
    "IS LI NO",
    "GB",
  ].flatMap((codes) => codes.split(" ")),
);

export function hasWithdrawalRight(country: string): boolean {
  return withdrawalCountries.has(country);
}
