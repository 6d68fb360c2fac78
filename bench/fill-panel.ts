import { drizzle } from "drizzle-orm/node-postgres";
import type pg from "pg";
import { defaultSettings } from "../domain/settings/settings-schema.ts";
import { refreshBookDays } from "../server/books/book-sums.ts";
import { lockCustomers, recomputeCustomers } from "../server/customers/refresh.ts";
import { orders } from "../server/orders/tables.ts";
import { refreshSales } from "../server/sales/rollup.ts";
import { writableColumns } from "../test/writable-columns.ts";

export type PanelSize = { orders: number; messages: number; activity: number };

/** Fills every list of the panel: as many reviews and e-mails as orders, discount uses, and visits by the hour. */
export async function fillPanel(pool: pg.Pool, { orders, messages, activity }: PanelSize): Promise<void> {
  await fillAdminOrders(pool, orders);
  await drizzle(pool).transaction(async (tx) => {
    await lockCustomers(tx);
    const { rows } = await tx.execute<{ email: string }>(
      "select distinct lower(email) as email from orders where paid_at is not null",
    );
    await recomputeCustomers(tx, { emails: rows.map(({ email }) => email), isLive: false });
  });
  await fillBooks(pool);
  await fillReviews(pool, orders);
  await fillOutbox(pool);
  await fillMessages(pool, messages);
  await fillActivity(pool, activity);
  await fillDiscounts(pool);
  await pool.query(
    `insert into product_view_hours (hour, product_id, views)
     select at, (select min(id) from products), 20
     from generate_series(date_trunc('hour', (select min(created_at) from orders)), now(), '1 hour') as at
     on conflict do nothing`,
  );
  await pool.query(
    "vacuum analyze invoices, balance_entries, customers, customer_emails, customer_changes, messages, contact_messages, activity, discounts, discount_uses, product_view_hours",
  );
  // As the shop's daily job does.
  const { timeZone } = defaultSettings;
  await refreshSales(drizzle(pool), { now: new Date(), timeZone, whole: true });
  await refreshBookDays(drizzle(pool), { now: new Date(), timeZone });
  await pool.query("vacuum analyze sales_buckets, sales_days, book_days");
}

/** Adds an invoice for every sale, and its payment and refund to the balance. Only sandbox payments of test orders count. */
async function fillBooks(pool: pg.Pool): Promise<void> {
  await pool.query(
    `insert into invoices (id, mode, kind, year, number, order_id, issued_at, total_cents, snapshot)
     select gen_random_uuid(), 'sandbox', 'invoice', 2000, number, id, paid_at + interval '1 minute', total_cents,
       jsonb_build_object('label', 'TEST-INV-' || number, 'buyer', jsonb_build_object('name', customer_name, 'company', null))
     from orders where paid_at is not null and not exists (select from invoices where order_id = orders.id)`,
  );
  await pool.query(
    `insert into balance_entries (id, provider, mode, kind, amount_cents, fee_cents, currency, intent_id, source_id, created_at)
     select 'txn_' || p.intent_id, 'sandbox', 'sandbox', 'charge', p.amount_cents, p.amount_cents * 29 / 1000 + 30, 'USD', p.intent_id,
       'ch_' || p.intent_id, o.paid_at
     from payments p join orders o on o.id = p.order_id where p.status = 'succeeded'
     union all
     select 'txn_' || r.id, 'sandbox', 'sandbox', 'refund', -r.amount_cents, 0, 'USD', r.intent_id, 're_' || r.id, r.settled_at
     from refunds r where r.settled_at is not null
     on conflict do nothing`,
  );
}

/** Adds a confirmation for every order and a text for every tenth; one e-mail in a thousand failed. */
async function fillOutbox(pool: pg.Pool): Promise<void> {
  await pool.query(
    `with source as (
       select orders.*, number % 10 = 0 as is_text, number % 1000 = 7 as has_failed from orders)
     insert into messages (id, kind, channel, dedupe_key, recipient, order_id, subject, text, status, attempts, last_error,
       delivery, created_at, sent_at)
     select gen_random_uuid(), case when is_text then 'owner_order_text' else 'order_confirmation' end,
       case when is_text then 'sms' else 'email' end, 'bench:' || id, case when is_text then '+15125550100' else email end, id,
       case when not is_text then 'Your order #' || number end, 'Thank you, ' || customer_name || '. Your order #' || number,
       case when has_failed then 'failed' else 'sent' end, 1, case when has_failed then '550 no such mailbox' end,
       case when is_text then 'delivered' end, created_at, case when not has_failed then created_at end
     from source
     on conflict do nothing`,
  );
}

/** Adds contact messages: the newest 40 are unanswered, ten of them unread; every twentieth is marked as spam. */
async function fillMessages(pool: pg.Pool, total: number): Promise<void> {
  await pool.query(
    `insert into contact_messages (id, name, email, subject, message, suspicion, status, created_at, read_at)
     select gen_random_uuid(), (array['Ada','Grace','Samuel','Naomi','Iris','Omar'])[1 + n % 6] || ' Writer ' || n,
       'writer-' || n || '@example.org', (array['order','product','wholesale','other'])[1 + n % 4],
       'Hello, this is about ' || (array['my order','the oil','a parcel','shipping to Canada','my hair'])[1 + n % 5] || '. '
         || repeat('I have used it for ' || n % 90 || ' days now and would like to know more. ', 4),
       case when n % 20 = 0 then 'honeypot' end, case when n > $1::int - 40 then 'open' else 'done' end,
       now() - ($1::int - n) * interval '1 hour', case when n <= $1::int - 10 then now() end
     from generate_series((select count(*) from contact_messages) + 1, $1::int) as n`,
    [total],
  );
}

/** Adds entries of ended sessions, a hundred of each session; most concern orders, a few concern settings. */
async function fillActivity(pool: pg.Pool, total: number): Promise<void> {
  await pool.query(
    `with sessions as (
       select s, gen_random_uuid() as id from generate_series(0, $1::int / 100) as s),
     numbered as (select id, row_number() over (order by created_at) as n from orders limit $1)
     insert into activity (at, session_id, action, subject, summary, before, after, outcome)
     select now() - ($1::int - n) * interval '30 minutes', sessions.id,
       case when n % 100 = 1 then 'POST /api/admin/verify' when n % 50 = 2 then 'PATCH /api/admin/settings'
         else 'POST /api/admin/orders/:id/ship' end,
       case when n % 100 = 1 then 'session:' || sessions.id when n % 50 = 2 then 'settings:shipping'
         else 'order:' || numbered.id end,
       case when n % 100 = 1 then 'Unlocked the panel' when n % 50 = 2 then 'Shipping changed'
         else 'Order marked as shipped' end,
       '{"status": "completed"}', case when n % 100 = 1 then '{"browser": "Safari on iPhone"}' else '{"status": "shipped"}' end::jsonb,
       'done'
     from generate_series((select count(*) from activity) + 1, $1::int) as n
       join sessions on s = n / 100 left join numbered using (n)`,
    [total],
  );
}

/** Adds twenty codes; every fifth order used one. */
async function fillDiscounts(pool: pg.Pool): Promise<void> {
  await pool.query(
    `insert into discounts (code, kind, value, limit_total)
     select 'BENCH' || n, 'percent', 10, case when n % 2 = 0 then 1000000 end from generate_series(1, 20) as n
     on conflict do nothing`,
  );
  await pool.query(
    `insert into discount_uses (order_id, discount_id, customer_hash, at)
     select id, (select min(id) from discounts) + number % 20, md5(email), created_at from orders where number % 5 < 1
     on conflict do nothing`,
  );
}

/** Percentages of order statuses in a shop that has traded for years; the rest is delivered. */
const statusCase = `case
  when n % 100 < 4 then 'cancelled' when n % 100 < 6 then 'refunded' when n % 100 < 7 then 'partially_refunded'
  when n > total - 40 then 'completed' when n > total - 300 then 'shipped' else 'delivered' end`;

/**
 * Adds orders in every status with lines, events, payments, refunds, open returns and payment issues until there are `total`, one
 * every six minutes. Names and addresses repeat a few hundred words, so that a search finds many orders, few or none. Triggers are
 * off, as they take most of the time; the counts that they update are written here.
 */
async function fillAdminOrders(pool: pg.Pool, total: number): Promise<void> {
  const { rows } = await pool.query("select count(*)::int as count from orders");
  const existing: number = rows[0].count;
  if (existing >= total) return;
  await pool.query(
    `insert into visitors (id, token_hash) values ('00000000-0000-4000-8000-000000000000', '\\x00')
     on conflict do nothing`,
  );
  await pool.query("set session_replication_role = replica");
  await pool.query(
    `with words as (
       select array['Ada','Grace','Samuel','Naomi','Iris','Omar','Lena','Jonas','Mira','Tomás','Zoë','Kofi','Anaïs','Wren','Ike','Uma'] as first,
         array['Obi','Bennett','Tarr','Field','Chen','Reed','Okafor','Lindqvist','Marsh','Duarte','Novak','Price','Adeyemi','Winter','Sato'] as last),
     new_orders as (
       select n, gen_random_uuid() as id, (${statusCase}) as status,
         first[1 + (n * 7) % 16] || ' ' || last[1 + (n * 11) % 15] || ' ' || (n % 997) as name,
         now() - (total - n) * interval '6 minutes' as at, 1 + n % 3 as quantity,
         (${statusCase}) in ('shipped', 'delivered', 'partially_refunded') as is_sent,
         (${statusCase}) in ('delivered', 'partially_refunded') as is_delivered
       from words, (select $2::int as total) as t, generate_series($1::int + 1, $2::int) as n),
     inserted as (
       insert into orders (id, number, visitor_id, status, currency, email, customer_name, phone, shipping_address, shipping,
         shipping_option_id, shipping_option_name, subtotal_cents, discount_cents, shipping_cents, tax_cents, total_cents,
         refunded_cents, request_hash, created_at, expires_at, paid_at, carrier, tracking_number, shipped_at, delivered_at,
         giving_percent)
       select id, 1000000 + n, '00000000-0000-4000-8000-000000000000', status, 'USD',
         lower(replace(name, ' ', '.')) || '@example.' || (array['com','org','net'])[1 + n % 3], name,
         '+1 ' || 201 + n % 700 || ' 555 ' || lpad((n % 10000)::text, 4, '0'),
         n || ' Main St, Austin, TX 78701, United States',
         jsonb_build_object('line1', n || ' Main St', 'line2', null, 'city', (array['Austin','Boulder','Chicago','Denver','Eugene','Fresno','Galveston','Hartford'])[1 + n % 8], 'state', (array['TX','CO','IL','CO','OR','CA','TX','CT'])[1 + n % 8], 'postalCode', '78701', 'country', 'US'),
         'us-standard', 'Standard', 2995 * quantity, 0, 595, 0, 2995 * quantity + 595,
         case status when 'refunded' then 2995 * quantity + 595 when 'partially_refunded' then 500 else 0 end,
         '\\x00', at, at + interval '30 minutes', case when status <> 'cancelled' then at + interval '1 minute' end,
         case when is_sent then 'USPS' end, case when is_sent then '94001' || n end,
         case when is_sent then at + interval '1 day' end,
         case when is_delivered then at + interval '5 days' end, 20
       from new_orders returning id),
     lines as (
       insert into order_lines (order_id, position, product_id, name, quantity, shipped_quantity, unit_price_cents, discount_cents, tax_cents)
       select id, 0, (select min(id) from products), 'Pure Batana Oil', quantity,
         case when is_sent then quantity else 0 end, 2995, 0, 0 from new_orders),
     counts as (
       insert into order_count_changes (status, change) select status, count(*) from new_orders group by status),
     parcels as (
       insert into shipments (id, order_id, number, carrier, tracking_number, shipped_at, delivered_at)
       select id, id, 1, 'USPS', '94001' || n, at + interval '1 day', case when is_delivered then at + interval '5 days' end
       from new_orders where is_sent),
     parcel_lines as (
       insert into shipment_lines (shipment_id, order_id, product_id, quantity)
       select id, id, (select min(id) from products), quantity from new_orders where is_sent),
     intents as (
       insert into payments (order_id, provider, revision, intent_id, status, amount_cents, currency, created_at)
       select id, 'sandbox', 1, 'pi_' || replace(id::text, '-', ''), case status when 'cancelled' then 'canceled' else 'succeeded' end,
         2995 * quantity + 595, 'USD', at from new_orders),
     events as (
       insert into order_events (order_id, at, from_status, to_status, actor)
       select id, at + interval '1 minute', 'pending', case status when 'cancelled' then status else 'completed' end, 'system' from new_orders),
     refunded as (
       insert into refunds (id, order_id, intent_id, amount_cents, goods_cents, shipping_cents, tax_cents, status, created_at, settled_at)
       select gen_random_uuid(), id, 'pi_' || replace(id::text, '-', ''),
         case status when 'refunded' then 2995 * quantity + 595 else 500 end,
         case status when 'refunded' then 2995 * quantity else 500 end, case status when 'refunded' then 595 else 0 end, 0, 'succeeded', at + interval '2 days', at + interval '2 days'
       from new_orders where status in ('refunded', 'partially_refunded')),
     returns as (
       insert into order_returns (id, order_id, kind, status, reason, requested_at)
       select gen_random_uuid(), id, 'return', case when n % 2000 = 9 then 'requested' else 'closed' end, 'Too heavy for my hair', at
       from new_orders where n % 200 = 9)
     insert into issues (kind, subject, order_id, message, created_at, resolved_at)
     select 'refund_refused', 'bench-' || n, id, 'The payment provider refused a refund', at, case when n % 5000 <> 11 then at end
     from new_orders where n % 500 = 11`,
    [existing, total],
  );
  await pool.query("set session_replication_role = origin");
  await pool.query(
    "vacuum analyze orders, order_lines, shipments, shipment_lines, order_events, refunds, payments, order_returns, issues",
  );
}

/**
 * Adds reviews of the first product until there are `total`; one in a hundred is hidden or held. Triggers are off: 100,000
 * updates of one product's ratings in one transaction would take minutes.
 */
export async function fillReviews(pool: pg.Pool, total: number): Promise<void> {
  await pool.query("set session_replication_role = replica");
  await pool.query(
    `insert into reviews (product_id, rating, comment, customer_name, status, created_at)
     select 1, 1 + n % 5, 'Review ' || n || ': light on the skin, and a little lasts for weeks.', 'Reader ' || n,
       case n % 100 when 50 then 'hidden' when 51 then 'pending' else 'published' end, now() - n * interval '1 minute'
     from generate_series((select count(*) from reviews) + 1, $1::int) as n`,
    [total],
  );
  await pool.query("set session_replication_role = origin");
  await pool.query(
    `insert into product_ratings (product_id, stars_1, stars_2, stars_3, stars_4, stars_5)
     select product_id, ${[1, 2, 3, 4, 5].map((stars) => `count(*) filter (where rating = ${stars})`)}
     from reviews where status = 'published' group by product_id
     on conflict (product_id) do update set ${[1, 2, 3, 4, 5].map((stars) => `stars_${stars} = excluded.stars_${stars}`)}`,
  );
  await pool.query(
    `insert into review_counts (product_id, rating, hair, skin, has_photos, count)
     select product_id, rating, coalesce(hair, ''), coalesce(skin, ''), photos_shown > 0, count(*)
     from reviews where status = 'published' group by 1, 2, 3, 4, 5
     on conflict (product_id, rating, hair, skin, has_photos) do update set count = excluded.count`,
  );
  await pool.query("select pg_notify('shop_changed', 'reviews:1')");
  await pool.query("vacuum analyze reviews");
}

/** Copies one paid order with its lines, without a visitor, until there are `total`. */
export async function fillOrders(pool: pg.Pool, total: number): Promise<void> {
  await pool.query(
    `with model as (select * from orders where status = 'completed' order by number limit 1),
     copies as (
       insert into orders (${writableColumns(orders)})
       select ${writableColumns(orders, "copy")} from model,
         generate_series((select count(*) from orders) + 1, $1::int) as n,
         jsonb_populate_record(null::orders, to_jsonb(model) || jsonb_build_object('id', gen_random_uuid(), 'number', 10000000 + n,
           'email', 'buyer-' || n || '@example.org', 'idempotency_key', null)) as copy
       returning id)
     insert into order_lines
     select copy.* from copies, order_lines line,
       jsonb_populate_record(null::order_lines, to_jsonb(line) || jsonb_build_object('order_id', copies.id)) as copy
     where line.order_id = (select id from model)`,
    [total],
  );
  await pool.query("vacuum analyze orders, order_lines");
}
