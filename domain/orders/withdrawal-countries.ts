/**
 * ISO 3166 codes of countries with a right to withdraw from distance purchases within 14 days: the EU with its regions that
 * have codes, the rest of the EEA, and the UK.
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
