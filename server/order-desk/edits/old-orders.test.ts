import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import pino from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { adminBrowser } from "../../../test/admin.ts";
import { createTestDatabase, type TestDatabase } from "../../../test/database.ts";
import { readOrderFigures } from "../../../test/order-figures.ts";
import { openStripeShop, type StripeShop } from "../../../test/stripe-shop.ts";
import { migrate } from "../../platform/database/migrate.ts";

/**
 * Orders after random edits, payments, refunds, parcels, a cancellation, a lost dispute and a late payment, as the program at
 * migration 0096 wrote them, and all figures that it showed of them (`readOrderFigures`). It booked an exchange as a payment and a refund.
 */
const stored = (file: string) =>
  gunzipSync(readFileSync(new URL(`../../../test/${file}.gz`, import.meta.url))).toString();

/** What an order came to by the rows of that program, in cents. */
const oldSums = `select o.number,
    (select coalesce(sum(amount_cents), 0)::int from payments p where p.order_id = o.id and p.status = 'succeeded'
      and p.provider <> 'exchange') as paid,
    (select coalesce(sum(amount_cents), 0)::int from refunds r where r.order_id = o.id and r.status = 'succeeded'
      and r.intent_id not like 'exchange%' and not exists (select from payments p where p.intent_id = r.intent_id
        and p.status <> 'succeeded')) as refunded,
    (select coalesce(sum(amount_cents), 0)::int from refunds r where r.order_id = o.id and r.intent_id like 'exchange%') as exchanged,
    (select coalesce(sum(goods_cents), 0)::int from refunds r where r.order_id = o.id and r.status = 'succeeded') as goods_back
  from orders o order by o.number`;
const newSums = `select o.number, o.payable_cents as paid, o.refunded_cents as refunded, o.exchanged_cents as exchanged,
    (select coalesce(sum(goods_cents), 0)::int from refunds r where r.order_id = o.id and r.status = 'succeeded')
      + (select coalesce(sum(exchanged_goods_cents), 0)::int from order_edits e where e.order_id = o.id) as goods_back
  from orders o order by o.number`;

const log = pino({ level: "silent" });
let database: TestDatabase;
let shop: StripeShop;
let before: unknown[];
let documents: unknown[];
const read = async (query: string) => (await database.pool.query(query)).rows;
const documentsQuery =
  "select id, kind, year, number, total_cents, snapshot, voided_at from invoices order by id";

beforeAll(async () => {
  database = await createTestDatabase();
  await database.pool.query("drop schema public cascade; create schema public; drop schema drizzle cascade");
  await migrate(database.pool, log, { upTo: "0096_mailbox_of_messages" });
  await database.pool.query(
    `begin; set local session_replication_role = replica; ${stored("old-orders.sql")} commit`,
  );
  before = await read(oldSums);
  documents = await read(documentsQuery);
  await migrate(database.pool, log);
  shop = await openStripeShop({}, { database });
  // The provider's account of this test stands for the one that the orders were paid in.
  await database.pool.query("update payments set account = $1 where provider = 'stripe'", [
    shop.ctx.provider.account,
  ]);
});
afterAll(async () => {
  await shop?.stop();
  await database.drop();
});

test("every order comes to the same payments, refunds, exchanges and goods", async () => {
  expect(await read(newSums)).toEqual(before);
  expect(await read("select from payments where provider = 'exchange'")).toEqual([]);
  expect(before.filter((row) => (row as { exchanged: number }).exchanged > 0).length).toBeGreaterThan(8);
});

test("invoices and credit notes stay as they were issued", async () => {
  expect(await read(documentsQuery)).toEqual(documents);
});

test("all rows meet the database's checks", async () => {
  const checks = await read(`select conrelid::regclass::text as on_table, conname as name from pg_constraint
    where not convalidated and connamespace = 'public'::regnamespace`);
  for (const { on_table, name } of checks)
    await database.pool.query(`alter table ${on_table} validate constraint "${name}"`);
});

test("panel, books and files show the figures that the older program showed", async () => {
  const owner = await adminBrowser(shop);
  const shown = await readOrderFigures(owner, database.db, { from: "2026-11-01", to: "2026-12-31" });
  const expected = JSON.parse(stored("old-orders.json"));
  for (const name of Object.keys(expected)) expect(shown[name], name).toEqual(expected[name]);
});
