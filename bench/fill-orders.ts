import type pg from "pg";

/** Shares of a shop that has traded for years, in percent of the orders; the rest is delivered. */
const statusOf = `case
  when n % 100 < 4 then 'cancelled' when n % 100 < 6 then 'refunded' when n % 100 < 7 then 'partially_refunded'
  when n > total - 40 then 'completed' when n > total - 300 then 'shipped' else 'delivered' end`;

/**
 * Adds orders in every state with lines, events, payments, refunds, open returns and payment issues until there are `total`; names and
 * addresses are made of a few hundred words, so that searches find much, little and nothing. One every six minutes.
 */
export async function fillAdminOrders(pool: pg.Pool, total: number): Promise<void> {
  const { rows } = await pool.query("select count(*)::int as count from orders");
  const have: number = rows[0].count;
  if (have >= total) return;
  await pool.query(
    `insert into visitors (id, token_hash) values ('00000000-0000-4000-8000-000000000000', '\\x00')
     on conflict do nothing`,
  );
  await pool.query(
    `with words as (
       select array['Ada','Grace','Samuel','Naomi','Iris','Omar','Lena','Jonas','Mira','Tomás','Zoë','Kofi','Anaïs','Wren','Ike','Uma'] as first,
         array['Obi','Bennett','Tarr','Field','Chen','Reed','Okafor','Lindqvist','Marsh','Duarte','Novak','Price','Adeyemi','Winter','Sato'] as last),
     made as (
       select n, gen_random_uuid() as id, (${statusOf}) as status,
         first[1 + (n * 7) % 16] || ' ' || last[1 + (n * 11) % 15] || ' ' || (n % 997) as name,
         now() - (total - n) * interval '6 minutes' as at, 1 + n % 3 as quantity
       from words, (select $2::int as total) as t, generate_series($1::int + 1, $2::int) as n),
     placed as (
       insert into orders (id, number, visitor_id, status, currency, email, customer_name, phone, shipping_address, shipping,
         shipping_option_id, shipping_option_name, subtotal_cents, discount_cents, shipping_cents, tax_cents, total_cents,
         refunded_cents, request_hash, created_at, expires_at, paid_at, carrier, tracking_number, shipped_at, delivered_at,
         giving_percent)
       select id, 1000000 + n, '00000000-0000-4000-8000-000000000000', status, 'USD',
         lower(replace(name, ' ', '.')) || '@example.' || (array['com','org','net'])[1 + n % 3], name,
         '+1 ' || 201 + n % 700 || ' 555 ' || lpad((n % 10000)::text, 4, '0'),
         n || ' Main St, Austin, TX 78701, United States',
         jsonb_build_object('line1', n || ' Main St', 'line2', null, 'city', (array['Austin','Boulder','Chicago','Denver','Eugene','Fresno','Galveston','Hartford'])[1 + n % 8], 'state', 'TX', 'postalCode', '78701', 'country', 'US'),
         'us-standard', 'Standard', 2995 * quantity, 0, 595, 0, 2995 * quantity + 595,
         case status when 'refunded' then 2995 * quantity + 595 when 'partially_refunded' then 500 else 0 end,
         '\\x00', at, at + interval '30 minutes', case when status <> 'cancelled' then at + interval '1 minute' end,
         case when status in ('shipped', 'delivered') then 'USPS' end, case when status in ('shipped', 'delivered') then '94001' || n end,
         case when status in ('shipped', 'delivered') then at + interval '1 day' end,
         case when status = 'delivered' then at + interval '5 days' end, 20
       from made returning id),
     lined as (
       insert into order_lines (order_id, position, product_id, name, quantity, unit_price_cents, discount_cents, tax_cents)
       select id, 0, (select min(id) from products), 'Pure Batana Oil', quantity, 2995, 0, 0 from made),
     sent as (
       insert into shipments (id, order_id, number, carrier, tracking_number, shipped_at, delivered_at)
       select id, id, 1, 'USPS', '94001' || n, at + interval '1 day', case when status = 'delivered' then at + interval '5 days' end
       from made where status in ('shipped', 'delivered')),
     packed as (
       insert into shipment_lines (shipment_id, order_id, product_id, quantity)
       select id, id, (select min(id) from products), quantity from made where status in ('shipped', 'delivered')),
     asked as (
       insert into payments (order_id, provider, revision, intent_id, status, amount_cents, currency, created_at)
       select id, 'sandbox', 1, 'pi_' || replace(id::text, '-', ''), case status when 'cancelled' then 'canceled' else 'succeeded' end,
         2995 * quantity + 595, 'USD', at from made),
     told as (
       insert into order_events (order_id, at, from_status, to_status, actor)
       select id, at + interval '1 minute', 'pending', case status when 'cancelled' then status else 'completed' end, 'system' from made),
     given_back as (
       insert into refunds (id, order_id, intent_id, amount_cents, goods_cents, shipping_cents, tax_cents, status, created_at, settled_at)
       select gen_random_uuid(), id, 'pi_' || replace(id::text, '-', ''),
         case status when 'refunded' then 2995 * quantity + 595 else 500 end,
         case status when 'refunded' then 2995 * quantity else 500 end, case status when 'refunded' then 595 else 0 end, 0, 'succeeded', at + interval '2 days', at + interval '2 days'
       from made where status in ('refunded', 'partially_refunded')),
     returned as (
       insert into order_returns (id, order_id, kind, status, reason, requested_at)
       select gen_random_uuid(), id, 'return', case when n % 2000 = 9 then 'requested' else 'closed' end, 'Too heavy for my hair', at
       from made where n % 200 = 9)
     insert into issues (kind, subject, order_id, message, created_at, resolved_at)
     select 'refund_refused', 'bench-' || n, id, 'The payment provider refused a refund', at, case when n % 5000 <> 11 then at end
     from made where n % 500 = 11`,
    [have, total],
  );
  await pool.query(
    "vacuum analyze orders, order_lines, shipments, shipment_lines, order_events, refunds, payments, order_returns, issues",
  );
}
