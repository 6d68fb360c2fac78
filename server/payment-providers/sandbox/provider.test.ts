import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { sql } from "drizzle-orm";
import pino from "pino";
import { afterAll, beforeEach, expect, test } from "vitest";
import { countLockWaits, createTestDatabase } from "../../../test/database.ts";
import { InvalidSignature, type ProviderEvent, ProviderRefused } from "../provider.ts";
import { createSandboxProvider, type SandboxProvider } from "./provider.ts";

const validCard = {
  number: "4242 4242 4242 4242",
  expMonth: 12,
  expYear: new Date().getFullYear() + 1,
  cvc: "123",
};
const decliningCard = { ...validCard, number: "4000000000000002" };
const cardToAuthenticate = { ...validCard, number: "4000 0025 0000 3155" };
const webhookSecret = "whsec_for_tests";

let webhook: { status: number; events: ProviderEvent[]; bodies: string[] };

const database = await createTestDatabase();
afterAll(() => database.drop());
beforeEach(async () => {
  webhook = { status: 200, events: [], bodies: [] };
  await database.pool.query("truncate sandbox_events");
});

function openSandbox(events: "at_once" | "late" | "twice" | "shuffled" = "at_once"): SandboxProvider {
  const sandbox = createSandboxProvider({
    db: database.db,
    webhookSecret,
    publicUrl: "http://localhost:5000",
    log: pino({ level: "silent" }),
    events,
  });
  sandbox.deliverTo(async (rawBody, signature) => {
    webhook.bodies.push(rawBody);
    if (webhook.status === 200) webhook.events.push(sandbox.parseEvent(rawBody, () => signature));
    return webhook.status;
  });
  return sandbox;
}

const newOrder = (amount = 3590) => {
  const orderId = randomUUID();
  return { orderId, orderNumber: 1001, amount, currency: "USD", idempotencyKey: `order-${orderId}-1` };
};

const listEventTypes = (intentId: string) =>
  webhook.events.filter((event) => event.intentId === intentId).map(({ type }) => type);

async function countUndelivered(): Promise<number> {
  const { rows } = await database.pool.query("select count(*)::int as count from sandbox_events");
  return rows[0].count;
}

test("a valid card pays the whole amount, and the webhook gets one event", async () => {
  const sandbox = openSandbox();
  const order = newOrder();
  const { intentId, clientSecret } = await sandbox.createIntent(order);

  expect(await sandbox.confirm({ intentId, clientSecret, card: validCard })).toEqual({
    ok: true,
    status: "succeeded",
  });

  await sandbox.drain();
  expect(await sandbox.retrieveIntent(intentId)).toMatchObject({
    status: "succeeded",
    amountReceived: 3590,
    currency: "usd",
    orderId: order.orderId,
  });
  expect(webhook.events).toMatchObject([
    {
      type: "payment_intent.succeeded",
      intentId,
      objectId: intentId,
      orderId: order.orderId,
      livemode: false,
    },
  ]);
  expect(await countUndelivered()).toBe(0);
});

test("twenty concurrent confirmations charge the card once", async () => {
  const sandbox = openSandbox();
  const { intentId, clientSecret } = await sandbox.createIntent(newOrder());

  const results = await Promise.all(
    Array.from({ length: 20 }, () => sandbox.confirm({ intentId, clientSecret, card: validCard })),
  );

  await sandbox.drain();
  expect(new Set(results.map((result) => JSON.stringify(result)))).toEqual(
    new Set(['{"ok":true,"status":"succeeded"}']),
  );
  expect(listEventTypes(intentId)).toEqual(["payment_intent.succeeded"]);
});

test("a declined card charges nothing, and the next card can pay", async () => {
  const sandbox = openSandbox();
  const { intentId, clientSecret } = await sandbox.createIntent(newOrder());
  const cardWithoutFunds = { ...validCard, number: "4000 0000 0000 9995" };

  expect(await sandbox.confirm({ intentId, clientSecret, card: decliningCard })).toMatchObject({
    reason: "declined",
    message: "Your card was declined.",
  });
  expect(await sandbox.confirm({ intentId, clientSecret, card: cardWithoutFunds })).toMatchObject({
    reason: "declined",
    message: "Your card has insufficient funds.",
  });
  expect(await sandbox.retrieveIntent(intentId)).toMatchObject({
    status: "requires_payment",
    amountReceived: 0,
  });
  expect(await sandbox.confirm({ intentId, clientSecret, card: validCard })).toMatchObject({
    status: "succeeded",
  });
  await sandbox.drain();
  expect(listEventTypes(intentId).sort()).toEqual([
    "payment_intent.payment_failed",
    "payment_intent.payment_failed",
    "payment_intent.succeeded",
  ]);
});

test("a card that needs authentication pays only once the authentication has passed", async () => {
  const sandbox = openSandbox();
  const { intentId, clientSecret } = await sandbox.createIntent(newOrder());
  const attempt = { intentId, clientSecret, card: cardToAuthenticate };

  expect(await sandbox.confirm(attempt)).toEqual({ ok: true, status: "requires_action" });
  expect(await sandbox.confirm({ ...attempt, authentication: "fail" })).toMatchObject({
    reason: "declined",
    code: "payment_intent_authentication_failure",
  });
  expect(await sandbox.retrieveIntent(intentId)).toMatchObject({ amountReceived: 0 });
  expect(await sandbox.confirm({ ...attempt, authentication: "pass" })).toMatchObject({
    status: "succeeded",
  });
  await sandbox.drain();
});

test.each([
  ["a mistyped number", { number: "4242424242424241" }, "Your card number is incorrect."],
  ["an expired card", { expYear: 2020 }, "Your card’s expiration year is invalid."],
  ["an invalid month", { expMonth: 13 }, "Your card’s expiration month is invalid."],
  ["a short security code", { cvc: "12" }, "Your card’s security code is invalid."],
])("%s is rejected and does not count as an attempt", async (_, changes, message) => {
  const sandbox = openSandbox();
  const { intentId, clientSecret } = await sandbox.createIntent(newOrder());

  for (let tries = 0; tries < 6; tries += 1) {
    expect(
      await sandbox.confirm({ intentId, clientSecret, card: { ...validCard, ...changes } }),
    ).toMatchObject({
      reason: "declined",
      message,
    });
  }

  expect(await sandbox.confirm({ intentId, clientSecret, card: validCard })).toMatchObject({ ok: true });
  await sandbox.drain();
});

test("the number of a real card is declined by the sandbox", async () => {
  const sandbox = openSandbox();
  const { intentId, clientSecret } = await sandbox.createIntent(newOrder());
  const card = { ...validCard, number: "5555555555554444" };

  expect(await sandbox.confirm({ intentId, clientSecret, card })).toMatchObject({
    reason: "declined",
    code: "test_mode_live_card",
  });
  await sandbox.drain();
});

test("after five declined attempts even a valid card is refused", async () => {
  const sandbox = openSandbox();
  const { intentId, clientSecret } = await sandbox.createIntent(newOrder());
  for (let tries = 0; tries < 5; tries += 1) {
    await sandbox.confirm({ intentId, clientSecret, card: decliningCard });
  }

  expect(await sandbox.confirm({ intentId, clientSecret, card: validCard })).toMatchObject({
    reason: "closed",
  });
  await sandbox.drain();
  expect(await sandbox.retrieveIntent(intentId)).toMatchObject({ amountReceived: 0 });
});

test("a payment cannot be found without its client secret", async () => {
  const sandbox = openSandbox();
  const { intentId, clientSecret } = await sandbox.createIntent(newOrder());
  const other = await sandbox.createIntent(newOrder());

  for (const wrongSecret of ["", `${clientSecret}x`, other.clientSecret]) {
    expect(await sandbox.confirm({ intentId, clientSecret: wrongSecret, card: validCard })).toEqual({
      ok: false,
      reason: "not_found",
    });
  }
  expect(await sandbox.retrieveIntent(intentId)).toMatchObject({ status: "requires_payment" });
});

test("the same idempotency key returns the same intent, and another amount under it is refused", async () => {
  const sandbox = openSandbox();
  const order = newOrder();

  const intents = await Promise.all(Array.from({ length: 5 }, () => sandbox.createIntent(order)));

  expect(new Set(intents.map(({ intentId }) => intentId)).size).toBe(1);
  await expect(sandbox.createIntent({ ...order, amount: 1 })).rejects.toThrow(ProviderRefused);
});

test("a cancelled payment accepts no card, and a paid one cannot be cancelled", async () => {
  const sandbox = openSandbox();
  const unpaidIntent = await sandbox.createIntent(newOrder());
  expect(await sandbox.cancelIntent(unpaidIntent.intentId)).toMatchObject({ status: "canceled" });
  expect(await sandbox.confirm({ ...unpaidIntent, card: validCard })).toMatchObject({ reason: "closed" });

  const paidIntent = await sandbox.createIntent(newOrder());
  await sandbox.confirm({ ...paidIntent, card: validCard });
  expect(await sandbox.cancelIntent(paidIntent.intentId)).toMatchObject({ status: "succeeded" });

  await sandbox.drain();
  expect(listEventTypes(unpaidIntent.intentId)).toEqual(["payment_intent.canceled"]);
  expect(listEventTypes(paidIntent.intentId)).toEqual(["payment_intent.succeeded"]);
});

test("an unknown intent is refused", async () => {
  await expect(openSandbox().retrieveIntent("pi_none")).rejects.toMatchObject({ code: "resource_missing" });
});

const hostedPage = {
  email: "buyer@example.com",
  lines: [],
  successUrl: "http://localhost:5000/checkout/success?session_id={CHECKOUT_SESSION_ID}",
  cancelUrl: "http://localhost:5000/checkout",
};

test("a hosted page is paid like an intent, and its return URL contains the page's id", async () => {
  const sandbox = openSandbox();
  const expiresAt = new Date(Date.now() + 60_000);
  const { id, url } = await sandbox.createSession({ ...newOrder(), ...hostedPage, expiresAt });
  const session = await sandbox.session(id);

  expect(url).toBe(`http://localhost:5000/sandbox/checkout/${id}`);
  expect(session).toMatchObject({
    status: "open",
    amount: 3590,
    successUrl: `http://localhost:5000/checkout/success?session_id=${id}`,
  });
  const { intentId, clientSecret } = session ?? { intentId: "", clientSecret: "" };
  await sandbox.confirm({ intentId, clientSecret, card: validCard });
  await sandbox.drain();

  expect(await sandbox.retrieveSession(id)).toMatchObject({ status: "complete", intentId, url: null });
  expect(listEventTypes(intentId).sort()).toEqual(["checkout.session.completed", "payment_intent.succeeded"]);
  expect(webhook.events.map(({ objectId }) => objectId).sort()).toEqual([id, intentId].sort());
});

test("an expired hosted page accepts no payment", async () => {
  const sandbox = openSandbox();
  const endedPage = await sandbox.createSession({ ...newOrder(), ...hostedPage, expiresAt: new Date() });
  const closedPage = await sandbox.createSession({
    ...newOrder(),
    ...hostedPage,
    expiresAt: new Date(Date.now() + 60_000),
  });
  expect(await sandbox.retrieveSession(endedPage.id)).toMatchObject({ status: "expired" });
  expect(await sandbox.expireSession(closedPage.id)).toMatchObject({ status: "expired" });

  for (const { id } of [endedPage, closedPage]) {
    const session = await sandbox.session(id);
    const { intentId, clientSecret } = session ?? { intentId: "", clientSecret: "" };
    expect(await sandbox.confirm({ intentId, clientSecret, card: validCard })).toMatchObject({
      reason: "closed",
    });
  }
  await sandbox.drain();
  expect(webhook.events.map(({ type, objectId }) => [type, objectId])).toContainEqual([
    "checkout.session.expired",
    closedPage.id,
  ]);
});

test("simultaneous refunds never exceed the paid amount", async () => {
  const sandbox = openSandbox();
  const { intentId, clientSecret } = await sandbox.createIntent(newOrder(1000));
  await sandbox.confirm({ intentId, clientSecret, card: validCard });

  const refunds = await Promise.allSettled(
    Array.from({ length: 5 }, () => {
      const refundId = randomUUID();
      return sandbox.createRefund({ intentId, amount: 300, refundId, idempotencyKey: `refund-${refundId}` });
    }),
  );

  await sandbox.drain();
  const refused = refunds.flatMap((refund) => (refund.status === "rejected" ? [refund.reason] : []));
  expect(refused).toMatchObject([{ code: "amount_too_large" }, { code: "amount_too_large" }]);
  const listedRefunds = await sandbox.listRefunds(intentId);
  expect(listedRefunds.map(({ amount, status }) => [amount, status])).toEqual([
    [300, "succeeded"],
    [300, "succeeded"],
    [300, "succeeded"],
  ]);
  expect(listEventTypes(intentId).filter((type) => type === "charge.refunded")).toHaveLength(3);
});

test("a refund repeated under its key is carried out once", async () => {
  const sandbox = openSandbox();
  const { intentId, clientSecret } = await sandbox.createIntent(newOrder(1000));
  await sandbox.confirm({ intentId, clientSecret, card: validCard });
  const refund = { intentId, amount: 400, refundId: randomUUID(), idempotencyKey: "refund-again" };

  const [first, again] = [await sandbox.createRefund(refund), await sandbox.createRefund(refund)];

  await sandbox.drain();
  expect(again).toEqual(first);
  expect(await sandbox.listRefunds(intentId)).toEqual([first]);
  expect(first).toMatchObject({ refundId: refund.refundId, amount: 400 });
});

test("an unpaid payment cannot be refunded", async () => {
  const sandbox = openSandbox();
  const { intentId } = await sandbox.createIntent(newOrder(1000));
  const refund = { intentId, amount: 1, refundId: randomUUID(), idempotencyKey: "refund-unpaid" };

  await expect(sandbox.createRefund(refund)).rejects.toMatchObject({ code: "amount_too_large" });
});

test("events are posted again until the webhook accepts them", async () => {
  webhook.status = 500;
  const failingSandbox = openSandbox();
  const { intentId, clientSecret } = await failingSandbox.createIntent(newOrder());
  await failingSandbox.confirm({ intentId, clientSecret, card: validCard });
  await failingSandbox.drain();
  expect(await countUndelivered()).toBe(1);

  const restarted = openSandbox();
  expect(await restarted.deliverPending()).toBe(0);
  webhook.status = 200;
  expect(await restarted.deliverPending()).toBe(1);
  expect(await restarted.deliverPending()).toBe(0);
  expect(listEventTypes(intentId)).toEqual(["payment_intent.succeeded"]);
  await restarted.drain();
});

test("accepted events are deleted by one statement at a time, and are not posted again before that", async () => {
  await database.pool.query(
    "insert into sandbox_events (id, type, object) select 'evt_' || n, 'test', '{}' from generate_series(1, 120) n",
  );
  const sandbox = openSandbox();
  let posts = 0;
  sandbox.deliverTo(async () => {
    posts += 1;
    await delay(2);
    return 200;
  });
  await database.db.transaction(async (tx) => {
    await tx.execute(sql`select from sandbox_events for update`);
    expect(await sandbox.deliverPending()).toBe(120);
    await expect.poll(() => countLockWaits(database)).toBeGreaterThan(0);
    expect(await countLockWaits(database)).toBe(1);
    expect(await sandbox.deliverPending()).toBe(0);
  });
  await sandbox.drain();
  expect([posts, await countUndelivered()]).toEqual([120, 0]);
});

test("in the mode “twice”, every event, including creation events, is sent twice under one id", async () => {
  const sandbox = openSandbox("twice");
  const { intentId, clientSecret } = await sandbox.createIntent(newOrder());
  await sandbox.confirm({ intentId, clientSecret, card: validCard });
  await sandbox.drain();

  expect(listEventTypes(intentId).sort()).toEqual([
    "payment_intent.created",
    "payment_intent.created",
    "payment_intent.succeeded",
    "payment_intent.succeeded",
  ]);
  expect(new Set(webhook.events.map(({ id }) => id)).size).toBe(2);
});

test("delayed events that a stop interrupts are sent after the next start", async () => {
  const sandbox = openSandbox("late");
  const { intentId, clientSecret } = await sandbox.createIntent(newOrder());
  await sandbox.confirm({ intentId, clientSecret, card: validCard });
  await sandbox.drain();
  expect(webhook.events).toEqual([]);

  const restarted = openSandbox();
  expect(await restarted.deliverPending()).toBe(2);
  await restarted.drain();
});

test("all payments that succeeded since a time are listed, across pages", async () => {
  const sandbox = openSandbox();
  const since = new Date();
  await database.pool.query(
    `insert into sandbox_intents (id, client_secret, idempotency_key, order_id, order_number, status, amount,
       amount_received, currency, created_at)
     select 'pi_listed_' || n, 's', 'listed-' || n, 'order', 1, 'succeeded', 5, 5, 'usd', now() + interval '1 minute'
     from generate_series(1, 250) n`,
  );
  await sandbox.createIntent(newOrder());

  const intentIds: string[] = [];
  for await (const { intentId } of sandbox.listSucceededIntents({ from: since })) intentIds.push(intentId);

  expect(intentIds).toHaveLength(250);
  expect(new Set(intentIds).size).toBe(250);
});

test("event bodies contain no client secret, and are accepted only with a valid signature", async () => {
  const sandbox = openSandbox();
  const { intentId, clientSecret } = await sandbox.createIntent(newOrder());
  await sandbox.confirm({ intentId, clientSecret, card: validCard });
  await sandbox.drain();
  const [body = ""] = webhook.bodies;

  expect(body).toContain(intentId);
  expect(body).not.toContain(clientSecret);
  expect(() => sandbox.parseEvent(body, () => "t=1,v1=00")).toThrow(InvalidSignature);
});
