import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import { Stripe } from "stripe";
import { type PaymentProvider, ProviderRefused, UnknownPayment } from "../provider.ts";
import {
  type Call,
  callTimeouts,
  createCall,
  jobTimeouts,
  type Observe,
  pingTimeouts,
  refusingForbidden,
} from "./call.ts";
import { stripeDisputes } from "./disputes.ts";
import { parseStripeEvent } from "./event.ts";
import { toIntent, toRefund, toSession } from "./from-stripe.ts";
import { stripeBalance, stripeLists } from "./lists.ts";
import { orderMetadata, type ShopId } from "./metadata.ts";
import { paymentDetails, sessionParams } from "./params.ts";

/** The API version for which this adapter was written. The SDK's type allows only its own version: an update breaks the build. */
export const apiVersion = "2026-10-28.endive";

/** Card payments through Stripe. Throws ProviderUnavailable or ProviderRefused, within seconds. */
export function createStripeProvider(settings: {
  secretKey: string;
  publishableKey: string;
  webhookSecret: string;
  /** Base URL of a test double; null for Stripe's own. */
  apiBase: string | null;
  log: Logger;
  observe?: Observe;
  /** Distinguishes this shop's payments from other shops' in the same account; null by default, if this is the only shop. */
  shopId?: ShopId;
  /** The Stripe account to which the keys belong, if it is known already. */
  account?: string | null;
}): PaymentProvider {
  const { secretKey, publishableKey, webhookSecret, apiBase, log, observe, shopId = null } = settings;
  const stripe = new Stripe(secretKey, { apiVersion, telemetry: false, ...sdkHost(apiBase) });
  const call = createCall(log, observe);
  const account = createAccount(stripe, call, settings.account);
  const asIntent = (intent: Stripe.PaymentIntent) => toIntent(intent, shopId);
  const asSession = (session: Stripe.Checkout.Session) => toSession(session, shopId);
  const isLive = /^[sr]k_live_/.test(secretKey);
  const dashboard = `https://dashboard.stripe.com/${isLive ? "" : "test/"}`;

  return {
    name: "stripe",
    mode: isLive ? "live" : "test",
    get account() {
      return account.id();
    },
    loadAccount: account.load,
    publishableKey,
    async createIntent(input) {
      const params = {
        amount: input.amount,
        currency: input.currency.toLowerCase(),
        automatic_payment_methods: { enabled: true },
        ...paymentDetails(input),
        metadata: orderMetadata(input, shopId),
      };
      const { idempotencyKey } = input;
      return asIntent(
        await call("create_intent", callTimeouts(input.timeoutMs), (options) =>
          stripe.paymentIntents.create(params, { ...options, idempotencyKey }),
        ),
      );
    },
    retrieveIntent: async (intentId, timeoutMs) =>
      asIntent(await retrieveIntent(stripe, call, intentId, timeoutMs)),
    async cancelIntent(intentId) {
      try {
        return asIntent(
          await call("cancel_intent", jobTimeouts, (options) =>
            stripe.paymentIntents.cancel(intentId, {}, { ...options, idempotencyKey: freshKey() }),
          ),
        );
      } catch (error) {
        if (!(error instanceof ProviderRefused)) throw error;
        const intent = asIntent(await retrieveIntent(stripe, call, intentId));
        if (intent.status === "requires_payment") throw error;
        return intent;
      }
    },
    async createSession(input) {
      const { idempotencyKey } = input;
      const params = sessionParams(input, shopId);
      return asSession(
        await call("create_session", callTimeouts(input.timeoutMs), (options) =>
          stripe.checkout.sessions.create(params, { ...options, idempotencyKey }),
        ),
      );
    },
    retrieveSession: async (sessionId, timeoutMs) =>
      asSession(await retrieveSession(stripe, call, sessionId, timeoutMs)),
    async expireSession(sessionId) {
      try {
        return asSession(
          await call("expire_session", jobTimeouts, (options) =>
            stripe.checkout.sessions.expire(sessionId, {}, { ...options, idempotencyKey: freshKey() }),
          ),
        );
      } catch (error) {
        if (!(error instanceof ProviderRefused)) throw error;
        const session = asSession(await retrieveSession(stripe, call, sessionId));
        if (session.status === "open") throw error;
        return session;
      }
    },
    async createRefund({ intentId, amount, refundId, idempotencyKey }) {
      const params = { payment_intent: intentId, amount, metadata: { refundId } };
      return toRefund(
        await mapMissingToUnknownPayment(
          call("create_refund", jobTimeouts, (options) =>
            stripe.refunds.create(params, { ...options, idempotencyKey }),
          ),
        ),
      );
    },
    async listRefunds(intentId) {
      const refunds = await mapMissingToUnknownPayment(
        call("list_refunds", jobTimeouts, (options) =>
          stripe.refunds
            .list({ payment_intent: intentId, limit: 100 }, options)
            .autoPagingToArray({ limit: maxRefunds }),
        ),
      );
      return refunds.map(toRefund);
    },
    ...stripeDisputes(stripe, call),
    disputeUrl: (disputeId) => `${dashboard}disputes/${encodeURIComponent(disputeId)}`,
    ...stripeLists(stripe, call, shopId),
    listBalance: (period) => stripeBalance(stripe, call, period),
    dashboardUrl: (intentId) =>
      apiBase === null ? `${dashboard}payments/${encodeURIComponent(intentId)}` : null,
    async ping() {
      try {
        await call("ping", pingTimeouts, (options) => stripe.balance.retrieve({}, options));
        return true;
      } catch {
        return false;
      }
    },
    parseEvent: (rawBody, header) =>
      parseStripeEvent(rawBody, header("stripe-signature") ?? "", { webhookSecret, isLive, shopId }),
  };
}

/** Maximum number of refunds read per payment; more than any real payment has. */
const maxRefunds = 1_000;

async function retrieveIntent(
  stripe: Stripe,
  call: Call,
  intentId: string,
  timeoutMs?: number,
): Promise<Stripe.PaymentIntent> {
  return mapMissingToUnknownPayment(
    call("retrieve_intent", callTimeouts(timeoutMs), (options) =>
      stripe.paymentIntents.retrieve(intentId, { expand: ["latest_charge"] }, options),
    ),
  );
}

async function retrieveSession(
  stripe: Stripe,
  call: Call,
  sessionId: string,
  timeoutMs?: number,
): Promise<Stripe.Checkout.Session> {
  return mapMissingToUnknownPayment(
    call("retrieve_session", callTimeouts(timeoutMs), (options) =>
      stripe.checkout.sessions.retrieve(sessionId, {}, options),
    ),
  );
}

/** For calls about a payment alone, so that the object that Stripe reports as missing must be the payment. */
async function mapMissingToUnknownPayment<T>(response: Promise<T>): Promise<T> {
  try {
    return await response;
  } catch (error) {
    const isMissing = error instanceof ProviderRefused && error.code === "resource_missing";
    throw isMissing ? new UnknownPayment(error.message) : error;
  }
}

/**
 * A new idempotency key for every call that cancels or expires an object: repeating such a call is harmless, but a key that was
 * used before would return an earlier refusal.
 */
function freshKey(): string {
  return randomUUID();
}

/** The SDK's settings for the host of Stripe or of a test double. */
export function sdkHost(apiBase: string | null): {
  host?: string;
  port?: string;
  protocol?: "http" | "https";
} {
  if (apiBase === null) return {};
  const { hostname, port, protocol } = new URL(apiBase);
  const isUnencrypted = protocol === "http:";
  return {
    host: hostname,
    port: port || (isUnencrypted ? "80" : "443"),
    protocol: isUnencrypted ? "http" : "https",
  };
}

/** The Stripe account to which the keys belong; fetched once per process. */
function createAccount(stripe: Stripe, call: Call, knownId: string | null = null) {
  let id = knownId;
  let isForbidden = false;
  return {
    id: () => id,
    /** Never throws: while Stripe is unreachable, the next call repeats the request. */
    async load(): Promise<void> {
      if (id !== null || isForbidden) return;
      try {
        id = (
          await refusingForbidden(call)("retrieve_account", jobTimeouts, (options) =>
            stripe.accounts.retrieveCurrent({}, options),
          )
        ).id;
      } catch (error) {
        isForbidden = error instanceof ProviderRefused;
      }
    },
  };
}
