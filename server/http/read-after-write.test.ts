import { afterAll, expect, test } from "vitest";
import { adminBrowser, send } from "../../test/admin.ts";
import { order } from "../../test/checkout.ts";
import { createTestDatabase } from "../../test/database.ts";
import { openTestShop } from "../../test/shop.ts";
import { openTcpProxy } from "../../test/tcp-proxy.ts";

const database = await createTestDatabase();
// Only the change feed uses this connection while jobs are off.
const proxy = await openTcpProxy(database.sessionUrl);
const shop = await openTestShop(
  {},
  { database: { ...database, sessionUrl: proxy.through(database.sessionUrl) }, background: "none" },
);
afterAll(async () => {
  await shop.stop();
  await proxy.close();
});

test("a shopper’s next read shows their change, even when the change feed is late", async () => {
  const browser = shop.browser();
  const read = async () => (await browser.get("/api/products/pure-batana-oil")).body.data;
  await send(await adminBrowser(shop), "PATCH", "/api/admin/products/1", { stock: 5 });
  proxy.delay(50);
  expect(await read()).toMatchObject({ viewCount: 0, stock: 5, reviewCount: 0 });

  await browser.post("/api/products/pure-batana-oil/views");
  expect(await read()).toMatchObject({ viewCount: 1 });
  expect((await order(browser)).status).toBe(201);
  expect(await read()).toMatchObject({ stock: 4 });
  await browser.post("/api/reviews", { productId: 1, rating: 4, comment: "It smells of smoke and nuts." });
  expect(await read()).toMatchObject({ reviewCount: 1 });
});
