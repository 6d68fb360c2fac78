import { countryCode, stateCode, statesOf } from "./country.ts";

/**
 * Country and state that an address on one line yields ("1 Main St, Austin, TX 78701, United States"), as the older client
 * sends it; null for what cannot be told from it. `country`, where the client names it apart, goes before the line's own.
 * `stateCodes` are further codes to look for, of countries whose states the shop has no list of.
 */
export function readJoinedAddress(
  line: string,
  country: string | null,
  stateCodes: readonly string[] = [],
): { country: string | null; state: string | null } {
  const parts = line.split(",").map((part) => part.trim());
  const lastPart = countryIn(parts.at(-1) ?? "");
  const code = countryCode(country ?? "") ?? lastPart;
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
