import { countryName } from "../shared/country.ts";
import { formats } from "./formats.ts";

/** The parts of an address that a person types, except name and country. */
export type AddressPart = "line1" | "line2" | "city" | "state" | "postalCode";
export type AddressParts = { [Part in AddressPart]?: string | null };

/** A country's form fields and printed lines. */
type AddressFormat = {
  /** As printed on a parcel: %A is the street, %C the city, %S the state and %Z the postal code. */
  lines: readonly string[];
  /** Parts that the country's addresses have, in the order of the form. */
  parts: readonly AddressPart[];
  /** Parts that the form requires. The API requires fewer, see `missingParts`. */
  required: ReadonlySet<AddressPart>;
  labels: Readonly<Record<AddressPart, string>>;
  hasNumericCodes: boolean;
};

const usualFormat = { lines: "%A|%C", required: "AC" };
const partOf: Readonly<Record<string, AddressPart>> = { C: "city", S: "state", Z: "postalCode" };

const formatCache = new Map<string, AddressFormat>();

/** Countries without an entry use `usualFormat`. */
export function addressFormat(country: string): AddressFormat {
  const format = formatCache.get(country) ?? read(country);
  formatCache.set(country, format);
  return format;
}

function read(country: string): AddressFormat {
  const [lines, required, names = "", digits] = (formats[country] ?? "").split(";");
  const [city = "", state = "", postalCode = "", neighborhood = ""] = names.split(",");
  const template = lines || usualFormat.lines;
  const optionalParts = [...template.matchAll(/%([CSZ])/g)].flatMap(
    ([, letter = ""]) => partOf[letter] ?? [],
  );
  const parts: AddressPart[] = ["line1", "line2", ...optionalParts];
  const requiredLetters = required || usualFormat.required;
  return {
    lines: template.split("|"),
    parts,
    required: new Set([
      "line1",
      ...optionalParts.filter((part) => [...requiredLetters].some((letter) => partOf[letter] === part)),
    ]),
    labels: {
      line1: "Street Address",
      line2: neighborhood
        ? `Apartment, ${neighborhoods[neighborhood] ?? neighborhood}, etc.`
        : "Apartment, suite, etc.",
      city: cities[city] ?? "City",
      state: country === "US" ? "State/Province" : (states[state] ?? "Province"),
      postalCode: country === "US" ? "ZIP/Postal Code" : postalCodeLabel(country, postalCode),
    },
    hasNumericCodes: digits === "9",
  };
}

// Google's names -> the shop's labels; by default city, province and postal code.
const cities: Readonly<Record<string, string>> = {
  district: "District",
  post_town: "Town or City",
  suburb: "Suburb",
};
const states: Readonly<Record<string, string>> = {
  area: "Area",
  county: "County",
  department: "Department",
  district: "District",
  do_si: "Province or City",
  emirate: "Emirate",
  island: "Island",
  oblast: "Region",
  parish: "Parish",
  prefecture: "Prefecture",
  state: "State",
};
const neighborhoods: Readonly<Record<string, string>> = { village_township: "village" };
const postalCodes: Readonly<Record<string, string>> = {
  eircode: "Eircode",
  pin: "PIN Code",
  zip: "ZIP Code",
};
/** English-speaking countries that say "postcode", which Google's metadata does not contain. */
const postcodeCountries = ["AU", "FK", "GB", "GG", "GI", "IM", "JE", "MY", "NL", "NZ", "PN", "SG", "SH"];

function postalCodeLabel(country: string, name: string): string {
  return postalCodes[name] ?? (postcodeCountries.includes(country) ? "Postcode" : "Postal Code");
}

/** The message for an empty required part: "Enter your postcode". */
export function missingText(part: AddressPart, country: string): string {
  if (part === "line1") return "Enter your street address";
  if (country === "US" && part === "state") return "Enter your state or province";
  if (country === "US" && part === "postalCode") return "Enter your ZIP or postal code";
  return `Enter your ${inSentence(addressFormat(country).labels[part])}`;
}

/** A label inside a sentence: "postcode". */
export function inSentence(label: string): string {
  return label.replaceAll(/[A-Z][a-z]+/g, (word) => (word === "Eircode" ? word : word.toLowerCase()));
}

/**
 * Parts without which no parcel can be delivered; `country` is a code. The form asks for a state wherever addresses have
 * one; it is required only where carriers need it, since older clients omit it.
 */
export function missingParts(country: string, address: AddressParts): AddressPart[] {
  const { parts, required } = addressFormat(country);
  const isEmpty = (part: AddressPart) => !address[part]?.trim();
  const missing: AddressPart[] = isEmpty("line1") ? ["line1"] : [];
  if (required.has("city")) {
    if (isEmpty("city")) missing.push("city");
  } else if (isEmpty("city") && isEmpty("state") && required.has("state")) missing.push("state");
  if (countriesRequiringState.includes(country) && isEmpty("state")) missing.push("state");
  if (required.has("postalCode") && isEmpty("postalCode")) missing.push("postalCode");
  return parts.filter((part) => missing.includes(part));
}

const countriesRequiringState = ["US", "CA", "AU"];

/**
 * Name, address and country as printed on a parcel, one string per line. Orders of the older client have their address on
 * one line, and no `shipping`.
 */
export function addressLines({
  customerName,
  shipping,
  shippingAddress,
}: {
  customerName: string;
  shipping: (AddressParts & { country: string }) | null;
  shippingAddress: string;
}): string[] {
  if (!shipping) return [customerName, shippingAddress];
  const { country } = shipping;
  return [customerName, ...partLines(country, shipping), countryName(country) ?? country].filter(Boolean);
}

/** The address in its country's format, without name and country. */
function partLines(country: string, address: AddressParts): string[] {
  const { lines, parts } = addressFormat(country);
  const value = (part: AddressPart | undefined) => (part && address[part]?.trim()) || "";
  const street = [value("line1"), value("line2")].filter(Boolean);
  const template = lines.flatMap((line) => {
    // `%A` becomes the street's last line; if there are two, the first is printed on a line above.
    const filled = line.replaceAll(/([^\s%]*)%([ACSZ])/g, (_, prefix: string, letter: string) => {
      const text = letter === "A" ? (street.at(-1) ?? "") : value(partOf[letter]);
      return text === "" || text.startsWith(prefix) ? text : prefix + text;
    });
    const tidy = filled.replaceAll(/\s+/g, " ").replace(/^[\s,-]+|[\s,-]+$/g, "");
    return [...(line.includes("%A") ? street.slice(0, -1) : []), tidy];
  });
  // Parts that the format lacks, entered by an older client or for another country.
  const rest = (["city", "state", "postalCode"] as const).filter((part) => !parts.includes(part)).map(value);
  return [...template, rest.filter(Boolean).join(" ")].filter(Boolean);
}
