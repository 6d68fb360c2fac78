import { drizzle } from "drizzle-orm/node-postgres";
import type pg from "pg";
import { refreshSales } from "../server/sales/rollup.ts";
import { median, percentile } from "./statistics.ts";

/**
 * Adds paid orders, spread evenly over the last `days`, every tenth of them given back, until there are `total`; then
 * brings the overview's table up to them, as the shop's own job does.
 */
export async function fillSales(pool: pg.Pool, total: number, days: number): Promise<void> {
  await pool.query(
    `insert into visitors (id, token_hash) values ('00000000-0000-4000-8000-00000000000a', '\\x0a')
     on conflict do nothing`,
  );
  await pool.query(
    `with made as (
       select gen_random_uuid() as id, n % 10 = 0 as is_back,
         now() - n * ($2::int * interval '1 day' / $1::int) as at
       from generate_series(1, $1::int - (select count(*)::int from orders)) as n),
     placed as (
       insert into orders (id, visitor_id, status, currency, email, customer_name, shipping_address, shipping_option_id,
         shipping_option_name, subtotal_cents, discount_cents, shipping_cents, tax_cents, total_cents, refunded_cents,
         request_hash, created_at, expires_at, paid_at, shipped_at, giving_percent)
       select id, '00000000-0000-4000-8000-00000000000a', case when is_back then 'refunded' else 'shipped' end, 'USD',
         'buyer@example.org', 'Buyer', '1 Main St', 'us-standard', 'Standard', 2995, 0, 595, 0, 3590,
         case when is_back then 3590 else 0 end, '\\x00', at, at, at, at, 20
       from made),
     told as (
       insert into order_events (order_id, at, to_status, actor)
       select id, at, 'completed', 'system' from made),
     asked as (
       insert into payments (order_id, provider, revision, intent_id, status, amount_cents, currency, created_at)
       select id, 'sandbox', 1, 'pi_' || replace(id::text, '-', ''), 'succeeded', 3590, 'USD', at from made)
     insert into refunds (id, order_id, intent_id, amount_cents, status, created_at, settled_at)
     select gen_random_uuid(), id, 'pi_' || replace(id::text, '-', ''), 3590, 'succeeded', at, at from made where is_back`,
    [total, days],
  );
  await pool.query("vacuum analyze orders, order_events, payments, refunds");
  await refreshSales(drizzle(pool), new Date(), { whole: true });
  await pool.query("vacuum analyze sales_quarters");
}

/** Milliseconds that the overview of each period takes, one call after the other. `cookie`: an unlocked panel's. */
export async function measureOverview(
  url: string,
  cookie: string,
  rounds = 200,
): Promise<{ period: string; p50: number; p99: number }[]> {
  const today = new Date();
  const daysAgo = (days: number) => new Date(today.getTime() - days * 86_400_000).toISOString().slice(0, 10);
  const periods = {
    "30 days": "",
    "12 months": `?from=${daysAgo(364)}`,
    "3 years": `?from=${daysAgo(1094)}`,
  };
  const figures: { period: string; p50: number; p99: number }[] = [];
  for (const [period, query] of Object.entries(periods)) {
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const begunAt = performance.now();
      const answer = await fetch(`${url}/api/admin/overview${query}`, { headers: { Cookie: cookie } });
      await answer.arrayBuffer();
      if (!answer.ok) throw new Error(`the overview answered ${answer.status}`);
      times.push(performance.now() - begunAt);
    }
    figures.push({ period, p50: median(times), p99: percentile(times, 0.99) });
  }
  return figures;
}
