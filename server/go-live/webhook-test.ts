import { randomUUID } from "node:crypto";
import { and, eq, isNotNull } from "drizzle-orm";
import { Stripe } from "stripe";
import type { WebhookTest } from "../../domain/go-live/go-live.ts";
import { ProviderRefused, ProviderUnavailable } from "../payments/provider.ts";
import type { StripeInspector } from "../payments/stripe/inspect.ts";
import { paymentEvents } from "../payments/tables.ts";
import type { Db } from "../platform/database.ts";
import type { DoctorParts } from "./parts.ts";
import { webhookUrl } from "./payment-checks.ts";

export type WebhookTestParts = DoctorParts & {
  /** With which the sandbox signs its events. */
  sandboxSecret: string;
  /** Longest wait for the provider's event (ms). */
  patienceMs: number;
};

const lookEveryMs = 250;

/**
 * Sends an event the whole way round: by Stripe, which is made to tell of a payment that is cancelled at once, or, where
 * payments are simulated, to the shop's own public address. It has arrived when this shop's database has it, which takes
 * a signature by the right secret.
 */
export async function testWebhook(parts: WebhookTestParts): Promise<WebhookTest> {
  try {
    return parts.stripe ? await throughStripe(parts, parts.stripe) : await throughPublicAddress(parts);
  } catch (error) {
    if (!(error instanceof ProviderUnavailable) && !(error instanceof ProviderRefused)) throw error;
    return { arrived: false, detail: `${error.message}. No event was asked for.` };
  }
}

async function throughStripe(parts: WebhookTestParts, stripe: StripeInspector): Promise<WebhookTest> {
  const startedAt = performance.now();
  const intentId = await stripe.makeNews();
  const patience = `${Math.round(parts.patienceMs / 1000)} seconds`;
  while (performance.now() - startedAt < parts.patienceMs) {
    if (await hasArrived(parts.db, intentId)) {
      const seconds = Math.max(1, Math.round((performance.now() - startedAt) / 1000));
      return {
        arrived: true,
        detail: `Stripe’s event reached this shop within ${seconds} s, signed with the webhook’s secret. Nothing was charged.`,
      };
    }
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
  return {
    arrived: false,
    detail: `No event arrived within ${patience}. In Stripe’s dashboard, Developers, Webhooks, see what became of the event of ${intentId}: an answer of 400 means that STRIPE_WEBHOOK_SECRET is another endpoint’s, no answer that ${webhookUrl(parts)} does not lead here.`,
  };
}

async function throughPublicAddress(parts: WebhookTestParts): Promise<WebhookTest> {
  const url = webhookUrl(parts);
  const objectId = `check_${randomUUID()}`;
  const body = JSON.stringify({
    id: `evt_${objectId}`,
    object: "event",
    type: "palmira.check",
    livemode: false,
    created: Math.floor(parts.now().getTime() / 1000),
    data: { object: { id: objectId, object: "check" } },
  });
  const signature = Stripe.webhooks.generateTestHeaderString({ payload: body, secret: parts.sandboxSecret });
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
  if (await hasArrived(parts.db, objectId)) {
    return { arrived: true, detail: `A signed event reached this shop at ${url}.` };
  }
  return {
    arrived: false,
    detail: `${url} answered ${status}, but no event came here: PUBLIC_URL leads to another shop, or something in between changed the call.`,
  };
}

async function hasArrived(db: Db, objectId: string): Promise<boolean> {
  const came = and(eq(paymentEvents.objectId, objectId), isNotNull(paymentEvents.deliveredAt));
  return (await db.$count(paymentEvents, came)) > 0;
}
