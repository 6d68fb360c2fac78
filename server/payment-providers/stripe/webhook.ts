import { Stripe } from "stripe";
import { neededEventTypes } from "./event.ts";
import { endpointMetadata, isOwnEndpoint, type ShopId } from "./metadata.ts";
import { apiVersion, sdkHost } from "./provider.ts";

/** A short timeout without retries, because the owner waits for the response. */
const options = { timeout: 8_000, maxNetworkRetries: 0 };

/** `others`: ids of endpoints with the same URL that this shop did not create. */
export type NewWebhook = { id: string; secret: string; others: string[] };
type Refused = { ok: false; isUnreachable: boolean; message: string };

/** Creates and deletes the webhook endpoints of this shop's URL at Stripe. */
type WebhookEndpoints = {
  /** Creates an endpoint with exactly the events that the shop needs. Stripe returns its signing secret only here. */
  create(): Promise<{ ok: true; webhook: NewWebhook } | Refused>;
  /** Deletes the shop's other endpoints with this URL, whose secrets are unknown. False if some could not be deleted. */
  removeAllBut(id: string): Promise<boolean>;
  remove(id: string): Promise<boolean>;
};

export function createWebhookEndpoints({
  secretKey,
  apiBase,
  url,
  shopId,
}: {
  secretKey: string;
  apiBase: string | null;
  url: string;
  shopId: ShopId;
}): WebhookEndpoints {
  const stripe = new Stripe(secretKey, { apiVersion, telemetry: false, ...sdkHost(apiBase) });
  const endpoints = stripe.webhookEndpoints;
  const listWithSameUrl = async () => {
    // Stripe allows 16 for an account.
    const { data } = await endpoints.list({ limit: 100 }, options);
    return data.filter((endpoint) => endpoint.url.replace(/\/$/, "") === url);
  };
  const remove = (id: string) =>
    endpoints.del(id, {}, options).then(
      () => true,
      () => false,
    );
  return {
    async create() {
      try {
        const otherEndpoints = (await listWithSameUrl()).filter(
          ({ metadata }) => !isOwnEndpoint(metadata, shopId),
        );
        const { id, secret } = await endpoints.create(
          {
            url,
            enabled_events: neededEventTypes as Stripe.WebhookEndpointCreateParams.EnabledEvent[],
            api_version: apiVersion,
            description: "Palmira: made by the shop, which has its signing secret",
            metadata: endpointMetadata(shopId),
          },
          options,
        );
        if (!secret) return { ok: false, isUnreachable: true, message: "Stripe returned no signing secret" };
        return { ok: true, webhook: { id, secret, others: otherEndpoints.map((other) => other.id) } };
      } catch (error) {
        return webhookRefusal(error);
      }
    },
    async removeAllBut(id) {
      try {
        const staleEndpoints = (await listWithSameUrl()).filter(
          (endpoint) => endpoint.id !== id && isOwnEndpoint(endpoint.metadata, shopId),
        );
        return (await Promise.all(staleEndpoints.map((endpoint) => remove(endpoint.id)))).every(Boolean);
      } catch {
        return false;
      }
    },
    remove,
  };
}

function webhookRefusal(error: unknown): Refused {
  if (!(error instanceof Stripe.errors.StripeError)) throw error;
  const { statusCode } = error;
  if (error instanceof Stripe.errors.StripePermissionError) {
    return {
      ok: false,
      isUnreachable: false,
      message:
        "This restricted key is not allowed to create webhooks. In Stripe’s dashboard, Developers, API keys, give it write access to Webhook Endpoints. Or add the endpoint there yourself, and enter its signing secret here",
    };
  }
  if (statusCode === undefined || statusCode === 409 || statusCode === 429 || statusCode >= 500) {
    return { ok: false, isUnreachable: true, message: "Stripe did not answer while the webhook was created" };
  }
  return {
    ok: false,
    isUnreachable: false,
    message: `Stripe did not create a webhook: ${error.message.replace(/\.$/, "")}. Add the endpoint in its dashboard, and enter the signing secret here`,
  };
}
