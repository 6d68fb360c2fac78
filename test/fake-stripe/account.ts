import { randomBytes } from "node:crypto";
import { Stripe } from "stripe";
import { find, newId, nowSeconds } from "./collection.ts";
import { createDisputes } from "./disputes.ts";
import type { FakeEndpoint, FakeEvent, FakeIntent, FakeRefund, FakeSession } from "./objects.ts";
import { StripeProblem } from "./problem.ts";

type IntentDetails = Pick<FakeIntent, "metadata"> & Partial<FakeIntent>;

/** One Stripe account in memory, newest objects last. Every change adds an event. */
export function createAccount(livemode: boolean, firstId: string = newId("acct")) {
  let accountId = firstId;
  const intents = new Map<string, FakeIntent>();
  const sessions = new Map<string, FakeSession>();
  /** Data of a session's intent, which is created when the shopper pays. */
  const intentDetails = new Map<string, IntentDetails>();
  const refunds = new Map<string, FakeRefund>();
  const events: FakeEvent[] = [];
  /** Processing intents that their bank can still stop, as some banks can in the first hours. */
  const cancellable = new Set<string>();
  const domains: FakeDomain[] = [];
  const payouts: { id: string; amount: number; created: number; arrival_date: number }[] = [];
  const webhookEndpoints: FakeEndpoint[] = [];
  let areRefundsPending = false;
  let clockOffsetSeconds = 0;
  const now = () => nowSeconds() + clockOffsetSeconds;

  /** Copies the object, as an event contains its state at that time. */
  function emitEvent(type: string, object: object): FakeEvent {
    const event = { ...newEvent(type, structuredClone(object), livemode), created: now() };
    events.push(event);
    return event;
  }

  function addIntent(
    fields: Pick<FakeIntent, "amount" | "currency" | "metadata"> & Partial<FakeIntent>,
  ): FakeIntent {
    const id = newId("pi");
    const intent: FakeIntent = {
      id,
      object: "payment_intent",
      amount_received: 0,
      status: "requires_payment_method",
      client_secret: `${id}_secret_${randomBytes(12).toString("hex")}`,
      created: now(),
      description: null,
      last_payment_error: null,
      livemode,
      ...fields,
    };
    intents.set(id, intent);
    emitEvent("payment_intent.created", intent);
    return intent;
  }

  function succeed(
    intent: FakeIntent,
    { amount = intent.amount, currency = intent.currency }: { amount?: number; currency?: string } = {},
  ): FakeEvent {
    if (intent.status === "canceled") throw new Error(`${intent.id} is canceled and cannot be paid`);
    Object.assign(intent, {
      status: "succeeded",
      amount_received: amount,
      currency,
      last_payment_error: null,
    });
    return emitEvent("payment_intent.succeeded", intent);
  }

  function fail(intent: FakeIntent): FakeEvent {
    intent.status = "requires_payment_method";
    intent.last_payment_error = {
      type: "card_error",
      code: "card_declined",
      message: "Your card was declined.",
      charge: newId("ch"),
    };
    return emitEvent("payment_intent.payment_failed", intent);
  }

  /** Starts a slow payment. Most banks refuse to cancel one; `canBeCancelled`: this one accepts. */
  function process(intent: FakeIntent, canBeCancelled = false): FakeEvent {
    intent.status = "processing";
    if (canBeCancelled) cancellable.add(intent.id);
    return emitEvent("payment_intent.processing", intent);
  }

  function cancel(intent: FakeIntent): FakeEvent {
    const isUnstoppable = intent.status === "processing" && !cancellable.has(intent.id);
    if (intent.status === "succeeded" || intent.status === "canceled" || isUnstoppable) {
      throw StripeProblem.refused(
        "payment_intent_unexpected_state",
        `You cannot cancel this PaymentIntent because it has a status of ${intent.status}.`,
      );
    }
    if ([...sessions.values()].some(({ payment_intent }) => payment_intent === intent.id)) {
      throw StripeProblem.refused(
        "payment_intent_unexpected_state",
        "You cannot cancel this PaymentIntent because it was created by a Checkout Session. Expire the session instead.",
      );
    }
    intent.status = "canceled";
    return emitEvent("payment_intent.canceled", intent);
  }

  function addSession(
    fields: Pick<FakeSession, "amount_total" | "currency" | "customer_email"> &
      Pick<FakeSession, "expires_at" | "metadata" | "success_url">,
    details: IntentDetails,
  ): FakeSession {
    const id = newId(livemode ? "cs_live" : "cs_test");
    const session: FakeSession = {
      ...fields,
      id,
      object: "checkout.session",
      created: now(),
      livemode,
      mode: "payment",
      payment_intent: null,
      payment_status: "unpaid",
      status: "open",
      url: `https://checkout.stripe.com/c/pay/${id}`,
    };
    sessions.set(id, session);
    intentDetails.set(id, details);
    return session;
  }

  /** The shopper submits the page, which creates its intent. */
  function sessionIntent(session: FakeSession): FakeIntent {
    if (session.status !== "open") throw new Error(`${session.id} is ${session.status}`);
    if (session.payment_intent !== null) return find(intents, session.payment_intent, "payment_intent");
    const intent = addIntent({
      amount: session.amount_total,
      currency: session.currency,
      metadata: {},
      ...intentDetails.get(session.id),
    });
    session.payment_intent = intent.id;
    return intent;
  }

  function completeSession(session: FakeSession): FakeEvent {
    succeed(sessionIntent(session));
    Object.assign(session, { status: "complete", payment_status: "paid", url: null });
    return emitEvent("checkout.session.completed", session);
  }

  /** The shopper has completed the page; the result of the payment is known days later. */
  function processSession(session: FakeSession): FakeEvent {
    process(sessionIntent(session));
    Object.assign(session, { status: "complete", url: null });
    return emitEvent("checkout.session.completed", session);
  }

  /** The bank's result for a payment that was processing. The page accepts no second attempt. */
  function settleProcessedSession(session: FakeSession, outcome: "succeeded" | "failed"): FakeEvent {
    const intent = find(intents, session.payment_intent ?? "", "payment_intent");
    if (outcome === "failed") {
      fail(intent);
      return emitEvent("checkout.session.async_payment_failed", session);
    }
    succeed(intent);
    session.payment_status = "paid";
    return emitEvent("checkout.session.async_payment_succeeded", session);
  }

  function expireSession(session: FakeSession): FakeEvent {
    if (session.status !== "open") {
      throw StripeProblem.refused(null, 'Only Checkout Sessions with a status in ["open"] can be expired.');
    }
    Object.assign(session, { status: "expired", url: null });
    return emitEvent("checkout.session.expired", session);
  }

  function refundedAmount(intentId: string): number {
    return [...refunds.values()]
      .filter(({ payment_intent, status }) => payment_intent === intentId && status !== "failed")
      .reduce((sum, { amount }) => sum + amount, 0);
  }

  function addRefund(intent: FakeIntent, amount: number, metadata: Record<string, string>): FakeRefund {
    if (disputes.ofIntent(intent.id).some(({ is_charge_refundable }) => !is_charge_refundable)) {
      throw StripeProblem.refused(
        "charge_disputed",
        "The charge has been charged back; cannot issue a refund.",
      );
    }
    const refundable = intent.amount_received - refundedAmount(intent.id);
    if (intent.status === "succeeded" && refundable === 0) {
      throw StripeProblem.refused("charge_already_refunded", "The charge has already been refunded.");
    }
    if (amount > refundable) {
      throw StripeProblem.refused(
        "amount_too_large",
        `Refund amount (${amount}) is greater than unrefunded amount on charge (${refundable})`,
      );
    }
    const refund: FakeRefund = {
      id: newId("re"),
      object: "refund",
      amount,
      created: now(),
      currency: intent.currency,
      metadata,
      payment_intent: intent.id,
      status: areRefundsPending ? "pending" : "succeeded",
    };
    refunds.set(refund.id, refund);
    emitEvent("refund.created", refund);
    emitEvent("charge.refunded", chargeObject(intent));
    return refund;
  }

  function bounceRefund(refund: FakeRefund, reason?: string): FakeEvent {
    Object.assign(refund, { status: "failed", ...(reason === undefined ? {} : { failure_reason: reason }) });
    return emitEvent("refund.failed", refund);
  }

  function settleRefund(refund: FakeRefund): FakeEvent {
    refund.status = "succeeded";
    return emitEvent("refund.updated", refund);
  }

  function chargeObject(intent: FakeIntent): object {
    const refundedCents = refundedAmount(intent.id);
    return {
      id: intent.id.replace("pi", "ch"),
      object: "charge",
      amount: intent.amount_received,
      amount_refunded: refundedCents,
      currency: intent.currency,
      disputed: disputes.ofIntent(intent.id).length > 0,
      metadata: intent.metadata,
      payment_intent: intent.id,
      refunded: refundedCents === intent.amount_received,
    };
  }

  const disputes = createDisputes({ emitEvent, refundedAmount }, livemode);

  /** Switches to another, empty account, like a change of keys. Returns a function that restores the old one. */
  function reset(): () => void {
    const objects: Map<string, unknown>[] = [intents, sessions, intentDetails, refunds, disputes.disputes];
    const [oldId, oldEntries] = [accountId, objects.map((all) => [...all])];
    for (const all of objects) all.clear();
    accountId = newId("acct");
    return () => {
      accountId = oldId;
      for (const [index, all] of objects.entries()) {
        const newer = [...all];
        all.clear();
        for (const [id, object] of [...(oldEntries[index] ?? []), ...newer]) all.set(id, object);
      }
    };
  }

  return {
    id: () => accountId,
    livemode,
    reset,
    disputes,
    intents,
    sessions,
    refunds,
    events,
    webhookEndpoints,
    domains,
    payouts,
    emitEvent,
    addIntent,
    succeed,
    fail,
    process,
    cancel,
    addSession,
    sessionIntent,
    completeSession,
    processSession,
    settleProcessedSession,
    expireSession,
    refundedAmount,
    chargeObject,
    addRefund,
    bounceRefund,
    settleRefund,
    now,
    /** Moves the account's clock. */
    travel(ms: number) {
      clockOffsetSeconds += Math.floor(ms / 1000);
    },
    letRefundsWait(wait: boolean) {
      areRefundsPending = wait;
    },
    intent: (id: string) => find(intents, id, "payment_intent"),
    session: (id: string) => find(sessions, id, "checkout.session"),
    refund: (id: string) => find(refunds, id, "refund"),
  };
}

export type FakeDomain = {
  id: string;
  object: string;
  domain_name: string;
  enabled: boolean;
  apple_pay: { status: string; status_details?: { error_message: string } };
};

export type Account = ReturnType<typeof createAccount>;

export function newEvent(type: string, object: object, livemode: boolean): FakeEvent {
  return {
    id: newId("evt"),
    object: "event",
    api_version: Stripe.API_VERSION,
    created: nowSeconds(),
    livemode,
    type,
    data: { object },
  };
}
