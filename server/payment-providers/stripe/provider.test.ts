import { randomUUID } from "node:crypto";
import pino from "pino";
import { Stripe } from "stripe";
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { startFakeStripe } from "../../../test/fake-stripe.ts";
import {
  InvalidSignature,
  type PaymentProvider,
  ProviderRefused,
  ProviderUnavailable,
  WrongMode,
} from "../provider.ts";
import { createStripeProvider, sdkHost } from "./provider.ts";

let provider: PaymentProvider;
let observedCalls: string[];
let logLines: string[];

const fake = await startFakeStripe();
afterAll(() => fake.stop());
afterEach(() => {
  vi.useRealTimers();
});
beforeEach(() => {
  fake.endTrouble();
  observedCalls = [];
  logLines = [];
  provider = openProvider();
});

function openProvider(changes: { secretKey?: string; apiBase?: string | null } = {}): PaymentProvider {
  return createStripeProvider({
    secretKey: fake.secretKey,
    publishableKey: "pk_test_fake",
    webhookSecret: fake.webhookSecret,
    apiBase: fake.url,
    log: pino({ level: "trace" }, { write: (line: string) => logLines.push(line) }),
    observe: (operation, seconds, outcome) => {
      expect(seconds).toBeGreaterThanOrEqual(0);
      observedCalls.push(`${operation} ${outcome}`);
    },
    ...changes,
  });
}

const newOrder = (amount = 3590) => {
  const orderId = randomUUID();
  return { orderId, orderNumber: 1001, amount, currency: "USD", idempotencyKey: `order-${orderId}-1` };
};

const hostedPage = {
  email: "buyer@example.com",
  successUrl: "http://localhost:5000/checkout/success?session_id={CHECKOUT_SESSION_ID}",
  cancelUrl: "http://localhost:5000/checkout",
};
const oil = { name: "Hair & Skin Oil", quantity: 2, unitAmount: 2990 };
const inHalfAnHour = () => new Date(Date.now() + 30 * 60_000);

async function paidIntent(amount = 3590): Promise<string> {
  const { intentId } = await provider.createIntent(newOrder(amount));
  fake.pay(intentId);
  return intentId;
}

describe("intents", () => {
  test("contain the order's amount, and only ids in their metadata", async () => {
    const order = newOrder();

    const intent = await provider.createIntent(order);

    expect(intent).toMatchObject({
      status: "requires_payment",
      providerStatus: "requires_payment_method",
      amount: 3590,
      amountReceived: 0,
      currency: "usd",
      orderId: order.orderId,
    });
    expect(intent.clientSecret).toMatch(new RegExp(`^${intent.intentId}_secret_`));
    expect(fake.requests.at(-1)).toMatchObject({
      apiVersion: Stripe.API_VERSION,
      idempotencyKey: order.idempotencyKey,
      params: {
        amount: "3590",
        currency: "usd",
        automatic_payment_methods: { enabled: "true" },
        metadata: { app: "palmira", orderId: order.orderId, orderNumber: "1001" },
      },
    });
    expect(observedCalls).toEqual(["create_intent ok"]);
  });

  test("are created once per idempotency key, and refused under it with another amount", async () => {
    const order = newOrder();
    const [first, again] = [await provider.createIntent(order), await provider.createIntent(order)];

    expect(again.intentId).toBe(first.intentId);
    await expect(provider.createIntent({ ...order, amount: 5000 })).rejects.toMatchObject({
      name: "ProviderRefused",
      code: "idempotency_error",
    });
    expect(observedCalls).toEqual(["create_intent ok", "create_intent ok", "create_intent refused"]);
  });

  test("contain the captured amount and currency once they are paid", async () => {
    const { intentId } = await provider.createIntent(newOrder());
    fake.pay(intentId, { amount: 3000, currency: "eur" });

    expect(await provider.retrieveIntent(intentId)).toMatchObject({
      status: "succeeded",
      amountReceived: 3000,
      currency: "eur",
    });
  });

  test("of another program are read without an order, even if their metadata names one", async () => {
    const { id } = fake.addIntent({ amount: 500, currency: "usd", metadata: { orderId: randomUUID() } });

    expect(await provider.retrieveIntent(id)).toMatchObject({ orderId: null });
  });

  test("are cancelled if unpaid, and returned unchanged if paid or processing", async () => {
    const { intentId: unpaid } = await provider.createIntent(newOrder());
    const { intentId: processing } = await provider.createIntent(newOrder());
    fake.processing(processing);
    const paid = await paidIntent();

    expect(await provider.cancelIntent(unpaid)).toMatchObject({ status: "canceled" });
    expect(await provider.cancelIntent(unpaid)).toMatchObject({ status: "canceled" });
    expect(await provider.cancelIntent(processing)).toMatchObject({ status: "processing" });
    expect(await provider.cancelIntent(paid)).toMatchObject({ status: "succeeded", amountReceived: 3590 });
  });

  test("can be cancelled once they are no longer processing", async () => {
    const { intentId } = await provider.createIntent(newOrder());
    fake.processing(intentId);
    await provider.cancelIntent(intentId);
    fake.decline(intentId);

    expect(await provider.cancelIntent(intentId)).toMatchObject({ status: "canceled" });
  });

  test("are listed across all pages if they succeeded since a given time", async () => {
    const fourDaysAgo = new Date(Date.now() - 4 * 86_400_000);
    const since = new Date(Date.now() - 3 * 86_400_000);
    const metadata = {};
    const created = Math.floor(fourDaysAgo.getTime() / 1000);
    const oldIntent = fake.addIntent({
      amount: 100,
      currency: "usd",
      metadata,
      created,
      status: "succeeded",
    });
    const paid = Array.from(
      { length: 130 },
      () => fake.addIntent({ amount: 100, currency: "usd", metadata, status: "succeeded" }).id,
    );
    const { intentId: unpaid } = await provider.createIntent(newOrder());

    const intentIds: string[] = [];
    for await (const { intentId } of provider.listSucceededIntents({ from: since })) intentIds.push(intentId);

    expect(new Set(intentIds).size).toBe(intentIds.length);
    expect(intentIds).toEqual(expect.arrayContaining(paid));
    expect(intentIds).not.toContain(unpaid);
    expect(intentIds).not.toContain(oldIntent.id);
  });
});

describe("hosted pages", () => {
  test("have lines that add up to the order's total, with one line for shipping and tax", async () => {
    const order = newOrder(6570);

    const session = await provider.createSession({
      ...order,
      ...hostedPage,
      lines: [oil],
      expiresAt: inHalfAnHour(),
    });

    expect(session).toMatchObject({
      status: "open",
      amount: 6570,
      currency: "usd",
      intentId: null,
      orderId: order.orderId,
    });
    expect(session.url).toContain(session.id);
    expect(fake.requests.at(-1)?.params.line_items).toMatchObject({
      0: { quantity: "2", price_data: { unit_amount: "2990", product_data: { name: oil.name } } },
      1: { quantity: "1", price_data: { unit_amount: "590", product_data: { name: "Shipping and tax" } } },
    });
  });

  test("show a discounted order as one line, because they have no negative lines", async () => {
    const order = newOrder(5000);

    const session = await provider.createSession({
      ...order,
      ...hostedPage,
      lines: [oil],
      expiresAt: inHalfAnHour(),
    });

    expect(session.amount).toBe(5000);
    expect(fake.requests.at(-1)?.params.line_items).toMatchObject({
      0: { quantity: "1", price_data: { unit_amount: "5000", product_data: { name: "Order #1001" } } },
    });
  });

  test.each([
    ["that expires now", 0],
    ["that expires in half an hour", 30 * 60_000],
    ["that expires in three days", 3 * 86_400_000],
  ])("can be created, and are the same when requested again later, for an order %s", async (_, ms) => {
    const input = {
      ...newOrder(5980),
      ...hostedPage,
      lines: [oil],
      expiresAt: new Date(Date.now() + ms),
    };

    vi.useFakeTimers({ toFake: ["Date"] });
    const first = await provider.createSession(input);
    vi.setSystemTime(Date.now() + 90_000);

    expect(await provider.createSession(input)).toMatchObject({ id: first.id });
  });

  test("have an intent with the order's ids once they are paid", async () => {
    const order = newOrder(5980);
    const { id } = await provider.createSession({
      ...order,
      ...hostedPage,
      lines: [oil],
      expiresAt: inHalfAnHour(),
    });
    fake.completeSession(id);

    const session = await provider.retrieveSession(id);

    expect(session).toMatchObject({ status: "complete", url: null });
    expect(await provider.retrieveIntent(session.intentId ?? "")).toMatchObject({
      status: "succeeded",
      amountReceived: 5980,
      orderId: order.orderId,
    });
  });

  test("are closed if open, and returned unchanged if complete or expired", async () => {
    const input = { ...hostedPage, lines: [oil], expiresAt: inHalfAnHour() };
    const openPage = await provider.createSession({ ...newOrder(5980), ...input });
    const paidPage = await provider.createSession({ ...newOrder(5980), ...input });
    fake.completeSession(paidPage.id);

    expect(await provider.expireSession(openPage.id)).toMatchObject({ status: "expired" });
    expect(await provider.expireSession(openPage.id)).toMatchObject({ status: "expired" });
    expect(await provider.expireSession(paidPage.id)).toMatchObject({ status: "complete" });
  });

  test("do not allow their intent to be cancelled while the page is open", async () => {
    const { id } = await provider.createSession({
      ...newOrder(5980),
      ...hostedPage,
      lines: [oil],
      expiresAt: inHalfAnHour(),
    });
    fake.declineSession(id);
    const { intentId } = await provider.retrieveSession(id);

    await expect(provider.cancelIntent(intentId ?? "")).rejects.toMatchObject({
      name: "ProviderRefused",
      code: "payment_intent_unexpected_state",
    });
  });
});

describe("refunds", () => {
  test("are carried out once per key, and distinguished from refunds of the dashboard", async () => {
    const intentId = await paidIntent();
    const refundId = randomUUID();
    const refund = { intentId, amount: 1000, refundId, idempotencyKey: `refund-${refundId}` };

    const [first, again] = [await provider.createRefund(refund), await provider.createRefund(refund)];
    const dashboardRefund = fake.refundFromDashboard(intentId, 500);

    expect(again.id).toBe(first.id);
    expect(first).toMatchObject({ refundId, intentId, amount: 1000, status: "succeeded" });
    expect(await provider.listRefunds(intentId)).toMatchObject([
      { id: dashboardRefund.id, refundId: null, amount: 500 },
      { id: first.id, refundId, amount: 1000 },
    ]);
  });

  test("above the remaining amount are refused", async () => {
    const intentId = await paidIntent(1000);
    const refundRequest = (amount: number) => ({
      intentId,
      amount,
      refundId: "r",
      idempotencyKey: randomUUID(),
    });

    await expect(provider.createRefund(refundRequest(1001))).rejects.toMatchObject({
      code: "amount_too_large",
    });
    await provider.createRefund(refundRequest(1000));
    await expect(provider.createRefund(refundRequest(1))).rejects.toMatchObject({
      code: "charge_already_refunded",
    });
  });

  test("count as failed if the bank returns them", async () => {
    const intentId = await paidIntent();
    const { id } = fake.refundFromDashboard(intentId, 500);
    fake.bounceRefund(id);

    expect(await provider.listRefunds(intentId)).toMatchObject([{ status: "failed", amount: 500 }]);
  });
});

describe("disputes", () => {
  test("have the withdrawn amount and the fee of their balance transactions", async () => {
    const intentId = await paidIntent();
    fake.dispute(intentId, { reason: "product_not_received", dueBy: 1_764_720_000 });
    const { id } = fake.findDispute(intentId);
    expect(await provider.retrieveDispute(id)).toMatchObject({
      intentId,
      amount: 3590,
      withdrawn: 3590,
      fee: 1500,
      reason: "product not received",
      status: "needs_response",
      isInquiry: false,
      evidenceDueAt: new Date("2025-12-03T00:00:00Z"),
      withdrawnAt: expect.any(Date),
      reinstatedAt: null,
    });
    expect(await provider.retrieveIntent(intentId)).toMatchObject({ isDisputed: true });
    fake.closeDispute(id, "won", 500);
    expect(await provider.retrieveDispute(id)).toMatchObject({ status: "won", withdrawn: 0, fee: 1000 });
  });

  test("have no withdrawn amount if they are only inquiries by the bank", async () => {
    const intentId = await paidIntent();
    fake.dispute(intentId, { isInquiry: true, dueBy: null });
    const { id } = fake.findDispute(intentId);
    const inquiry = { isInquiry: true, withdrawn: 0, fee: 0, evidenceDueAt: null };
    expect(await provider.retrieveDispute(id)).toMatchObject({ ...inquiry, status: "needs_response" });
    fake.closeDispute(id, "warning_closed");
    expect(await provider.retrieveDispute(id)).toMatchObject({ ...inquiry, status: "closed" });
  });

  test("on a balance in another currency are converted to the payment's currency", async () => {
    const intentId = await paidIntent();
    fake.dispute(intentId);
    const dispute = fake.findDispute(intentId);
    for (const transaction of dispute.balance_transactions) {
      Object.assign(transaction, { currency: "eur", exchange_rate: 0.92, amount: -3303, fee: 1380 });
    }
    expect(await provider.retrieveDispute(dispute.id)).toMatchObject({ withdrawn: 3590, fee: 1500 });
  });

  test("are listed page by page, and by payment", async () => {
    const from = new Date();
    const disputedIds = new Set<string>();
    for (let count = 0; count < 101; count += 1) {
      const intentId = await paidIntent();
      fake.dispute(intentId, { amount: 100 });
      disputedIds.add(fake.findDispute(intentId).id);
    }
    const disputeIds: string[] = [];
    for await (const { id } of provider.listDisputes(from)) disputeIds.push(id);
    expect(new Set(disputeIds)).toEqual(new Set([...disputeIds, ...disputedIds]));
    expect(disputeIds.length).toBe(new Set(disputeIds).size);
    const [first = ""] = disputedIds;
    const { intentId } = await provider.retrieveDispute(first);
    expect((await provider.listIntentDisputes(intentId)).map(({ id }) => id)).toEqual([first]);
  });

  test("link to the dashboard of their mode", async () => {
    expect(provider.disputeUrl("dp_1")).toBe("https://dashboard.stripe.com/test/disputes/dp_1");
    expect(openProvider({ secretKey: "sk_live_x" }).disputeUrl("dp_1")).toBe(
      "https://dashboard.stripe.com/disputes/dp_1",
    );
  });

  test("are refused if the key may not read them, which is not reported as a wrong key", async () => {
    fake.failNext({ path: "/v1/disputes", how: 403, times: 2 });
    await expect(provider.retrieveDispute("dp_1")).rejects.toBeInstanceOf(ProviderRefused);
  });
});

describe("calls to Stripe", () => {
  test("an idempotency key is refused while its first call runs, and repeats the response afterwards", async () => {
    const stripe = new Stripe(fake.secretKey, { ...sdkHost(fake.url), maxNetworkRetries: 0 });
    const create = () =>
      stripe.paymentIntents.create({ amount: 100, currency: "usd" }, { idempotencyKey: "twice" });
    const release = fake.hold({ path: "/v1/payment_intents" });
    const calls = [create(), create()];
    await Promise.race(calls).catch(release);
    const responses = await Promise.allSettled(calls);
    const intentIds = responses.flatMap((response) =>
      response.status === "fulfilled" ? [response.value.id] : [],
    );

    expect(intentIds).toHaveLength(1);
    expect(responses).toContainEqual({
      status: "rejected",
      reason: expect.objectContaining({
        statusCode: 409,
        rawType: "idempotency_error",
        code: "idempotency_key_in_use",
      }),
    });
    expect([(await create()).id]).toEqual(intentIds);
  });

  test.each([429, 409, 500, 503])("status %i means that the provider is unavailable", async (how) => {
    fake.failNext({ path: "/v1/payment_intents", how, times: 5 });

    await expect(provider.createIntent(newOrder())).rejects.toThrow(ProviderUnavailable);
    expect(observedCalls).toEqual(["create_intent unavailable"]);
  });

  test("a call that hangs fails within seconds", async () => {
    fake.failNext({ path: "/v1/payment_intents", how: "hang", times: 5 });
    const startedAt = Date.now();

    await expect(provider.createIntent(newOrder())).rejects.toThrow(ProviderUnavailable);

    expect(Date.now() - startedAt).toBeLessThan(20_000);
    expect(observedCalls).toEqual(["create_intent unavailable"]);
  });

  test("a call whose connections are cut fails within seconds", async () => {
    fake.failNext({ path: "/v1/payment_intents", how: "cut", times: 5 });
    const startedAt = Date.now();

    await expect(provider.createIntent(newOrder())).rejects.toThrow(ProviderUnavailable);

    expect(Date.now() - startedAt).toBeLessThan(20_000);
  });

  test("a provider that refuses connections is unavailable", async () => {
    const stopped = await startFakeStripe();
    await stopped.stop();
    const unreachable = openProvider({ apiBase: stopped.url });

    await expect(unreachable.retrieveIntent("pi_any")).rejects.toThrow(ProviderUnavailable);
    expect(await unreachable.ping()).toBe(false);
  });

  test("a lost response causes no second intent and no second refund", async () => {
    const order = newOrder();
    fake.failNext({ path: "/v1/payment_intents", how: "lose" });
    const { intentId } = await provider.createIntent(order);
    const orderEvents = fake.events.filter(({ data }) => JSON.stringify(data).includes(order.orderId));
    expect(orderEvents.map(({ type }) => type)).toEqual(["payment_intent.created"]);

    fake.pay(intentId);
    fake.failNext({ path: "/v1/refunds", how: "lose" });
    await provider.createRefund({ intentId, amount: 700, refundId: "r", idempotencyKey: randomUUID() });
    expect(await provider.listRefunds(intentId)).toHaveLength(1);
  });

  test("a failed call fails again under its idempotency key, and succeeds under a new one", async () => {
    const order = newOrder();
    fake.failNext({ path: "/v1/payment_intents", how: 500 });

    await expect(provider.createIntent(order)).rejects.toThrow(ProviderUnavailable);
    await expect(provider.createIntent(order)).rejects.toThrow(ProviderUnavailable);
    expect(await provider.createIntent({ ...order, idempotencyKey: randomUUID() })).toMatchObject({
      status: "requires_payment",
    });
  });

  test("a job's call is retried after a temporary failure", async () => {
    const { intentId } = await provider.createIntent(newOrder());
    fake.failNext({ path: "/v1/refunds", method: "GET", how: 503 });

    expect(await provider.listRefunds(intentId)).toEqual([]);
  });

  test("a rejected secret key makes the provider unavailable, and is not logged", async () => {
    const revoked = openProvider({ secretKey: "sk_test_revoked" });

    await expect(revoked.createIntent(newOrder())).rejects.toThrow(ProviderUnavailable);
    expect(await revoked.ping()).toBe(false);
    expect(logLines.join()).toContain("Stripe does not accept the secret key");
    expect(logLines.join()).not.toContain("revoked");
  });

  test("an unknown intent throws UnknownPayment", async () => {
    await expect(provider.retrieveIntent("pi_none")).rejects.toMatchObject({
      name: "UnknownPayment",
      code: "resource_missing",
    });
  });

  test("the dashboard link of a payment depends on the mode, and is missing if Stripe is reached at another address", () => {
    const stripeAddress = { apiBase: null };
    expect(openProvider(stripeAddress).dashboardUrl("pi_1")).toBe(
      "https://dashboard.stripe.com/test/payments/pi_1",
    );
    expect(openProvider({ ...stripeAddress, secretKey: "sk_live_1" }).dashboardUrl("pi_1")).toBe(
      "https://dashboard.stripe.com/payments/pi_1",
    );
    expect(provider.dashboardUrl("pi_1")).toBeNull();
  });

  test("ping returns true if the provider responds", async () => {
    expect(await provider.ping()).toBe(true);
  });
});

describe("the account", () => {
  const accountCalls = () => observedCalls.filter((call) => call.startsWith("retrieve_account"));

  test("is fetched once; while the provider is unavailable it is unknown, without an error", async () => {
    fake.failNext({ path: "/v1/account", how: 500, times: 2 });
    await provider.loadAccount();
    expect(provider.account).toBeNull();
    await provider.loadAccount();
    await provider.loadAccount();
    expect(provider.account).toBe(fake.accountId());
    expect(accountCalls()).toEqual(["retrieve_account unavailable", "retrieve_account ok"]);
  });

  test("is not requested again if the keys are not allowed to read it", async () => {
    fake.failNext({ path: "/v1/account", how: 403 });
    await provider.loadAccount();
    await provider.loadAccount();
    expect(provider.account).toBeNull();
    expect(accountCalls()).toEqual(["retrieve_account refused"]);
  });
});

describe("events", () => {
  const parseSigned = (body: string, signature: string) => provider.parseEvent(body, () => signature);

  test("are read with their object, payment and order", async () => {
    const order = newOrder();
    const { intentId } = await provider.createIntent(order);
    const { body, signature } = fake.sign(fake.pay(intentId));

    expect(parseSigned(body, signature)).toMatchObject({
      type: "payment_intent.succeeded",
      livemode: false,
      objectId: intentId,
      intentId,
      orderId: order.orderId,
    });
  });

  test("of refunds, charges, disputes and hosted pages name their payment", async () => {
    const intentId = await paidIntent();
    const { id: refundId } = fake.refundFromDashboard(intentId, 500);
    fake.bounceRefund(refundId);
    fake.dispute(intentId);
    const order = newOrder(5980);
    const session = await provider.createSession({
      ...order,
      ...hostedPage,
      lines: [oil],
      expiresAt: inHalfAnHour(),
    });
    fake.completeSession(session.id);

    const parsedEvents = fake.events.map((event) => {
      const { body, signature } = fake.sign(event);
      return parseSigned(body, signature);
    });

    const types = parsedEvents.filter((event) => event.intentId === intentId).map(({ type }) => type);
    expect(types).toEqual([
      "payment_intent.created",
      "payment_intent.succeeded",
      "refund.created",
      "charge.refunded",
      "refund.failed",
      "charge.dispute.created",
      "charge.dispute.funds_withdrawn",
    ]);
    expect(parsedEvents.at(-1)).toMatchObject({
      type: "checkout.session.completed",
      objectId: session.id,
      orderId: order.orderId,
      intentId: (await provider.retrieveSession(session.id)).intentId,
    });
  });

  test.each([
    ["of an unknown type", "invented.thing.happened", { id: "inv_1", object: "invented" }],
    ["about an object without an id", "balance.available", { object: "balance" }],
    ["with strange metadata", "payment_intent.succeeded", { id: "pi_1", metadata: { orderId: 7 } }],
    ["with an expanded payment", "charge.refunded", { id: "ch_1", payment_intent: { id: "pi_9" } }],
  ])("%s are accepted, without an order", (_, type, object) => {
    const { body, signature } = fake.signedEvent(type, object);

    expect(parseSigned(body, signature)).toMatchObject({ type, orderId: null });
  });

  test("with a missing, wrong or changed signature are refused", async () => {
    const { intentId } = await provider.createIntent(newOrder());
    const { body, signature } = fake.sign(fake.pay(intentId));
    const foreign = Stripe.webhooks.generateTestHeaderString({ payload: body, secret: "whsec_other" });

    expect(() => parseSigned(body, "")).toThrow(InvalidSignature);
    expect(() => parseSigned(body, foreign)).toThrow(InvalidSignature);
    expect(() => parseSigned(body.replace("3590", "0001"), signature)).toThrow(InvalidSignature);
    expect(() => parseSigned("", signature)).toThrow(InvalidSignature);
  });

  test("with a signature older than five minutes are refused", () => {
    const object = { id: "pi_1", object: "payment_intent" };
    const now = Math.floor(Date.now() / 1000);
    const fresh = fake.signedEvent("payment_intent.succeeded", object, { timestamp: now - 290 });
    const stale = fake.signedEvent("payment_intent.succeeded", object, { timestamp: now - 310 });

    expect(parseSigned(fresh.body, fresh.signature)).toMatchObject({ objectId: "pi_1" });
    expect(() => parseSigned(stale.body, stale.signature)).toThrow(InvalidSignature);
  });

  test("are refused if the signed body is not an event", () => {
    const event = { id: "evt_1", type: "charge.refunded", created: 1, data: { object: { id: "ch_1" } } };
    for (const nonsense of [
      "not json",
      '"text"',
      "{}",
      JSON.stringify({ ...event, id: "evt_\0" }),
      JSON.stringify({ ...event, created: 1e300 }),
      JSON.stringify({ ...event, data: { object: { id: "\0" } } }),
    ]) {
      const signature = Stripe.webhooks.generateTestHeaderString({
        payload: nonsense,
        secret: fake.webhookSecret,
      });
      expect(() => parseSigned(nonsense, signature)).toThrow(InvalidSignature);
    }
  });

  test("of the test mode are refused with live keys, and live ones with test keys", () => {
    const object = { id: "pi_1", object: "payment_intent" };
    const liveEvent = fake.signedEvent("payment_intent.succeeded", object, { livemode: true });
    const testEvent = fake.signedEvent("payment_intent.succeeded", object, { livemode: false });
    const liveProvider = openProvider({ secretKey: "sk_live_fake" });

    expect([provider.mode, liveProvider.mode]).toEqual(["test", "live"]);
    expect(() => provider.parseEvent(liveEvent.body, () => liveEvent.signature)).toThrow(WrongMode);
    expect(() => liveProvider.parseEvent(testEvent.body, () => testEvent.signature)).toThrow(WrongMode);
    expect(liveProvider.parseEvent(liveEvent.body, () => liveEvent.signature)).toMatchObject({
      livemode: true,
    });
  });
});

test("no client secret, key or card is logged, or sent in a request's metadata", async () => {
  const { clientSecret } = await provider.createIntent(newOrder());
  fake.failNext({ path: "/v1/payment_intents", how: 500 });
  await expect(provider.createIntent(newOrder())).rejects.toThrow();

  expect(logLines.length).toBeGreaterThan(0);
  for (const secret of [clientSecret, fake.secretKey, fake.webhookSecret]) {
    expect(logLines.join()).not.toContain(secret);
  }
  // Matches a card number as a separate word: random ids may contain as many digits in a row.
  expect(JSON.stringify(fake.requests)).not.toMatch(/payment_method_types|\bcard\b|cvc|\b\d{13,19}\b/);
});
