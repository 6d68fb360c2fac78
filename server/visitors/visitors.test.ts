import { randomBytes } from "node:crypto";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { order } from "../../test/checkout.ts";
import { openTestShop, type TestBrowser } from "../../test/shop.ts";
import { cartItems } from "../cart/tables.ts";
import { cartReminders } from "../checkout/tables.ts";
import { cartVisitorsPerNetwork } from "./commands.ts";
import { hashToken } from "./cookies.ts";
import { visitors } from "./tables.ts";

const shop = await openTestShop({ PAYMENTS: "sandbox" });
afterAll(() => shop.stop());
beforeEach(async () => {
  await shop.database.db.delete(cartItems);
});

const addToCart = (browser: TestBrowser, quantity = 1) =>
  browser.post("/api/cart/add", { productId: 1, quantity });
const countVisitors = () => shop.database.db.$count(visitors);

describe("a new browser", () => {
  test("without stored data gets a cookie and no database row", async () => {
    const before = await countVisitors();
    for (const call of [
      (browser: TestBrowser) => browser.post("/api/products/pure-batana-oil/views"),
      (browser: TestBrowser) => browser.post("/api/cart/clear"),
      (browser: TestBrowser) => browser.post("/api/cart/remove", { productId: 1 }),
      (browser: TestBrowser) => browser.post("/api/cart/quote", { items: [{ productId: 1, quantity: 1 }] }),
      (browser: TestBrowser) => browser.post("/api/cart/add", { productId: 999, quantity: 1 }),
      (browser: TestBrowser) => order(browser, { amount: 1 }),
    ]) {
      const browser = shop.browser();
      const { headers } = await call(browser);
      expect(headers.get("set-cookie")).toMatch(/^palmira_visitor=/);
      // The browser sends its cookie from now on.
      expect((await call(browser)).headers.get("set-cookie")).toBeNull();
    }
    expect(await countVisitors()).toBe(before);
  });

  test("stays the same visitor once something is stored", async () => {
    const browser = shop.browser();
    await browser.post("/api/cart/clear");
    await addToCart(browser, 2);
    await addToCart(browser);
    expect((await browser.get("/api/cart")).body.data.items).toMatchObject([{ productId: 1, quantity: 3 }]);
    expect((await order(browser)).status).toBe(201);
    expect((await browser.get("/api/orders/user/me")).body.data).toHaveLength(1);
  });
});

describe("a cookie", () => {
  test("without the shop's signature identifies no visitor", async () => {
    for (const value of [
      randomBytes(32).toString("base64url"),
      "4711",
      "a.1.zzzzzz.b",
      `x.1.zzzzz.${"a".repeat(43)}`,
    ]) {
      const response = await shop.app.request("/api/cart/add", {
        method: "POST",
        headers: { "Content-Type": "application/json", Cookie: `palmira_visitor=${value}` },
        body: JSON.stringify({ productId: 1, quantity: 1 }),
      });
      expect(response.status).toBe(200);
      expect(response.headers.get("set-cookie")).toMatch(/^palmira_visitor=/);
    }
  });

  test("that is unsigned, as in an earlier version, or signed with another secret is recognized by its database row", async () => {
    const token = randomBytes(32).toString("base64url");
    const id = "0b7e0c5e-5d1c-4d8e-9d53-4f6a3f6b7a11";
    await shop.database.db.insert(visitors).values({ id, tokenHash: hashToken(token) });
    await shop.database.db.insert(cartItems).values({ visitorId: id, productId: 1, quantity: 7 });
    const fetchCart = async (value: string) => {
      const headers = { Cookie: `palmira_visitor=${value}` };
      const response = await shop.app.request("/api/cart", { headers });
      return ((await response.json()) as { data: { items: { quantity: number }[] } }).data.items;
    };
    expect(await fetchCart(token)).toMatchObject([{ quantity: 7 }]);

    const addResponse = await addToCart(shop.browser(), 5);
    const [, cookie = ""] =
      /^palmira_visitor=([^;]+)/.exec(addResponse.headers.get("set-cookie") ?? "") ?? [];
    const [random = ""] = cookie.split(".");
    expect(await fetchCart(`${random}.1.zzzzzz.${"a".repeat(43)}`)).toMatchObject([{ quantity: 5 }]);
  });
});

describe("carts of callers without a cookie", () => {
  test("are limited per network; visitors with more data than a cart are kept", async () => {
    const address = "2001:db8:7:7::1";
    const buyer = shop.browser(address);
    await addToCart(buyer);
    const reminded = shop.browser(address);
    await addToCart(reminded, 3);
    const items = [{ productId: 1, quantity: 3 }];
    const reminder = { email: "ada@example.com", items };
    expect((await reminded.post("/api/checkout/reminder", reminder)).status).toBe(200);
    expect((await order(buyer)).status).toBe(201);
    const otherNetworkBrowser = shop.browser("2001:db8:7:8::1");
    await addToCart(otherNetworkBrowser, 4);
    const before = await countVisitors();

    const earlyVisitor = shop.browser("2001:db8:7:7::2");
    await addToCart(earlyVisitor);
    for (let i = 0; i < cartVisitorsPerNetwork + 100; i += 20) {
      shop.travel(1_000);
      await Promise.all(
        Array.from({ length: 20 }, async (_, j) =>
          addToCart(shop.browser(`2001:db8:7:7::${(i + j).toString(16)}`)),
        ),
      );
    }
    // Concurrent visitors do not see each other's rows; the next visitor's call deletes the surplus.
    await addToCart(shop.browser(address));
    expect((await countVisitors()) - before).toBeLessThanOrEqual(cartVisitorsPerNetwork);
    expect((await countVisitors()) - before).toBeGreaterThan(cartVisitorsPerNetwork - 50);
    expect((await earlyVisitor.get("/api/cart")).body.data.items).toEqual([]);
    expect((await otherNetworkBrowser.get("/api/cart")).body.data.items).toHaveLength(1);
    expect((await reminded.get("/api/cart")).body.data.items).toHaveLength(1);
    expect((await buyer.get("/api/orders/user/me")).body.data).toHaveLength(1);
    // A deleted visitor can fill a cart again.
    await addToCart(earlyVisitor, 2);
    expect((await earlyVisitor.get("/api/cart")).body.data.items).toMatchObject([{ quantity: 2 }]);
    expect(await shop.database.db.$count(cartReminders)).toBe(1);
  });
});
