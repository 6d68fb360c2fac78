import type { PaymentMode } from "../../domain/payments/payment-mode.ts";
import type { PaymentProviderName } from "../../domain/payments/providers.ts";
import type { ShopInput } from "../platform/base-context.ts";
import type { Metrics } from "../platform/metrics.ts";
import { type EventKind, type PaymentProvider, ProviderUnavailable } from "./provider.ts";
import { createSandboxProvider, type SandboxProvider } from "./sandbox/provider.ts";
import { stripeEventKinds } from "./stripe/event.ts";
import { createStripeProvider } from "./stripe/provider.ts";

/** Kinds of each provider's events, by their stored type. */
const eventKinds: Record<PaymentProviderName, Record<string, EventKind>> = {
  stripe: stripeEventKinds,
  // The sandbox sends Stripe's types.
  sandbox: stripeEventKinds,
};
const kindByType = new Map(Object.values(eventKinds).flatMap((kinds) => Object.entries(kinds)));

/** The kind of an event; null if the shop ignores it. */
export function eventKind(type: string): EventKind | null {
  return kindByType.get(type) ?? null;
}

/** All providers' event types of these kinds. */
export function eventTypes(...kinds: EventKind[]): string[] {
  return [...kindByType].flatMap(([type, kind]) => (kinds.includes(kind) ? [type] : []));
}

/**
 * The configured payment provider. `mode` is the mode of the last keys, which is needed if they have been removed. `account` is
 * the account that the keys belong to, if it is known.
 */
export function connectProvider(
  input: Pick<ShopInput, "config" | "db" | "log" | "secret">,
  metrics: Metrics,
  origin: { shopId: string; mode?: PaymentMode; account?: string | null },
): { provider: PaymentProvider; sandbox: SandboxProvider | null } {
  const { config, db, log } = input;
  if (config.payments === "stripe" && config.stripe) {
    const provider = createStripeProvider({
      ...config.stripe,
      shopId: origin.shopId,
      account: origin.account ?? null,
      log,
      observe: metrics.observeProvider,
    });
    return { provider, sandbox: null };
  }
  if (config.payments === "stripe")
    return { provider: createMissingStripe(origin.mode ?? "live"), sandbox: null };
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
  const throwUnavailable = (): never => {
    throw new ProviderUnavailable("No Stripe keys are set");
  };
  const rejectUnavailable = async () => throwUnavailable();
  return {
    name: "stripe",
    mode,
    account: null,
    loadAccount: async () => {},
    publishableKey: null,
    createIntent: rejectUnavailable,
    retrieveIntent: rejectUnavailable,
    cancelIntent: rejectUnavailable,
    createSession: rejectUnavailable,
    retrieveSession: rejectUnavailable,
    expireSession: rejectUnavailable,
    createRefund: rejectUnavailable,
    listRefunds: rejectUnavailable,
    listSucceededIntents: throwUnavailable,
    listOrderIntents: rejectUnavailable,
    listOrderSessions: rejectUnavailable,
    retrieveDispute: rejectUnavailable,
    listIntentDisputes: rejectUnavailable,
    listDisputes: throwUnavailable,
    disputeUrl: () => null,
    uploadEvidence: rejectUnavailable,
    answerDispute: rejectUnavailable,
    acceptDispute: rejectUnavailable,
    retrieveFraudWarning: rejectUnavailable,
    retrieveReview: rejectUnavailable,
    listEvents: rejectUnavailable,
    listRefundsSince: throwUnavailable,
    listBalance: throwUnavailable,
    dashboardUrl: () => null,
    ping: async () => false,
    // The webhook then responds that it is unavailable, and Stripe sends the event again.
    parseEvent: throwUnavailable,
  };
}
