import { randomBytes } from "node:crypto";
import type { carrierFormSchemas } from "../../domain/connections/connections.ts";
import type { LabelProvider } from "../../domain/labels/labels.ts";
import type { ShopContext } from "../context.ts";
import { addWebhook, tryCarrierKey } from "../label-providers/open.ts";
import type { Problem } from "../platform/http/problem.ts";
import type { Viewer } from "../platform/http/viewer.ts";
import { ensureSecret } from "../settings/secrets.ts";
import { type Form, missingFieldsProblem, type SavedKeys, save, testProblem } from "./save.ts";
import { readStoredKeys } from "./stored-keys.ts";

/** Tests a label provider's key and stores it. If the shop is on https, also registers the webhook for parcels' progress. */
export async function saveCarrier(
  ctx: ShopContext,
  name: LabelProvider,
  form: Form<(typeof carrierFormSchemas)[LabelProvider]>,
  viewer: Viewer,
): Promise<SavedKeys | Problem> {
  const { [name]: stored } = await readStoredKeys(ctx.db, ctx.secretsKey);
  const apiKey = form.apiKey || (stored.value?.apiKey ?? "");
  const missingFields = missingFieldsProblem({ apiKey });
  if (missingFields) return missingFields;
  const { apiBases, publicUrl } = ctx.connections.environment;
  const test = await tryCarrierKey(name, apiKey, apiBases[name]);
  if (!test.ok && !(test.isUnreachable && form.untested)) return testProblem(test);
  const webhookUrl = test.ok ? await trackingWebhookUrl(ctx, publicUrl) : null;
  const hasWebhook = webhookUrl !== null && (await addWebhook(name, apiKey, apiBases[name], webhookUrl));
  return save(ctx, { name, value: { apiKey }, facts: { hasWebhook }, form, viewer, isTested: test.ok });
}

/**
 * The secret URL to which providers report a parcel's progress; null if the shop has no https URL. The secret is in the query,
 * which proxies do not log.
 */
async function trackingWebhookUrl(ctx: ShopContext, publicUrl: string): Promise<string | null> {
  if (!publicUrl.startsWith("https:")) return null;
  const key = await trackingWebhookKey(ctx);
  return key && `${publicUrl}/api/parcels?key=${key}`;
}

/** Null if there is no key to encrypt it with. */
export function trackingWebhookKey(ctx: ShopContext): Promise<string | null> {
  return ensureSecret(ctx, "parcel_webhook", () => randomBytes(24).toString("base64url"));
}
