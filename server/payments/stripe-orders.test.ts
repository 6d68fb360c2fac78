import { eq, sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { adminBrowser, lastTwoDays } from "../../test/admin.ts";
import { checkoutBody, order } from "../../test/checkout.ts";
import { requestRefund } from "../../test/request-refund.ts";
import type { ApiResponse, TestBrowser } from "../../test/shop.ts";
import { openStripeShop, post, type StripeShop } from "../../test/stripe-shop.ts";
import { stock } from "../inventory/tables.ts";
import { issues } from "../issues/tables.ts";
import { orders } from "../orders/tables.ts";
import { messages } from "../outbox/tables.ts";
import { expireOrders } from "./cancellation/close.ts";
import { reconcile } from "./settling/reconcile.ts";
import { payments } from "./tables.ts";

let shop: StripeShop;
beforeAll(async () => {
  shop = await openStripeShop();
});
afterAll(() => shop.stop());
afterEach(async () => {
  shop.stripe.endTrouble();
  await shop.expectConserved();
});

type PlacedOrder = { browser: TestBrowser; id: string; intentId: string; started: ApiResponse };

async function place(overrides: Parameters<typeof order>[1] = {}): Promise<PlacedOrder> {
  const browser = shop.browser();
  const started = await order(browser, overrides);
  expect(started.status).toBe(201);
  return { browser, started, id: started.body.orderId, intentId: started.body.paymentIntentId };
}

async function readOrderStatus({ browser, id }: PlacedOrder): Promise<string> {
  return (await browser.get(`/api/orders/${id}`)).body.data.status;
}

async function placePaid(): Promise<PlacedOrder> {
  const placed = await place();
  await shop.send(shop.stripe.pay(placed.intentId));
  await shop.jobsDone();
  expect(await readOrderStatus(placed)).toBe("completed");
  return placed;
}

async function readIssues({ id }: PlacedOrder): Promise<string[]> {
  const rows = await shop.database.db.select().from(issues).where(eq(issues.orderId, id));
  return rows.map(({ kind }) => kind);
}

/** The resolution of the issue about a payment; null: it is open. */
async function readResolution(subject: string): Promise<string | null | undefined> {
  const [issue] = await shop.database.db.select().from(issues).where(eq(issues.subject, subject));
  return issue?.resolution;
}

async function setAvailableUnits(units: number) {
  await shop.database.db.update(stock).set({ onHand: sql`${stock.reserved} + ${units}` });
}

describe("the payment intent", () => {
  test("contains data for risk checks and disputes, and only ids in its metadata", async () => {
    const { started, id, intentId } = await place({ quantity: 2 });
    expect(started.body).toMatchObject({ provider: "stripe", publishableKey: "pk_test_fake" });
    const intent = shop.stripe.intent(intentId);
    expect(intent).toMatchObject({ amount: 5990, currency: "usd", metadata: { orderId: id } });
    expect(intent).toMatchObject({
      description: `Order #${started.body.orderNumber}`,
      statement_descriptor_suffix: `ORDER ${started.body.orderNumber}`,
      receipt_email: "ada@example.com",
      shipping: {
        name: "Ada Obi",
        address: { line1: "1 Main St", city: "Austin", state: "TX", postal_code: "78701", country: "US" },
      },
    });
    expect(Object.keys(intent.metadata).sort()).toEqual(["app", "orderId", "orderNumber", "shopId"]);
    expect(JSON.stringify(intent.metadata)).not.toMatch(/Ada|ada@|Main St/);
  });

  test("contains the unstructured address of an older client unchanged", async () => {
    const { shipping: _, ...body } = checkoutBody();
    const { body: started } = await shop.browser().post("/api/stripe/create-payment-intent", body);
    expect(shop.stripe.intent(started.paymentIntentId).shipping).toEqual({
      name: "Ada Obi",
      address: { line1: "1 Main St, Austin, TX 78701, United States" },
    });
  });

  test("is created without the address when a wallet reports it to Stripe", async () => {
    const body = { ...checkoutBody(), wallet: true };
    const { body: started } = await shop.browser().post("/api/stripe/create-payment-intent", body);
    const intent = shop.stripe.intent(started.paymentIntentId);
    expect(intent).toMatchObject({ amount: 3590, receipt_email: "ada@example.com", shipping: null });
    const [placed] = await shop.database.db.select().from(orders).where(eq(orders.id, started.orderId));
    expect(placed?.shippingAddress).toBe("1 Main St, Austin, TX 78701, United States");
  });

  test("is created without a receipt for an address that Stripe may refuse", async () => {
    const { intentId } = await place({ email: "o'hara@example.com" });
    expect(shop.stripe.intent(intentId).receipt_email).toBeNull();
  });

  test("is replaced for the same order after it was cancelled at Stripe", async () => {
    const placed = await place();
    shop.stripe.cancelFromDashboard(placed.intentId);
    const again = await order(placed.browser);
    expect(again.body.orderId).toBe(placed.id);
    expect(again.body.paymentIntentId).not.toBe(placed.intentId);
    await shop.send(shop.stripe.pay(again.body.paymentIntentId));
    await shop.jobsDone();
    expect(await readOrderStatus(placed)).toBe("completed");
  });

  test("accepts another card after a declined one", async () => {
    const placed = await place();
    await shop.send(shop.stripe.decline(placed.intentId));
    await shop.jobsDone();
    expect(await readOrderStatus(placed)).toBe("pending");
    expect((await order(placed.browser)).body.paymentIntentId).toBe(placed.intentId);
    await shop.send(shop.stripe.pay(placed.intentId));
  });

  test("is cancelled with its order after 5 declined cards", async () => {
    const placed = await place();
    const declines = Array.from({ length: 5 }, () => shop.stripe.decline(placed.intentId));
    await shop.send(...declines);
    await shop.jobsDone();
    expect(shop.stripe.intent(placed.intentId).status).toBe("canceled");
    expect(await readOrderStatus(placed)).toBe("cancelled");
  });
});

describe("events of a payment", () => {
  test("pay one order, with one e-mail and one stock movement, if they arrive 20 times at once", async () => {
    const placed = await place();
    const event = shop.stripe.pay(placed.intentId);
    const statuses = await shop.send(...Array.from({ length: 20 }, () => event));
    expect(new Set(statuses)).toEqual(new Set([200]));
    await shop.jobsDone();
    const { body } = await placed.browser.get(`/api/orders/${placed.id}`);
    expect(body.data.status).toBe("completed");
    expect(body.data.events.map(({ to }: { to: string }) => to)).toEqual(["pending", "completed"]);
  });

  test("have the same effect whether they arrive before or after the shopper returns", async () => {
    const placed = await place();
    const event = shop.stripe.pay(placed.intentId);
    const details = await placed.browser.get(`/api/order-details?session_id=${placed.intentId}`);
    expect(details.body).toMatchObject({ orderId: placed.id, status: "completed", total: 35.9 });
    await shop.send(event);
    await shop.jobsDone();
    expect(await readOrderStatus(placed)).toBe("completed");
  });

  test("are handled by reconciliation if they never arrive", async () => {
    const placed = await place();
    shop.stripe.pay(placed.intentId);
    shop.travel(2 * 60 * 1000);
    const result = await reconcile(shop.ctx);
    expect(result.moved).toBeGreaterThanOrEqual(1);
    expect(await readOrderStatus(placed)).toBe("completed");
  });

  test("are required, since the query parameters of the return URL do not prove the payment", async () => {
    const placed = await place();
    const path = `/api/order-details?session_id=${placed.intentId}&redirect_status=succeeded`;
    expect((await placed.browser.get(path)).body.status).toBe("pending");
  });

  test("created before the payment succeeded do not change the paid order when they arrive late", async () => {
    const placed = await place();
    const declined = shop.stripe.decline(placed.intentId);
    const paidEvent = shop.stripe.pay(placed.intentId);
    await shop.send(paidEvent);
    await shop.jobsDone();
    const created = shop.stripe.events.find(
      ({ type, data }) =>
        type === "payment_intent.created" && "id" in data.object && data.object.id === placed.intentId,
    );
    await shop.send(declined, ...(created ? [created] : []));
    await shop.jobsDone();
    expect(await readOrderStatus(placed)).toBe("completed");
  });

  test("with another amount are not booked and raise one issue", async () => {
    const placed = await place();
    const event = shop.stripe.pay(placed.intentId, { amount: 100 });
    await shop.send(event, { ...event, id: `${event.id}b` });
    await shop.jobsDone();
    expect(await readOrderStatus(placed)).toBe("pending");
    expect(await readIssues(placed)).toEqual(["amount_mismatch"]);
    const emails = await shop.database.db.select().from(messages).where(eq(messages.orderId, placed.id));
    expect(emails.map(({ kind }) => kind)).toEqual(["owner_attention"]);
    shop.travel(31 * 60 * 1000);
    await expireOrders(shop.ctx);
    expect(await readOrderStatus(placed)).toBe("cancelled");
    shop.stripe.refundFromDashboard(placed.intentId, 100);
  });

  test("with another currency are not booked and raise an issue", async () => {
    const placed = await place();
    await shop.send(shop.stripe.pay(placed.intentId, { currency: "eur" }));
    await shop.jobsDone();
    expect(await readIssues(placed)).toEqual(["amount_mismatch"]);
    shop.stripe.refundFromDashboard(placed.intentId, 3590);
  });

  test("of another program's payment are accepted and ignored", async () => {
    const foreign = shop.stripe.addIntent({ amount: 500, currency: "usd", metadata: { invoice: "7" } });
    expect(await shop.send(shop.stripe.pay(foreign.id))).toEqual([200]);
    await shop.jobsDone();
    shop.stripe.refundFromDashboard(foreign.id, 500);
  });

  test("of declined cards never cancel another program's payment", async () => {
    const placed = await place();
    const metadata = { ...shop.stripe.intent(placed.intentId).metadata };
    const foreign = [
      shop.stripe.addIntent({ amount: 500, currency: "usd", metadata: {} }),
      shop.stripe.addIntent({ amount: 500, currency: "usd", metadata }),
    ];
    for (const { id } of foreign)
      await shop.send(...Array.from({ length: 6 }, () => shop.stripe.decline(id)));
    await shop.jobsDone();
    for (const { id } of foreign) expect(shop.stripe.intent(id).status).toBe("requires_payment_method");
    expect(await readOrderStatus(placed)).toBe("pending");
  });

  test("of a payment that names another order settle nothing", async () => {
    const placed = await place();
    const foreign = shop.stripe.addIntent({
      amount: 3590,
      currency: "usd",
      metadata: { ...shop.stripe.intent(placed.intentId).metadata },
    });
    await shop.send(shop.stripe.pay(foreign.id));
    await shop.jobsDone();
    expect(await readOrderStatus(placed)).toBe("pending");
    expect(await readIssues(placed)).toEqual(["foreign_intent"]);
    shop.stripe.refundFromDashboard(foreign.id, 3590);
  });

  test("of unknown types are stored and ignored", async () => {
    const { body, signature } = shop.stripe.signedEvent("capability.updated", {
      id: "acct_1",
      object: "capability",
    });
    expect(await post(shop, { body, signature })).toBe(200);
  });
});

describe("the webhook", () => {
  test("refuses events that are unsigned, signed with another secret, stale or of live mode", async () => {
    const placed = await place();
    const event = shop.stripe.pay(placed.intentId);
    const { body, signature } = shop.stripe.sign(event);
    const stale = shop.stripe.sign(event, { timestamp: Math.floor(Date.now() / 1000) - 301 });
    const live = shop.stripe.signedEvent(event.type, event.data.object, { livemode: true });
    expect(await post(shop, { body, signature: "" })).toBe(400);
    expect(await post(shop, { body, signature: signature.replace(/v1=\w{6}/, "v1=000000") })).toBe(400);
    expect(await post(shop, { body: `${body} `, signature })).toBe(400);
    expect(await post(shop, stale)).toBe(400);
    expect(await post(shop, live)).toBe(400);
    await shop.jobsDone();
    expect(await readOrderStatus(placed)).toBe("pending");
    expect(await post(shop, { body, signature })).toBe(200);
  });
});

describe("checkout while the provider fails", () => {
  test.each(["hang", "cut", "lose"] as const)(
    "returns 502 within seconds and creates nothing (trouble: %s)",
    async (how) => {
      shop.stripe.failNext({ path: "/v1/payment_intents", how, times: 3 });
      const browser = shop.browser();
      const startedAt = performance.now();
      const response = await order(browser);
      expect(response.status).toBe(502);
      expect(response.body.error).toBe("provider_unavailable");
      expect(performance.now() - startedAt).toBeLessThan(20_000);
      expect((await browser.get("/api/orders/user/1")).body.data).toEqual([]);
      shop.stripe.endTrouble();
      expect((await order(browser)).status).toBe(201);
    },
  );

  test("does not use up the Idempotency-Key, so that a repeated call creates a new order", async () => {
    const browser = shop.browser();
    const key = { "Idempotency-Key": crypto.randomUUID() };
    shop.stripe.failNext({ path: "/v1/payment_intents", how: 500, times: 3 });
    expect((await order(browser, {}, key)).status).toBe(502);
    shop.stripe.endTrouble();
    expect((await order(browser, {}, key)).status).toBe(201);
  });
});

describe("a refusal by the provider", () => {
  test("leaves no order", async () => {
    shop.stripe.failNext({ path: "/v1/payment_intents", method: "POST", how: 400 });
    const browser = shop.browser();
    const response = await order(browser);
    expect([response.status, response.body.error]).toEqual([402, "payment_failed"]);
    expect((await browser.get("/api/orders/user/me")).body.data).toEqual([]);
  });
});

describe("an order of another provider", () => {
  test("is cancelled when it expires, or replaced when the shopper returns earlier", async () => {
    const abandoned = await place();
    const expired = await place();
    await shop.database.db
      .update(payments)
      .set({ provider: "sandbox", intentId: "pi_elsewhere_1" })
      .where(eq(payments.orderId, abandoned.id));
    await shop.database.db
      .update(payments)
      .set({ provider: "sandbox", intentId: "pi_elsewhere_2" })
      .where(eq(payments.orderId, expired.id));
    const again = await order(expired.browser);
    expect(again.body.orderId).not.toBe(expired.id);
    await shop.send(shop.stripe.pay(again.body.paymentIntentId));
    await shop.jobsDone();
    shop.travel(31 * 60 * 1000);
    await expireOrders(shop.ctx);
    expect([await readOrderStatus(abandoned), await readOrderStatus(expired)]).toEqual([
      "cancelled",
      "cancelled",
    ]);
    expect(await readOrderStatus({ ...expired, id: again.body.orderId })).toBe("completed");
  });
});

describe("an expired order", () => {
  const pastExpiryMs = 31 * 60 * 1000;

  test("has its intent cancelled and releases its units", async () => {
    const placed = await place();
    shop.travel(pastExpiryMs);
    await expireOrders(shop.ctx);
    expect(shop.stripe.intent(placed.intentId).status).toBe("canceled");
    expect(await readOrderStatus(placed)).toBe("cancelled");
    const { events } = (await placed.browser.get(`/api/orders/${placed.id}`)).body.data;
    expect(events.at(-1)).toMatchObject({ actor: "system", note: "Not paid in time" });
  });

  test("has the reason in its history even if the provider's event arrives and its response is lost", async () => {
    const placed = await place();
    const cancelPath = `/v1/payment_intents/${placed.intentId}/cancel`;
    shop.stripe.failNext({ path: cancelPath, how: "lose", times: 5 });
    shop.travel(pastExpiryMs);
    await expireOrders(shop.ctx);
    expect(await readOrderStatus(placed)).toBe("pending");
    const cancelled = shop.stripe.events.findLast(({ type }) => type === "payment_intent.canceled");
    expect(await shop.send(cancelled ?? {})).toEqual([200]);
    await shop.jobsDone();
    const { status, events } = (await placed.browser.get(`/api/orders/${placed.id}`)).body.data;
    expect(status).toBe("cancelled");
    expect(events.at(-1)).toMatchObject({ actor: "system", note: "Not paid in time" });
  });

  test("is completed instead if it turns out to be paid", async () => {
    const placed = await place();
    shop.stripe.pay(placed.intentId);
    shop.travel(pastExpiryMs);
    await expireOrders(shop.ctx);
    expect(await readOrderStatus(placed)).toBe("completed");
  });

  test("stays open while its payment is processing", async () => {
    const placed = await place();
    await shop.send(shop.stripe.processing(placed.intentId));
    shop.travel(pastExpiryMs);
    await expireOrders(shop.ctx);
    expect(await readOrderStatus(placed)).toBe("pending");
    await shop.send(shop.stripe.pay(placed.intentId));
  });

  test("is completed after a late payment if its units are in stock", async () => {
    const placed = await cancelWhileProcessing();
    await shop.send(shop.stripe.pay(placed.intentId));
    await shop.jobsDone();
    expect(await readOrderStatus(placed)).toBe("completed");
  });

  test("is refunded after a late payment if sold out, and the owner is notified", async () => {
    const placed = await cancelWhileProcessing();
    await setAvailableUnits(0);
    try {
      await shop.send(shop.stripe.pay(placed.intentId));
      await shop.jobsDone();
      expect(await readOrderStatus(placed)).toBe("refunded");
      expect(await readIssues(placed)).toEqual(["late_payment_refunded"]);
      expect(shop.stripe.refunded()).toBeGreaterThanOrEqual(3590);
    } finally {
      await setAvailableUnits(100);
    }
  });

  /** Cancels an order while the bank of a slow payment method still processes its payment. */
  async function cancelWhileProcessing(): Promise<PlacedOrder> {
    const placed = await place();
    shop.travel(pastExpiryMs);
    await expireOrders(shop.ctx);
    expect(await readOrderStatus(placed)).toBe("cancelled");
    Object.assign(shop.stripe.intent(placed.intentId), { status: "processing" });
    return placed;
  }
});

describe("refunds", () => {
  test("made in Stripe's dashboard, in part or in full, are shown on the order", async () => {
    const placed = await placePaid();
    shop.stripe.refundFromDashboard(placed.intentId, 1000);
    await shop.send(...shop.stripe.events.slice(-2));
    await shop.jobsDone();
    expect(await readOrderStatus(placed)).toBe("partially_refunded");
    shop.stripe.refundFromDashboard(placed.intentId, 2590);
    await shop.send(...shop.stripe.events.slice(-2));
    await shop.jobsDone();
    const { body } = await placed.browser.get(`/api/orders/${placed.id}`);
    expect(body.data).toMatchObject({ status: "refunded", totals: { total: 3590, refunded: 3590 } });
    expect(body.data.refunds).toHaveLength(2);
  });

  test("are booked together with the payment if their events arrive before its own", async () => {
    const placed = await place();
    const paidEvent = shop.stripe.pay(placed.intentId);
    shop.stripe.refundFromDashboard(placed.intentId, 1000);
    await shop.send(...shop.stripe.events.slice(-2));
    await shop.jobsDone();
    await shop.send(paidEvent);
    await shop.jobsDone();
    expect(await readOrderStatus(placed)).toBe("partially_refunded");
  });

  test("are found by reconciliation if their events were lost", async () => {
    const placed = await placePaid();
    shop.stripe.refundFromDashboard(placed.intentId, 3590);
    await reconcile(shop.ctx);
    await shop.jobsDone();
    expect(await readOrderStatus(placed)).toBe("refunded");
  });

  test("no longer count as refunded once the bank returns them", async () => {
    const placed = await placePaid();
    const refund = shop.stripe.refundFromDashboard(placed.intentId, 3590);
    await shop.send(...shop.stripe.events.slice(-2));
    await shop.jobsDone();
    expect(await readOrderStatus(placed)).toBe("refunded");
    await shop.send(shop.stripe.bounceRefund(refund.id));
    await shop.jobsDone();
    expect(await readOrderStatus(placed)).toBe("completed");
    expect(await readIssues(placed)).toEqual(["refund_failed"]);
  });

  test("are not undone by a repeated event of the payment's success", async () => {
    const placed = await place();
    const paidEvent = shop.stripe.pay(placed.intentId);
    await shop.send(paidEvent);
    await shop.jobsDone();
    shop.stripe.refundFromDashboard(placed.intentId, 3590);
    await shop.send(...shop.stripe.events.slice(-2));
    await shop.jobsDone();
    await shop.send(paidEvent, { ...paidEvent, id: `${paidEvent.id}x` });
    await shop.jobsDone();
    expect(await readOrderStatus(placed)).toBe("refunded");
  });

  test("requested concurrently never exceed the payment: only one of five is made", async () => {
    const placed = await placePaid();
    const results = await Promise.all(
      Array.from({ length: 5 }, () =>
        requestRefund(shop.ctx, { orderId: placed.id, amountCents: 2000, reason: "Returned" }),
      ),
    );
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    await shop.jobsDone();
    const { body } = await placed.browser.get(`/api/orders/${placed.id}`);
    expect(body.data).toMatchObject({ status: "partially_refunded", totals: { refunded: 2000 } });
    expect(body.data.refunds).toHaveLength(1);
  });
});

describe("another shop in the same account", () => {
  const otherShopId = crypto.randomUUID();

  async function payInOtherShop(placed: PlacedOrder, changes: Record<string, string>): Promise<string> {
    const { metadata } = shop.stripe.intent(placed.intentId);
    const intent = shop.stripe.addIntent({
      amount: 3590,
      currency: "usd",
      metadata: { ...metadata, orderId: crypto.randomUUID(), ...changes },
    });
    await shop.send(shop.stripe.decline(intent.id), shop.stripe.pay(intent.id));
    return intent.id;
  }

  const issueSubjects = async () => {
    const rows = await shop.database.db.select().from(issues);
    return rows.map(({ subject }) => subject);
  };

  test("is ignored by events, reconciliation and money check, without an issue", async () => {
    const placed = await place();
    const otherPaymentId = await payInOtherShop(placed, { shopId: otherShopId });
    await shop.jobsDone();
    await reconcile(shop.ctx);
    const owner = await adminBrowser(shop);
    const response = await owner.post("/api/admin/money-checks", lastTwoDays());
    await shop.jobsDone();
    expect(await issueSubjects()).not.toContain(otherPaymentId);
    const { data } = (await owner.get(`/api/admin/money-checks/${response.body.data.id}`)).body;
    expect([data.status, data.apart]).toEqual(["done", expect.any(Number)]);
    expect(data.items.map(({ intentId }: { intentId: string }) => intentId)).not.toContain(otherPaymentId);
    shop.stripe.refundFromDashboard(otherPaymentId, 3590);
    await shop.send(...shop.stripe.events.slice(-2));
  });

  test("does not hide a payment without a shop id: if it names an unknown order, an issue is raised", async () => {
    const { metadata } = shop.stripe.intent((await place()).intentId);
    const { shopId: _, ...metadataWithoutShop } = metadata;
    const orphan = shop.stripe.addIntent({
      amount: 700,
      currency: "usd",
      metadata: { ...metadataWithoutShop, orderId: crypto.randomUUID() },
    });
    shop.stripe.pay(orphan.id);
    await reconcile(shop.ctx);
    expect(await issueSubjects()).toContain(orphan.id);
    shop.stripe.refundFromDashboard(orphan.id, 700);
  });
});

describe("the hosted page", () => {
  async function placeOnHostedPage() {
    const browser = shop.browser();
    const { body } = await browser.post("/api/stripe/create-checkout-session", checkoutBody());
    expect(body.data.url).toContain(body.data.id);
    return {
      browser,
      started: body,
      id: body.data.orderId as string,
      intentId: "",
      sessionId: body.data.id as string,
    };
  }

  test("completes its order once paid, whichever event comes first", async () => {
    const placed = await placeOnHostedPage();
    const completed = shop.stripe.completeSession(placed.sessionId);
    const paid = shop.stripe.events.findLast(({ type }) => type === "payment_intent.succeeded");
    await shop.send(...(paid ? [paid] : []));
    await shop.jobsDone();
    expect(await readOrderStatus(placed)).toBe("completed");
    await shop.send(completed);
    await shop.jobsDone();
    const details = await placed.browser.get(`/api/order-details?session_id=${placed.sessionId}`);
    expect(details.body.status).toBe("completed");
    const page = await placed.browser.get(`/api/stripe/checkout-session/${placed.sessionId}`);
    expect(page.body.data).toMatchObject({
      id: placed.sessionId,
      status: "complete",
      amount: 3590,
      orderId: placed.id,
    });
  });

  test("is closed after 5 declined cards", async () => {
    const placed = await placeOnHostedPage();
    await shop.send(...Array.from({ length: 5 }, () => shop.stripe.declineSession(placed.sessionId)));
    await shop.jobsDone();
    expect(shop.stripe.session(placed.sessionId).status).toBe("expired");
    expect(await readOrderStatus(placed)).toBe("cancelled");
  });

  test("cancels its order when it expires", async () => {
    const placed = await placeOnHostedPage();
    await shop.send(shop.stripe.expireSession(placed.sessionId));
    await shop.jobsDone();
    expect(await readOrderStatus(placed)).toBe("cancelled");
  });
});

describe("a payment without an order", () => {
  test("raises an issue in reconciliation", async () => {
    const placed = await place();
    const orphan = shop.stripe.addIntent({
      amount: 700,
      currency: "usd",
      metadata: { ...shop.stripe.intent(placed.intentId).metadata, orderId: crypto.randomUUID() },
    });
    shop.stripe.pay(orphan.id);
    await reconcile(shop.ctx);
    const rows = await shop.database.db.select().from(issues).where(eq(issues.subject, orphan.id));
    expect(rows.map(({ kind }) => kind)).toEqual(["missing_order"]);
    shop.stripe.refundFromDashboard(orphan.id, 300);
    await reconcile(shop.ctx);
    expect(await readResolution(orphan.id)).toBeNull();
    shop.stripe.refundFromDashboard(orphan.id, 400);
    await reconcile(shop.ctx);
    expect(await readResolution(orphan.id)).toBe("Automatically: the payment was refunded in full");
  });
});

test("no log line contains a secret key, a client secret or an e-mail address", async () => {
  const placed = await place({ email: "secret.shopper@example.com" });
  const log = shop.logLines.join("\n");
  for (const secret of [
    placed.started.body.clientSecret,
    shop.stripe.secretKey,
    shop.stripe.webhookSecret,
    "secret.shopper@",
  ]) {
    expect(log).not.toContain(secret);
  }
  expect(await shop.database.db.select().from(orders)).not.toHaveLength(0);
});
