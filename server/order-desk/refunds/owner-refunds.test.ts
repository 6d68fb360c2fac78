import { eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { adminBrowser } from "../../../test/admin.ts";
import { order } from "../../../test/checkout.ts";
import type { ApiResponse, TestBrowser } from "../../../test/shop.ts";
import { openStripeShop, type StripeShop } from "../../../test/stripe-shop.ts";
import { activity } from "../../admin/tables.ts";
import { stock } from "../../inventory/tables.ts";
import { issues } from "../../issues/tables.ts";
import { messages } from "../../outbox/tables.ts";
import { reconcile } from "../../payments/settling/reconcile.ts";
import { payments, refunds } from "../../payments/tables.ts";

let shop: StripeShop;
let owner: TestBrowser;
beforeAll(async () => {
  shop = await openStripeShop();
  owner = await adminBrowser(shop);
});
afterAll(() => shop.stop());
afterEach(async () => {
  shop.stripe.endTrouble();
  shop.stripe.letRefundsWait(false);
  await shop.expectConserved();
});

type PaidOrder = { browser: TestBrowser; id: string; number: number; intentId: string };

/** Two bottles with free shipping: $59.90. */
async function placePaid(quantity = 2): Promise<PaidOrder> {
  const browser = shop.browser();
  const { body } = await order(browser, { quantity });
  await shop.send(shop.stripe.pay(body.paymentIntentId));
  await shop.jobsDone();
  return { browser, id: body.orderId, number: body.orderNumber, intentId: body.paymentIntentId };
}

const refund = ({ id }: PaidOrder, body: object = {}, key?: string): Promise<ApiResponse> =>
  owner.post(`/api/admin/orders/${id}/refund`, body, key ? { "Idempotency-Key": key } : {});
const readOrder = async ({ id }: PaidOrder) => (await owner.get(`/api/admin/orders/${id}`)).body.data;
const readRefundMail = async ({ id }: PaidOrder) =>
  (await shop.database.db.select().from(messages).where(eq(messages.orderId, id))).filter(
    ({ kind }) => kind === "refund_sent",
  );
const readIssues = async ({ id }: PaidOrder) =>
  (await shop.database.db.select().from(issues).where(eq(issues.orderId, id))).map(
    ({ kind, message }) => `${kind}: ${message}`,
  );
const refundCalls = ({ intentId }: PaidOrder) =>
  shop.stripe.requests.filter(
    ({ method, path, params }) =>
      method === "POST" && path === "/v1/refunds" && params.payment_intent === intentId,
  );
const minuteMs = 60 * 1000;
const readOnHand = async () => (await shop.database.db.select().from(stock))[0]?.onHand ?? 0;

describe("a refund by the owner", () => {
  test("of a part and then of the rest sends an e-mail each time, and restocks the returned units", async () => {
    const paid = await placePaid();
    const before = await readOnHand();
    const first = await refund(paid, {
      amount: 1000,
      reason: "It leaked",
      restock: [{ productId: 1, quantity: 1 }],
    });
    expect(first.status).toBe(200);
    expect(first.body.data).toMatchObject({
      status: "partially_refunded",
      totals: { refunded: 1000 },
      refundableCents: 4990,
      items: [{ quantity: 2, returned: 1 }],
      refund: { amount: 1000, status: "succeeded", reason: "It leaked", origin: "shop", failure: null },
      may: { refund: true, restock: true, ship: true },
    });
    expect(first.body.data.refund.settledAt).toEqual(expect.any(String));
    expect(await readOnHand()).toBe(before + 1);

    const restResponse = await refund(paid, { restock: "all" });
    expect(restResponse.body.data).toMatchObject({
      status: "refunded",
      refundableCents: 0,
      items: [{ returned: 2 }],
      refund: { amount: 4990 },
      may: { refund: false, restock: false, ship: false },
    });
    expect(await readOnHand()).toBe(before + 2);
    await shop.jobsDone();
    const mail = await readRefundMail(paid);
    expect(mail.map(({ subject }) => subject).sort()).toEqual([
      `Your refund of $10.00 for order #${paid.number}`,
      `Your refund of $49.90 for order #${paid.number}`,
    ]);
    expect(mail.find(({ subject }) => subject?.includes("49.90"))?.text).toContain(
      "That’s $59.90 of $59.90 so far.",
    );
    const entries = await shop.database.db
      .select()
      .from(activity)
      .where(eq(activity.subject, `order:${paid.id}`));
    expect(entries.map(({ summary, outcome }) => `${summary}: ${outcome}`)).toEqual([
      `Refund of $10.00 for order #${paid.number}: done`,
      `Refund of $49.90 for order #${paid.number}: done`,
    ]);
    expect(JSON.stringify(entries)).not.toContain("leaked");
  });

  test("never exceeds the paid amount, however many are requested concurrently", async () => {
    const paid = await placePaid();
    const responses = await Promise.all(Array.from({ length: 12 }, () => refund(paid, { amount: 1000 })));
    expect(responses.filter(({ status }) => status < 300)).toHaveLength(5);
    expect(responses.filter(({ status }) => status === 422)).toHaveLength(7);
    expect(shop.stripe.refundedAmount(paid.intentId)).toBe(5000);
    const tooMuch = await refund(paid, { amount: 991 });
    expect([tooMuch.status, tooMuch.body.fields.amount]).toEqual([422, "At most $9.90 can be refunded"]);
    const fullRefunds = await Promise.all([refund(paid), refund(paid)]);
    expect(fullRefunds.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await readOrder(paid)).status).toBe("refunded");
    expect(refundCalls(paid)).toHaveLength(6);
  });

  test("together with one in the provider's dashboard refunds goods and shipping exactly once", async () => {
    const paid = await placePaid(1);
    shop.stripe.failNext({ path: "/v1/refunds", method: "POST", how: 503, times: 9 });
    expect((await refund(paid, { amount: 1000 })).status).toBe(202);
    expect((await refund(paid, { items: [], shipping: 400 })).status).toBe(202);
    shop.stripe.endTrouble();
    const eventCount = shop.stripe.events.length;
    shop.stripe.refundFromDashboard(paid.intentId, 3190);
    await shop.send(...shop.stripe.events.slice(eventCount));
    await shop.jobsDone();
    shop.travel(11 * minuteMs);
    await shop.retryNow();
    await reconcile(shop.ctx);
    await shop.jobsDone();
    const { refunds: refundList, refundable } = await readOrder(paid);
    const succeeded = refundList.filter(({ status }: { status: string }) => status === "succeeded");
    const sum = (part: "amount" | "goods" | "shipping") =>
      succeeded.reduce((cents: number, entry: Record<typeof part, number>) => cents + entry[part], 0);
    expect([sum("amount"), sum("goods"), sum("shipping")]).toEqual([3590, 2995, 595]);
    expect(refundable).toMatchObject({ goods: 0, shipping: 0, tax: 0 });
  });

  test("by line refunds the price paid for each unit and restocks it; with the shipping it adds up to the order's total", async () => {
    const paid = await placePaid(1);
    const before = await readOnHand();
    const request = { items: [{ productId: 1, quantity: 1, restock: true }], reason: "It leaked" };
    const first = await refund(paid, request, "line");
    expect(first.body.data).toMatchObject({
      refund: { amount: 2995, goods: 2995, shipping: 0, tax: 0, items: [{ productId: 1, quantity: 1 }] },
      refundable: { goods: 0, shipping: 595, tax: 0, lines: [{ units: 0 }] },
      items: [{ returned: 1 }],
      events: expect.arrayContaining([
        expect.objectContaining({ actor: "owner", note: "$29.95 refunded: 1 × Pure Batana Oil" }),
      ]),
    });
    expect(await readOnHand()).toBe(before + 1);
    expect((await refund(paid, request, "line")).body.data.refund.id).toBe(first.body.data.refund.id);
    expect((await refund(paid, { ...request, items: [], shipping: 595 }, "line")).status).toBe(409);
    expect((await refund(paid, request, "again")).body.fields).toEqual({
      "items.0.quantity": "Nothing of this product is left to refund",
    });
    const restResponse = await refund(paid, { shipping: 595 });
    expect(restResponse.body.data).toMatchObject({
      status: "refunded",
      refund: { amount: 595, shipping: 595 },
    });
    expect(restResponse.body.data.events.at(-1).note).toBe("$5.95 refunded: shipping $5.95");
  });

  test("by amount is split into goods and shipping; several together never exceed the order's goods or shipping", async () => {
    const paid = await placePaid(1);
    for (const amount of [1, 999, 1, 500]) expect((await refund(paid, { amount })).status).toBe(200);
    const order = await readOrder(paid);
    const sum = (part: "goods" | "shipping" | "amount", refunds: Record<string, number>[]) =>
      refunds.reduce((cents, refund) => cents + (refund[part] ?? 0), 0);
    expect(sum("goods", order.refunds) + sum("shipping", order.refunds)).toBe(1501);
    expect(sum("shipping", order.refunds)).toBeGreaterThan(200);
    const items = [{ productId: 1, quantity: 1 }];
    const refundedOrder = (await refund(paid, { items, shipping: order.refundable.shipping })).body.data;
    expect(refundedOrder).toMatchObject({ status: "refunded", refundableCents: 0 });
    expect([sum("goods", refundedOrder.refunds), sum("shipping", refundedOrder.refunds)]).toEqual([
      2995, 595,
    ]);
  });

  test("with an idempotency key is made once; another refund under the key is refused", async () => {
    const paid = await placePaid();
    const send = () => refund(paid, { amount: 700, restock: [{ productId: 1, quantity: 1 }] }, "click-1");
    const responses = await Promise.all([send(), send(), send()]);
    expect(new Set(responses.map(({ body }) => body.data.refund.id)).size).toBe(1);
    expect((await send()).status).toBe(200);
    expect(await readOrder(paid)).toMatchObject({ totals: { refunded: 700 }, items: [{ returned: 1 }] });
    expect(refundCalls(paid)).toHaveLength(1);
    const entries = await shop.database.db
      .select()
      .from(activity)
      .where(eq(activity.subject, `order:${paid.id}`));
    // The activity log has only one refund, too.
    expect(entries.filter(({ summary }) => summary.startsWith("Refund of"))).toHaveLength(1);
    expect((await refund(paid, { amount: 800 }, "click-1")).status).toBe(409);
    expect((await refund(paid, { amount: 700 }, "x".repeat(256))).status).toBe(422);
    const other = await placePaid(1);
    expect((await refund(other, { amount: 800 }, "click-1")).status).toBe(200);
  });

  test.each([
    [{ amount: 0 }, "amount"],
    [{ amount: -5 }, "amount"],
    [{ amount: 10.5 }, "amount"],
    [{ amount: "10" }, "amount"],
    [{ reason: "x".repeat(501) }, "reason"],
    [{ restock: [{ productId: 1, quantity: 3 }] }, "restock.0.quantity"],
    [{ restock: [{ productId: 99, quantity: 1 }] }, "restock.0.quantity"],
    [{ restock: "some" }, "restock"],
    [{ items: [{ productId: 1, quantity: 3 }] }, "items.0.quantity"],
    [{ items: [{ productId: 99, quantity: 1 }] }, "items.0.quantity"],
    [{ items: [{ productId: 1, quantity: 0 }] }, "items.0.quantity"],
    [{ items: [] }, "items"],
    [{ shipping: 1 }, "shipping"],
    [{ shipping: -1 }, "shipping"],
    [{ items: [{ productId: 1, quantity: 1 }], amount: 100 }, "amount"],
    [{ items: [{ productId: 1, quantity: 1 }], restock: "all" }, "restock"],
  ])("of %j is refused (field: %s) and changes nothing", async (body, field) => {
    const paid = await placePaid();
    const response = await refund(paid, body);
    expect([response.status, Object.keys(response.body.fields)]).toEqual([422, [field]]);
    expect(await readOrder(paid)).toMatchObject({ refunds: [], items: [{ returned: 0 }] });
  });

  test("of an unpaid order, or one paid through another provider, is refused with the reason", async () => {
    const browser = shop.browser();
    const { body } = await order(browser);
    const unpaid = { browser, id: body.orderId, number: body.orderNumber, intentId: body.paymentIntentId };
    expect((await refund(unpaid)).body.message).toContain("has not been paid");
    const otherProviderOrder = await placePaid(1);
    const matchesOrder = eq(payments.orderId, otherProviderOrder.id);
    await shop.database.db.update(payments).set({ provider: "sandbox" }).where(matchesOrder);
    const response = await refund(otherProviderOrder);
    expect([response.status, response.body.error]).toEqual([409, "invalid_state"]);
    expect(response.body.message).toContain("no longer connected");
    expect((await readOrder(otherProviderOrder)).may.refund).toBe(false);
    await shop.database.db.update(payments).set({ provider: "stripe" }).where(matchesOrder);
    const unknownOrder = { ...unpaid, id: "00000000-0000-4000-8000-000000000000" };
    expect((await refund(unknownOrder)).status).toBe(404);
  });

  test("is accepted only from the owner, and only from pages of the shop", async () => {
    const paid = await placePaid(1);
    for (const call of ["refund", "cancel", "restock"]) {
      const path = `/api/admin/orders/${paid.id}/${call}`;
      const body = { restock: "all" };
      expect((await paid.browser.post(path, body)).status).toBe(401);
      const headers = { Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" };
      expect((await owner.post(path, body, headers)).status).toBe(403);
    }
    expect(await readOrder(paid)).toMatchObject({
      status: "completed",
      refunds: [],
      items: [{ returned: 0 }],
    });
  });
});

describe("a refund when the provider fails", () => {
  test("is shown as pending, without an e-mail, and requested again when the provider is available again", async () => {
    const paid = await placePaid();
    shop.stripe.failNext({ path: "/v1/refunds", how: "cut", times: 50 });
    const response = await refund(paid, { amount: 4000 });
    expect(response.status).toBe(202);
    expect(response.body.data).toMatchObject({
      status: "completed",
      refundableCents: 1990,
      totals: { refunded: 0 },
      refund: { status: "pending", settledAt: null },
    });
    expect((await refund(paid, { amount: 2000 })).status).toBe(422);
    expect(await readRefundMail(paid)).toEqual([]);
    shop.stripe.endTrouble();
    await shop.retryNow();
    await shop.jobsDone();
    expect(await readOrder(paid)).toMatchObject({
      status: "partially_refunded",
      refunds: [{ status: "succeeded", amount: 4000 }],
    });
    expect(await readRefundMail(paid)).toHaveLength(1);
  });

  test("is found at the provider and not repeated if the provider's response was lost", async () => {
    const paid = await placePaid();
    shop.stripe.failNext({ path: "/v1/refunds", method: "POST", how: "lose", times: 2 });
    // Jobs are off, because one could find the refund before the call returns.
    expect((await shop.withoutJobs(() => refund(paid, { amount: 1000 }))).status).toBe(202);
    await shop.retryNow();
    await shop.jobsDone();
    expect(shop.stripe.refundedAmount(paid.intentId)).toBe(1000);
    expect((await readOrder(paid)).refunds).toMatchObject([{ status: "succeeded", origin: "shop" }]);
  });

  test.each([
    ["after making the refund", "fail-after-work"],
    ["before making the refund", 500],
  ] as const)(
    "is made only once if the provider fails %s and keeps repeating that failure for the same idempotency key",
    async (_, how) => {
      const paid = await placePaid();
      shop.stripe.failNext({ path: "/v1/refunds", method: "POST", how });
      // More than half the remaining money cannot be refunded twice: the shop retries it immediately with a new key.
      expect((await refund(paid, { amount: 4000 })).status).toBe(200);
      expect(shop.stripe.refundedAmount(paid.intentId)).toBe(4000);
      // Less could be refunded twice, so the retry waits until the provider's list must show the first attempt.
      shop.stripe.failNext({ path: "/v1/refunds", method: "POST", how });
      const smallRefund = await refund(paid, { amount: 500 });
      const isFound = how === "fail-after-work";
      expect(smallRefund.status).toBe(isFound ? 200 : 202);
      shop.travel(9 * minuteMs);
      await reconcile(shop.ctx);
      expect(shop.stripe.refundedAmount(paid.intentId)).toBe(isFound ? 4500 : 4000);
      shop.travel(2 * minuteMs);
      await Promise.all([reconcile(shop.ctx), reconcile(shop.ctx)]);
      expect(shop.stripe.refundedAmount(paid.intentId)).toBe(4500);
      expect((await readOrder(paid)).refunds).toHaveLength(2);
    },
  );

  test("succeeds within the hour even if the provider fails repeatedly, with one attempt after each pause", async () => {
    const paid = await placePaid();
    shop.stripe.failNext({ path: "/v1/refunds", method: "POST", how: 500, times: 8 });
    expect((await refund(paid, { amount: 500 })).status).toBe(202);
    for (let minutes = 0; minutes < 60; minutes += 5) {
      shop.travel(5 * minuteMs);
      await reconcile(shop.ctx);
    }
    expect((await readOrder(paid)).refunds).toMatchObject([{ status: "succeeded", amount: 500 }]);
    // Stripe's SDK repeats each of the four failed attempts once, under the same key.
    const keys = refundCalls(paid).map(({ idempotencyKey }) => idempotencyKey);
    expect([keys.length, new Set(keys).size]).toEqual([9, 5]);
  });

  test("is sent after one pause if the provider failed while the clock was a year ahead", async () => {
    const yearMs = 365 * 24 * 60 * minuteMs;
    shop.travel(yearMs);
    owner = await adminBrowser(shop);
    const paid = await placePaid();
    shop.stripe.failNext({ path: "/v1/refunds", method: "POST", how: 500 });
    expect((await refund(paid, { amount: 500 })).status).toBe(202);
    shop.travel(2 * minuteMs);
    await reconcile(shop.ctx);
    shop.travel(-yearMs);
    owner = await adminBrowser(shop);
    await reconcile(shop.ctx);
    expect(shop.stripe.refundedAmount(paid.intentId)).toBe(0);
    shop.travel(11 * minuteMs);
    await reconcile(shop.ctx);
    expect(shop.stripe.refundedAmount(paid.intentId)).toBe(500);
  });

  test("keeps its idempotency key until the provider responds", async () => {
    const paid = await placePaid();
    shop.stripe.failNext({ path: "/v1/refunds", method: "POST", how: 500 });
    await refund(paid, { amount: 500 });
    // Fails twice, because Stripe's SDK repeats a call once automatically.
    shop.stripe.failNext({ path: "/v1/refunds", method: "POST", how: "cut", times: 2 });
    for (let minutes = 0; minutes < 60; minutes += 15) {
      shop.travel(15 * minuteMs);
      await reconcile(shop.ctx);
    }
    expect(shop.stripe.refundedAmount(paid.intentId)).toBe(500);
    expect(new Set(refundCalls(paid).map(({ idempotencyKey }) => idempotencyKey)).size).toBe(2);
  });

  test("raises an issue if the provider makes it twice", async () => {
    const paid = await placePaid();
    await refund(paid, { amount: 500 });
    const [row] = await shop.database.db.select().from(refunds).where(eq(refunds.orderId, paid.id));
    shop.stripe.refundFromDashboard(paid.intentId, 500, { refundId: row?.id ?? "" });
    await shop.send(...shop.stripe.events.slice(-2));
    await shop.jobsDone();
    expect(await readOrder(paid)).toMatchObject({ totals: { refunded: 1000 } });
    expect(await readIssues(paid)).toEqual([
      "refund_twice: A refund of $5.00 was carried out twice at the payment provider",
    ]);
  });

  test("without a response blocks another refund of the same amount", async () => {
    const paid = await placePaid();
    shop.stripe.failNext({ path: "/v1/refunds", method: "POST", how: 500 });
    expect((await refund(paid, { amount: 1000 })).status).toBe(202);
    const again = await refund(paid, { amount: 1000 });
    expect([again.status, again.body.error]).toEqual([409, "invalid_state"]);
    expect((await refund(paid, { amount: 700 })).status).toBe(200);
    shop.travel(11 * minuteMs);
    await reconcile(shop.ctx);
    await shop.retryNow();
    await shop.jobsDone();
    expect(shop.stripe.refundedAmount(paid.intentId)).toBe(1700);
    expect((await refund(paid, { amount: 1000 })).status).toBe(200);
  });

  test("is retried by reconciliation, and raises an issue after a day", async () => {
    const paid = await placePaid(1);
    shop.stripe.failNext({ path: "/v1/refunds", how: 503, times: 100 });
    expect((await refund(paid)).status).toBe(202);
    shop.travel(25 * 60 * 60 * 1000);
    await owner.post("/api/admin/verify", { accessCode: "open-sesame-1234" });
    await reconcile(shop.ctx);
    expect(await readIssues(paid)).toEqual([expect.stringContaining("refund_waiting: A refund of $35.90")]);
    shop.stripe.endTrouble();
    shop.stripe.forgetKeys();
    await reconcile(shop.ctx);
    expect(await readOrder(paid)).toMatchObject({ status: "refunded", attention: [] });
  });
});

describe("the result of a refund at the provider", () => {
  test("is a failure if the provider refuses it: the owner sees the reason and can refund the money again", async () => {
    const paid = await placePaid(1);
    shop.stripe.failNext({ path: "/v1/refunds", method: "POST", how: 400 });
    const response = await refund(paid, { amount: 1000 });
    expect([response.status, response.body.message]).toEqual([
      409,
      "The payment provider refused this refund: Requested fault",
    ]);
    expect(await readOrder(paid)).toMatchObject({
      status: "completed",
      refundableCents: 3590,
      refunds: [{ status: "failed", failure: "Requested fault" }],
    });
    expect(await readIssues(paid)).toEqual([
      "refund_refused: The payment provider refused a refund of $10.00: Requested fault",
    ]);
    expect((await refund(paid, { amount: 900 })).body.data.attention).toHaveLength(1);
    expect((await refund(paid, { amount: 100 })).body.data.attention).toEqual([]);
  });

  test("can be pending for days: the buyer is e-mailed when it succeeds", async () => {
    const paid = await placePaid(1);
    shop.stripe.letRefundsWait(true);
    const response = await refund(paid);
    expect([response.status, response.body.data.refund.status]).toEqual([202, "pending"]);
    expect(await readRefundMail(paid)).toEqual([]);
    const [row] = await shop.database.db.select().from(refunds).where(eq(refunds.orderId, paid.id));
    await shop.send(shop.stripe.settleRefund(row?.providerRefundId ?? ""));
    await shop.jobsDone();
    const { refunds: refundList, status } = await readOrder(paid);
    expect([status, refundList[0].status]).toEqual(["refunded", "succeeded"]);
    expect(Date.parse(refundList[0].settledAt)).toBeGreaterThanOrEqual(Date.parse(refundList[0].createdAt));
    expect(await readRefundMail(paid)).toHaveLength(1);
  });

  test("is undone if the bank returns the money: the order's status is restored, and the owner sees why and can refund again", async () => {
    const paid = await placePaid(1);
    await refund(paid);
    const [row] = await shop.database.db.select().from(refunds).where(eq(refunds.orderId, paid.id));
    const bounced = shop.stripe.bounceRefund(row?.providerRefundId ?? "", "expired_or_canceled_card");
    await shop.send(bounced, { ...bounced, id: `${bounced.id}b` });
    await shop.jobsDone();
    expect(await readOrder(paid)).toMatchObject({
      status: "completed",
      refundableCents: 3590,
      refunds: [{ status: "failed", failure: "expired or canceled card", settledAt: null }],
      attention: [{ message: expect.stringContaining("the bank sent it back (expired or canceled card)") }],
    });
    expect((await refund(paid)).body.data).toMatchObject({ status: "refunded", attention: [] });
    expect(await readIssues(paid)).toHaveLength(1);
  });

  test("is shown, e-mailed and counted for a refund that was made in the provider's dashboard", async () => {
    const paid = await placePaid(1);
    shop.stripe.refundFromDashboard(paid.intentId, 1590);
    const events = shop.stripe.events.slice(-2);
    await shop.send(...events, ...events);
    await shop.jobsDone();
    expect(await readOrder(paid)).toMatchObject({
      status: "partially_refunded",
      refundableCents: 2000,
      refunds: [{ amount: 1590, status: "succeeded", origin: "provider", settledAt: expect.any(String) }],
    });
    expect(await readRefundMail(paid)).toHaveLength(1);
    expect((await refund(paid, { amount: 2001 })).status).toBe(422);
    // The shop has not recorded this refund yet. The provider refuses to refund more than is left; the shop then books this one.
    shop.stripe.refundFromDashboard(paid.intentId, 1000);
    expect((await refund(paid)).status).toBe(409);
    expect(await readOrder(paid)).toMatchObject({ totals: { refunded: 2590 }, refundableCents: 1000 });
  });
});
