import { and, desc, eq, inArray, isNotNull, max, sql } from "drizzle-orm";
import { orders } from "../orders/tables.ts";
import { eventTypes } from "../payment-providers/providers.ts";
import { neededEventTypes } from "../payment-providers/stripe/event.ts";
import type { StripeSetup } from "../payment-providers/stripe/inspect.ts";
import { paymentEvents, payments } from "../payments/tables.ts";
import { readSettings } from "../settings/queries.ts";
import {
  type Check,
  type CheckContext,
  type CheckResult,
  keysLink,
  ok,
  problem,
  timeText,
  warning,
} from "./check.ts";

export const webhookUrl = ({ config }: Pick<CheckContext, "config">) =>
  `${config.publicUrl}/api/stripe/webhook`;

/** The shop's host name without a port, such as "shop.example". */
export const shopDomain = ({ config }: Pick<CheckContext, "config">) => new URL(config.publicUrl).hostname;

const stripeLink = { ...keysLink, to: `${keysLink.to}#stripe` };
const keyNames = "STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET";
/** Advice on where to change the keys: in the panel or in the environment. */
const keysAdvice = (config: CheckContext["config"]) =>
  config.paymentsFrom === "panel"
    ? "enter them under Keys and connections"
    : `have whoever runs the server set them (${keyNames}) and start the shop again`;

/** `setup`: Stripe's response or the error; null if payments are simulated. */
export function paymentChecks(setup: StripeSetup | Error | null): Check[] {
  const check = (id: string, title: string, run: Check["run"]): Check => ({
    id,
    group: "payments",
    title,
    run,
  });
  if (setup === null) return [check("payments", "Payment keys", withoutStripe)];
  /** A check of the account data that Stripe returned. */
  const withSetup =
    (run: (context: CheckContext, setup: StripeSetup) => ReturnType<Check["run"]>): Check["run"] =>
    (context) =>
      setup instanceof Error
        ? warning("Not known while Stripe does not answer.", "Run the check again once it does.")
        : run(context, setup);
  return [
    check("payments", "Payment keys", checkKeys),
    check("provider", "Payment provider", () =>
      setup instanceof Error
        ? problem(
            `${setup.message}.`,
            "Check the secret key in Stripe’s dashboard, under Developers, API keys. Check that this machine reaches api.stripe.com.",
          )
        : ok("Stripe answers and accepts the secret key."),
    ),
    check("webhook", "Webhook at Stripe", withSetup(checkEndpoints)),
    check("webhook_signed", "Signed events", checkEvents),
    check("events_listed", "Lost webhooks", withSetup(checkEventList)),
    check("wallets", "Wallets", withSetup(checkWallets)),
  ];
}

function withoutStripe({ config }: CheckContext): CheckResult {
  if (config.payments === "stripe") {
    return problem(
      "No Stripe keys are in use: no card payment can be taken.",
      "Enter them under Keys and connections. You find them in Stripe’s dashboard, under Developers.",
      stripeLink,
    );
  }
  const isInPanel = config.paymentsFrom === "panel";
  return warning(
    "Payments are simulated: no card is charged, and orders can be placed for nothing.",
    isInPanel
      ? "Before you sell, enter Stripe’s keys under Keys and connections. You find them in Stripe’s dashboard, under Developers."
      : "Before you sell, whoever runs the server ends the simulation (PAYMENTS=sandbox) and starts the shop again. Then enter Stripe’s keys under Keys and connections.",
    isInPanel ? stripeLink : undefined,
  );
}

function checkKeys({ config }: CheckContext): CheckResult {
  const isLive = /^[sr]k_live_/.test(config.stripe?.secretKey ?? "");
  return isLive
    ? ok("Stripe’s live keys are set: cards are charged.")
    : warning(
        "Stripe’s test keys are set: only test cards work, and no money moves.",
        `Before you sell, take the live keys from Stripe’s dashboard, and ${keysAdvice(config)}.`,
        config.paymentsFrom === "panel" ? stripeLink : undefined,
      );
}

/** Whether Stripe has an enabled webhook for this shop, with all events that it needs. */
function checkEndpoints(context: Pick<CheckContext, "config">, { endpoints }: StripeSetup): CheckResult {
  const url = webhookUrl(context);
  const addAdvice = `In Stripe’s dashboard, under Developers, Webhooks, add the endpoint ${url}. Enter its signing secret under Keys and connections, or on the server (STRIPE_WEBHOOK_SECRET). Choose these events: ${neededEventTypes.join(", ")}.`;
  if (endpoints === "forbidden") {
    return warning(
      "The key is restricted and may not read webhooks. This cannot be checked from here.",
      `Look in Stripe’s dashboard that ${url} is there and enabled. Then press “Test the webhook”.`,
    );
  }
  const shopEndpoints = endpoints.filter((endpoint) => endpoint.url.replace(/\/$/, "") === url);
  const enabledEndpoint = shopEndpoints.find(({ isEnabled }) => isEnabled);
  if (shopEndpoints.length === 0) return problem(`Stripe has no webhook at ${url}.`, addAdvice);
  if (!enabledEndpoint) {
    return problem(
      `The webhook at ${url} is switched off at Stripe.`,
      "Enable it in Stripe’s dashboard, Developers, Webhooks.",
    );
  }
  const missingTypes = enabledEndpoint.eventTypes.includes("*")
    ? []
    : neededEventTypes.filter((type) => !enabledEndpoint.eventTypes.includes(type));
  return missingTypes.length === 0
    ? ok(`Stripe sends its events to ${url}.`)
    : problem(
        `The webhook at ${url} is not sent ${missingTypes.join(", ")}.`,
        "Add these events to the endpoint in Stripe’s dashboard, Developers, Webhooks.",
      );
}

/** Whether the key may read Stripe's list of events, which makes up for missed webhooks. */
function checkEventList(_: CheckContext, { mayReadEvents }: StripeSetup): CheckResult {
  return mayReadEvents
    ? ok("The shop also reads Stripe’s list of events. What a webhook misses is found within minutes.")
    : warning(
        "The key is restricted and may not read events. What a webhook misses is found late, or not at all.",
        "In Stripe’s dashboard, Developers, API keys, give the key the permission to read Events.",
      );
}

/** Whether Stripe offers Apple Pay and the like on the shop's domain. */
async function checkWallets(
  context: CheckContext,
  { walletDomain: domain }: StripeSetup,
): Promise<CheckResult> {
  const { wallets } = (await readSettings(context.db)).shop;
  if (!Object.values(wallets).some(Boolean)) return ok("Wallets are switched off in the settings.");
  const name = shopDomain(context);
  const place = "In Stripe’s dashboard, Settings, Payment method domains,";
  if (domain === "forbidden") {
    return warning(
      "The key is restricted and may not read payment method domains. This cannot be checked from here.",
      `${place} see that ${name} is there and enabled.`,
    );
  }
  if (domain === null || !domain.isEnabled) {
    return warning(
      `${domain === null ? `Stripe does not know ${name}` : `${name} is switched off at Stripe`}: no Apple Pay, Google Pay or Link is offered there.`,
      "Press “Register the domain” on the Go-live check.",
    );
  }
  if (domain.applePayProblem !== null) {
    return warning(
      `${name} is registered, but Apple Pay is not offered there. Stripe says: ${domain.applePayProblem.replace(/\.$/, "")}.`,
      `${name} has to lead to this shop over https. Once it does, press “Register the domain” again.`,
    );
  }
  return ok(
    `${name} is registered at Stripe. Shoppers see the wallets that are switched on there, under Settings, Payment methods.`,
  );
}

/** Whether signed events arrive, including the event of the last payment. */
async function checkEvents({ db, now }: CheckContext): Promise<CheckResult> {
  const [lastEvent] = await db.select({ at: max(paymentEvents.deliveredAt) }).from(paymentEvents);
  const testAdvice = "Press “Test the webhook”, or send a test event from Stripe’s dashboard.";
  if (!lastEvent?.at) {
    return problem(
      "No signed event has arrived yet. Without events, the shop learns of payments minutes late.",
      `${testAdvice} If none arrives, the webhook’s signing secret belongs to another endpoint, or the shop’s address (PUBLIC_URL) does not lead here.`,
    );
  }
  const settledBefore = new Date(now().getTime() - 10 * 60 * 1000);
  const [latestPayment] = await db
    .select({ number: orders.number, event: paymentEvents.id })
    .from(payments)
    .innerJoin(orders, eq(orders.id, payments.orderId))
    .leftJoin(
      paymentEvents,
      and(
        eq(paymentEvents.intentId, payments.intentId),
        inArray(paymentEvents.type, eventTypes("payment_succeeded")),
        isNotNull(paymentEvents.deliveredAt),
      ),
    )
    .where(
      and(
        eq(payments.status, "succeeded"),
        isNotNull(payments.intentId),
        sql`${orders.paidAt} < ${settledBefore.toISOString()}`,
      ),
    )
    .orderBy(desc(orders.paidAt))
    .limit(1);
  if (latestPayment && latestPayment.event === null) {
    return problem(
      `No event arrived for the payment of order #${latestPayment.number}. The shop found the payment by asking Stripe.`,
      `${testAdvice} See Stripe’s dashboard, Developers, Webhooks, for failed deliveries.`,
    );
  }
  return ok(
    `The last event signed with the webhook’s secret arrived on ${await timeText({ db }, lastEvent.at)}.`,
  );
}
