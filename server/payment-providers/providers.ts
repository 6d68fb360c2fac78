import type { PaymentMode } from "../../domain/payments/payment-mode.ts";
import type { PaymentProviderName } from "../../domain/payments/providers.ts";
import type { ShopInput } from "../platform/base-context.ts";
import type { Metrics } from "../platform/metrics.ts";
import { type EventKind, type PaymentProvider, ProviderUnavailable } from "./provider.ts";
import { createSandboxProvider, type SandboxProvider } from "./sandbox/provider.ts";
import { stripeEventKinds } from "./stripe/event.ts";
import { createStripeProvider } from "./stripe/provider.ts";

/** Kinds of each provider's events, by stored type. */
const eventKinds: Record<PaymentProviderName, Record<string, EventKind>> = {
  stripe: stripeEventKinds,
  // The sandbox sends Stripe's types.
  sandbox: stripeEventKinds,
};
const kindByType = new Map(Object.values(eventKinds).flatMap((kinds) => Object.entries(kinds)));

/** The kind of an event; null: the shop ignores it. */
export function eventKind(type: string): EventKind | null {
  return kindByType.get(type) ?? null;
}

/** Event types of these kinds, of all providers. */
export function eventTypes(...kinds: EventKind[]): string[] {
  return [...kindByType].flatMap(([type, kind]) => (kinds.includes(kind) ? [type] : []));
}

/**
 * The configured payment provider. `mode`: mode of the keys used last, needed if they have been removed. `account`: the account
 * that the keys belong to, if known.
 */
export function connectProvider(
  input: Pick<ShopInput, "config" | "db" | "log" | "secret">,
  metrics: Metrics,
  known: { shopId: string; mode?: PaymentMode; account?: string | null },
): { provider: PaymentProvider; sandbox: SandboxProvider | null } {
  const { config, db, log } = input;
  if (config.payments === "stripe" && config.stripe) {
    const provider = createStripeProvider({
      ...config.stripe,
      shopId: known.shopId,
      account: known.account ?? null,
      log,
      observe: metrics.observeProvider,
    });
    return { provider, sandbox: null };
  }
  if (config.payments === "stripe")
    return { provider: createMissingStripe(known.mode ?? "live"), sandbox: null };
  const sandbox = createSandboxProvider({
    db,
    log,
    webhookSecret: sandboxSecret(input),
    publicUrl: config.publicUrl,
    events: config.sandboxEvents,
  });
  return { provider: sandbox, sandbox };
}

/** Secret with which the sandbox signs its events. */
export function sandboxSecret({ config, secret }: Pick<ShopInput, "config" | "secret">): string {
  return config.webhookSecret ?? `whsec_sandbox_${secret}`;
}

/** Stripe without keys: every call throws ProviderUnavailable. */
function createMissingStripe(mode: PaymentMode): PaymentProvider {
  const missing = (): never => {
    throw new ProviderUnavailable("No keys of Stripe are set");
  };
  const unavailable = async () => missing();
  return {
    name: "stripe",
    mode,
    account: null,
    loadAccount: async () => {},
    publishableKey: null,
    createIntent: unavailable,
    retrieveIntent: unavailable,
    cancelIntent: unavailable,
    createSession: unavailable,
    retrieveSession: unavailable,
    expireSession: unavailable,
    createRefund: unavailable,
    listRefunds: unavailable,
    listSucceededIntents: missing,
    listOrderIntents: unavailable,
    listOrderSessions: unavailable,
    retrieveDispute: unavailable,
    listIntentDisputes: unavailable,
    listDisputes: missing,
    disputeUrl: () => null,
    uploadEvidence: unavailable,
    answerDispute: unavailable,
    acceptDispute: unavailable,
    retrieveFraudWarning: unavailable,
    retrieveReview: unavailable,
    listEvents: unavailable,
    listRefundsSince: missing,
    listBalance: missing,
    dashboardUrl: () => null,
    ping: async () => false,
    // The webhook then responds that it is unavailable, and Stripe sends the event again.
    parseEvent: missing,
  };
}
