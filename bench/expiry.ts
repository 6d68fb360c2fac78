import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { type FakeStripe, startFakeStripe } from "../test/fake-stripe.ts";
import type { Figure } from "./figures.ts";
import { startShop } from "./shop-process.ts";

const callMs = 300;
/** Number of abandoned orders per stuck order, which the provider refuses to cancel. */
const abandonedPerStuck = 10;
const timeLimitMs = 30 * 60_000;

const ordersADay = 50_000;
const runsADay = (24 * 60) / 5;
/** Hours of orders to add: more than one run of reconciliation looks back. */
const filledHours = 3;
/** Unpaid orders out of every ten. */
const abandonedPerTen = 4;

/**
 * Measures how fast abandoned orders expire, and how many calls reconciliation makes, against a Stripe that takes 300 ms per
 * call. The folder holds a shop that has been started before.
 */
export async function measureExpiry(dataDir: string, orders: number): Promise<Figure[]> {
  return [
    ...(await withStripe((stripe, env) => measureEnding(stripe, { dataDir, env, orders }))),
    // A new account, so that the orders of the first measurement are not counted.
    ...(await withStripe((stripe, env) => measureReconciliation(stripe, { dataDir, env }))),
  ];
}

async function withStripe(
  measure: (stripe: FakeStripe, env: Record<string, string>) => Promise<Figure[]>,
): Promise<Figure[]> {
  const stripe = await startFakeStripe();
  try {
    stripe.slow({ path: "/v1/", ms: callMs });
    return await measure(stripe, {
      ...stripe.env,
      // Once at the start, and not again during the measurement.
      RECONCILE_EVERY_S: "86400",
    });
  } finally {
    await stripe.stop();
  }
}

type Bench = { dataDir: string; env: Record<string, string> };

async function measureEnding(
  stripe: FakeStripe,
  { dataDir, env, orders }: Bench & { orders: number },
): Promise<Figure[]> {
  const shop = await startShop(dataDir, env);
  const stuckCount = Math.ceil(orders / abandonedPerStuck);
  const { pool } = shop;
  await untilIdle(pool);
  await abandon(pool, stripe, { count: stuckCount, minutesAgo: 60, isStuck: true });
  await abandon(pool, stripe, { count: orders, minutesAgo: 5, isStuck: false });
  const callsBefore = stripe.requests.length;
  const startedAt = performance.now();
  await runNow(pool, "expire_orders");
  await untilPending(pool, stuckCount, startedAt);
  const minutes = (performance.now() - startedAt) / 60_000;
  const calls = stripe.requests.length - callsBefore;
  // The next measurement must not reconcile the stuck orders.
  await pool.query("update payments set status = 'canceled' where status = 'requires_payment'");
  await pool.query("update orders set status = 'cancelled' where status = 'pending'");
  await pool.query("update stock set reserved = 0");
  await shop.stop();
  const note = `(${orders} in ${minutes.toFixed(1)} minutes, behind ${stuckCount} that cannot end)`;
  return [
    { name: "abandoned orders ended", value: orders / minutes, unit: "/min", target: { min: 500 }, note },
    { name: "calls to end one", value: calls / (orders + stuckCount), unit: "" },
  ];
}

/** Adds expired pending orders with reserved units and open intents at Stripe. */
async function abandon(
  pool: pg.Pool,
  stripe: FakeStripe,
  { count, minutesAgo, isStuck }: { count: number; minutesAgo: number; isStuck: boolean },
): Promise<void> {
  const intentIds = Array.from({ length: count }, () => {
    const { id } = stripe.addIntent({ amount: 3590, currency: "usd", metadata: {} });
    if (isStuck) stripe.failNext({ path: `/v1/payment_intents/${id}/cancel`, how: 500, times: 1_000 });
    return id;
  });
  const at = new Date(Date.now() - (minutesAgo + 30) * 60_000);
  await writeOrders(
    pool,
    intentIds.map((intentId) => ({ intentId, at, status: "pending", isChecked: false })),
  );
  await pool.query("update stock set on_hand = on_hand + $1, reserved = reserved + $1", [count]);
}

async function untilPending(pool: pg.Pool, target: number, startedAt: number): Promise<void> {
  const count = "select count(*)::int as count from orders where status = 'pending'";
  while ((await pool.query(count)).rows[0].count > target) {
    if (performance.now() - startedAt > timeLimitMs) throw new Error("the orders did not end in time");
    await delay(250);
  }
}

/** Measures one run of many: the run before it has checked the older payments and stored its place in the event list. */
async function measureReconciliation(stripe: FakeStripe, { dataDir, env }: Bench): Promise<Figure[]> {
  const first = await startShop(dataDir, env);
  const { pool } = first;
  await untilIdle(pool);
  await fillHours(pool, stripe);
  await runNow(pool, "reconcile_payments");
  await delay(1_000);
  await untilIdle(pool);
  // Due for a check: the orders of the last five minutes.
  await pool.query(
    "update payments set next_check_at = null where created_at > now() - interval '6 minutes'",
  );
  await first.stop();
  const callsBefore = stripe.requests.length;
  const startedAt = performance.now();
  const second = await startShop(dataDir, env);
  await untilIdle(second.pool);
  const seconds = (performance.now() - startedAt) / 1_000;
  const calls = stripe.requests.length - callsBefore;
  await second.stop();
  const note = `(${calls} calls in a run of ${seconds.toFixed(0)} s, every 5 minutes)`;
  return [
    {
      name: "reconciliation: calls an order, at 50,000 a day",
      value: (calls * runsADay) / ordersADay,
      unit: "",
      target: { max: 1 },
      note,
    },
  ];
}

async function runNow(pool: pg.Pool, job: string): Promise<void> {
  await pool.query("update jobs set run_at = now() where key = $1", [`every:${job}`]);
}

/** Adds the last hours' orders of a large shop: most paid, some abandoned, a few still pending. */
async function fillHours(pool: pg.Pool, stripe: FakeStripe): Promise<void> {
  const count = Math.round((ordersADay / 24) * filledHours);
  const now = Date.now();
  const rows = Array.from({ length: count }, (_, index) => {
    const at = new Date(now - (1 - index / count) * filledHours * 3_600_000);
    const minutesAgo = (now - at.getTime()) / 60_000;
    const isPaid = index % 10 >= abandonedPerTen;
    const { id: intentId } = stripe.addIntent({
      amount: 3590,
      currency: "usd",
      metadata: {},
      created: Math.floor(at.getTime() / 1000),
      ...(isPaid ? { status: "succeeded", amount_received: 3590 } : {}),
    });
    const status = isPaid ? "completed" : minutesAgo > 30 ? "cancelled" : "pending";
    // Earlier runs have checked older pending orders.
    return { intentId, at, status, isChecked: minutesAgo > 6 };
  });
  await writeOrders(pool, rows);
}

type OrderRow = { intentId: string; at: Date; status: string; isChecked: boolean };

async function writeOrders(pool: pg.Pool, rows: readonly OrderRow[]): Promise<void> {
  await pool.query(
    `insert into visitors (id, token_hash) values ('00000000-0000-4000-8000-000000000000', '\\x00')
     on conflict do nothing`,
  );
  await pool.query(
    `with new_orders as materialized (
       select gen_random_uuid() as id, * from unnest($1::text[], $2::timestamptz[], $3::text[], $4::boolean[])
         as input(intent_id, at, status, is_checked)),
         inserted as (
       insert into orders (id, visitor_id, status, currency, email, customer_name, shipping_address, shipping_option_id,
         shipping_option_name, subtotal_cents, discount_cents, shipping_cents, tax_cents, total_cents, request_hash,
         created_at, expires_at, paid_at, giving_percent)
       select id, '00000000-0000-4000-8000-000000000000', status, 'USD', 'ada@example.com', 'Ada Obi',
         '1 Main St, Austin, TX 78701, United States', 'us-standard', 'Standard', 2995, 0, 595, 0, 3590, '\\x00',
         at, at + interval '30 minutes', case when status = 'completed' then at end, 20
         from new_orders),
         lines as (
       insert into order_lines (order_id, position, product_id, name, quantity, unit_price_cents, discount_cents, tax_cents)
       select id, 0, (select min(id) from products), 'Pure Batana Oil', 1, 2995, 0, 0 from new_orders)
     insert into payments (order_id, provider, revision, intent_id, status, amount_cents, currency, created_at, next_check_at)
     select id, 'stripe', 1, intent_id,
       case status when 'completed' then 'succeeded' when 'cancelled' then 'canceled' else 'requires_payment' end,
       3590, 'USD', at, case when is_checked then at + interval '30 minutes' end
       from new_orders`,
    [
      rows.map(({ intentId }) => intentId),
      rows.map(({ at }) => at),
      rows.map(({ status }) => status),
      rows.map(({ isChecked }) => isChecked),
    ],
  );
  await pool.query("vacuum analyze orders, order_lines, payments");
}

/** Waits until no job is due or running. */
async function untilIdle(pool: pg.Pool): Promise<void> {
  const activeJobs =
    "select from jobs where leased_until is not null or run_at <= now() and attempts < max_attempts limit 1";
  while ((await pool.query(activeJobs)).rowCount !== 0) await delay(100);
}
