import type pg from "pg";

/** Adds published reviews of the first product until there are `total`. */
export async function fillReviews(pool: pg.Pool, total: number): Promise<void> {
  await pool.query(
    `insert into reviews (product_id, rating, comment, customer_name, status, created_at)
     select 1, 1 + n % 5, 'Review ' || n || ': light on the skin, and a little lasts for weeks.', 'Reader ' || n,
       'published', now() - n * interval '1 minute'
     from generate_series((select count(*) from reviews) + 1, $1::int) as n`,
    [total],
  );
  await pool.query("vacuum analyze reviews");
}

/** Copies of one paid order with its lines, visitors left out, until there are `total`. */
export async function fillOrders(pool: pg.Pool, total: number): Promise<void> {
  await pool.query(
    `with model as (select * from orders where status = 'completed' order by number limit 1),
     made as (
       insert into orders
       select copy.* from model,
         generate_series((select count(*) from orders) + 1, $1::int) as n,
         jsonb_populate_record(model, jsonb_build_object('id', gen_random_uuid(), 'number', 10000000 + n,
           'email', 'buyer-' || n || '@example.org', 'idempotency_key', null)) as copy
       returning id)
     insert into order_lines
     select copy.* from made, order_lines line,
       jsonb_populate_record(line, jsonb_build_object('order_id', made.id)) as copy
     where line.order_id = (select id from model)`,
    [total],
  );
  await pool.query("vacuum analyze orders, order_lines");
}
