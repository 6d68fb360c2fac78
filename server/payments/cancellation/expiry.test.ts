import { eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { order } from "../../../test/checkout.ts";
import type { TestBrowser } from "../../../test/shop.ts";
import { openStripeShop, type StripeShop } from "../../../test/stripe-shop.ts";
import { stock } from "../../inventory/tables.ts";
import { issues } from "../../issues/tables.ts";
import { reconcile } from "../settling/reconcile.ts";
import { expireOrders } from "./close.ts";

let shop: StripeShop;
beforeAll(async () => {
  shop = await openStripeShop();
  await shop.jobsDone();
  await shop.database.db.update(stock).set({ onHand: 10_000 });
});
afterAll(() => shop.stop());
afterEach(() => shop.stripe.endTrouble());

const minuteMs = 60 * 1000;
/** More orders than one run claims in a statement. */
const orderCount = 45;

type PlacedOrder = { browser: TestBrowser; id: string; intentId: string };

async function place(): Promise<PlacedOrder> {
  const browser = shop.browser();
  const { status, body } = await order(browser);
  expect(status).toBe(201);
  return { browser, id: body.orderId, intentId: body.paymentIntentId };
}

/** Places five orders at a time, because a busy shop turns further checkouts away. */
async function placeMany(count: number): Promise<PlacedOrder[]> {
  const placed: PlacedOrder[] = [];
  while (placed.length < count) {
    const batchSize = Math.min(5, count - placed.length);
    placed.push(...(await Promise.all(Array.from({ length: batchSize }, place))));
  }
  return placed;
}

async function readOrderStatus({ browser, id }: PlacedOrder): Promise<string> {
  return (await browser.get(`/api/orders/${id}`)).body.data.status;
}

async function distinctStatuses(placed: PlacedOrder[]): Promise<string[]> {
  return [...new Set(await Promise.all(placed.map(readOrderStatus)))];
}

/** Runs `work` and returns the calls about these payments that Stripe received in the meantime. */
async function callsAbout(placed: PlacedOrder[], work: () => Promise<unknown>): Promise<string[]> {
  const before = shop.stripe.requests.length;
  await work();
  const ids = placed.map(({ intentId }) => intentId);
  return shop.stripe.requests
    .slice(before)
    .filter(({ path }) => ids.some((id) => path.includes(id)))
    .map(({ method, path }) => `${method} ${path}`);
}

async function countCallsDuring(work: () => Promise<unknown>): Promise<number> {
  const before = shop.stripe.requests.length;
  await work();
  return shop.stripe.requests.length - before;
}

describe("expiry", () => {
  test("cancels orders even after many whose payments cannot be checked, which are checked again at growing intervals", async () => {
    const uncheckable = await placeMany(orderCount);
    const ordinary = await placeMany(3);
    for (const { intentId } of uncheckable) {
      shop.stripe.failNext({ path: `/v1/payment_intents/${intentId}`, how: 500, times: 1_000 });
    }
    shop.travel(31 * minuteMs);
    const expireAndListCalls = () => callsAbout(uncheckable, () => expireOrders(shop.ctx));
    const calls = await expireAndListCalls();
    expect(await distinctStatuses(ordinary)).toEqual(["cancelled"]);
    expect(calls.length).toBeGreaterThanOrEqual(orderCount);
    // The first pause is the interval between two runs, a day in tests, but at most an hour.
    expect(await expireAndListCalls()).toEqual([]);
    shop.travel(50 * minuteMs);
    expect(await expireAndListCalls()).toEqual([]);
    shop.travel(15 * minuteMs);
    shop.stripe.endTrouble();
    await expireAndListCalls();
    expect(await distinctStatuses(uncheckable)).toEqual(["cancelled"]);
  });

  test("raises an issue after failing for a day, which closes once the order has ended", async () => {
    const placed = await place();
    shop.stripe.failNext({ path: `/v1/payment_intents/${placed.intentId}`, how: 500, times: 1_000 });
    const readIssues = async () =>
      shop.database.db.select().from(issues).where(eq(issues.kind, "order_not_ended"));
    const expireAfter = async (minutes: number) => {
      shop.travel(minutes * minuteMs);
      await expireOrders(shop.ctx);
    };
    await expireAfter(31);
    expect(await readIssues()).toEqual([]);
    await expireAfter(24 * 60);
    await expireAfter(65);
    expect(await readIssues()).toMatchObject([{ orderId: placed.id, resolvedAt: null }]);
    shop.stripe.endTrouble();
    await expireAfter(65);
    expect(await readOrderStatus(placed)).toBe("cancelled");
    await reconcile(shop.ctx);
    expect(await readIssues()).toMatchObject([
      { resolution: "Automatically: the order was paid or cancelled" },
    ]);
  });

  test("is not delayed by a check that failed while the clock was a year ahead", async () => {
    const placed = await place();
    shop.stripe.failNext({ path: `/v1/payment_intents/${placed.intentId}`, how: 500, times: 1_000 });
    shop.travel(365 * 24 * 60 * minuteMs);
    await expireOrders(shop.ctx);
    shop.stripe.endTrouble();
    shop.travel(-365 * 24 * 60 * minuteMs);
    shop.travel(31 * minuteMs);
    await expireOrders(shop.ctx);
    expect(await readOrderStatus(placed)).toBe("cancelled");
  });

  test("checks each order once, even on two servers at the same time", async () => {
    const placed = await placeMany(orderCount);
    shop.travel(31 * minuteMs);
    const calls = await callsAbout(placed, () =>
      Promise.all([expireOrders(shop.ctx), expireOrders(shop.ctx)]),
    );
    expect(await distinctStatuses(placed)).toEqual(["cancelled"]);
    // Each payment is retrieved once and cancelled once.
    expect(calls).toHaveLength(2 * orderCount);
    expect(new Set(calls).size).toBe(2 * orderCount);
  });

  test("stops calling an unavailable provider, and cancels all orders once it is available again", async () => {
    const placed = await placeMany(orderCount);
    shop.travel(31 * minuteMs);
    shop.stripe.failNext({ path: "/v1/", how: 503, times: 1_000 });
    expect(await countCallsDuring(() => expireOrders(shop.ctx))).toBeLessThan(orderCount);
    shop.stripe.endTrouble();
    shop.travel(65 * minuteMs);
    await expireOrders(shop.ctx);
    expect(await distinctStatuses(placed)).toEqual(["cancelled"]);
  });

  test("reports that orders remain when it reaches its limit, and the next run cancels them", async () => {
    const placed = await placeMany(orderCount);
    shop.travel(31 * minuteMs);
    const first = await expireOrders(shop.ctx, { maxItems: 10 });
    expect(first).toMatchObject({ checked: 10, isCutShort: true });
    expect(await expireOrders(shop.ctx)).toMatchObject({ checked: orderCount - 10, isCutShort: false });
    expect(await distinctStatuses(placed)).toEqual(["cancelled"]);
  });
});

describe("reconciliation", () => {
  test("checks a pending order once, and reads later payments from the provider's list", async () => {
    const pendingOrders = await placeMany(3);
    shop.travel(2 * minuteMs);
    const calls = await callsAbout(pendingOrders, async () => {
      for (let run = 0; run < 4; run += 1) {
        await reconcile(shop.ctx);
        shop.travel(5 * minuteMs);
      }
    });
    expect(calls).toHaveLength(3);
    const [paid] = pendingOrders;
    if (!paid) throw new Error("no order was placed");
    shop.stripe.pay(paid.intentId);
    expect(await callsAbout(pendingOrders, () => reconcile(shop.ctx))).toEqual([]);
    expect(await readOrderStatus(paid)).toBe("completed");
  });

  test("fails as a job if it cannot read payments although the provider responds; the owner is notified if this lasts", async () => {
    const job = shop.cron.find(({ task }) => task.job.name === "reconcile_payments");
    const run = () =>
      job?.task.run({}, { attempt: 1, isLastAttempt: false, signal: new AbortController().signal });
    await run();
    shop.stripe.failNext({ path: "/v1/payment_intents", how: 500, times: 1_000 });
    await expect(run()).rejects.toThrow("Stripe failed on its side");
    // Another job reports a provider that does not respond.
    shop.stripe.failNext({ path: "/v1/", how: 503, times: 1_000 });
    await run();
    shop.stripe.endTrouble();
  });

  test("reads a long list of payments to its end over several runs", async () => {
    const paidLate = await place();
    shop.travel(31 * minuteMs);
    await expireOrders(shop.ctx);
    expect(await readOrderStatus(paidLate)).toBe("cancelled");
    // The webhook is never delivered; only the list contains the payment, after 250 payments of another program.
    const created = Math.floor(Date.now() / 1000) - 2 * 60 * 60;
    Object.assign(shop.stripe.intent(paidLate.intentId), {
      status: "succeeded",
      amount_received: 3590,
      created,
    });
    for (let nth = 1; nth <= 250; nth += 1) {
      const foreign = shop.stripe.addIntent({
        amount: 100,
        currency: "usd",
        metadata: {},
        created: created + nth,
      });
      shop.stripe.pay(foreign.id);
    }
    const runs: number[] = [];
    while ((await readOrderStatus(paidLate)) === "cancelled" && runs.length < 5) {
      runs.push(await countCallsDuring(() => reconcile(shop.ctx, { olderMs: 0 })));
    }
    expect(await readOrderStatus(paidLate)).toBe("completed");
    expect(runs.length).toBe(3);
  });
});
