import { and, eq } from "drizzle-orm";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { adminBrowser } from "../../../test/admin.ts";
import { checkoutBody, order } from "../../../test/checkout.ts";
import { patienceMs } from "../../../test/patience.ts";
import type { ApiResponse, TestBrowser } from "../../../test/shop.ts";
import { openStripeShop } from "../../../test/stripe-shop.ts";
import { stock } from "../../inventory/tables.ts";
import { orders } from "../../orders/tables.ts";
import { messages } from "../../outbox/tables.ts";
import { expireOrders } from "../cancellation/close.ts";

const shop = await openStripeShop();
afterAll(() => shop.stop());
afterEach(async () => {
  shop.stripe.endTrouble();
  await shop.expectConserved();
});

const hourMs = 60 * 60 * 1000;

type PlacedOrder = { browser: TestBrowser; id: string; providerId: string; started: ApiResponse };

async function place(
  browser = shop.browser(),
  overrides: Parameters<typeof order>[1] = {},
): Promise<PlacedOrder> {
  const started = await order(browser, overrides);
  expect(started.status).toBe(201);
  return { browser, started, id: started.body.orderId, providerId: started.body.paymentIntentId };
}

async function placeProcessing(): Promise<PlacedOrder> {
  const placed = await place();
  await shop.send(shop.stripe.processing(placed.providerId, { canBeCancelled: true }));
  await shop.jobsDone();
  return placed;
}

/** The different statuses and payment states of an order in all responses to its buyer and the owner. */
async function readStates({ browser, id, providerId }: PlacedOrder) {
  // Signs in again, because the tests advance the clock by days and the owner's session lasts one.
  const owner = await adminBrowser(shop);
  const readData = async (reader: TestBrowser, path: string) => (await reader.get(path)).body.data;
  const kind = providerId.startsWith("cs_") ? "checkout-session" : "payment-intent";
  // Called first, because it reads the payment from the provider.
  const details = (await browser.get(`/api/order-details?session_id=${providerId}`)).body;
  const orderView = await readData(browser, `/api/orders/${id}`);
  const ownOrder = (await readData(browser, "/api/orders/user/1")).find(
    (listed: { id: string }) => listed.id === id,
  );
  const payment = await readData(browser, `/api/stripe/${kind}/${providerId}`);
  const page = await owner.get("/api/orders?status=all");
  const row = page.body.data.find((listed: { orderId: string }) => listed.orderId === id);
  const adminView = await readData(owner, `/api/admin/orders/${id}`);
  return {
    status: [...new Set([orderView.status, ownOrder.status, details.status, adminView.status])],
    payment: [
      ...new Set([
        orderView.payment,
        ownOrder.payment,
        details.payment,
        payment.payment,
        row.payment,
        adminView.paymentState,
      ]),
    ],
  };
}

async function readReserved(): Promise<number> {
  const [row] = await shop.database.db.select().from(stock);
  return row?.reserved ?? 0;
}

test("a processing payment keeps its order and units for days until it succeeds", async () => {
  const before = await readReserved();
  const placed = await placeProcessing();
  expect(await readStates(placed)).toEqual({ status: ["pending"], payment: ["processing"] });
  for (let day = 0; day < 4; day += 1) {
    shop.travel(24 * hourMs);
    await expireOrders(shop.ctx);
  }
  expect(shop.stripe.intent(placed.providerId).status).toBe("processing");
  expect(await readStates(placed)).toEqual({ status: ["pending"], payment: ["processing"] });
  expect(await readReserved()).toBe(before + 1);
  await shop.send(shop.stripe.pay(placed.providerId));
  await shop.jobsDone();
  expect(await readStates(placed)).toEqual({ status: ["completed"], payment: ["paid"] });
});

test("an order changed while its payment is being booked keeps the change, and is completed and confirmed once", async () => {
  const placed = await place();
  const lockingClient = await shop.database.pool.connect();
  try {
    await lockingClient.query("begin");
    await lockingClient.query("update orders set customer_name = 'Ada King' where id = $1", [placed.id]);
    const booking = shop.send(shop.stripe.pay(placed.providerId));
    await vi.waitFor(async () => {
      const { rows } = await shop.database.pool.query(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      expect(rows).toHaveLength(1);
    }, patienceMs);
    await lockingClient.query("commit");
    await booking;
  } finally {
    lockingClient.release();
  }
  await shop.jobsDone();
  const [row] = await shop.database.db.select().from(orders).where(eq(orders.id, placed.id));
  expect(row).toMatchObject({ status: "completed", customerName: "Ada King" });
  const confirmationCount = await shop.database.db.$count(
    messages,
    and(eq(messages.orderId, placed.id), eq(messages.kind, "order_confirmation")),
  );
  expect(confirmationCount).toBe(1);
});

test("an order is not cancelled if its payment turns out to be processing when it expires", async () => {
  const placed = await place();
  shop.stripe.processing(placed.providerId, { canBeCancelled: true });
  shop.travel(hourMs);
  await expireOrders(shop.ctx);
  expect(shop.stripe.intent(placed.providerId).status).toBe("processing");
  expect(await readStates(placed)).toEqual({ status: ["pending"], payment: ["processing"] });
  await shop.send(shop.stripe.pay(placed.providerId));
});

test("a processing payment that fails after the order's time limit cancels the order and releases its units", async () => {
  const before = await readReserved();
  const placed = await placeProcessing();
  shop.travel(72 * hourMs);
  await expireOrders(shop.ctx);
  await shop.send(shop.stripe.decline(placed.providerId));
  await shop.jobsDone();
  expect(await readStates(placed)).toEqual({ status: ["cancelled"], payment: ["unpaid"] });
  expect(shop.stripe.intent(placed.providerId).status).toBe("canceled");
  expect(await readReserved()).toBe(before);
  const { events } = (await placed.browser.get(`/api/orders/${placed.id}`)).body.data;
  expect(events.at(-1)).toMatchObject({ actor: "system", note: "The payment failed" });
});

test("a processing payment that fails is shown to its buyer immediately, and the same order can be paid again", async () => {
  const placed = await placeProcessing();
  shop.stripe.decline(placed.providerId);
  expect(await readStates(placed)).toEqual({ status: ["pending"], payment: ["unpaid"] });
  const again = await place(placed.browser);
  expect([again.id, again.providerId]).toEqual([placed.id, placed.providerId]);
  expect(again.started.body.payment).toBe("unpaid");
  await shop.send(shop.stripe.pay(placed.providerId));
  await shop.jobsDone();
  expect(await readStates(placed)).toEqual({ status: ["completed"], payment: ["paid"] });
});

test("a second checkout of an order whose payment is processing reports that, so that the buyer does not pay twice", async () => {
  const placed = await placeProcessing();
  const again = await place(placed.browser);
  expect([again.id, again.started.body.payment]).toEqual([placed.id, "processing"]);
  await shop.send(shop.stripe.pay(placed.providerId));
});

test("a second checkout opens a new payment if Stripe has cancelled the first, even before that event arrives", async () => {
  const placed = await placeProcessing();
  const cancelled = shop.stripe.cancelFromDashboard(placed.providerId);
  const again = await place(placed.browser);
  expect(again.id).toBe(placed.id);
  expect(again.providerId).not.toBe(placed.providerId);
  await shop.send(cancelled, shop.stripe.pay(again.providerId));
  await shop.jobsDone();
  expect(await readStates(again)).toEqual({ status: ["completed"], payment: ["paid"] });
});

test("neither buyer nor owner can cancel an order with a processing payment, and both are shown the reason", async () => {
  const placed = await placeProcessing();
  const owner = await adminBrowser(shop);
  const ownOrder = await placed.browser.get(`/api/orders/${placed.id}`);
  expect(ownOrder.body.data.actions.cancel).toBe(false);
  const adminView = await owner.get(`/api/admin/orders/${placed.id}`);
  expect(adminView.body.data.may.cancel).toBe(false);
  const responses = [
    await placed.browser.post(`/api/orders/${placed.id}/cancel`),
    await owner.post(`/api/admin/orders/${placed.id}/cancel`),
  ];
  for (const { status, body } of responses) {
    expect([status, body.error]).toEqual([409, "invalid_state"]);
    expect(body.message).toMatch(/being processed, so it can’t|being processed, so this order can’t/);
  }
  expect(shop.stripe.intent(placed.providerId).status).toBe("processing");
  await shop.send(shop.stripe.pay(placed.providerId));
});

test("an order with a processing payment is not replaced when its buyer orders the same product again", async () => {
  const placed = await placeProcessing();
  const { db } = shop.database;
  const [row] = await db.select().from(stock);
  await db.update(stock).set({ onHand: row?.reserved ?? 0 });
  expect((await order(placed.browser, { quantity: 2 })).body.error).toBe("out_of_stock");
  expect(shop.stripe.intent(placed.providerId).status).toBe("processing");
  await db.update(stock).set({ onHand: 100 });
  await shop.send(shop.stripe.pay(placed.providerId));
});

async function placeOnHostedPage(): Promise<PlacedOrder> {
  const browser = shop.browser();
  const started = await browser.post("/api/stripe/create-checkout-session", checkoutBody());
  const { id: providerId, orderId: id } = started.body.data;
  return { browser, id, providerId, started };
}

test("a submitted hosted page counts as processing before its event arrives", async () => {
  const placed = await placeOnHostedPage();
  shop.stripe.processSession(placed.providerId);
  expect(await readStates(placed)).toEqual({ status: ["pending"], payment: ["processing"] });
  shop.stripe.settleProcessedSession(placed.providerId, "succeeded");
  await shop.send(...shop.stripe.events.slice(-2));
});

test("after the slow payment of a hosted page has failed, the buyer can open another page", async () => {
  const placed = await placeOnHostedPage();
  await shop.send(shop.stripe.processSession(placed.providerId));
  await shop.jobsDone();
  shop.stripe.settleProcessedSession(placed.providerId, "failed");
  await shop.send(...shop.stripe.events.slice(-2));
  await shop.jobsDone();
  expect(await readStates(placed)).toEqual({ status: ["cancelled"], payment: ["unpaid"] });
  const again = await placed.browser.post("/api/stripe/create-checkout-session", checkoutBody());
  expect(again.body.data.url).toContain(again.body.data.id);
  expect(again.body.data.orderId).not.toBe(placed.id);
});

for (const outcome of ["succeeded", "failed"] as const) {
  test(`the event of a hosted page alone reports that its slow payment has ${outcome}`, async () => {
    const placed = await placeOnHostedPage();
    await shop.send(shop.stripe.processSession(placed.providerId));
    await shop.jobsDone();
    await shop.send(shop.stripe.settleProcessedSession(placed.providerId, outcome));
    await shop.jobsDone();
    // From the database, because the buyer's calls read the payment from the provider.
    const [order] = await shop.database.db.select().from(orders).where(eq(orders.id, placed.id));
    expect(order?.status).toBe(outcome === "succeeded" ? "completed" : "cancelled");
  });

  test(`the order and its payment page show that the slow payment has ${outcome}`, async () => {
    const placed = await placeOnHostedPage();
    await shop.send(shop.stripe.processSession(placed.providerId));
    await shop.jobsDone();
    shop.travel(48 * hourMs);
    await expireOrders(shop.ctx);
    expect(await readStates(placed)).toEqual({ status: ["pending"], payment: ["processing"] });
    shop.stripe.settleProcessedSession(placed.providerId, outcome);
    await shop.send(...shop.stripe.events.slice(-2));
    await shop.jobsDone();
    expect(await readStates(placed)).toEqual(
      outcome === "succeeded"
        ? { status: ["completed"], payment: ["paid"] }
        : { status: ["cancelled"], payment: ["unpaid"] },
    );
  });
}
