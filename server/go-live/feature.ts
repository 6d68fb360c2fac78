import { randomUUID } from "node:crypto";
import { and, eq, isNotNull } from "drizzle-orm";
import { Stripe } from "stripe";
import * as v from "valibot";
import {
  confirmableChecks,
  type DomainRegistration,
  domainRegistrationSchema,
  goLiveReportSchema,
  type WebhookTest,
  webhookTestSchema,
} from "../../domain/go-live/go-live.ts";
import { accepted, dataEnvelope, ok, route } from "../api-row.ts";
import type { ShopContext } from "../context.ts";
import type { Feature } from "../feature.ts";
import { queueTestEmail } from "../outbox/enqueue.ts";
import { ProviderRefused, ProviderUnavailable } from "../payment-providers/provider.ts";
import { sandboxSecret } from "../payment-providers/providers.ts";
import type { StripeInspector } from "../payment-providers/stripe/inspect.ts";
import { paymentEvents } from "../payments/tables.ts";
import type { Db } from "../platform/database/database.ts";
import { checkContext } from "./check.ts";
import { recordBackupMarker } from "./machine-checks.ts";
import { shopDomain, webhookUrl } from "./payment-checks.ts";
import { runChecks } from "./report.ts";
import { type ConfirmableCheck, confirmCheck } from "./statements.ts";
import { archiveWatch, mailWatch, recurringWatch } from "./watch.ts";

/** Entries of the activity log. */
const activitySummaries: Record<ConfirmableCheck, string> = {
  time_zone: "Confirmed the default time zone",
  shipping: "Confirmed the default shipping prices",
  tax: "Confirmed that no tax is charged",
  policies: "Confirmed the default rules for returns",
  policies_read: "Confirmed having read the policies",
  offsite_backup: "Confirmed that copies of backups are kept elsewhere",
};

const shared = { tag: "Contact, notifications, admin", access: "admin" } as const;

/** Whether the shop is ready to accept payments, and what to do if it is not. */
const goLiveApi = [
  route("GET /api/admin/go-live", {
    ...shared,
    summary: "The go-live check: each line is ok, a warning or a problem, with what to do",
    limit: "write",
    response: dataEnvelope(goLiveReportSchema),
    responses: {
      200: "`{at, checks: [{id, group, title, state, detail, todo, link, keep}], counts}`; `keep`: label of the button that confirms the line (`POST /api/admin/go-live/keep`), null if it needs no confirmation",
    },
    handle: async (ctx) => ok(await runChecks(checkContext(ctx))),
  }),
  route("POST /api/admin/go-live/keep", {
    ...shared,
    summary:
      "Confirm a line of the check: that default settings are wanted, or a fact that only the owner knows",
    limit: "write",
    body: v.object({ check: v.picklist(confirmableChecks, `One of ${confirmableChecks.join(", ")}`) }),
    response: dataEnvelope(goLiveReportSchema),
    responses: { 200: "The check with that line confirmed" },
    handle: async (ctx, { body: { check }, log }) => {
      await confirmCheck(ctx, check);
      log(activitySummaries[check]);
      return ok(await runChecks(checkContext(ctx)));
    },
  }),
  route("POST /api/admin/go-live/test-email", {
    ...shared,
    summary: "Send the owner a test e-mail by the shop's mail queue",
    limit: "checkout",
    response: dataEnvelope(v.object({ messageId: v.string() })),
    responses: { 202: "Queued, with its `messageId`" },
    handle: async (ctx, { log }) => {
      const messageId = await queueTestEmail(ctx.db);
      log("Sent a test email");
      return accepted({ messageId });
    },
  }),
  route("POST /api/admin/go-live/test-webhook", {
    ...shared,
    summary: "Make the payment provider send a signed event to the webhook, and wait up to 20 seconds for it",
    limit: "checkout",
    response: dataEnvelope(webhookTestSchema),
    responses: { 200: "`{arrived, detail}`" },
    handle: async (ctx, { log }) => {
      const result = await testWebhook(ctx);
      log(`Tested the webhook: ${result.arrived ? "the event arrived" : "no event arrived"}`);
      return ok(result);
    },
  }),
  route("POST /api/admin/go-live/register-domain", {
    ...shared,
    summary: "Register the shop's domain at Stripe, for Apple Pay and other wallets",
    limit: "checkout",
    response: dataEnvelope(domainRegistrationSchema),
    responses: { 200: "`{isRegistered, detail}`" },
    handle: async (ctx, { log }) => {
      const result = await registerDomain(ctx);
      log(`Registered the domain for wallets: ${result.isRegistered ? "done" : "refused"}`);
      return ok(result);
    },
  }),
];

/** Registers the shop's domain at Stripe, which offers wallets such as Apple Pay on registered domains only. */
async function registerDomain(ctx: ShopContext): Promise<DomainRegistration> {
  const { stripe } = checkContext(ctx);
  const registrationFailure = (detail: string) => ({ isRegistered: false, detail });
  if (!stripe) return registrationFailure("Payments are simulated: there is no domain to register.");
  const name = shopDomain(ctx);
  try {
    const { applePayProblem } = await stripe.registerDomain(name);
    const detail = `Stripe offers the wallets that are switched on there on ${name}.`;
    return {
      isRegistered: true,
      detail: applePayProblem === null ? detail : `${detail} Not Apple Pay: ${applePayProblem}`,
    };
  } catch (error) {
    if (!(error instanceof ProviderUnavailable) && !(error instanceof ProviderRefused)) throw error;
    return registrationFailure(error.message);
  }
}

/** Time limit for the arrival of Stripe's event. */
const timeoutMs = 20_000;
const pollMs = 250;

/**
 * Triggers an event at Stripe, by opening and cancelling a payment, and waits until the webhook has stored it, which
 * requires a signature with the right secret. Where payments are simulated, the shop posts a signed event to its public
 * address itself.
 */
async function testWebhook(ctx: ShopContext): Promise<WebhookTest> {
  const { stripe } = checkContext(ctx);
  if (stripe === null && ctx.config.payments === "stripe") {
    return { arrived: false, detail: "No Stripe keys are in use. No event was requested." };
  }
  try {
    return stripe ? await testThroughStripe(ctx, stripe) : await testThroughPublicUrl(ctx);
  } catch (error) {
    if (!(error instanceof ProviderUnavailable) && !(error instanceof ProviderRefused)) throw error;
    return { arrived: false, detail: `${error.message}. No event was requested.` };
  }
}

async function testThroughStripe(ctx: ShopContext, stripe: StripeInspector): Promise<WebhookTest> {
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

async function testThroughPublicUrl(ctx: ShopContext): Promise<WebhookTest> {
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
      detail: `${url} does not answer. Is this the shop’s address (PUBLIC_URL), and does the web server in front of it run?`,
    };
  }
  if (await hasArrived(ctx.db, objectId)) {
    return { arrived: true, detail: `A signed event reached this shop at ${url}.` };
  }
  return {
    arrived: false,
    detail: `${url} answered ${status}, but no event came here. The address (PUBLIC_URL) leads to another shop, or something in between changed the call.`,
  };
}

async function hasArrived(db: Db, objectId: string): Promise<boolean> {
  const isDelivered = and(eq(paymentEvents.objectId, objectId), isNotNull(paymentEvents.deliveredAt));
  return (await db.$count(paymentEvents, isDelivered)) > 0;
}

/** Whether the shop is ready to accept payments. */
export const goLiveFeature = {
  api: goLiveApi,
  cron: (ctx) => [archiveWatch(ctx), mailWatch(ctx), recurringWatch(ctx)],
  atStart: (ctx) => recordBackupMarker(ctx),
} satisfies Feature;
