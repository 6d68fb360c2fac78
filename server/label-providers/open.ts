import * as v from "valibot";
import type { LabelProvider } from "../../domain/labels/labels.ts";
import { callProvider, tryKey } from "./call.ts";
import type { LabelCarrier } from "./carrier.ts";
import { easypost, easypostAccess } from "./easypost.ts";
import { shippo, shippoAccess } from "./shippo.ts";

/** `apiBase`: the URL of a test double in place of the provider's own. */
export function openCarrier(name: LabelProvider, apiKey: string, apiBase: string | null): LabelCarrier {
  const access = accessTo(name, apiKey, apiBase);
  return name === "easypost" ? easypost(access) : shippo(access);
}

function accessTo(name: LabelProvider, apiKey: string, apiBase: string | null) {
  return name === "easypost" ? easypostAccess(apiKey, apiBase) : shippoAccess(apiKey, apiBase);
}

/** Tests a key by a read-only request. */
export function tryCarrierKey(name: LabelProvider, apiKey: string, apiBase: string | null) {
  const path = name === "easypost" ? "/v2/shipments?page_size=1" : "/transactions?results=1";
  return tryKey(accessTo(name, apiKey, apiBase), path);
}

export function keyMode(name: LabelProvider, apiKey: string): "live" | "test" {
  return openCarrier(name, apiKey, null).mode === "live" ? "live" : "test";
}

/** Registers a webhook for parcels' tracking at the provider, unless it is registered already. False if the provider failed. */
export async function addWebhook(
  name: LabelProvider,
  apiKey: string,
  apiBase: string | null,
  url: string,
): Promise<boolean> {
  const access = accessTo(name, apiKey, apiBase);
  const path = name === "easypost" ? "/v2/webhooks" : "/webhooks";
  const isTest = keyMode(name, apiKey) === "test";
  const body =
    name === "easypost"
      ? { webhook: { url } }
      : { url, event: "track_updated", active: true, is_test: isTest };
  const webhook = v.object({
    url: v.string(),
    disabled_at: v.nullish(v.string()),
    active: v.optional(v.boolean()),
  });
  const listSchema = v.object({
    webhooks: v.optional(v.array(webhook)),
    results: v.optional(v.array(webhook)),
  });
  try {
    const { webhooks = [], results = [] } = await callProvider(access, "GET", path, { schema: listSchema });
    const isRegistered = [...webhooks, ...results].some(
      (webhook) => webhook.url === url && !webhook.disabled_at && webhook.active !== false,
    );
    if (!isRegistered) await callProvider(access, "POST", path, { body, schema: v.unknown() });
    return true;
  } catch {
    return false;
  }
}
