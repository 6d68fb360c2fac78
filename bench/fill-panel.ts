import { drizzle } from "drizzle-orm/node-postgres";
import type pg from "pg";
import { defaultSettings } from "../domain/settings/settings-schema.ts";
import { refreshCustomers } from "../server/customers/refresh.ts";
import { refreshSales } from "../server/sales/rollup.ts";
import { fillAdminOrders } from "./fill-orders.ts";
import { fillReviews } from "./growth.ts";

/** How many rows of each kind the owner's panel has to show. */
export type PanelSize = { orders: number; messages: number; activity: number };

/** All that the owner's panel lists: as many reviews and e-mails as orders, the codes they used, visits by the hour. */
export async function fillPanel(pool: pg.Pool, { orders, messages, activity }: PanelSize): Promise<void> {
  await fillAdminOrders(pool, orders);
  const provider = { mode: "sandbox" } as const;
  while ((await refreshCustomers({ db: drizzle(pool), provider })) > 0) {
    // A batch of orders a time.
  }
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
  // As the shop's own job does once a day.
  const { timeZone } = defaultSettings;
  await refreshSales(drizzle(pool), { now: new Date(), timeZone, whole: true });
  await pool.query("vacuum analyze sales_buckets, sales_days");
}

/** An invoice of every sale, and its payment and its refund in the balance. Test orders' payments count in the sandbox alone. */
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

/** A confirmation of every order, a text of every tenth; one e-mail of a thousand failed. */
async function fillOutbox(pool: pg.Pool): Promise<void> {
  await pool.query(
    `with owed as (
       select orders.*, number % 10 = 0 as is_text, number % 1000 = 7 as has_failed from orders
       where not exists (select from messages where order_id = orders.id))
     insert into messages (id, kind, channel, dedupe_key, recipient, order_id, subject, text, status, attempts, last_error,
       delivery, created_at, sent_at)
     select gen_random_uuid(), case when is_text then 'owner_order_text' else 'order_confirmation' end,
       case when is_text then 'sms' else 'email' end, 'bench:' || id, case when is_text then '+15125550100' else email end, id,
       case when not is_text then 'Your order #' || number end, 'Thank you, ' || customer_name || '. Your order #' || number,
       case when has_failed then 'failed' else 'sent' end, 1, case when has_failed then '550 no such mailbox' end,
       case when is_text then 'delivered' end, created_at, case when not has_failed then created_at end
     from owed`,
  );
}

/** The newest 40 wait for an answer, ten of them unread; every twentieth looks like a robot's. */
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

/** Sessions of a hundred entries each that are long over; most entries are about orders, few about settings. */
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

/** Twenty codes; every fifth order used one. */
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
