import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { adminBrowser, lastTwoDays } from "../../test/admin.ts";
import { checkoutBody } from "../../test/checkout.ts";
import { createTestDatabase, type TestDatabase } from "../../test/database.ts";
import { type FakeStripe, startFakeStripe } from "../../test/fake-stripe.ts";
import type { ApiResponse, TestBrowser } from "../../test/shop.ts";
import { openStripeShop, type StripeShop } from "../../test/stripe-shop.ts";
import { refreshSales } from "../sales/rollup.ts";
import { expireOrders } from "./cancellation/close.ts";
import { reconcile } from "./settling/reconcile.ts";

const minuteMs = 60 * 1000;

type CheckoutOptions = { hosted?: boolean; key?: string; discountCode?: string };
type PlacedOrder = { browser: TestBrowser; orderId: string; paymentId: string; options: CheckoutOptions };

async function place(
  shop: StripeShop,
  options: CheckoutOptions = {},
  browser = shop.browser(),
): Promise<PlacedOrder> {
  const { hosted = false, key, discountCode } = options;
  const path = `/api/stripe/${hosted ? "create-checkout-session" : "create-payment-intent"}`;
  const body = checkoutBody(discountCode === undefined ? {} : { discountCode, amount: 3290 });
  const headers: Record<string, string> = key === undefined ? {} : { "Idempotency-Key": key };
  const started: ApiResponse = await browser.post(path, body, headers);
  // A hosted page is returned in `data`.
  const { orderId, paymentIntentId, id: paymentId = paymentIntentId } = started.body.data ?? started.body;
  expect(orderId, JSON.stringify(started.body)).toBeTypeOf("string");
  return { browser, orderId, paymentId, options };
}

async function placePaid(shop: StripeShop): Promise<PlacedOrder> {
  const placed = await place(shop);
  await shop.send(shop.stripe.pay(placed.paymentId));
  await shop.jobsDone();
  return placed;
}

async function openWith(database: TestDatabase, stripe: FakeStripe, background?: "all"): Promise<StripeShop> {
  const shop = await openStripeShop({}, { database, stripe, background });
  // The account is read in the background at every start.
  await shop.ctx.provider.loadAccount();
  await shop.jobsDone();
  return shop;
}

/** Changes the keys: stops the shop and opens it again on the same database, with the keys of another Stripe account. */
async function reopen(before: StripeShop, stripe: FakeStripe, background?: "all"): Promise<StripeShop> {
  await before.stop();
  return openWith(before.database, stripe, background);
}

const readOrder = async (browser: TestBrowser, orderId: string) =>
  (await browser.get(`/api/orders/${orderId}`)).body.data;

async function readIssues(shop: StripeShop): Promise<{ kind: string; message: string; orderId: string }[]> {
  return (await (await adminBrowser(shop)).get("/api/admin/attention")).body.data;
}

async function readAvailableUnits(shop: StripeShop): Promise<number> {
  const { rows } = await shop.database.db.execute<{ free: number }>(
    sql`select on_hand - reserved as free from stock where product_id = 1`,
  );
  return rows[0]?.free ?? Number.NaN;
}

/** Refund requests sent to Stripe. */
const refundRequests = ({ stripe }: StripeShop) =>
  stripe.requests.filter(({ method, path }) => method === "POST" && path === "/v1/refunds");

/** `placeText` matches texts that name the former keys' account or mode. `isUndetected`: the shop cannot detect the change. */
type KeyChange = {
  name: string;
  startNext(old: FakeStripe): Promise<FakeStripe>;
  placeText: RegExp;
  isUndetected?: boolean;
};
const keyChanges: KeyChange[] = [
  {
    name: "another account",
    startNext: () => startFakeStripe(),
    placeText: /another account of the payment provider \(acct_\w+\)/,
  },
  {
    name: "live mode",
    startNext: (old) => startFakeStripe({ secretKey: "sk_live_fake", accountId: old.accountId() }),
    placeText: /the payment provider’s test mode/,
  },
  {
    name: "keys that are not allowed to read their account",
    async startNext(old) {
      const next = await startFakeStripe();
      for (const stripe of [old, next]) stripe.failNext({ path: "/v1/account", how: 403, times: 100 });
      return next;
    },
    placeText: /an account or mode of the payment provider that the present keys do not open/,
    isUndetected: true,
  },
];

async function cancel({ browser, orderId }: PlacedOrder, reopened: StripeShop) {
  expect((await reopened.moved(browser).post(`/api/orders/${orderId}/cancel`)).status).toBe(200);
}

async function cancelAsOwner({ orderId }: PlacedOrder, reopened: StripeShop) {
  const owner = await adminBrowser(reopened);
  expect((await owner.post(`/api/admin/orders/${orderId}/cancel`)).status).toBe(200);
}

async function openSuccessPage({ browser, paymentId }: PlacedOrder, reopened: StripeShop) {
  const { status, body } = await reopened.moved(browser).get(`/api/order-details?session_id=${paymentId}`);
  expect([status, body.status, body.payment]).toEqual([200, "cancelled", "unpaid"]);
}

async function readPayment({ browser, orderId, paymentId }: PlacedOrder, reopened: StripeShop) {
  const { status, body } = await reopened.moved(browser).get(`/api/stripe/payment-intent/${paymentId}`);
  const payment = { status: "canceled", payment: "unpaid", amount: 3590, currency: "usd" };
  expect([status, body.data]).toEqual([200, { ...payment, id: paymentId, orderId }]);
}

async function checkOutAgain({ browser, orderId, options }: PlacedOrder, reopened: StripeShop) {
  const again = await place(reopened, options, reopened.moved(browser));
  expect(again.orderId).not.toBe(orderId);
  // The order can be paid with the current keys.
  reopened.stripe[options.hosted ? "session" : "intent"](again.paymentId);
  await cancel(again, reopened);
}

/** Actions that make the shop check an unpaid order, with the checkout before each. The last one advances the shop's clock. */
const triggers: {
  trigger: string;
  options: CheckoutOptions;
  run(placed: PlacedOrder, reopened: StripeShop): Promise<unknown>;
}[] = [
  { trigger: "its buyer cancels it", options: {}, run: cancel },
  { trigger: "its buyer cancels it while a hosted page is open", options: { hosted: true }, run: cancel },
  { trigger: "the owner cancels it", options: { discountCode: "TEN" }, run: cancelAsOwner },
  { trigger: "its buyer opens the success page", options: {}, run: openSuccessPage },
  {
    trigger: "its buyer returns from a hosted page to the success page",
    options: { hosted: true },
    run: openSuccessPage,
  },
  { trigger: "its buyer’s page reads the payment", options: {}, run: readPayment },
  { trigger: "its buyer checks out again", options: {}, run: checkOutAgain },
  {
    trigger: "its buyer checks out again with the same Idempotency-Key",
    options: { key: "key-1" },
    run: checkOutAgain,
  },
  { trigger: "its buyer checks out again with a hosted page", options: { hosted: true }, run: checkOutAgain },
  {
    trigger: "its time to pay is over",
    options: { hosted: true },
    async run({ orderId }, reopened) {
      await reopened.database.db.execute(
        sql`update orders set expires_at = now() - interval '1 minute' where id = ${orderId}`,
      );
      await expireOrders(reopened.ctx);
    },
  },
  {
    trigger: "it is reconciled",
    options: {},
    async run(_, reopened) {
      reopened.travel(2 * minuteMs);
      await reconcile(reopened.ctx);
    },
  },
];

describe.each(keyChanges)("an unpaid order made before a change to $name", ({ startNext, placeText }) => {
  let database: TestDatabase;
  let reopened: StripeShop;
  const placed = new Map<string, PlacedOrder>();
  const stripes: FakeStripe[] = [];

  beforeAll(async () => {
    database = await createTestDatabase();
    const old = await startFakeStripe();
    const other = await startNext(old);
    stripes.push(old, other);
    const before = await openWith(database, old);
    const owner = await adminBrowser(before);
    const discount = await owner.post("/api/admin/discounts", { code: "TEN", kind: "percent", value: 10 });
    expect(discount.status).toBe(201);
    for (const { trigger, options } of triggers) placed.set(trigger, await place(before, options));
    reopened = await reopen(before, other);
  });
  afterAll(async () => {
    await reopened.stop();
    await database.drop();
    for (const stripe of stripes) await stripe.stop();
  });

  test.each(triggers)("is cancelled and releases its units when $trigger", async ({ trigger, run }) => {
    const target = placed.get(trigger) as PlacedOrder;
    const availableBefore = await readAvailableUnits(reopened);
    await run(target, reopened);
    const order = await readOrder(reopened.moved(target.browser), target.orderId);
    expect(order.status).toBe("cancelled");
    expect(order.events.at(-1).note).toMatch(/^Abandoned: /);
    expect(order.events.at(-1).note).toMatch(placeText);
    expect(await readAvailableUnits(reopened)).toBeGreaterThan(availableBefore);
    await reopened.expectConserved();
  });

  test("raises no issue for the owner", async () => {
    expect(await readIssues(reopened)).toEqual([]);
  });
});

describe("an order whose payment belongs to the former keys", () => {
  let database: TestDatabase;
  let old: FakeStripe;
  let other: FakeStripe;
  let shop: StripeShop;
  beforeEach(async () => {
    database = await createTestDatabase();
    old = await startFakeStripe();
    other = await startFakeStripe();
    shop = await openWith(database, old);
  });
  afterEach(async () => {
    await shop.stop();
    await database.drop();
    await old.stop();
    await other.stop();
  });

  const switchKeys = async (stripe: FakeStripe) => {
    shop = await reopen(shop, stripe);
  };
  const reconcileLater = async () => {
    shop.travel(2 * minuteMs);
    await reconcile(shop.ctx);
    await shop.jobsDone();
  };

  test("is completed, or refunded if sold out, once the former keys are set again, if it was paid in the meantime", async () => {
    const placed = [await place(shop), await place(shop)];
    await switchKeys(other);
    await reconcileLater();
    for (const { browser, orderId } of placed) {
      expect((await readOrder(shop.moved(browser), orderId)).status).toBe("cancelled");
    }
    for (const { paymentId } of placed) old.pay(paymentId);
    await shop.database.db.execute(sql`update stock set on_hand = reserved + 1`);
    await switchKeys(old);
    await reconcile(shop.ctx);
    await shop.jobsDone();
    const statuses = placed.map(
      async ({ browser, orderId }) => (await readOrder(shop.moved(browser), orderId)).status,
    );
    expect((await Promise.all(statuses)).sort()).toEqual(["completed", "refunded"]);
    await shop.expectConserved();
  });

  test("stays pending while Stripe rejects the key", async () => {
    const placed = await place(shop);
    await shop.stop();
    const env = { STRIPE_SECRET_KEY: "sk_test_revoked" };
    shop = await openStripeShop(env, { database, stripe: old });
    const buyer = shop.moved(placed.browser);
    expect((await buyer.post(`/api/orders/${placed.orderId}/cancel`)).status).toBe(502);
    await reconcileLater().catch(() => {});
    expect((await readOrder(buyer, placed.orderId)).status).toBe("pending");
  });

  test("stays pending if an event reported its success; only the owner can cancel it", async () => {
    const placed = await place(shop);
    old.failNext({ path: `/v1/payment_intents/${placed.paymentId}`, how: 500, times: 100 });
    await shop.send(old.pay(placed.paymentId));
    await switchKeys(other);
    await shop.retryNow();
    await reconcileLater();
    await expireAll();
    const buyer = shop.moved(placed.browser);
    expect((await buyer.post(`/api/orders/${placed.orderId}/cancel`)).status).toBe(409);
    expect((await readOrder(buyer, placed.orderId)).status).toBe("pending");
    expect(await readIssues(shop)).toEqual([
      expect.objectContaining({ kind: "payment_elsewhere", orderId: placed.orderId }),
    ]);
    await cancelAsOwner(placed, shop);
    expect((await readOrder(buyer, placed.orderId)).status).toBe("cancelled");
    expect(await readIssues(shop)).toHaveLength(1);
  });

  const expireAll = async () => {
    shop.travel(31 * minuteMs);
    await expireOrders(shop.ctx);
  };

  test("is cancelled if a bank was processing it, and an issue names the account to check", async () => {
    const { browser, orderId, paymentId } = await place(shop);
    await shop.send(old.processing(paymentId));
    await shop.jobsDone();
    await switchKeys(other);
    await reconcileLater();
    expect((await readOrder(shop.moved(browser), orderId)).status).toBe("cancelled");
    expect(await readIssues(shop)).toEqual([
      expect.objectContaining({
        kind: "payment_elsewhere",
        message: expect.stringContaining(old.accountId()),
      }),
    ]);
    // The payment succeeds after all, and its account is connected again.
    old.pay(paymentId);
    await switchKeys(old);
    await reconcile(shop.ctx);
    expect((await readOrder(shop.moved(browser), orderId)).status).toBe("completed");
    expect(await readIssues(shop)).toEqual([]);
  });
});

describe.each(keyChanges)(
  "an order paid before a change to $name",
  ({ startNext, placeText, isUndetected }) => {
    let shop: StripeShop;
    let owner: TestBrowser;
    let refunded: PlacedOrder;
    let cancelled: PlacedOrder;
    let disputed: PlacedOrder;
    const stripes: FakeStripe[] = [];
    beforeAll(async () => {
      const database = await createTestDatabase();
      const old = await startFakeStripe();
      const other = await startNext(old);
      stripes.push(old, other);
      const before = await openWith(database, old);
      refunded = await placePaid(before);
      cancelled = await placePaid(before);
      disputed = await placePaid(before);
      const eventCount = old.events.length;
      old.dispute(disputed.paymentId);
      await before.send(...old.events.slice(eventCount));
      await before.jobsDone();
      shop = await reopen(before, other);
      owner = await adminBrowser(shop);
    });
    afterAll(async () => {
      await shop.stop();
      await shop.database.drop();
      for (const stripe of stripes) await stripe.stop();
    });

    test("is not refunded with the new keys; the response names the account in which to refund it", async () => {
      const { status, body } = await owner.post(`/api/admin/orders/${refunded.orderId}/refund`, {
        amount: 500,
      });
      expect([status, body.error]).toEqual([409, "invalid_state"]);
      expect(body.message).toMatch(placeText);
      expect(body.message).toMatch(/Refund it in the dashboard there/);
      await shop.jobsDone();
      expect(refundRequests(shop)).toEqual([]);
    });

    if (!isUndetected) {
      test("has no link to the new account's dashboard, which does not have its dispute", async () => {
        const [issue] = (await readIssues(shop)).filter(({ orderId }) => orderId === disputed.orderId);
        expect(issue).toMatchObject({ kind: "dispute", amount: 3590, url: null });
        const orderView = (await owner.get(`/api/admin/orders/${disputed.orderId}`)).body.data;
        expect(orderView.disputes).toEqual([expect.objectContaining({ amount: 3590, url: null })]);
        expect(orderView.attention).toEqual([expect.objectContaining({ kind: "dispute", url: null })]);
      });
    }

    test("can be cancelled by its buyer; its refund is not retried, but raises an issue for the owner", async () => {
      await cancel(cancelled, shop);
      await shop.jobsDone();
      const [issue] = (await readIssues(shop)).filter(({ orderId }) => orderId === cancelled.orderId);
      expect(issue?.message).toMatch(placeText);
      const orderView = (await owner.get(`/api/admin/orders/${cancelled.orderId}`)).body.data;
      expect(orderView.cancelledAt).not.toBeNull();
      expect(orderView.refunds).toEqual([expect.objectContaining({ status: "failed", amount: 3590 })]);
      expect(refundRequests(shop)).toEqual([]);
      const { rows } = await shop.database.db.execute(
        sql`select from jobs where name in ('send_refund', 'sync_refunds') and attempts > 0`,
      );
      expect(rows).toEqual([]);
    });
  },
);

describe("a test order after the shop was switched to live keys", () => {
  let shop: StripeShop;
  let owner: TestBrowser;
  let testOrder: PlacedOrder;
  let old: FakeStripe;
  let live: FakeStripe;
  const refreshRollup = async () => {
    const { timeZone } = (await owner.get("/api/admin/overview")).body.data;
    // An hour later, so that the sums of days include the latest orders.
    const now = new Date(shop.ctx.now().getTime() + 60 * minuteMs);
    await refreshSales(shop.database.db, { now, timeZone, whole: true });
  };
  const readOverview = async () => (await owner.get("/api/admin/overview?period=7d")).body.data;
  const reopenAs = async (stripe: FakeStripe) => {
    shop = await reopen(shop, stripe, "all");
    owner = await adminBrowser(shop);
  };
  beforeAll(async () => {
    const database = await createTestDatabase();
    old = await startFakeStripe();
    live = await startFakeStripe({ secretKey: "sk_live_fake", accountId: old.accountId() });
    shop = await openWith(database, old);
    owner = await adminBrowser(shop);
    testOrder = await placePaid(shop);
    await refreshRollup();
    await reopenAs(live);
  });
  afterAll(async () => {
    await shop.stop();
    await shop.database.drop();
    await old.stop();
    await live.stop();
  });

  test("is excluded from all sums, even those computed before", async () => {
    const { figures, before, donated, hasSold } = await readOverview();
    expect([figures.orders, figures.salesCents, figures.conversion.checkouts]).toEqual([0, 0, 0]);
    expect([before.figures?.orders ?? 0, donated.totalCents, donated.since, hasSold]).toEqual([
      0,
      0,
      null,
      false,
    ]);
    expect((await owner.get("/api/admin/donations")).body.totals.givenCents).toBe(0);
    expect((await shop.shop.giving()).setAsideCents).toBe(0);
  });

  test("is excluded from exports and queues, and is marked in lists", async () => {
    const file: string = (await owner.get("/api/admin/orders.csv?status=all")).body;
    expect(file.trim().split("\n")).toHaveLength(1);
    const orderList = await owner.get("/api/orders");
    expect(orderList.body.data).toEqual([
      expect.objectContaining({ orderId: testOrder.orderId, isTest: true, delivery: "not_sent" }),
    ]);
    expect(orderList.body.queues).toEqual({
      to_ship: 0,
      returns: 0,
      waiting: 0,
      on_hold: 0,
      attention: 0,
      shipped: 0,
      problems: 0,
    });
    expect((await owner.get("/api/orders?status=to_ship")).body.data).toEqual([]);
    expect((await owner.get("/api/admin/counts")).body.data.ordersToShip).toBe(0);
    expect((await readOverview()).waitingToShip).toEqual({ count: 0, orders: [] });
  });

  test("cannot be shipped by mistake", async () => {
    const path = `/api/admin/orders/${testOrder.orderId}`;
    const parcel = { carrier: "ups", trackingNumber: "1Z999AA10123456784" };
    const { status, body } = await owner.post(`${path}/ship`, parcel);
    expect([status, body.error]).toEqual([409, "invalid_state"]);
    expect(body.message).toContain("test mode");
    expect((await owner.get(path)).body.data).toMatchObject({ isTest: true, shipHold: "test" });
  });

  test("does not make a review a verified purchase", async () => {
    const { body } = await shop.moved(testOrder.browser).get("/api/reviews/mine?productId=1");
    expect(body.data).toEqual({ review: null, verified: false });
  });

  test("is excluded from the money check", async () => {
    const { body } = await owner.post("/api/admin/money-checks", lastTwoDays());
    await shop.jobsDone();
    const check = (await owner.get(`/api/admin/money-checks/${body.data.id}`)).body.data;
    expect(check).toMatchObject({ status: "done", bookedIn: 0, providerIn: 0, findings: 0 });
  });

  test("counts again, together with live orders, once the test keys are set again", async () => {
    await placePaid(shop);
    expect((await readOverview()).figures).toMatchObject({ orders: 1, salesCents: 2995 });
    await refreshRollup();
    expect((await readOverview()).figures).toMatchObject({ orders: 1, salesCents: 2995 });
    expect((await owner.get("/api/orders")).body.queues.to_ship).toBe(1);
    await reopenAs(old);
    expect((await readOverview()).figures).toMatchObject({ orders: 2, salesCents: 5990 });
    const orderList = (await owner.get("/api/orders")).body;
    expect(orderList.data.map(({ isTest }: { isTest: boolean }) => isTest)).toEqual([false, false]);
    expect(orderList.queues.to_ship).toBe(2);
    const ownReview = await shop.moved(testOrder.browser).get("/api/reviews/mine?productId=1");
    expect(ownReview.body.data.verified).toBe(true);
  });
});
