import { connectionTitles } from "../../domain/connections/connections.ts";
import { isSampleSender } from "../../domain/labels/label-settings.ts";
import { labelProviders } from "../../domain/labels/labels.ts";
import { countryName } from "../../domain/shared/country.ts";
import { keyMode, tryCarrierKey } from "../label-providers/open.ts";
import { readSettings } from "../settings/queries.ts";
import {
  type CheckContext,
  type CheckResult,
  keysLink,
  ok,
  problem,
  settingsLink,
  warning,
} from "./check.ts";

const carrierLink = { ...keysLink, to: `${keysLink.to}#easypost` };
const orSwitchOff = "Or switch live rates off under Shipping.";

/** Where no carrier can be asked, checkout shows the table's prices and says nothing of it. */
export async function checkLiveRates({ db, config }: CheckContext): Promise<CheckResult> {
  const { shop, owner } = await readSettings(db);
  const zones = shop.shipping.zones.filter(({ liveRates }) => liveRates);
  if (zones.length === 0) return ok("Off: the shipping prices that you entered apply.");
  const on = `Live rates are on for ${list.format(zones.flatMap(({ countries }) => namesOf(countries)))}`;
  const own = "Real orders are charged the shipping prices that you entered.";
  const keys = labelProviders.flatMap((name) => {
    const apiKey = config.labelKeys[name];
    return apiKey === null ? [] : [{ name, apiKey, mode: keyMode(name, apiKey) }];
  });
  if (keys.length === 0)
    return warning(
      `${on}, but no carrier’s key is entered. ${own}`,
      `Enter a key of EasyPost or Shippo under Keys and connections. ${orSwitchOff}`,
      carrierLink,
    );
  for (const { name, apiKey } of keys) {
    const tried = await tryCarrierKey(name, apiKey, config.apiBases[name]);
    if (tried.ok) continue;
    const detail = `${on}, but ${connectionTitles[name]} gives no prices: ${tried.message}.`;
    const link = { ...keysLink, to: `${keysLink.to}#${name}` };
    if (tried.isUnreachable)
      return warning(detail, `Reload this page in a few minutes to try again. ${own}`, link);
    return problem(detail, `Check the key under Keys and connections. ${orSwitchOff}`, link);
  }
  if (!keys.some(({ mode }) => mode === "live"))
    return warning(
      `${on}, but only a test key of a carrier is entered. ${own}`,
      `Before you sell, enter a live key under Keys and connections. ${orSwitchOff}`,
      carrierLink,
    );
  if (isSampleSender(owner.labels.sender))
    return warning(
      `${on}, but the sender of parcels is still the sample. ${own}`,
      `Enter your address under Labels. ${orSwitchOff}`,
      settingsLink("labels", "labels", "Labels"),
    );
  return ok(`${on}, and the carrier accepts the key.`);
}

const list = new Intl.ListFormat("en-US");

function namesOf(countries: readonly string[] | "*"): string[] {
  if (countries === "*") return ["all other countries"];
  const names = countries.map((code) => countryName(code) ?? code);
  return names.length > 3 ? [`${names.length} countries`] : names;
}
