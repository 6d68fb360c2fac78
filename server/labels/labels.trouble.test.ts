import pg from "pg";
import { afterAll, expect, test } from "vitest";
import {
  easypostKey,
  type FakeCarrier,
  shippoKey,
  startFakeEasyPost,
  startFakeShippo,
} from "../../test/fake-carriers.ts";
import { type FragileShop, fragileShop } from "../../test/fragile-shop.ts";
import { insertPaidOrder } from "../../test/paid-order.ts";
import { patienceMs } from "../../test/patience.ts";
import { readDatabaseUrl } from "../../test/running-shop.ts";
import { drizzleOn } from "../platform/database/transactions.ts";

let easypost: FakeCarrier;
let shippo: FakeCarrier;
let shop: FragileShop;
afterAll(async () => {
  await shop.kill("server and database");
  shop.remove();
  await Promise.all([easypost.close(), shippo.close()]);
});

async function withDatabase<T>(work: (pool: pg.Pool) => Promise<T>): Promise<T> {
  const pool = new pg.Pool({ connectionString: readDatabaseUrl(shop.dataDir), max: 1 });
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
}

test("labels that were being bought at kill -9 are found after the restart, or refunded if their order no longer ships; none is bought twice", async () => {
  [easypost, shippo] = await Promise.all([startFakeEasyPost(), startFakeShippo()]);
  shop = fragileShop({ EASYPOST_API_BASE: easypost.url, SHIPPO_API_BASE: shippo.url });
  const callPanel = await shop.startForOwner();
  await callPanel("PUT", "/api/admin/connections/easypost", { version: 0, apiKey: easypostKey });
  await callPanel("PUT", "/api/admin/connections/shippo", { version: 0, apiKey: shippoKey });
  // Both carriers sell the labels but never respond.
  easypost.purchaseFaults = ["held"];
  shippo.purchaseFaults = ["held", "held"];
  const ofEasypost = 593;
  const ofShippo = 581;
  const purchases: { orderId: string; rateId: string }[] = [];
  for (const price of [ofEasypost, ofShippo, ofShippo]) {
    const orderId = await withDatabase((pool) => insertPaidOrder(drizzleOn(pool)));
    const rates = await (await callPanel("POST", `/api/admin/orders/${orderId}/label-rates`)).json();
    const { rateId } = rates.data.find(({ amount }: { amount: number }) => amount === price);
    purchases.push({ orderId, rateId });
    callPanel("POST", `/api/admin/orders/${orderId}/labels`, { rateId }).catch(() => null);
  }
  const readSales = () => [easypost.sold.length, shippo.sold.length];
  await expect.poll(readSales, { timeout: patienceMs }).toEqual([1, 2]);
  await shop.kill("server and database");

  const callRestarted = await shop.startForOwner();
  const [atEasypost, atShippo, refundedOrder] = purchases;
  await withDatabase(async (pool) => {
    await pool.query("update orders set status = 'refunded' where id = $1", [refundedOrder?.orderId]);
    // Ends the killed server's lease, as a minute would.
    await pool.query("update labels set asking_until = now()");
    const readStates = async () => {
      // Repeated, as a run that began before the line above sets the time of the next one when it ends.
      await pool.query("update jobs set run_at = now() where key = 'every:watch_labels'");
      const { rows } = await pool.query("select state from labels order by created_at");
      return rows.map(({ state }) => state);
    };
    await expect
      .poll(readStates, { timeout: patienceMs, interval: 500 })
      .toEqual(["bought", "bought", "voided"]);
  });
  for (const [purchase, sold] of [
    [atEasypost, easypost.sold[0]],
    [atShippo, shippo.sold[0]],
  ] as const) {
    const path = `/api/admin/orders/${purchase?.orderId}/labels`;
    const again = await callRestarted("POST", path, { rateId: purchase?.rateId });
    expect(again.status).toBe(200);
    expect((await again.json()).data.trackingNumber).toBe(sold?.number);
  }
  expect(readSales()).toEqual([1, 2]);
  expect(easypost.sold.map(({ isRefunded }) => isRefunded)).toEqual([false]);
  expect(shippo.sold.map(({ isRefunded }) => isRefunded)).toEqual([false, true]);
});
