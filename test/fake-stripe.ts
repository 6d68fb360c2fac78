import { once } from "node:events";
import { Stripe } from "stripe";
import { createAccount, newEvent } from "./fake-stripe/account.ts";
import type { NewDispute } from "./fake-stripe/disputes.ts";
import { createFaults, type Delay, type Fault } from "./fake-stripe/faults.ts";
import { createIdempotency } from "./fake-stripe/idempotency.ts";
import type { FakeEvent, FakeIntent } from "./fake-stripe/objects.ts";
import { createStripeServer, type LoggedRequest } from "./fake-stripe/server.ts";

// The SDK would wait half a second before it repeats a call.
Stripe.prototype.getInitialNetworkRetryDelay = () => 0.01;

export type FakeStripe = Awaited<ReturnType<typeof startFakeStripe>>;

/**
 * Stripe at the network edge, for tests: the official SDK talks to `url`. State is in memory; the methods are actions of
 * shoppers, banks, and the owner in Stripe's dashboard. It posts no webhooks automatically: tests `sign` entries of `events`
 * and post them, repeatedly or in any order.
 */
export async function startFakeStripe({
  secretKey = "sk_test_fake",
  webhookSecret = "whsec_fake",
  publishableKey = secretKey.startsWith("sk_live_") ? "pk_live_fake" : "pk_test_fake",
  accountId,
}: {
  /** A key that starts with `sk_live_` opens an account in live mode, separate from its test mode. */
  secretKey?: string;
  webhookSecret?: string;
  publishableKey?: string;
  accountId?: string;
} = {}) {
  const livemode = /^[sr]k_live_/.test(secretKey);
  const account = createAccount(livemode, accountId);
  const faults = createFaults();
  const idempotency = createIdempotency();
  const requests: LoggedRequest[] = [];
  const server = createStripeServer({ account, faults, secretKey, publishableKey, requests, idempotency });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The fake has no port");

  const url = `http://127.0.0.1:${address.port}`;
  return {
    url,
    /** Variables of a shop that uses this account. */
    env: {
      PAYMENTS: "stripe",
      STRIPE_SECRET_KEY: secretKey,
      STRIPE_PUBLISHABLE_KEY: publishableKey,
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      STRIPE_API_BASE: url,
    },
    secretKey,
    publishableKey,
    webhookSecret,
    /** All events, oldest first. */
    events: account.events as readonly FakeEvent[],
    /** All calls, oldest first, including those made to fail. */
    requests: requests as readonly LoggedRequest[],
    accountId: account.id,
    /** Replaces the account by an empty one, as with another account's keys. Returns a function that restores it. */
    resetAccount: account.reset,
    /** Pays out from the balance to the bank. Cents. */
    payOut: (amount: number) =>
      account.payouts.push({
        id: `po_${account.payouts.length + 1}`,
        amount,
        created: account.now(),
        arrival_date: account.now(),
      }),
    /** Endpoints, made through the API or in Stripe's dashboard. */
    webhookEndpoints: account.webhookEndpoints,
    intent: account.intent,
    session: account.session,
    /** All intents, oldest first. */
    intents: () => [...account.intents.values()],
    sessions: () => [...account.sessions.values()],

    /** Charges a shopper's card; an amount or currency other than requested makes a mismatch. */
    pay: (intentId: string, paid: { amount?: number; currency?: string } = {}) =>
      account.succeed(account.intent(intentId), paid),
    /** A shopper's card is declined, or a payment that was being processed fails. */
    decline: (intentId: string) => account.fail(account.intent(intentId)),
    /** Starts a slow payment; `canBeCancelled`: its bank can still stop it. */
    processing: (intentId: string, { canBeCancelled = false }: { canBeCancelled?: boolean } = {}) =>
      account.process(account.intent(intentId), canBeCancelled),
    cancelFromDashboard: (intentId: string) => account.cancel(account.intent(intentId)),
    /** Returns the refund; its events are the last two in `events`. */
    refundFromDashboard: (intentId: string, amount: number, metadata: Record<string, string> = {}) =>
      account.addRefund(account.intent(intentId), amount, metadata),
    /** Refunds made from now on are pending until they are settled or bounced. */
    letRefundsWait: account.letRefundsWait,
    settleRefund: (refundId: string) => account.settleRefund(account.refund(refundId)),
    settleAllRefunds() {
      for (const refund of account.refunds.values()) {
        if (refund.status === "pending") account.settleRefund(refund);
      }
    },
    /** The bank sends a refund back. */
    bounceRefund: (refundId: string, reason?: string) =>
      account.bounceRefund(account.refund(refundId), reason),
    /** Opens a dispute, or (`isInquiry`) an inquiry; returns the event of its creation. */
    dispute: (intentId: string, overrides: NewDispute = {}) =>
      account.disputes.openDispute(account.intent(intentId), overrides),
    /** The current dispute of a payment. */
    findDispute(intentId: string) {
      const [dispute] = account.disputes.ofIntent(intentId);
      if (!dispute) throw new Error(`${intentId} is not disputed`);
      return dispute;
    },
    escalateInquiry: (disputeId: string) => account.disputes.escalate(account.disputes.dispute(disputeId)),
    answerDispute: (disputeId: string) => account.disputes.answer(account.disputes.dispute(disputeId)),
    /** Closes a dispute; returns the event. `feeBack`: refunded cents of the fee. */
    closeDispute: (disputeId: string, status: "won" | "lost" | "warning_closed", feeBack = 0) =>
      account.disputes.close(account.disputes.dispute(disputeId), status, feeBack),
    /** Cents withdrawn from the account by disputes so far, and their fees. */
    disputed: () => ({ withdrawn: 0 - account.disputes.movedCents(), fees: account.disputes.fees() }),
    /** The card's bank sends an early fraud warning. */
    warnOfFraud: (intentId: string, fraudType = "made_with_stolen_card") =>
      account.disputes.warnOfFraud(account.intent(intentId), fraudType),
    /** A rule of Stripe Radar opens a manual review of a payment. */
    openReview: (intentId: string) => account.disputes.openReview(account.intent(intentId)),
    closeReview: (reviewId: string, reason = "approved") =>
      account.disputes.closeReview(account.disputes.review(reviewId), reason),
    /** A shopper pays on the hosted page. */
    completeSession: (sessionId: string) => account.completeSession(account.session(sessionId)),
    /** A shopper pays on the hosted page by a slow method; `settleProcessedSession` is the bank's result. */
    processSession: (sessionId: string) => account.processSession(account.session(sessionId)),
    settleProcessedSession: (sessionId: string, outcome: "succeeded" | "failed") =>
      account.settleProcessedSession(account.session(sessionId), outcome),
    /** A shopper's card is declined on the hosted page, which creates the page's intent. */
    declineSession(sessionId: string): FakeEvent {
      return account.emitEvent(
        "payment_intent.payment_failed",
        account.sessionIntent(account.session(sessionId)),
      );
    },
    /** Expires a hosted page. */
    expireSession: (sessionId: string) => account.expireSession(account.session(sessionId)),
    /** Adds an event caused by another program. */
    emitEvent: account.emitEvent,
    /** A payment in the same account that another program created. */
    addIntent: (intent: Pick<FakeIntent, "amount" | "currency" | "metadata"> & Partial<FakeIntent>) =>
      account.addIntent(intent),

    /** Moves the account's clock, which dates objects and events; events older than 30 days are no longer listed. */
    travel: account.travel,

    /** Makes the next matching calls fail. */
    failNext: (fault: Fault) => faults.add(fault),
    /** Delays a number of calls, or all calls until `endTrouble`. */
    slow: (delay: Delay) => faults.slow(delay),
    /** Holds calls until the returned function is called. */
    hold: faults.hold,
    endTrouble: () => faults.clear(),
    /** Deletes the responses stored under idempotency keys, as after a day. */
    forgetKeys: () => idempotency.forget(),

    /** An event's body and `Stripe-Signature`; `timestamp` in seconds; `secret` may be that of another endpoint. */
    sign(event: object, { timestamp, secret = webhookSecret }: { timestamp?: number; secret?: string } = {}) {
      const body = JSON.stringify(event);
      return { body, signature: signature(body, secret, timestamp) };
    },
    /** A new event with its signature. */
    signedEvent(
      type: string,
      object: object,
      { timestamp, livemode: isLive = livemode }: { timestamp?: number; livemode?: boolean } = {},
    ) {
      const body = JSON.stringify(newEvent(type, object, isLive));
      return { body, signature: signature(body, webhookSecret, timestamp) };
    },

    /** Cents captured so far, refunded ones included. */
    captured: () => [...account.intents.values()].reduce((sum, intent) => sum + intent.amount_received, 0),
    /** Refunded cents of one payment, without bounced refunds. */
    refundedAmount: account.refundedAmount,
    /** Refunded cents of all payments. */
    refunded: () =>
      [...account.refunds.values()]
        .filter(({ status }) => status === "succeeded")
        .reduce((sum, { amount }) => sum + amount, 0),

    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

function signature(payload: string, secret: string, timestamp: number | undefined): string {
  return Stripe.webhooks.generateTestHeaderString({
    payload,
    secret,
    ...(timestamp === undefined ? {} : { timestamp }),
  });
}
