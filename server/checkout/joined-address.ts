import { countryCode, stateCode, statesOf } from "../../domain/shared/country.ts";
import { sanctionedCountries } from "../../domain/shipping/shipping-policy.ts";

/**
 * Country and state that an address on one line yields ("1 Main St, Austin, TX 78701, United States"), as the older client
 * sends it; null for what cannot be told from it. `country`, where the client names it apart, goes before two letters at
 * the line's end, which may be a province, but not before a country written out there: that is where the parcel goes.
 * `stateCodes` are further codes to look for, of countries whose states the shop has no list of.
 */
export function readJoinedAddress(
  line: string,
  country: string | null,
  stateCodes: readonly string[] = [],
): { country: string | null; state: string | null } {
  const readable = line
    .normalize("NFKC")
    .replaceAll(/\p{Cf}/gu, "")
    .trim();
  const parts = readable.split(/[,;\n]/).map((part) => part.trim());
  const end = parts.at(-1) ?? "";
  const lastPart = countryIn(end) ?? sanctionedAtEnd(readable);
  const mayBeProvince = end.length === 2 && !noProvinces.includes(end.toUpperCase());
  const code = (mayBeProvince ? null : lastPart) ?? countryCode(country ?? "") ?? lastPart;
  if (code === null) return { country: null, state: null };
  // From the end: a street or a town may be called like a state. The first part is always the street.
  const rest = (lastPart === null ? parts : parts.slice(0, -1)).slice(1).reverse();
  for (const part of rest) {
    const state = stateIn(part, code, stateCodes);
    if (state !== null) return { country: code, state };
  }
  return { country: code, state: null };
}

/** "GA" at the end is Georgia in the United States more often than Gabon: what may be a state there tells no country. */
function countryIn(part: string): string | null {
  const code = countryCode(part);
  return code !== null && code !== "US" && knownState("US", part) !== null ? null : code;
}

/** Of the two letters at a line's end, those that are no province anywhere and must not be talked away. */
const noProvinces: readonly string[] = ["US", ...sanctionedCountries];

/** Other names of these countries, too: "Syrian Arab Republic", "Iran, Islamic Republic of". */
const sanctionedNames: readonly (readonly [code: string, name: RegExp])[] = [
  ["CU", / cuba$/],
  ["IR", / (iran|iran islamic republic of)$/],
  [
    "KP",
    / (north korea|dpr korea|dprk|democratic peoples republic of korea|korea democratic peoples republic of)$/,
  ],
  ["SY", / (syria|syrian arab republic)$/],
];

/** A country under sanctions that the line ends with, however it is set off from the rest: nobody orders past them by a comma. */
function sanctionedAtEnd(line: string): string | null {
  const words = line
    .toLowerCase()
    .replaceAll(/[’'.]/g, "")
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ");
  const withoutPostalCode = ` ${words.replace(/[\d ]+$/, "")}`;
  return sanctionedNames.find(([, name]) => name.test(withoutPostalCode))?.[0] ?? null;
}

/** "TX 78701", "TX", "Texas" */
function stateIn(part: string, country: string, stateCodes: readonly string[]): string | null {
  const words = part.split(/\s+/);
  const postalCode = words.findIndex((word) => /\d/.test(word));
  const withoutPostalCode = words.slice(0, postalCode === -1 ? undefined : postalCode).join(" ");
  const known = knownState(country, withoutPostalCode);
  if (known !== null || statesOf(country)) return known;
  const code = withoutPostalCode.toUpperCase();
  return stateCodes.includes(code) ? code : null;
}

/** The code of a state on the country's list, written as code or name; null for anything else. */
export function knownState(country: string, nameOrCode: string): string | null {
  const code = stateCode(country, nameOrCode);
  return statesOf(country)?.some(([each]) => each === code) ? code : null;
}
