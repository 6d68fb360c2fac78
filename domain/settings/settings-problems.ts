import type { TaxPolicy } from "../checkout/tax.ts";
import { countryName, countryStates } from "../shared/country.ts";
import { isOneLine } from "../shared/required-text.ts";
import { hasUserInfo } from "../shared/url-user-info.ts";
import type { ShippingPolicy } from "../shipping/shipping-policy.ts";
import type { AllSettings } from "./settings.ts";

/** Path ("shipping.zones.0.options.1.days") -> a message. */
export type SettingsProblems = Record<string, string>;

/**
 * Problems of settings that pass their schema: contradictions, references to missing things, values that only older versions
 * permitted. Stored settings are not checked, so that a stricter rule resets none of them to its default.
 */
export function settingsProblems(settings: Partial<AllSettings>): SettingsProblems {
  return {
    ...(settings.shipping && shippingProblems(settings.shipping)),
    ...(settings.tax && taxProblems(settings.tax)),
    ...(settings.taxIncludedIn && includedTaxProblems(settings.taxIncludedIn)),
    ...(settings.contact && contactProblems(settings.contact)),
    ...(settings.social && socialProblems(settings.social)),
    ...lineProblem("brandName", settings.brandName),
    ...lineProblem("seller.legalName", settings.seller?.legalName),
    ...lineProblem("seller.registration", settings.seller?.registration),
    ...lineProblem("founder.name", settings.founder?.name),
    ...(settings.certificates && certificateProblems(settings.certificates)),
  };
}

function shippingProblems({ zones }: ShippingPolicy): SettingsProblems {
  const problems: SettingsProblems = {};
  const zoneIds = new Set<string>();
  const optionIds = new Set<string>();
  const zoneByCountry = new Map<string, number>();
  for (const [z, zone] of zones.entries()) {
    const path = `shipping.zones.${z}`;
    if (zoneIds.has(zone.id)) problems[`${path}.id`] = "Another zone has this id";
    zoneIds.add(zone.id);
    const countries = countriesProblem(zone.countries, z === zones.length - 1, zoneByCountry);
    if (countries !== null) problems[`${path}.countries`] = countries;
    if (zone.countries !== "*") for (const code of zone.countries) zoneByCountry.set(code, z);
    for (const [o, option] of zone.options.entries()) {
      if (optionIds.has(option.id)) problems[`${path}.options.${o}.id`] = "Another option has this id";
      optionIds.add(option.id);
      Object.assign(problems, lineProblem(`${path}.options.${o}.name`, option.name));
      const [least, most] = option.days;
      if (least > most) problems[`${path}.options.${o}.days.1`] = "Must not be less than the minimum";
    }
  }
  return problems;
}

function countriesProblem(
  countries: "*" | string[],
  isLast: boolean,
  zoneByCountry: ReadonlyMap<string, number>,
): string | null {
  if (countries === "*") return isLast ? null : "Only the last zone can be for all other countries";
  if (countries.length === 0) return "Choose at least one country";
  const unknown = countries.find((code) => countryName(code) === null);
  if (unknown !== undefined) return `There is no country with the code ${unknown}`;
  const elsewhere = countries.find((code) => zoneByCountry.has(code));
  if (elsewhere !== undefined) return `${countryName(elsewhere)} is in another zone already`;
  const duplicate = countries.find((code, index) => countries.indexOf(code) !== index);
  return duplicate === undefined ? null : `${countryName(duplicate)} is listed twice`;
}

function taxProblems({ rates }: TaxPolicy): SettingsProblems {
  const problems: SettingsProblems = {};
  const stateKeys = new Set<string>();
  for (const [r, { country, state }] of rates.entries()) {
    const states = countryStates(country);
    if (countryName(country) === null) {
      problems[`tax.rates.${r}.country`] = `There is no country with the code ${country}`;
    } else if (state !== null && states && !states.some(([code]) => code === state)) {
      problems[`tax.rates.${r}.state`] = `${countryName(country)} has no state with the code ${state}`;
    } else if (stateKeys.has(`${country} ${state}`)) {
      problems[`tax.rates.${r}.${state === null ? "country" : "state"}`] = "This place has a rate already";
    }
    stateKeys.add(`${country} ${state}`);
  }
  return problems;
}

function includedTaxProblems(countries: readonly string[]): SettingsProblems {
  const unknown = countries.find((code) => countryName(code) === null);
  return unknown === undefined ? {} : { taxIncludedIn: `There is no country with the code ${unknown}` };
}

function contactProblems({ phone }: AllSettings["contact"]): SettingsProblems {
  if (phone === null || (/^\+?[\d ().-]+$/.test(phone) && phone.replace(/\D/g, "").length >= 7)) return {};
  return { "contact.phone": "Enter a phone number, like +1 512 555 0123" };
}

/** Network -> hosts of its URLs. */
const networks = {
  instagram: { name: "Instagram", hosts: ["instagram.com"] },
  facebook: { name: "Facebook", hosts: ["facebook.com", "fb.com"] },
  tiktok: { name: "TikTok", hosts: ["tiktok.com"] },
  x: { name: "X", hosts: ["x.com", "twitter.com"] },
} as const;

function socialProblems(social: AllSettings["social"]): SettingsProblems {
  const problems: SettingsProblems = {};
  for (const [network, { name, hosts }] of Object.entries(networks)) {
    const url = social[network as keyof typeof networks];
    // Invalid URLs are reported by the schema.
    if (url === null || !URL.canParse(url)) continue;
    const { protocol, hostname } = new URL(url);
    if (hasUserInfo(url)) problems[`social.${network}`] = noUserInfo;
    else if (protocol !== "https:") problems[`social.${network}`] = "Must begin with https://";
    else if (!hosts.some((host) => hostname === host || hostname.endsWith(`.${host}`))) {
      problems[`social.${network}`] = `Must be an address at ${hosts[0]}, where ${name} is`;
    }
  }
  return problems;
}

const noUserInfo = "Must be an address without a user name or password in front of the site’s name";

function certificateProblems(certificates: AllSettings["certificates"]): SettingsProblems {
  const problems: SettingsProblems = {};
  for (const [c, { name, link }] of certificates.entries()) {
    Object.assign(problems, lineProblem(`certificates.${c}.name`, name));
    if (link !== null && hasUserInfo(link)) problems[`certificates.${c}.link`] = noUserInfo;
  }
  return problems;
}

/** A line break in a name would add a line to printed and sent texts. */
function lineProblem(field: string, name: string | null | undefined): SettingsProblems {
  return name == null || isOneLine(name) ? {} : { [field]: "Use one line" };
}
