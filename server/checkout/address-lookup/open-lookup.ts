import type { Config } from "../../platform/config.ts";
import { googlePlaces } from "./google.ts";
import { type AddressLookup, serviceAt } from "./lookup.ts";
import { loqate } from "./loqate.ts";

/** The timeout is short, because the shopper continues typing. */
export function openAddressLookup(
  config: NonNullable<Config["addressLookup"]>,
  timeoutMs = 3_000,
): AddressLookup {
  const { provider, key, apiBase } = config;
  return provider === "google"
    ? googlePlaces(key, serviceAt(apiBase ?? "https://places.googleapis.com", timeoutMs))
    : loqate(key, serviceAt(apiBase ?? "https://api.addressy.com", timeoutMs));
}
