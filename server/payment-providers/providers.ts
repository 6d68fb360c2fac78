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

/** Null: an event that the shop ignores. */
export function eventKind(type: string): EventKind | null {
  return kindByType.get(type) ?? null;
}

/** Event types of these kinds, of all providers. */
export function eventTypes(...kinds: EventKind[]): string[] {
  return [...kindByType].flatMap(([type, kind]) => (kinds.includes(kind) ? [type] : []));
}

/**
 * The configured payment provider. `mode`: the mode of the last keys, if there are none any more. `account`: the account
 * that the keys belong to, if known.
 */
export function connectProvider(
  input: Pick<ShopInput, "config" | "db" | "log" | "secret">,
  metrics: Metrics,
  given: { shopId: string; mode?: PaymentMode; account?: string | null },
): { provider: PaymentProvider; sandbox: SandboxProvider | null } {
  const { config, db, log } = input;
  if (config.payments === "stripe" && config.stripe) {
    const provider = createStripeProvider({
      ...config.stripe,
      shopId: given.shopId,
      account: given.account ?? null,
      log,
      observe: metrics.observeProvider,
    });
    return { provider, sandbox: null };
  }
  if (config.payments === "stripe")
    return { provider: createMissingStripe(given.mode ?? "live"), sandbox: null };
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

/** Provider without Stripe keys: no card payment can be started, read or ended. */
function createMissingStripe(mode: PaymentMode): PaymentProvider {
  const missing = (): never => {
    throw new ProviderUnavailable("No keys of Stripe are set");
  };
  const away = async () => missing();
  return {
    name: "stripe",
    mode,
    account: null,
    loadAccount: async () => {},
    publishableKey: null,
    createIntent: away,
    retrieveIntent: away,
    cancelIntent: away,
    createSession: away,
    retrieveSession: away,
    expireSession: away,
    createRefund: away,
    retrieveRefund: away,
    listRefunds: away,
    listSucceededIntents: missing,
    listIntentsOfOrder: away,
    listSessionsOfOrder: away,
    retrieveDispute: away,
    listDisputesOfIntent: away,
    listDisputes: missing,
    disputeUrl: () => null,
    uploadEvidence: away,
    answerDispute: away,
    acceptDispute: away,
    retrieveFraudWarning: away,
    retrieveReview: away,
    listEvents: away,
    listRefundsSince: missing,
    listBalance: missing,
    dashboardUrl: () => null,
    ping: async () => false,
    // The webhook then answers that it is unavailable, and Stripe sends the event again.
    parseEvent: missing,
  };
}
