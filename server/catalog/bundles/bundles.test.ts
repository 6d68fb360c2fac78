import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { adminBrowser } from "../../../test/admin.ts";
import { checkoutBody, confirm, order } from "../../../test/checkout.ts";
import { soon } from "../../../test/patience.ts";
import { openTestShop } from "../../../test/shop.ts";
import { activity } from "../../admin/tables.ts";
import { products } from "../tables.ts";

const shop = await openTestShop();
const admin = await adminBrowser(shop);
afterAll(() => shop.stop());
beforeEach(async () => {
  for (const quantity of [2, 3]) await removeBundle(quantity);
});

const path = (quantity: number | string, product: number | string = 1) =>
  `/api/admin/products/${product}/bundles/${quantity}`;

async function send(method: string, path: string, body?: unknown, browser = admin) {
  const response = await browser.fetch(path, {
    method,
    headers: { "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}
const saveBundle = (quantity: number, price: number, fields: object = {}) =>
  send("PUT", path(quantity), { price, ...fields });
const removeBundle = (quantity: number) => send("DELETE", path(quantity));
const readLastSummary = async () =>
  (await shop.database.db.select().from(activity).orderBy(activity.id)).at(-1)?.summary;

describe("the owner's bundles", () => {
  test("can be added, repriced, paused and removed; each edit is logged and reaches shoppers", async () => {
    expect(await saveBundle(3, 7900)).toEqual({
      status: 200,
      body: { success: true, data: { quantity: 3, price: 7900, active: true } },
    });
    expect(await readLastSummary()).toBe("3 × Pure Batana Oil: bundle for $79.00 added");
    await saveBundle(2, 5600);
    const readBundles = async () =>
      (await shop.browser().get("/api/products/pure-batana-oil")).body.data.bundles;
    await expect.poll(readBundles, soon).toEqual([
      { quantity: 2, price: 5600 },
      { quantity: 3, price: 7900 },
    ]);
    // The page offers each bundle as a radio button with the amount that it saves.
    const readPage = async () => (await shop.browser().fetch("/product/pure-batana-oil")).text();
    await expect.poll(readPage, soon).toContain("$10.85");
    expect(await readPage()).toMatch(/<input type="radio"[^>]* name="quantity" value="3"/);
    // Structured data for search engines has the price of one bottle.
    expect(await readPage()).toContain('"price":"29.95"');
    await saveBundle(3, 7500);
    expect(await readLastSummary()).toBe("3 × Pure Batana Oil: bundle now $79.00 → $75.00");
    await saveBundle(2, 5600, { active: false });
    expect(await readLastSummary()).toBe("2 × Pure Batana Oil: bundle for $56.00 no longer on offer");
    await expect.poll(readBundles, soon).toEqual([{ quantity: 3, price: 7500 }]);
    expect((await send("GET", "/api/admin/products/1/bundles")).body.data).toEqual([
      { quantity: 2, price: 5600, active: false },
      { quantity: 3, price: 7500, active: true },
    ]);
    await removeBundle(3);
    expect(await readLastSummary()).toBe("3 × Pure Batana Oil: bundle removed");
    expect((await removeBundle(3)).status).toBe(200);
    expect(await readLastSummary()).toBe("3 × Pure Batana Oil: there was no such bundle");
    await expect.poll(readBundles, soon).toEqual([]);
  });

  test.each([0, -1, 100_000_000, 56.5, "5600", null])("cannot have the price %j", async (price) => {
    const { status, body } = await send("PUT", path(2), { price });
    expect(status).toBe(422);
    expect(body.fields.price).toEqual(expect.any(String));
  });

  test.each([
    ["an unknown product", path(2, 4711)],
    ["one bottle", path(1)],
    ["13 bottles", path(13)],
    ["a quantity that is not a number", path("two")],
  ])("cannot consist of %s", async (_, path) => {
    expect((await send("PUT", path, { price: 5600 })).status).toBe(404);
  });
});

describe("an order priced by bundles", () => {
  const code = { code: "TEN", kind: "percent", value: 10, minimumSubtotal: 0 };
  beforeAll(async () => {
    await admin.post("/api/admin/discounts", code);
    await send("PATCH", "/api/admin/settings", {
      tax: { mode: "table", rates: [{ country: "US", state: "TX", percent: 8.25, onShipping: true }] },
    });
  });
  beforeEach(async () => {
    await saveBundle(2, 5600);
    await saveBundle(3, 7900);
  });

  test("has the same amounts to the cent in quote, order, refund and sales, even after the bundle is removed", async () => {
    const browser = shop.browser();
    const items = [{ productId: 1, quantity: 5 }];
    const destination = { country: "US", state: "TX", discountCode: "TEN" };
    const quote = (await browser.post("/api/cart/quote", { items, ...destination })).body.data;
    const usedBundles = [
      { quantity: 3, price: 7900, count: 1 },
      { quantity: 2, price: 5600, count: 1 },
    ];
    // 13500 of goods, 1350 off, free shipping, 8.25% of 12150.
    expect(quote).toMatchObject({
      items: [
        {
          price: 2995,
          quantity: 5,
          total: 13_500,
          listTotal: 14_975,
          bundleSaving: 1475,
          bundles: usedBundles,
        },
      ],
      totals: { subtotal: 13_500, discount: 1350, shipping: 0, tax: 1002, total: 13_152 },
    });
    const stockBefore = (await send("GET", "/api/admin/products/1")).body.data.stock;

    // A client that computes without bundles is refused; it then pays the total of that response.
    const withoutBundles = await order(browser, { quantity: 5, discountCode: "TEN", amount: 14_590 });
    expect(withoutBundles.body).toMatchObject({ error: "price_changed", total: 13_152 });
    const started = await order(browser, { quantity: 5, discountCode: "TEN", amount: 13_152 });
    expect(started.status).toBe(201);
    expect((await confirm(browser, started)).status).toBe(200);
    await shop.jobsDone();
    await removeBundle(3);
    await removeBundle(2);

    const { orderId } = started.body;
    const bundleNote = "3 for $79.00 + 2 for $56.00, saving $14.75";
    expect(await (await browser.fetch(`/orders/${orderId}`)).text()).toContain(bundleNote);
    const outboxMessages = (await send("GET", "/api/admin/outbox")).body.data;
    const receipt = outboxMessages.find(({ kind }: { kind: string }) => kind === "order_confirmation");
    const { text } = (await send("GET", `/api/admin/outbox/${receipt.id}`)).body.data;
    expect(text).toContain(bundleNote);
    expect(text).toContain("One discount per order, on top of bundle prices.");
    const savedOrder = (await browser.get(`/api/orders/${orderId}`)).body.data;
    expect(savedOrder).toMatchObject({
      status: "completed",
      items: [
        {
          price: 2995,
          quantity: 5,
          total: 13_500,
          listTotal: 14_975,
          bundleSaving: 1475,
          bundles: usedBundles,
        },
      ],
      totals: { subtotal: 13_500, discount: 1350, tax: 1002, total: 13_152 },
    });
    expect((await send("GET", "/api/admin/products/1")).body.data.stock).toBe(stockBefore - 5);

    const refundPath = `/api/admin/orders/${orderId}/refund`;
    // The line was paid in full: with discount and tax, and shipping was free.
    expect((await send("GET", `/api/admin/orders/${orderId}`)).body.data.items[0].paid).toBe(13_152);
    expect((await admin.post(refundPath, { amount: 5000 })).status).toBe(200);
    expect((await admin.post(refundPath, { amount: 8153 })).status).toBe(422);
    expect((await admin.post(refundPath, { amount: 8152 })).status).toBe(200);
    await shop.jobsDone();
    const refunded = (await send("GET", `/api/admin/orders/${orderId}`)).body.data;
    expect(refunded).toMatchObject({ status: "refunded", refundableCents: 0, totals: { refunded: 13_152 } });
    const csv = await (await admin.fetch("/api/admin/orders.csv")).text();
    expect(csv).toContain("135.00,13.50,TEN,0.00,10.02,131.52,131.52");
    expect(csv).toContain("5 × Pure Batana Oil");
    expect(csv).toContain(",14.75,");
  });

  test("is refused with the right total if its bundle price is outdated, and can be paid with that total", async () => {
    const body = { ...checkoutBody({ quantity: 3 }), amount: 8552 };
    const browser = shop.browser();
    await saveBundle(3, 8000);
    const refused = await browser.post("/api/stripe/create-checkout-session", body);
    // 8000 of goods, 8.25% tax.
    expect(refused.body).toMatchObject({ error: "price_changed", total: 8660 });
    const opened = await browser.post("/api/stripe/create-checkout-session", { ...body, amount: 8660 });
    expect(opened.status).toBe(200);
  });

  test("does not use a bundle that saves nothing after a change of the list price", async () => {
    const { db } = shop.database;
    await db.update(products).set({ priceCents: 2500 });
    const items = [{ productId: 1, quantity: 3 }];
    const quote = (await shop.browser().post("/api/cart/quote", { items })).body.data;
    expect(quote.items[0]).toMatchObject({ total: 7500, bundleSaving: 0, bundles: [] });
    await db.update(products).set({ priceCents: 2995 });
  });
});
