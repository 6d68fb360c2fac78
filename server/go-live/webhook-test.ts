import { randomUUID } from "node:crypto";
import { and, eq, isNotNull } from "drizzle-orm";
import { Stripe } from "stripe";
import type { WebhookTest } from "../../domain/go-live/go-live.ts";
import type { ShopContext } from "../context.ts";
import { ProviderRefused, ProviderUnavailable } from "../payment-providers/provider.ts";
import { sandboxSecret } from "../payment-providers/providers.ts";
import type { StripeInspector } from "../payment-providers/stripe/inspect.ts";
import { paymentEvents } from "../payments/tables.ts";
import type { Db } from "../platform/database/database.ts";
import { checkContext } from "./check.ts";
import { webhookUrl } from "./payment-checks.ts";

/** How long the test waits for Stripe's event (ms). */
const timeoutMs = 20_000;
const pollMs = 250;

/**
 * Triggers an event at Stripe, by opening and cancelling a payment, and waits until the webhook has stored it, which takes a
 * signature with the right secret. Where payments are simulated, the shop posts a signed event to its public address itself.
 */
export async function testWebhook(ctx: ShopContext): Promise<WebhookTest> {
  const { stripe } = checkContext(ctx);
  if (stripe === null && ctx.config.payments === "stripe") {
    return { arrived: false, detail: "No keys of Stripe are in use. No event was asked for." };
  }
  try {
    return stripe ? await throughStripe(ctx, stripe) : await throughPublicAddress(ctx);
  } catch (error) {
    if (!(error instanceof ProviderUnavailable) && !(error instanceof ProviderRefused)) throw error;
    return { arrived: false, detail: `${error.message}. No event was asked for.` };
  }
}

async function throughStripe(ctx: ShopContext, stripe: StripeInspector): Promise<WebhookTest> {
  const startedAt = performance.now();
  const intentId = await stripe.triggerEvent();
  const wait = `${Math.round(timeoutMs / 1000)} seconds`;
  while (performance.now() - startedAt < timeoutMs) {
    if (await hasArrived(ctx.db, intentId)) {
      const seconds = Math.max(1, Math.round((performance.now() - startedAt) / 1000));
      return {
        arrived: true,
        detail: `Stripe’s event reached this shop within ${seconds} s, signed with the webhook’s secret. Nothing was charged.`,
      };
    }
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
  return {
    arrived: false,
    detail: `No event arrived within ${wait}. Look up the event of ${intentId} in Stripe’s dashboard, under Developers, Webhooks. If the answer was 400, the webhook’s signing secret belongs to another endpoint. If there was no answer, ${webhookUrl(ctx)} does not lead here.`,
  };
}

async function throughPublicAddress(ctx: ShopContext): Promise<WebhookTest> {
  const url = webhookUrl(ctx);
  const objectId = `check_${randomUUID()}`;
  const body = JSON.stringify({
    id: `evt_${objectId}`,
    object: "event",
    type: "palmira.check",
    livemode: false,
    created: Math.floor(ctx.now().getTime() / 1000),
    data: { object: { id: objectId, object: "check" } },
  });
  const signature = Stripe.webhooks.generateTestHeaderString({ payload: body, secret: sandboxSecret(ctx) });
  const headers = { "Content-Type": "application/json", "Stripe-Signature": signature };
  let status: number;
  try {
    const signal = AbortSignal.timeout(10_000);
    const response = await fetch(url, { method: "POST", body, headers, signal, redirect: "manual" });
    await response.body?.cancel();
    status = response.status;
  } catch {
    return {
      arrived: false,
      detail: `${url} does not answer. Check PUBLIC_URL and the web server in front of the shop.`,
    };
  }
  if (await hasArrived(ctx.db, objectId)) {
    return { arrived: true, detail: `A signed event reached this shop at ${url}.` };
  }
  return {
    arrived: false,
    detail: `${url} answered ${status}, but no event came here. PUBLIC_URL leads to another shop, or something in between changed the call.`,
  };
}

async function hasArrived(db: Db, objectId: string): Promise<boolean> {
  const isDelivered = and(eq(paymentEvents.objectId, objectId), isNotNull(paymentEvents.deliveredAt));
  return (await db.$count(paymentEvents, isDelivered)) > 0;
}
