import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fillOrders } from "../bench/fill-panel.ts";
import { countQueues } from "../server/order-desk/admin/queues.ts";
import { listOutbox } from "../server/outbox/queries.ts";
import type { Database } from "../server/platform/database/database.ts";
import { readSources } from "../server/sales/sources.ts";
import { insertPaidOrder } from "./paid-order.ts";
import { openTestShop, type TestShop } from "./shop.ts";

// How many rows a page of the panel reads must not grow with the orders of all years.

const many = 3_000;
let shop: TestShop;
beforeAll(async () => {
  shop = await openTestShop({ PAYMENTS: "sandbox" });
  await insertPaidOrder(shop.database.db, { mode: "sandbox" });
  await fillOrders(shop.database.pool, many);
  await shop.database.pool.query(`insert into messages (id, kind, channel, dedupe_key, recipient, order_id, status)
    select gen_random_uuid(), 'order_delivered', 'email', 'many:' || id || n, email, id, 'sent' from orders, generate_series(1, 4) n`);
  await shop.database.pool.query("analyze messages");
});
afterAll(() => shop.stop());

/** Rows of the table that the work reads. */
async function rowsRead(table: string, work: (tx: Database) => Promise<unknown>): Promise<number> {
  return shop.database.db.transaction(async (tx) => {
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
