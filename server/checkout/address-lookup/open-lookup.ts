import type { Config } from "../../platform/config.ts";
import { googlePlaces } from "./google.ts";
import { type AddressLookup, serviceCaller } from "./lookup.ts";
import { loqate } from "./loqate.ts";

/** Opens the configured address service. Its timeout is short, because the shopper continues typing. */
export function openAddressLookup(
  config: NonNullable<Config["addressLookup"]>,
  timeoutMs = 3_000,
): AddressLookup {
  const { provider, key, apiBase } = config;
  return provider === "google"
    ? googlePlaces(key, serviceCaller(apiBase ?? "https://places.googleapis.com", timeoutMs))
    : loqate(key, serviceCaller(apiBase ?? "https://api.addressy.com", timeoutMs));
}
