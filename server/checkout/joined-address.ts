import { countryCode, stateCode, statesOf } from "../../domain/shared/country.ts";
import { sanctionedCountries } from "../../domain/shipping/shipping-policy.ts";

/**
 * Country and state of a one-line address from older clients ("1 Main St, Austin, TX 78701, United States"); null for parts
 * that cannot be read. The client's separate `country` outranks two letters at the line's end, which may be a province, but
 * not a country name written there, since the parcel goes there. `stateCodes`: additional codes of countries for which the
 * shop has no list of states.
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
  // From the end, because streets and towns may have a state's name. The first part is always the street.
  const rest = (lastPart === null ? parts : parts.slice(0, -1)).slice(1).reverse();
  for (const part of rest) {
    const state = stateIn(part, code, stateCodes);
    if (state !== null) return { country: code, state };
  }
  return { country: code, state: null };
}

/** Two letters that are also a state of the United States give no country: "GA" is rather Georgia than Gabon. */
function countryIn(part: string): string | null {
  const code = countryCode(part);
  return code !== null && code !== "US" && knownState("US", part) !== null ? null : code;
}

/** Country codes that are no province anywhere, so they outrank the client's `country`. */
const noProvinces: readonly string[] = ["US", ...sanctionedCountries];

/** Includes alternative names: "Syrian Arab Republic", "Iran, Islamic Republic of". */
const sanctionedNames: readonly (readonly [code: string, name: RegExp])[] = [
  ["CU", / cuba$/],
  ["IR", / (iran|iran islamic republic of)$/],
  [
    "KP",
    / (north korea|dpr korea|dprk|democratic peoples republic of korea|korea democratic peoples republic of)$/,
  ],
  ["SY", / (syria|syrian arab republic)$/],
];

/** The sanctioned country at the line's end, with any separator before it, so that punctuation cannot hide it. */
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
  const state = knownState(country, withoutPostalCode);
  if (state !== null || statesOf(country)) return state;
  const code = withoutPostalCode.toUpperCase();
  return stateCodes.includes(code) ? code : null;
}

/** The code of a state given by code or name; null if it is not on the country's list. */
export function knownState(country: string, nameOrCode: string): string | null {
  const code = stateCode(country, nameOrCode);
  return statesOf(country)?.some(([each]) => each === code) ? code : null;
}
