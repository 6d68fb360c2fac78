import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkoutBody } from "../../test/checkout.ts";
import { createTestDatabase } from "../../test/database.ts";
import { fragileShop } from "../../test/fragile-shop.ts";
import { readDatabaseUrl } from "../../test/running-shop.ts";
import { numbersFrom } from "../../test/seeded.ts";
import { openTcpProxy } from "../../test/tcp-proxy.ts";
import { buy, type Purchase } from "./retrying-buyer.ts";

/** Every third kill includes the database; after every fifth, the server is killed again while it starts. */
const killCount = Number(process.env.CRASH_KILLS ?? 5);
const concurrentBuyers = 6;
/** Purchases after each start before the next kill, so that a slow machine tests as much as a fast one. */
const purchasesBeforeKill = 4;
const initialStock = 100_000;
/** On a busy machine, each start takes seconds. */
const testMs = 240_000;
/** Determines the times of the kills; fixed, so that failures can be reproduced. */
const seed = 20_261_120;

/**
 * An order and its e-mails send the database about as many pieces of data as this. The shop is killed at every other one, with
 * `LONGER` at each.
 */
const sentPerOrder = 16;
const pieces = Array.from({ length: sentPerOrder }, (_, index) => index + 1).filter(
  (piece) => process.env.LONGER || piece % 2 === 1,
);

const environment = {
  TRUST_PROXY: "127.0.0.1",
  RECONCILE_EVERY_S: "1",
  SANDBOX_EVENTS: "twice",
  LOG_LEVEL: "warn",
};
const shop = fragileShop(environment);
let pool: pg.Pool;

beforeAll(async () => {
  await shop.start().opened;
  pool = new pg.Pool({ connectionString: readDatabaseUrl(shop.dataDir), max: 2 });
  // Connections are lost when the database is killed; the next query opens a new one.
  pool.on("error", () => null);
  await pool.query("update stock set on_hand = $1", [initialStock]);
});
afterAll(async () => {
  await pool.end();
  await shop.stop();
  shop.remove();
});

test(
  `a shop killed ${killCount} times while buyers pay has one completed order for each acknowledged payment`,
  async () => {
    const random = numbersFrom(seed);
    const purchases: Purchase[] = [];
    let isAcceptingBuyers = true;
    let startedCount = 0;
    const lanes = Array.from({ length: concurrentBuyers }, async () => {
      while (isAcceptingBuyers) {
        startedCount += 1;
        const email = `buyer-${startedCount}@example.com`;
        const quantity = 1 + (startedCount % 3);
        const checkout = checkoutBody({ email, quantity });
        const address = `10.1.${startedCount >> 8}.${startedCount & 255}`;
        purchases.push(await buy({ email, address, checkout, url: shop.url }));
      }
    });

    for (let kill = 1; kill <= killCount; kill += 1) {
      const purchaseTarget = purchases.length + purchasesBeforeKill;
      await expect.poll(() => purchases.length, { interval: 5 }).toBeGreaterThanOrEqual(purchaseTarget);
      await delay(random() * 500);
      await shop.kill(kill % 3 === 0 ? "server and database" : "server");
      const { opened } = shop.start();
      if (kill % 5 === 0) {
        await delay(random() * 1_000);
        await shop.kill("server");
        await opened;
        await shop.start().opened;
      } else {
        await opened;
      }
    }
    isAcceptingBuyers = false;
    await Promise.all(lanes);

    // Otherwise no call was interrupted, and the kills proved nothing.
    expect(purchases.filter(({ failedCalls }) => failedCalls > 0).length).toBeGreaterThan(killCount);
    await expectWholeOrders(pool, purchases, startedCount);
  },
  testMs,
);

test(
  "an order survives if the shop is killed at a random database statement, before or after the database receives it",
  async () => {
    const database = await createTestDatabase();
    const proxy = await openTcpProxy(database.directUrl);
    const other = fragileShop({ ...environment, DATABASE_URL: proxy.through(database.directUrl) });
    try {
      await other.start().opened;
      await database.pool.query("update stock set on_hand = $1", [initialStock]);
      const random = numbersFrom(seed);
      const purchases: Purchase[] = [];
      for (const piece of pieces) {
        const isForwarded = random() < 0.5;
        const killed = Promise.withResolvers<void>();
        let sentCount = 0;
        proxy.watch(() => {
          sentCount += 1;
          if (sentCount < piece) return true;
          if (sentCount === piece) other.signal("SIGKILL");
          killed.resolve();
          return isForwarded;
        });
        const email = `buyer-${piece}@example.com`;
        const purchase = buy({
          email,
          address: `10.1.0.${piece}`,
          checkout: checkoutBody({ email }),
          url: other.url,
        });
        await killed.promise;
        await other.kill("server");
        proxy.watch(null);
        await other.start().opened;
        purchases.push(await purchase);
      }
      expect(purchases.filter(({ failedCalls }) => failedCalls > 0).length).toBeGreaterThan(
        pieces.length / 3,
      );
      await expectWholeOrders(database.pool, purchases, pieces.length);
    } finally {
      await other.stop();
      other.remove();
      await proxy.close();
      await database.drop();
    }
  },
  2 * testMs,
);

/** Each purchase is one completed order, with one sale, one confirmation and its money; `startedCount`: orders of any state. */
async function expectWholeOrders(pool: pg.Pool, purchases: Purchase[], startedCount: number): Promise<void> {
  await expect.poll(() => count(pool, unfinishedWork), { timeout: 60_000, interval: 200 }).toBe(0);

  const acknowledged = purchases.map(({ orderId, email }) => `${orderId} ${email}`).sort();
  const completed = await pool.query("select id, email from orders where status = 'completed'");
  expect(completed.rows.map(({ id, email }) => `${id} ${email}`).sort()).toEqual(acknowledged);
  expect(await count(pool, "select from orders")).toBe(startedCount);

  expect(await count(pool, confirmationMismatches)).toBe(0);
  expect(await count(pool, saleMismatches)).toBe(0);
  expect(await count(pool, "select from messages where status = 'failed'")).toBe(0);
  expect(await count(pool, "select from issues")).toBe(0);
  const { rows: stock } = await pool.query(stockAgainstOrders);
  expect(stock).toEqual([{ left: initialStock - stock[0].sold, sold: stock[0].sold, reserved: 0 }]);
  const { rows: money } = await pool.query(moneyOnBothSides);
  expect(money).toEqual([{ shop: money[0].sandbox, sandbox: expect.stringMatching(/^[1-9]\d+$/) }]);
}

const unfinishedWork = `
  select from sandbox_events
  union all select from payment_events where handled_at is null
  union all select from messages where status = 'queued'`;

const confirmationMismatches = `
  select from orders where (status = 'completed') is distinct from
    ((select count(*) from messages where order_id = orders.id and kind = 'order_confirmation') = 1)`;

const saleMismatches = `
  select from order_lines join orders on orders.id = order_id where quantity is distinct from
    (select sum(quantity) from stock_movements where order_id = orders.id and product_id = order_lines.product_id
      and kind = 'sold' having count(*) = 1)`;

const stockAgainstOrders = `
  select on_hand as left, reserved,
    (select sum(quantity)::int from order_lines join orders on orders.id = order_id where status = 'completed') as sold
  from stock`;

const moneyOnBothSides = `
  select (select sum(total_cents - refunded_cents) from orders where status = 'completed')::text as shop,
    (select sum(amount_received - amount_refunded) from sandbox_intents)::text as sandbox`;

async function count(pool: pg.Pool, query: string): Promise<number> {
  const { rows } = await pool.query(`select count(*)::int from (${query}) as found`);
  return rows[0].count;
}
