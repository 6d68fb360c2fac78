import type pg from "pg";
import { orders } from "../server/orders/tables.ts";
import { writableColumns } from "../test/writable-columns.ts";

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
     made as (
       insert into orders (${writableColumns(orders)})
       select ${writableColumns(orders, "copy")} from model,
         generate_series((select count(*) from orders) + 1, $1::int) as n,
         jsonb_populate_record(null::orders, to_jsonb(model) || jsonb_build_object('id', gen_random_uuid(), 'number', 10000000 + n,
           'email', 'buyer-' || n || '@example.org', 'idempotency_key', null)) as copy
       returning id)
     insert into order_lines
     select copy.* from made, order_lines line,
       jsonb_populate_record(null::order_lines, to_jsonb(line) || jsonb_build_object('order_id', made.id)) as copy
     where line.order_id = (select id from model)`,
    [total],
  );
  await pool.query("vacuum analyze orders, order_lines");
}
