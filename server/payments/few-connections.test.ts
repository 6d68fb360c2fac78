import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { adminBrowser, send } from "../../test/admin.ts";
import { order } from "../../test/checkout.ts";
import { createTestDatabase, patientLimits } from "../../test/database.ts";
import { openStripeShop } from "../../test/stripe-shop.ts";
import { settlePayment } from "./settling/settle.ts";

/** More orders than the database connections that background workers leave free. */
const orderCount = 12;

const shop = await openStripeShop({}, { database: await createTestDatabase({ limits: patientLimits }) });
const owner = await adminBrowser(shop);
await send(owner, "PATCH", "/api/admin/settings", { lowStockAt: 3 });
const changeFeed = new pg.Client({ connectionString: shop.database.url });
await changeFeed.connect();
await changeFeed.query("listen shop_changed");
afterAll(async () => {
  await changeFeed.end();
  await shop.stop();
  await shop.database.drop();
});

/** Changes a setting and waits until the shop has been notified, but has not read the settings again. */
async function changeSettings(): Promise<void> {
  const notified = new Promise((resolve) => changeFeed.once("notification", resolve));
  await shop.database.pool.query("update settings set value = '3' where key = 'lowStockAt'");
  await notified;
}

test("more orders than there are free database connections are completed concurrently right after a settings change", async () => {
  const placed = await Promise.all(Array.from({ length: orderCount }, () => order(shop.browser())));
  const intents = await Promise.all(
    placed.map(({ body }) => {
      shop.stripe.pay(body.paymentIntentId);
      return shop.ctx.provider.retrieveIntent(body.paymentIntentId);
    }),
  );
  await changeSettings();
  const outcomes = await Promise.all(intents.map((intent) => settlePayment(shop.ctx, intent)));
  expect(outcomes).toEqual(Array(orderCount).fill("complete"));

  await changeSettings();
  const parcel = { carrier: "UPS", trackingNumber: "1Z5R89390357567127" };
  const shipResponses = await Promise.all(
    placed.map(({ body }) => owner.post(`/api/admin/orders/${body.orderId}/ship`, parcel)),
  );
  expect(shipResponses.map(({ status }) => status)).toEqual(Array(orderCount).fill(200));
  await shop.expectConserved();
});
