import { drizzle } from "drizzle-orm/node-postgres";
import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, vi } from "vitest";
import { insertPaidOrder } from "../test/paid-order.ts";
import { patienceMs } from "../test/patience.ts";
import { readDatabaseUrl } from "../test/running-shop.ts";
import { shopHere } from "./shop-here.ts";
import { at } from "./shopper.ts";

let pool: pg.Pool;

/** Opens the shop's database for the test file: call it once at the file's top. */
export function shareDatabase(): void {
  beforeAll(() => {
    pool = new pg.Pool({ connectionString: readDatabaseUrl(shopHere().dataDir), max: 1 });
  });
  afterAll(() => pool.end());
}

/** Sets the price of the oil until the end of the test. Functions that change what pages show resolve once the shop shows it. */
export async function setPrice(cents: number): Promise<void> {
  const set = async (price: number) => {
    await pool.query("update products set price_cents = $1 where id = 1", [price]);
    await waitUntilShown({ price });
  };
  onTestFinished(() => set(2995));
  await set(cents);
}

/** Sets the name of the oil until the end of the test. */
export async function setName(newName: string): Promise<void> {
  const set = async (name: string) => {
    await pool.query("update products set name = $1 where id = 1", [name]);
    await waitUntilShown({ name });
  };
  onTestFinished(() => set("Pure Batana Oil"));
  await set(newName);
}

/** Sets the number of available units until the end of the test. */
export async function setStock(units: number): Promise<void> {
  const set = async (available: number) => {
    await pool.query("update stock set on_hand = reserved + $1 where product_id = 1", [available]);
    await waitUntilShown({ stock: available > 10 ? null : available });
  };
  onTestFinished(() => set(500));
  await set(units);
}

/** Stocks more units than all tests sell, in whatever order the files run. */
export async function fillStock(): Promise<void> {
  await pool.query("update stock set on_hand = reserved + 500 where product_id = 1");
}

/** Deletes all carriers' prices quoted to shoppers, as if they had expired. */
export async function forgetRateQuotes(): Promise<void> {
  await pool.query("delete from rate_quotes");
}

/** Unpublishes the oil until the end of the test. */
export async function unpublishOil(): Promise<void> {
  const set = (published: boolean) =>
    pool.query("update products set published = $1 where id = 1", [published]);
  onTestFinished(async () => {
    await set(true);
    await waitUntilShown({ price: 2995 });
  });
  await set(false);
  await waitUntilShown(null);
}

/** Stores an invalid group of settings until it is saved again or the test ends. */
export async function spoilSetting(group: string): Promise<void> {
  await storeSetting(group, 4711);
}

/** Stores a group of settings until it is saved again or the test ends. */
export async function storeSetting(group: string, value: unknown): Promise<void> {
  onTestFinished(async () => {
    await pool.query("delete from settings where key = $1", [group]);
  });
  await pool.query(
    "insert into settings (key, value) values ($1, $2) on conflict (key) do update set value = excluded.value",
    [group, JSON.stringify(value)],
  );
}

/** Forgets all settings, test e-mails and all that the owner has confirmed, as in a new shop. */
export async function forgetDecisions(): Promise<void> {
  await pool.query(
    "delete from settings; delete from go_live_statements; delete from messages where kind = 'test_email'",
  );
}

/** Moves the start of the mail outage two minutes back; returns whether there is one. */
export async function backdateMailOutage(): Promise<boolean> {
  const { rowCount } = await pool.query("update mail_outage set since = since - interval '2 minutes'");
  return rowCount === 1;
}

/** Makes waiting e-mails due for their next attempt. */
export async function retryMail(): Promise<void> {
  await pool.query("update jobs set run_at = now() where name = 'send_message' and leased_until is null");
}

/** Orders of this address, oldest first. */
export async function readOrders(
  email: string,
): Promise<
  { number: string; status: string; country: string; option: string; total: number; note: string | null }[]
> {
  const { rows } = await pool.query(
    `select number::text, status, shipping ->> 'country' as country, shipping_option_name as option,
            total_cents as total, gift ->> 'note' as note
     from orders where email = $1 order by number`,
    [email],
  );
  return rows;
}

/** Makes the cart reminder of this address due, as after four hours. */
export async function makeReminderDue(email: string): Promise<void> {
  const { rows } = await pool.query(
    "update cart_reminders set due_at = now() - interval '1 second' where email = $1 returning id",
    [email],
  );
  expect(rows.length).toBe(1);
  await pool.query(
    `update jobs set run_at = now()
     where key = 'remind_of_cart:' || $1`,
    [rows[0].id],
  );
}

/** The cart of the pending reminder to this address: units by product id; null if there is no reminder. */
export async function remindedCart(email: string): Promise<Record<number, number> | null> {
  const { rows } = await pool.query<{ items: { productId: number; quantity: number }[] }>(
    "select items from cart_reminders where email = $1 and sent_at is null",
    [email],
  );
  const [reminder] = rows;
  return (
    (reminder &&
      Object.fromEntries(reminder.items.map(({ productId, quantity }) => [productId, quantity]))) ??
    null
  );
}

/**
 * Publishes this many reviews of the oil, "Review no. 1 ..." being the oldest, with 1, 2, 3, 4, 5 stars in turn. All
 * reviews are deleted at the end of the test, including those that the test writes.
 */
export async function withReviews(count: number): Promise<void> {
  const clear = async () => {
    await pool.query("delete from reviews");
    await waitForReviews(0);
  };
  onTestFinished(clear);
  await clear();
  await pool.query(
    `insert into reviews (product_id, rating, comment, customer_name, status, created_at)
     select 1, 1 + (i - 1) % 5, 'Review no. ' || i || ' of this oil.', 'Reviewer ' || i, 'published',
            timestamptz '2026-01-01' + i * interval '1 day'
     from generate_series(1, $1::int) i`,
    [count],
  );
  await waitForReviews(count);
}

/** Adds a review of the oil, with the owner's `reply` if there is one; deleted together with those of `withReviews`. */
export async function addReview(comment: string, reply: string | null = null): Promise<void> {
  await pool.query(
    "insert into reviews (product_id, rating, comment, status, reply) values (1, 5, $1, 'published', $2)",
    [comment, reply],
  );
}

/** Approves all photos of reviews. */
export async function approvePhotos(): Promise<void> {
  await pool.query("update review_photos set status = 'shown' where review_id is not null");
}

/** Adds a second product until the end of the test. */
export async function withSecondProduct(): Promise<{ id: number; slug: string }> {
  const slug = "small-batana-oil";
  const waitForStatus = async (status: number) => {
    await vi.waitFor(
      async () => expect((await fetch(at(`/api/products/${slug}`))).status).toBe(status),
      patienceMs,
    );
  };
  onTestFinished(async () => {
    await pool.query("delete from reviews where product_id <> 1");
    await pool.query("delete from products where slug = $1", [slug]);
    await waitForStatus(404);
  });
  const { rows } = await pool.query(
    `insert into products (slug, name, short_description, description, price_cents, size, published)
     values ($1, 'Small Batana Oil', 'Half as much.', 'The same oil in a smaller bottle.', 1695, '1 fl oz', true)
     returning id`,
    [slug],
  );
  await pool.query("insert into stock (product_id, on_hand) values ($1, 20)", [rows[0].id]);
  await waitForStatus(200);
  return { id: rows[0].id, slug };
}

/** Adds a background job that has failed for good. */
export async function failJob(kind: string, payload: object): Promise<void> {
  await pool.query(
    `insert into jobs (name, lane, payload, attempts, max_attempts, last_error)
    values ($1, 'upkeep', $2, 25, 25, 'Not allowed')`,
    [kind, JSON.stringify(payload)],
  );
}

/** Opens an issue of this order that the owner has to resolve. */
export async function openIssue(orderId: string, message: string): Promise<void> {
  await pool.query(
    "insert into issues (kind, subject, order_id, message) values ('dispute', 'dp_1', $1, $2)",
    [orderId, message],
  );
}

/** Books a dispute of an order's payment, with the money withheld, as the provider would report it. */
export async function openDispute(orderId: string): Promise<void> {
  await pool.query(
    `with booked as (
       insert into disputes (id, order_id, intent_id, amount_cents, withdrawn_cents, fee_cents, reason, status,
         is_inquiry, evidence_due_at, created_at, withdrawn_at, changed_at, revision)
       select 'dp_' || order_id, order_id, intent_id, amount_cents, amount_cents, 1500, 'product not received',
         'needs_response', false, now() + interval '9 days', now(), now(), now(), 1
       from payments where order_id = $1 and status = 'succeeded' returning id, order_id, amount_cents),
     reported as (
       insert into issues (kind, subject, order_id, message)
       select 'dispute', id, order_id, 'The buyer’s bank takes back $35.90 of this payment (product not received)'
       from booked)
     update orders set ship_hold = 'dispute' where id = $1`,
    [orderId],
  );
}

/** Books a fraud warning for an order's payment, as the provider would report it. */
export async function warnOfFraud(orderId: string): Promise<void> {
  await pool.query(
    `with reported as (
       insert into issues (kind, subject, order_id, message)
       values ('fraud_warning', 'issfr_' || $1::uuid, $1::uuid, 'The card’s bank warns of fraud on this payment.'))
     update orders set ship_hold = 'fraud' where id = $1::uuid`,
    [orderId],
  );
}

/** Deletes reviews, batches and failed jobs, and resolves all issues. */
export async function clearPanel(): Promise<void> {
  await pool.query(
    `delete from reviews;
     update issues set resolved_at = now();
     update stock_movements set batch_id = null;
     delete from batch_units;
     update batches set remaining = 0;
     delete from batches;
     delete from jobs where attempts >= max_attempts and leased_until is null`,
  );
  await waitForReviews(0);
}

/** Times at which an order's newest refund succeeded and the e-mail about it was sent. */
export async function refundTimes(orderId: string): Promise<{ settledAt: Date; mailedAt: Date }> {
  const { rows } = await pool.query(
    `select r.settled_at as "settledAt", m.sent_at as "mailedAt"
     from refunds r join messages m on m.order_id = r.order_id and m.kind = 'refund_sent'
     where r.order_id = $1 order by r.created_at desc limit 1`,
    [orderId],
  );
  return rows[0];
}

async function waitForReviews(count: number): Promise<void> {
  await vi.waitFor(async () => {
    const response = await fetch(at("/api/products/pure-batana-oil"));
    const { data } = (await response.json()) as { data: object };
    expect(data).toMatchObject({ reviewCount: count });
  }, patienceMs);
}

/** Sets the session's last identity confirmation to three hours ago. */
export async function expireConfirmation(sessionId: string): Promise<void> {
  const { rowCount } = await pool.query(
    `update admin_sessions set created_at = now() - interval '3 hours', confirmed_at = null where id = $1`,
    [sessionId],
  );
  expect(rowCount).toBe(1);
}

/**
 * Waits until the shop, which is notified of changes in its database, shows the product with these values or, for null, no longer
 * shows it.
 */
async function waitUntilShown(
  expectedProduct: { price: number } | { name: string } | { stock: number | null } | null,
): Promise<void> {
  await vi.waitFor(async () => {
    const response = await fetch(at("/api/products/pure-batana-oil"));
    if (expectedProduct === null) return expect(response.status).toBe(404);
    const { data } = (await response.json()) as { data: object };
    expect(data).toMatchObject(expectedProduct);
  }, patienceMs);
}

/** Moves orders with their payments and refunds to the middle of last month. */
export async function moveToLastMonth(orderIds: readonly string[]): Promise<void> {
  const lastMonth = "date_trunc('month', now()) - interval '15 days'";
  for (const statement of [
    `update orders set created_at = ${lastMonth}, paid_at = ${lastMonth} where id = any($1::uuid[])`,
    `update payments set created_at = ${lastMonth} where order_id = any($1::uuid[])`,
    `update refunds set created_at = ${lastMonth}, settled_at = ${lastMonth} where order_id = any($1::uuid[])`,
    `update sandbox_intents set created_at = ${lastMonth} where order_id = any($1::text[])`,
  ])
    await pool.query(statement, [orderIds]);
  // The shop computes deleted summaries again.
  await pool.query("delete from sales_rollup");
  await pool.query("delete from book_rollup");
}

/** Inserts paid orders that wait to be shipped, without a checkout. */
export async function insertPaidOrders(count: number): Promise<{ id: string; number: number }[]> {
  const db = drizzle({ client: pool });
  const ids = await Promise.all(Array.from({ length: count }, () => insertPaidOrder(db)));
  const { rows } = await pool.query("select id, number from orders where id = any($1) order by number", [
    ids,
  ]);
  return rows;
}
