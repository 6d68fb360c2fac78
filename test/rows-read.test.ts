import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fillOrders } from "../bench/fill-panel.ts";
import { latestPayouts } from "../server/books/balance.ts";
import { readBookSums, refreshBookDays } from "../server/books/book-sums.ts";
import type { ShopContext } from "../server/context.ts";
import { readOrderPage } from "../server/order-desk/admin/list.ts";
import { countQueues } from "../server/order-desk/admin/queues.ts";
import { purgeUnpaidOrders } from "../server/orders/personal-data.ts";
import { orders } from "../server/orders/tables.ts";
import { listOutbox } from "../server/outbox/queries.ts";
import { readPaymentRefundedCents } from "../server/payments/refunds/refunds.ts";
import type { Database } from "../server/platform/database/database.ts";
import { readGiving } from "../server/sales/donations.ts";
import { refreshSales } from "../server/sales/rollup.ts";
import { readSources } from "../server/sales/sources.ts";
import { ownerTimeZone } from "../server/settings/today.ts";
import { listWebhooks } from "../server/webhooks/commands.ts";
import { insertPaidOrder } from "./paid-order.ts";
import { openTestShop } from "./shop.ts";

// How many rows a page of the panel reads must not grow with the orders of all years.

const many = 3_000;
const shop = await openTestShop({ PAYMENTS: "sandbox" });
await insertPaidOrder(shop.database.db, { mode: "sandbox" });
await fillOrders(shop.database.pool, many);
await shop.database.pool.query(`insert into messages (id, kind, channel, dedupe_key, recipient, order_id, status)
  select gen_random_uuid(), 'order_delivered', 'email', 'many:' || id || n, email, id, 'sent' from orders, generate_series(1, 4) n`);
await shop.database.pool.query("analyze messages");
afterAll(() => shop.stop());

/** Rows of the table that the work reads. */
async function rowsRead(table: string, work: (tx: Database) => Promise<unknown>): Promise<number> {
  return shop.database.db.transaction(async (tx) => {
    // As in a shop, unlike in other tests.
    await tx.execute(sql`set local plan_cache_mode = auto`);
    const count = async () => {
      const { rows } = await tx.execute<{ count: number }>(
        sql`select (seq_tup_read + idx_tup_fetch)::int as count from pg_stat_xact_user_tables where relname = ${table}`,
      );
      return rows[0]?.count ?? 0;
    };
    const before = await count();
    await work(tx as unknown as Database);
    return (await count()) - before;
  });
}

test("the queues' lengths are counted without reading every order", async () => {
  expect(await rowsRead("orders", (tx) => countQueues(tx, "sandbox"))).toBeLessThan(many / 2);
});

test("an order is found by a part of its buyer's name or address without reading all others", async () => {
  const q = "buyer-500@example.or";
  for (const status of ["completed", "pending"] as const) {
    await shop.database.db
      .update(orders)
      .set({ status, paidAt: status === "pending" ? null : new Date() })
      .where(eq(orders.number, 10_000_500));
    await shop.database.pool.query("analyze orders");
    let foundStatuses: string[] = [];
    const read = await rowsRead("orders", async (tx) => {
      const selection = { status: "all", mode: "sandbox", q, cursor: null, limit: 20 } as const;
      foundStatuses = (await readOrderPage(tx, selection)).rows.map(({ order }) => order.status);
    });
    expect({ foundStatuses, read: read < many / 10 }).toEqual({ foundStatuses: [status], read: true });
  }
});

test("a search for a text that no order contains does not read all orders", async () => {
  await shop.database.pool.query("analyze orders");
  for (const q of ["zzzz", "qx"]) {
    const read = await rowsRead("orders", async (tx) => {
      const selection = { status: "all", mode: "sandbox", q, cursor: null, limit: 20 } as const;
      expect((await readOrderPage(tx, selection)).rows).toEqual([]);
    });
    expect(read, q).toBeLessThan(many / 10);
  }
});

test("the messages to an address are found without reading all others", async () => {
  const q = "buyer-10000500@example.org";
  expect(await rowsRead("messages", (tx) => listOutbox(tx, { q, limit: 1 }))).toBeLessThan(many);
});

test("the sources of a period's sales are found without reading unpaid orders again", async () => {
  const [from, before] = [-1, 1].map((days) => new Date(Date.now() + days * 86_400_000)) as [Date, Date];
  const read = await rowsRead("orders", (tx) =>
    readSources(tx, { by: "source", from, before, mode: "sandbox" }),
  );
  expect(read).toBeLessThan(1.5 * many);
});

describe("in a shop of some years", () => {
  const timeZone = "UTC";
  const dayMs = 86_400_000;
  const [from, before] = [new Date(Date.now() - 400 * dayMs), new Date()];
  const year = { from, before, timeZone, dates: { from: "", to: "" } };
  const contextWith = (tx: Database): ShopContext => ({ ...shop.ctx, db: tx });

  beforeAll(async () => {
    const { db, pool } = shop.database;
    await pool.query(`update orders set created_at = at, paid_at = at
      from (select id, now() - interval '1 day' * (2 + number % 360) as at from orders) as older where older.id = orders.id`);
    await pool.query(`insert into labels (id, order_id, rate_id, state, provider, mode, parcel_ref, rate_ref, carrier, service, amount_cents, lines, created_at, bought_at)
      select gen_random_uuid(), id, 'r', 'bought', 'sandbox', 'sandbox', 'p', 'r', 'c', 's', 595, '[]', paid_at, paid_at from orders`);
    await pool.query(`insert into balance_entries (id, provider, mode, kind, amount_cents, fee_cents, currency, created_at)
      select id::text, 'sandbox', 'sandbox', 'charge', 3590, 134, 'USD', paid_at from orders`);
    await pool.query(`insert into refunds (id, order_id, intent_id, amount_cents, goods_cents, shipping_cents, tax_cents, status)
      select gen_random_uuid(), id, 'pi_' || id, 100, 100, 0, 0, 'succeeded' from orders`);
    await pool.query(
      "insert into webhooks (id, url, events, created_at) values (gen_random_uuid(), 'https://a.example', '{}', now())",
    );
    await pool.query(`insert into webhook_deliveries (webhook_id, type, subject, body, status)
      select webhooks.id, 'x', 'x', '{}', 'delivered' from webhooks, orders`);
    await pool.query("vacuum analyze orders, labels, balance_entries, refunds, webhook_deliveries");
    await refreshSales(db, { now: new Date(), timeZone: await ownerTimeZone(shop.ctx), whole: true });
    await refreshBookDays(db, { now: new Date(), timeZone });
  });

  test("the books of a year read neither its labels nor its movements of the balance", async () => {
    for (const table of ["labels", "balance_entries"]) {
      const read = (tx: Database) => readBookSums(contextWith(tx), year);
      expect(await rowsRead(table, read), table).toBeLessThan(many / 10);
    }
    const sums = await readBookSums(shop.ctx, year);
    expect(sums.find(({ kind }) => kind === "label")?.amountCents).toBe(595 * many);
    expect(await rowsRead("balance_entries", (tx) => latestPayouts(contextWith(tx), year))).toBeLessThan(10);
  });

  test("the amount to donate is read without the orders of earlier days", async () => {
    expect(await rowsRead("orders", (tx) => readGiving(contextWith(tx)))).toBeLessThan(many / 10);
  });

  test("the refunded amount of a payment is read without the refunds of others", async () => {
    expect(await rowsRead("refunds", (tx) => readPaymentRefundedCents(tx, "pi_1"))).toBeLessThan(10);
  });

  test("a webhook's last error is found without reading its other deliveries", async () => {
    expect(await rowsRead("webhook_deliveries", (tx) => listWebhooks(shop.ctx, tx))).toBeLessThan(10);
  });

  test("orders whose data was erased are not read again by every purge", async () => {
    await shop.database.pool.query(
      "update orders set status = 'cancelled', paid_at = null, erased_at = now() where number % 2 = 0",
    );
    await shop.database.pool.query("vacuum analyze orders");
    expect(await rowsRead("orders", (tx) => purgeUnpaidOrders(contextWith(tx)))).toBeLessThan(10);
  });
});
