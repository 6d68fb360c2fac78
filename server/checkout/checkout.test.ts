import { eq, sql } from "drizzle-orm";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { adminBrowser } from "../../test/admin.ts";
import { checkoutBody, confirm, declinedCard, goodCard, order } from "../../test/checkout.ts";
import { keptMail } from "../../test/kept-mail.ts";
import { openTestShop, type TestBrowser } from "../../test/shop.ts";
import { products } from "../catalog/tables.ts";
import { stock } from "../inventory/tables.ts";
import { orders } from "../orders/tables.ts";
import type { VisitorId } from "../platform/http/viewer.ts";

const shop = await openTestShop();
afterAll(() => shop.stop());
beforeEach(() => setAvailableUnits(100));

/** Sets the units available for sale, not counting those reserved by earlier orders. */
async function setAvailableUnits(units: number) {
  await shop.database.db
    .update(stock)
    .set({ onHand: sql`${stock.reserved} + ${units}` })
    .where(eq(stock.productId, 1));
}

/** Units on hand, and those available for sale. */
async function readStock() {
  const [row] = await shop.database.db.select().from(stock).where(eq(stock.productId, 1));
  return { onHand: row?.onHand, available: (row?.onHand ?? 0) - (row?.reserved ?? 0) };
}

async function countOrders() {
  const [row] = await shop.database.db.select({ count: sql<number>`count(*)::int` }).from(orders);
  return row?.count ?? 0;
}

describe("ordering a cart", () => {
  test("writes a pending order with copied lines, reserves its units and opens its payment", async () => {
    const browser = shop.browser();
    const started = await order(browser, { quantity: 2 });
    expect(started.status).toBe(201);
    expect(started.body).toMatchObject({
      success: true,
      provider: "sandbox",
      totals: { subtotal: 5990, discount: 0, shipping: 0, tax: 0, total: 5990, currency: "USD" },
    });
    expect(started.body.orderNumber).toBeGreaterThanOrEqual(1001);
    expect((await readStock()).available).toBe(98);
    const { body } = await browser.get(`/api/orders/${started.body.orderId}`);
    expect(body.data).toMatchObject({
      status: "pending",
      paidAt: null,
      email: "ada@example.com",
      items: [{ productId: 1, name: "Pure Batana Oil", quantity: 2, price: 2995, total: 5990 }],
      shipping: { line1: "1 Main St", country: "US" },
      shippingOption: { id: "us-standard", name: "Standard" },
      events: [{ from: null, to: "pending", actor: "shopper" }],
      refunds: [],
      fulfilment: null,
    });
  });

  test.each([
    ["an amount that was tampered with", { amount: 100 }],
    ["a price that was tampered with", { price: 1, amount: 596 }],
  ])("refuses %s with the right total and creates nothing", async (_, overrides) => {
    const before = await countOrders();
    const response = await order(shop.browser(), overrides);
    expect(response.status).toBe(409);
    expect(response.body).toMatchObject({ success: false, error: "price_changed", total: 3590 });
    expect(await countOrders()).toBe(before);
    expect((await readStock()).available).toBe(100);
  });

  test("returns the new total if a price has changed", async () => {
    const { db } = shop.database;
    await db.update(products).set({ priceCents: 3195 }).where(eq(products.id, 1));
    try {
      expect((await order(shop.browser())).body).toMatchObject({ error: "price_changed", total: 3790 });
    } finally {
      await db.update(products).set({ priceCents: 2995 }).where(eq(products.id, 1));
    }
  });

  test("returns the available units if there are too few", async () => {
    await setAvailableUnits(3);
    const response = await order(shop.browser(), { quantity: 4 });
    expect(response.status).toBe(409);
    expect(response.body).toMatchObject({ error: "out_of_stock", available: { "1": 3 } });
    expect((await readStock()).available).toBe(3);
  });

  test("counts the units reserved by the shopper's own unpaid order as available, but not those of other shoppers", async () => {
    await setAvailableUnits(4);
    const browser = shop.browser();
    expect((await order(browser, { quantity: 3 })).status).toBe(201);
    const readAvailable = async (browser: TestBrowser) => {
      const { body } = await browser.post("/api/cart/quote", { items: [{ productId: 1, quantity: 3 }] });
      return body.data.items[0].available;
    };
    expect(await readAvailable(browser)).toBe(4);
    expect(await readAvailable(shop.browser())).toBe(1);
  });

  test("refuses a product that is no longer published", async () => {
    const { db } = shop.database;
    await db.update(products).set({ published: false }).where(eq(products.id, 1));
    try {
      expect((await order(shop.browser())).body).toMatchObject({
        error: "out_of_stock",
        available: { "1": 0 },
      });
    } finally {
      await db.update(products).set({ published: true }).where(eq(products.id, 1));
    }
  });

  test("never sells more than the stock to 50 concurrent buyers", async () => {
    await setAvailableUnits(5);
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        const browser = shop.browser();
        const started = await order(browser, { email: `buyer${index}@example.com` });
        if (started.status !== 201) return { refused: started.body.error };
        expect((await confirm(browser, started)).status).toBe(200);
        return { browser, orderId: started.body.orderId };
      }),
    );
    await shop.jobsDone();
    const statuses = await Promise.all(
      outcomes.map(async ({ refused, browser, orderId }) =>
        browser ? (await browser.get(`/api/orders/${orderId}`)).body.data.status : refused,
      ),
    );
    expect(statuses.filter((status) => status === "completed")).toHaveLength(5);
    // The last unit is not reserved: the first buyer to pay gets it, later payments are refunded.
    const others = statuses.filter((status) => status !== "completed");
    expect(others.filter((status) => status !== "out_of_stock" && status !== "refunded")).toEqual([]);
    expect((await readStock()).available).toBe(0);
  });

  test.each([
    ["no lines", { orderItems: [] }, "orderItems"],
    [
      "a quantity of 0",
      { orderItems: [{ productId: 1, quantity: 0, price: 2995 }] },
      "orderItems.0.quantity",
    ],
    [
      "a quantity of 100",
      { orderItems: [{ productId: 1, quantity: 100, price: 2995 }] },
      "orderItems.0.quantity",
    ],
    [
      "a quantity of 0.5",
      { orderItems: [{ productId: 1, quantity: 0.5, price: 2995 }] },
      "orderItems.0.quantity",
    ],
    [
      "an unknown product",
      { orderItems: [{ productId: 999, quantity: 1, price: 2995 }] },
      "orderItems.0.productId",
    ],
    ["a shipping option of another country", { shippingOption: "international-standard" }, "shippingOption"],
    [
      "a US address without a state",
      { shipping: { ...checkoutBody().shipping, state: " " } },
      "shipping.state",
    ],
    [
      "a US address without a ZIP code",
      { shipping: { ...checkoutBody().shipping, postalCode: "" } },
      "shipping.postalCode",
    ],
    ["an unknown discount code", { discountCode: "FREE" }, "discountCode"],
    ["an unknown country", { shipping: { ...checkoutBody().shipping, country: "XX" } }, "shipping.country"],
    [
      "an invalid email address",
      { metadata: { ...checkoutBody().metadata, email: "ada@" } },
      "metadata.email",
    ],
    [
      "a NUL in a name",
      { metadata: { ...checkoutBody().metadata, customerName: "A\0B" } },
      "metadata.customerName",
    ],
    [
      "a lone surrogate in a city",
      { shipping: { ...checkoutBody().shipping, city: "\ud800" } },
      "shipping.city",
    ],
  ])("refuses %s, naming the field", async (_, changes, field) => {
    const response = await shop
      .browser()
      .post("/api/stripe/create-payment-intent", { ...checkoutBody(), ...changes });
    expect(response.status).toBe(422);
    expect(response.body.error).toBe("validation_failed");
    expect(Object.keys(response.body.fields)).toContain(field);
  });

  test("accepts an older client's body with a one-line address, and uses the country's cheapest shipping", async () => {
    const browser = shop.browser();
    const { shipping: _, shippingOption: __, discountCode: ___, ...olderBody } = checkoutBody();
    const started = await browser.post("/api/stripe/create-payment-intent", olderBody);
    expect(started.status).toBe(201);
    const { body } = await browser.get(`/api/orders/${started.body.orderId}`);
    expect(body.data).toMatchObject({
      shipping: null,
      shippingAddress: "1 Main St, Austin, TX 78701, United States",
      shippingOption: { id: "us-standard" },
    });
    const foreignBody = {
      ...olderBody,
      metadata: { ...olderBody.metadata, shippingAddress: "Calle 1, La Ceiba, Honduras" },
    };
    const second = await browser.post("/api/stripe/create-payment-intent", foreignBody);
    const foreignOrder = await browser.get(`/api/orders/${second.body.orderId}`);
    expect(foreignOrder.body.data.shippingOption.id).toBe("international-standard");
  });
});

describe("a gift", () => {
  const body = (gift: unknown) => ({ ...checkoutBody({ email: "bo@example.com" }), gift });
  const startCheckout = (browser: TestBrowser, gift: unknown) =>
    browser.post("/api/stripe/create-payment-intent", body(gift));

  test("is ordered with its note; a different note creates a new order; only the buyer gets e-mails", async () => {
    const browser = shop.browser();
    await browser.get("/api/cart");
    const first = await startCheckout(browser, { from: "Bo", note: "Happy <b>birthday</b>" });
    const again = await startCheckout(browser, { from: "Bo ", note: "Happy <b>birthday</b>\u0007" });
    expect(again.body.orderId).toBe(first.body.orderId);
    const changedOrder = await startCheckout(browser, {
      from: "Bo",
      note: "Happy\r\n.\r\nTo: eve@example.com",
    });
    expect(changedOrder.body.orderId).not.toBe(first.body.orderId);
    await confirm(browser, changedOrder);
    await shop.jobsDone();
    const gift = { from: "Bo", note: "Happy\n.\nTo: eve@example.com" };
    const { orderId } = changedOrder.body;
    expect((await browser.get(`/api/orders/${orderId}`)).body.data).toMatchObject({ gift });
    const [mail = "", ...others] = keptMail(shop, "bo@example.com");
    expect(others).toEqual([]);
    expect(mail).toContain("Hello Bo,");
    expect(mail).toContain("A gift for Ada Obi from Bo.");
    expect(mail).toContain("> Happy\n> .\n> To: eve@example.com");

    const owner = await adminBrowser(shop);
    const orderList = await owner.get("/api/orders?q=bo@example.com&status=all");
    expect(orderList.body.data.map(({ isGift }: { isGift: boolean }) => isGift)).toEqual([true, true]);
    const file = await owner.get("/api/admin/orders.csv?status=completed&q=bo@example.com");
    expect(file.body).toContain('yes,Bo,"Happy\n.\nTo: eve@example.com"');
    const page = await owner.get(`/admin/packing-slips?order=${orderId}`);
    const [slip] = /<article.*<\/article>/s.exec(page.body) ?? [];
    expect(slip).toContain("To: eve@example.com");
    expect(slip).not.toContain("$");
    const shipment = { carrier: "UPS", trackingNumber: "1Z999AA10123456784" };
    await owner.post(`/api/admin/orders/${orderId}/ship`, shipment);
    await shop.jobsDone();
    expect(keptMail(shop, "bo@example.com").at(-1)).toContain("Your gift to Ada Obi (order #");
  });

  test.each([
    [{ note: "x".repeat(301) }, { "gift.note": "At most 300 characters" }],
    [{ from: "x".repeat(101) }, { "gift.from": "At most 100 characters" }],
    ["yes", { gift: expect.any(String) }],
    [[], { gift: "Must be an object" }],
  ])("is refused as %j", async (gift, fields) => {
    const response = await startCheckout(shop.browser(), gift);
    expect([response.status, response.body.fields]).toEqual([422, fields]);
  });

  test.each([
    { from: "x".repeat(101), note: null },
    { from: null, note: "x".repeat(301) },
    { from: null, note: "a\u0007" },
    { from: "a\nb", note: null },
    { from: null, note: null, phone: "1" },
  ])("is refused by the database as %j", async (gift) => {
    const { db } = shop.database;
    const id = (await order(shop.browser())).body.orderId;
    await expect(db.update(orders).set({ gift }).where(eq(orders.id, id))).rejects.toMatchObject({
      cause: { constraint: "orders_gift" },
    });
  });
});

describe("the source that a buyer came from", () => {
  const startCheckout = (browser: TestBrowser, source: unknown) =>
    browser.post("/api/stripe/create-payment-intent", { ...checkoutBody(), source });

  test("is stored with the order for the panel, and a different source creates no new order", async () => {
    const browser = shop.browser();
    await browser.get("/api/cart");
    const source = { referrer: "www.Instagram.com", utmSource: " Story\n", utmCampaign: "Spring" };
    const { body } = await startCheckout(browser, source);
    expect((await startCheckout(browser, null)).body.orderId).toBe(body.orderId);
    expect((await browser.get(`/api/orders/${body.orderId}`)).body.data).not.toHaveProperty("source");
    const owner = await adminBrowser(shop);
    expect((await owner.get(`/api/admin/orders/${body.orderId}`)).body.data.source).toEqual({
      referrer: "instagram.com",
      utmSource: "story",
      utmMedium: null,
      utmCampaign: "spring",
    });
    const page = (await owner.get(`/admin/orders/${body.orderId}`)).body.replaceAll("<!-- -->", "");
    expect(page).toContain("Came from instagram.com (source story, campaign spring)");
    const file = await owner.get(`/api/admin/orders.csv?status=all&q=${body.orderNumber}`);
    expect(file.body).toContain(",instagram.com,story,,spring\r\n");
  });

  test.each([
    ["yes", null],
    [[], null],
    [{ referrer: 7, utmSource: {}, utmMedium: null }, null],
    [{ referrer: "localhost", utmSource: "\u0007\u202e " }, null],
    [
      { referrer: "a".repeat(254), utmSource: "x" },
      { referrer: null, utmSource: "x" },
    ],
    [
      { referrer: "a b", utmSource: "😀".repeat(200) },
      { referrer: null, utmSource: "😀".repeat(50) },
    ],
    [{ utmCampaign: `${"y".repeat(99)}😀` }, { utmSource: null, utmCampaign: "y".repeat(99) }],
  ])("never causes an order to be refused: %j", async (source, stored) => {
    const response = await startCheckout(shop.browser(), source);
    expect(response.status).toBe(201);
    const [row] = await shop.database.db
      .select({ source: orders.source })
      .from(orders)
      .where(eq(orders.id, response.body.orderId));
    if (stored === null) expect(row?.source).toBeNull();
    else expect(row?.source).toMatchObject(stored);
  });
});

describe("repeating a request", () => {
  test("with the same Idempotency-Key returns the same order; with another body it is refused", async () => {
    const browser = shop.browser();
    const key = { "Idempotency-Key": `key-${crypto.randomUUID()}` };
    const first = await order(browser, {}, key);
    const again = await order(browser, {}, key);
    expect([again.body.orderId, again.body.paymentIntentId]).toEqual([
      first.body.orderId,
      first.body.paymentIntentId,
    ]);
    for (const other of [
      await order(browser, { quantity: 2 }, key),
      await order(browser, { amount: 1 }, key),
    ]) {
      expect(other.status).toBe(409);
      expect(other.body.error).toBe("invalid_state");
    }
    expect((await readStock()).available).toBe(99);
  });

  test("with the same key returns the same order even if the cookie was lost with the first response", async () => {
    const key = { "Idempotency-Key": `key-${crypto.randomUUID()}` };
    const first = await order(shop.browser(), {}, key);
    const otherBrowser = shop.browser();
    const retry = await order(otherBrowser, {}, key);
    expect(retry.body.orderId).toBe(first.body.orderId);
    expect((await otherBrowser.get(`/api/orders/${retry.body.orderId}`)).status).toBe(200);
  });

  test("with the same key returns the same order to a browser with the cookie of any earlier response", async () => {
    const key = { "Idempotency-Key": `key-${crypto.randomUUID()}` };
    const firstBrowser = shop.browser();
    const secondBrowser = shop.browser();
    const ids = [];
    for (const browser of [firstBrowser, secondBrowser, secondBrowser, firstBrowser, secondBrowser]) {
      const { status, body } = await order(browser, {}, key);
      expect(status).toBe(201);
      ids.push(body.orderId);
    }
    expect(new Set(ids).size).toBe(1);
    expect((await order(secondBrowser, { quantity: 2 }, key)).status).toBe(409);
    expect((await readStock()).available).toBe(99);
  });

  test("with a key that another buyer has used creates a new order", async () => {
    const key = { "Idempotency-Key": `key-${crypto.randomUUID()}` };
    const first = await order(shop.browser(), {}, key);
    const stranger = shop.browser();
    await stranger.post("/api/cart/add", { productId: 1, quantity: 1 });
    const strangersOrder = await order(stranger, {}, key);
    expect([strangersOrder.status, strangersOrder.body.orderId === first.body.orderId]).toEqual([201, false]);
    expect((await stranger.get(`/api/orders/${first.body.orderId}`)).status).toBe(404);
    expect((await order(stranger, {}, key)).body.orderId).toBe(strangersOrder.body.orderId);
  });

  test("without a key returns the visitor's pending order of the same cart and contact, even 10 times at once", async () => {
    const browser = shop.browser();
    await browser.post("/api/cart/quote", { items: [{ productId: 1, quantity: 1 }] });
    const responses = await Promise.all(Array.from({ length: 10 }, () => order(browser)));
    expect(new Set(responses.map(({ body }) => body.orderId)).size).toBe(1);
    expect(new Set(responses.map(({ body }) => body.paymentIntentId)).size).toBe(1);
    expect((await readStock()).available).toBe(99);
  });

  test("with a corrected address can use the units reserved by the shopper's own order", async () => {
    await setAvailableUnits(1);
    const browser = shop.browser();
    await browser.post("/api/cart/quote", { items: [{ productId: 1, quantity: 1 }] });
    const first = await order(browser);
    const corrected = { ...checkoutBody(), shipping: { ...checkoutBody().shipping, city: "Dallas" } };
    const second = await browser.post("/api/stripe/create-payment-intent", corrected);
    expect(second.status).toBe(201);
    expect((await browser.get(`/api/orders/${first.body.orderId}`)).body.data.status).toBe("cancelled");
    expect((await confirm(browser, first)).status).not.toBe(200);
    expect((await confirm(browser, second)).status).toBe(200);
  });

  test("cancels the shopper's unpaid order once another one is paid", async () => {
    const browser = shop.browser();
    await browser.post("/api/cart/quote", { items: [{ productId: 1, quantity: 1 }] });
    const unpaidOrder = await order(browser, { quantity: 2 });
    const paidOrder = await order(browser);
    await confirm(browser, paidOrder);
    await shop.jobsDone();
    const { body } = await browser.get("/api/orders/user/me");
    expect(body.data.map(({ id, status }: { id: string; status: string }) => [id, status])).toEqual([
      [paidOrder.body.orderId, "completed"],
      [unpaidOrder.body.orderId, "cancelled"],
    ]);
  });

  test("after the order was paid creates a new order", async () => {
    const browser = shop.browser();
    const first = await order(browser);
    expect((await confirm(browser, first)).status).toBe(200);
    await shop.jobsDone();
    const second = await order(browser);
    expect(second.body.orderId).not.toBe(first.body.orderId);
  });
});

describe("paying in the sandbox", () => {
  test("completes the order, sells its units and queues one confirmation", async () => {
    const onHandBefore = (await readStock()).onHand ?? 0;
    const browser = shop.browser();
    const started = await order(browser);
    const paid = await confirm(browser, started);
    expect(paid.body).toEqual({ success: true, status: "succeeded", data: { status: "succeeded" } });
    await shop.jobsDone();
    const details = await browser.get(`/api/order-details?session_id=${started.body.paymentIntentId}`);
    expect(details.body).toMatchObject({ orderId: started.body.orderId, total: 35.9, status: "completed" });
    expect(await readStock()).toEqual({ onHand: onHandBefore - 1, available: 99 });
    const list = await browser.get("/api/orders/user/1");
    expect(list.body.data[0]).toMatchObject({ id: started.body.orderId, status: "completed", total: 35.9 });
  });

  test("with a declined card leaves the order pending, and the next card pays it", async () => {
    const browser = shop.browser();
    const started = await order(browser);
    const declined = await confirm(browser, started, declinedCard);
    expect(declined.status).toBe(402);
    expect(declined.body).toMatchObject({ error: "payment_failed", message: "Your card was declined." });
    expect((await confirm(browser, started, goodCard)).status).toBe(200);
  });

  test("with five declined attempts closes the payment and releases the units", async () => {
    const browser = shop.browser();
    const started = await order(browser);
    for (let attempt = 0; attempt < 5; attempt += 1) await confirm(browser, started, declinedCard);
    expect((await confirm(browser, started, goodCard)).status).not.toBe(200);
    await shop.jobsDone();
    const { body } = await browser.get(`/api/orders/${started.body.orderId}`);
    expect(body.data.status).toBe("cancelled");
    expect((await readStock()).available).toBe(100);
  });
});

describe("other visitors", () => {
  test("cannot see an order, its payment or its client secret", async () => {
    const owner = shop.browser();
    const started = await order(owner);
    const { orderId, paymentIntentId, clientSecret } = started.body;
    for (const browser of [shop.browser(), await browserWithCart()]) {
      for (const path of [
        `/api/orders/${orderId}`,
        `/api/order-details?session_id=${paymentIntentId}`,
        `/api/stripe/payment-intent/${paymentIntentId}`,
      ]) {
        expect((await browser.get(path)).status, path).toBe(404);
      }
      expect((await browser.get("/api/orders/user/1")).body.data).toEqual([]);
    }
    expect((await owner.get("/api/orders/user/2")).status).toBe(403);
    expect(shop.logLines.join("\n")).not.toContain(clientSecret);
  });

  test("get 404 for invented payment ids", async () => {
    const { orderId } = (await order(shop.browser())).body;
    const [row] = await shop.database.db.select().from(orders).where(eq(orders.id, orderId));
    const viewer = { visitorId: row?.visitorId as VisitorId, admin: null };
    for (const sessionId of ["\0", "pi_\0", "' or true --", "", "x".repeat(5_000)]) {
      expect(await shop.shop.paidOrder(viewer, sessionId)).toBeNull();
      expect(await shop.shop.sandboxCheckout(sessionId)).toBeNull();
    }
  });

  test("can open the sandbox's payment page by its URL alone, as from an e-mailed link", async () => {
    const { body } = await shop.browser().post("/api/stripe/create-checkout-session", checkoutBody());
    const sessionId = body.data.id;
    expect(await shop.shop.sandboxCheckout(sessionId)).toMatchObject({ status: "open" });
  });

  async function browserWithCart() {
    const browser = shop.browser();
    await browser.post("/api/cart/add", { productId: 1, quantity: 1 });
    return browser;
  }
});

test.each(["Ada\nObi", "Ada\r\nBcc: eve@example.com", "Ada\u2028Obi"])(
  "a customer's name with a line break is refused: %j",
  async (customerName) => {
    const body = checkoutBody();
    const metadata = { ...body.metadata, customerName };
    const response = await shop.browser().post("/api/stripe/create-payment-intent", { ...body, metadata });
    expect([response.status, response.body.fields]).toEqual([
      422,
      { "metadata.customerName": "Use one line" },
    ]);
  },
);
