import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import { Stripe } from "stripe";
import { ProviderRefused } from "../provider.ts";
import { type Call, createCall, jobTimeouts, refusingForbidden } from "./call.ts";
import { neededEventTypes } from "./event.ts";
import { apiVersion, sdkHost } from "./provider.ts";

type WebhookEndpoint = { url: string; isEnabled: boolean; eventTypes: string[] };
export type StripeSetup = {
  /** Stripe's clock at the time of the response. */
  date: Date | null;
  /** `forbidden`: a restricted key without permission to read webhooks. */
  endpoints: WebhookEndpoint[] | "forbidden";
  /** Whether the key is allowed to read the list of events, from which the shop recovers events whose webhook was lost. */
  mayReadEvents: boolean;
  /** Stripe's registration of the shop's domain; null if it is not registered. */
  walletDomain: WalletDomain | null | "forbidden";
};

export type StripeInspector = {
  /** `domain` is the shop's. Throws ProviderUnavailable. */
  inspect(domain: string): Promise<StripeSetup>;
  /** Registers the domain with Stripe, for wallets. Throws ProviderUnavailable or ProviderRefused. */
  registerDomain(domain: string): Promise<WalletDomain>;
  /**
   * Opens a payment of the smallest amount and cancels it immediately: no money is charged, but Stripe sends an event. Returns its
   * id.
   */
  triggerEvent(): Promise<string>;
};

/** Stripe calls that only the go-live check makes. */
export function createStripeInspector(settings: {
  secretKey: string;
  apiBase: string | null;
  log: Logger;
}): StripeInspector {
  const stripe = new Stripe(settings.secretKey, {
    apiVersion,
    telemetry: false,
    ...sdkHost(settings.apiBase),
  });
  const anyCall = createCall(settings.log, undefined);
  const call = refusingForbidden(anyCall);
  return {
    registerDomain: (domain) => registerWalletDomain(stripe, call, domain),
    async inspect(domain) {
      const balance = await anyCall("ping", jobTimeouts, (options) => stripe.balance.retrieve({}, options));
      const dateHeader = balance.lastResponse.headers.date;
      const date = dateHeader === undefined ? null : new Date(dateHeader);
      const [endpoints, mayRead, walletDomain] = await Promise.all([
        listEndpoints(stripe, call),
        mayReadEvents(stripe, call),
        findWalletDomain(stripe, call, domain),
      ]);
      return { date, endpoints, mayReadEvents: mayRead, walletDomain };
    },
    async triggerEvent() {
      // Without the shop's metadata, so that the shop treats it as another program's payment.
      const params = {
        amount: 50,
        currency: "usd",
        automatic_payment_methods: { enabled: true },
        description: "Palmira go-live check: cancelled at once, nothing is charged",
      };
      const intent = await anyCall("create_intent", jobTimeouts, (options) =>
        stripe.paymentIntents.create(params, { ...options, idempotencyKey: randomUUID() }),
      );
      await anyCall("cancel_intent", jobTimeouts, (options) =>
        stripe.paymentIntents.cancel(intent.id, {}, options),
      );
      return intent.id;
    },
  };
}

async function listEndpoints(stripe: Stripe, call: Call): Promise<StripeSetup["endpoints"]> {
  try {
    const endpoints = await call("list_webhooks", jobTimeouts, (options) =>
      stripe.webhookEndpoints.list({ limit: 100 }, options),
    );
    return endpoints.data.map(({ url, status, enabled_events: eventTypes }) => ({
      url,
      isEnabled: status === "enabled",
      eventTypes,
    }));
  } catch (error) {
    if (error instanceof ProviderRefused) return "forbidden";
    throw error;
  }
}

async function mayReadEvents(stripe: Stripe, call: Call): Promise<boolean> {
  try {
    await call("list_events", jobTimeouts, (options) =>
      stripe.events.list({ types: neededEventTypes, limit: 1 }, options),
    );
    return true;
  } catch (error) {
    if (error instanceof ProviderRefused) return false;
    throw error;
  }
}

/** Stripe's registration of a domain on which wallets are offered. */
type WalletDomain = {
  isEnabled: boolean;
  /** Why Apple Pay is not offered on the domain; null if it is. */
  applePayProblem: string | null;
};

/** Null if the domain is not registered; `forbidden` if a restricted key is not allowed to read it. */
async function findWalletDomain(
  stripe: Stripe,
  call: Call,
  name: string,
): Promise<WalletDomain | null | "forbidden"> {
  try {
    const domain = await findDomain(stripe, call, name);
    return domain && toWalletDomain(domain);
  } catch (error) {
    if (error instanceof ProviderRefused) return "forbidden";
    throw error;
  }
}

/** Registers the domain with Stripe or, if it is registered, has it validated again. Throws ProviderRefused. */
async function registerWalletDomain(stripe: Stripe, call: Call, name: string): Promise<WalletDomain> {
  const domains = stripe.paymentMethodDomains;
  const domain = await findDomain(stripe, call, name);
  if (!domain) {
    return toWalletDomain(
      await call("register_domain", jobTimeouts, (options) =>
        domains.create({ domain_name: name, enabled: true }, options),
      ),
    );
  }
  if (!domain.enabled) {
    await call("enable_domain", jobTimeouts, (options) =>
      domains.update(domain.id, { enabled: true }, options),
    );
  }
  return toWalletDomain(
    await call("validate_domain", jobTimeouts, (options) => domains.validate(domain.id, {}, options)),
  );
}

async function findDomain(
  stripe: Stripe,
  call: Call,
  name: string,
): Promise<Stripe.PaymentMethodDomain | null> {
  const domains = await call("list_domains", jobTimeouts, (options) =>
    stripe.paymentMethodDomains.list({ domain_name: name, limit: 1 }, options),
  );
  return domains.data[0] ?? null;
}

function toWalletDomain({ enabled, apple_pay: applePay }: Stripe.PaymentMethodDomain): WalletDomain {
  return {
    isEnabled: enabled,
    applePayProblem:
      applePay.status === "active"
        ? null
        : (applePay.status_details?.error_message ?? "Stripe has not checked it yet"),
  };
}
