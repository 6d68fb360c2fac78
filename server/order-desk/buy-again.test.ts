import { eq, sql } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { adminBrowser } from "../../test/admin.ts";
import { confirm, order } from "../../test/checkout.ts";
import { keptMail } from "../../test/kept-mail.ts";
import { openTestShop, type TestBrowser } from "../../test/shop.ts";
import { products } from "../catalog/tables.ts";
import { stock } from "../inventory/tables.ts";

const shop = await openTestShop();
const buyer = shop.browser();
const checkout = await order(buyer, { quantity: 3 });
await confirm(buyer, checkout);
await shop.jobsDone();
const orderId = checkout.body.orderId;
afterAll(() => shop.stop());

const readBuyAgain = (browser: TestBrowser, token?: string) =>
  browser.get(`/api/orders/${orderId}/again${token ? `?token=${token}` : ""}`);
const readCart = async (browser: TestBrowser) =>
  (await browser.get("/api/cart")).body.items.map((line: { productId: number; quantity: number }) => [
    line.productId,
    line.quantity,
  ]);
const submitForm = (browser: TestBrowser, path: string) =>
  browser.fetch(path, { method: "POST", body: new URLSearchParams(), redirect: "manual" });

test("“Buy again” puts an order's items into the cart once, even if pressed repeatedly", async () => {
  expect((await readBuyAgain(shop.browser())).status).toBe(404);
  expect((await readBuyAgain(buyer)).body.data).toMatchObject({
    items: [{ name: "Pure Batana Oil", slug: "pure-batana-oil", ordered: 3, quantity: 3, total: 8985 }],
    subtotal: 8985,
  });
  const page = await buyer.fetch(`/orders/${orderId}/again`);
  expect(await page.text()).toMatch(/<form (?=[^>]*method="post")[^>]*action="\/orders\/[^"]*\/again"/);
  expect(await readCart(buyer)).toEqual([]);
  const presses = await Promise.all([1, 2].map(() => submitForm(buyer, `/orders/${orderId}/again`)));
  for (const { status, headers } of presses) {
    expect([status, headers.get("location")]).toEqual([303, expect.stringMatching(/^\/cart/)]);
    expect(headers.get("set-cookie")).toContain("cart-posts=l1-3");
  }
  expect(await readCart(buyer)).toEqual([[1, 3]]);
  // A larger quantity in the cart is kept.
  await buyer.post("/api/cart/add", { productId: 1, quantity: 2 });
  await submitForm(buyer, `/orders/${orderId}/again`);
  expect(await readCart(buyer)).toEqual([[1, 5]]);
});

test("the link in the delivery e-mail works in any browser, and adds nothing to the cart until it is confirmed", async () => {
  const admin = await adminBrowser(shop);
  const parcel = { carrier: "DHL", trackingNumber: "3318810025" };
  await admin.post(`/api/admin/orders/${orderId}/ship`, parcel);
  await admin.post(`/api/admin/orders/${orderId}/deliver`);
  await shop.jobsDone();
  const [mail = ""] = keptMail(shop, "ada@example.com", "order_delivered");
  const [, link = ""] = /(\/orders\/\S+\/again\?token=\S+)/.exec(mail) ?? [];
  const otherBrowser = shop.browser();
  const page = await otherBrowser.fetch(link);
  expect([page.status, page.headers.get("cache-control")]).toEqual([200, "private, no-store"]);
  expect(await readCart(otherBrowser)).toEqual([]);
  expect((await submitForm(otherBrowser, link)).status).toBe(303);
  expect(await readCart(otherBrowser)).toEqual([[1, 3]]);
});

test("“Buy again” lists items that are low in stock, sold out or removed, and uses current prices", async () => {
  const { db } = shop.database;
  const setAvailable = (units: number) =>
    db
      .update(stock)
      .set({ onHand: sql`${stock.reserved} + ${units}` })
      .where(eq(stock.productId, 1));
  const readPage = async () => (await buyer.fetch(`/orders/${orderId}/again`)).text();
  await setAvailable(2);
  await db.update(products).set({ priceCents: 3195 }).where(eq(products.id, 1));
  expect((await readBuyAgain(buyer)).body.data).toMatchObject({ items: [{ quantity: 2 }], subtotal: 6390 });
  expect(await readPage()).toContain("Only 2 of 3 × Pure Batana Oil are in stock.");
  await setAvailable(0);
  expect(await readPage()).toContain("Pure Batana Oil is sold out.");
  await db.update(products).set({ published: false }).where(eq(products.id, 1));
  expect(await readPage()).toContain("None of this is available right now.");
  const stranger = shop.browser();
  expect((await submitForm(stranger, `/orders/${orderId}/again`)).status).toBe(404);
});
