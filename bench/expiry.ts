import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { type FakeStripe, startFakeStripe } from "../test/fake-stripe.ts";
import { databaseUrlOf } from "../test/running-shop.ts";
import type { Figure } from "./figures.ts";
import { startShop } from "./shop-process.ts";

/** How long the payment provider takes for each call (ms). */
const callMs = 300;
/** Of the orders to be ended, one for so many is joined by an older one that cannot be. */
const stuckOneIn = 10;
const endWithinMs = 30 * 60_000;

const ordersADay = 50_000;
const runsADay = (24 * 60) / 5;
/** Of a shop so large: what its last hours left behind, more than one run reaches back. */
const hoursKept = 3;
/** Of 10 orders, so many are never paid. */
const abandonedOfTen = 4;

/**
 * Abandoned orders until the last of them has ended, and what reconciliation asks of the provider, against a Stripe that
 * takes 300 ms a call. The folder holds a shop that has been started before.
 */
export async function measureExpiry(dataDir: string, orders: number): Promise<Figure[]> {
  return [
    ...(await withStripe((stripe, env) => measureEnding(stripe, { dataDir, env, orders }))),
    // An account of its own: what was abandoned above is no part of such a shop's last hour.
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
      PAYMENTS: "stripe",
      STRIPE_SECRET_KEY: stripe.secretKey,
      STRIPE_PUBLISHABLE_KEY: "pk_test_fake",
      STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
      STRIPE_API_BASE: stripe.url,
      // Once at the start, and then not while it is watched.
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
  const stuck = Math.ceil(orders / stuckOneIn);
  let minutes = 0;
  let calls = 0;
  await withPool(dataDir, async (pool) => {
    await atRest(pool);
    await abandon(pool, stripe, { count: stuck, minutesAgo: 60, isStuck: true });
    await abandon(pool, stripe, { count: orders, minutesAgo: 5, isStuck: false });
    const callsBefore = stripe.requests.length;
    const begunAt = performance.now();
    await runNow(pool, "expire_orders");
    await untilPending(pool, stuck, begunAt);
    minutes = (performance.now() - begunAt) / 60_000;
    calls = stripe.requests.length - callsBefore;
    // What cannot end must not be asked about in what is measured next.
    await pool.query("update payments set status = 'canceled' where status = 'requires_payment'");
    await pool.query("update orders set status = 'cancelled' where status = 'pending'");
    await pool.query("update stock set reserved = 0");
  });
  await shop.stop();
  const note = `(${orders} in ${minutes.toFixed(1)} minutes, behind ${stuck} that cannot end)`;
  return [
    { name: "abandoned orders ended", value: orders / minutes, unit: "/min", aim: { least: 500 }, note },
    { name: "calls to end one", value: calls / (orders + stuck), unit: "" },
  ];
}

/** Pending orders whose time is over, with their units held and their intents at Stripe. */
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
    intentIds.map((intentId) => ({ intentId, at, status: "pending", isLooked: false })),
  );
  await pool.query("update stock set on_hand = on_hand + $1, reserved = reserved + $1", [count]);
}

async function untilPending(pool: pg.Pool, left: number, begunAt: number): Promise<void> {
  const count = "select count(*)::int as count from orders where status = 'pending'";
  while ((await pool.query(count)).rows[0].count > left) {
    if (performance.now() - begunAt > endWithinMs) throw new Error("the orders did not end in time");
    await delay(250);
  }
}

/** A run among many: the one before it has asked about what waited then, and has left the list to be read on. */
async function measureReconciliation(stripe: FakeStripe, { dataDir, env }: Bench): Promise<Figure[]> {
  const first = await startShop(dataDir, env);
  await withPool(dataDir, async (pool) => {
    await atRest(pool);
    await fillHours(pool, stripe);
    await runNow(pool, "reconcile_payments");
    await delay(1_000);
    await atRest(pool);
    // The orders of the last five minutes.
    await pool.query(
      "update payments set next_check_at = null where created_at > now() - interval '6 minutes'",
    );
  });
  await first.stop();
  const callsBefore = stripe.requests.length;
  const begunAt = performance.now();
  const second = await startShop(dataDir, env);
  await withPool(dataDir, atRest);
  const took = (performance.now() - begunAt) / 1_000;
  const calls = stripe.requests.length - callsBefore;
  await second.stop();
  const note = `(${calls} calls in a run of ${took.toFixed(0)} s, every 5 minutes)`;
  return [
    {
      name: "reconciliation: calls an order, at 50,000 a day",
      value: (calls * runsADay) / ordersADay,
      unit: "",
      aim: { most: 1 },
      note,
    },
  ];
}

async function withPool(dataDir: string, work: (pool: pg.Pool) => Promise<void>): Promise<void> {
  const pool = new pg.Pool({ connectionString: databaseUrlOf(dataDir), max: 1 });
  try {
    await work(pool);
  } finally {
    await pool.end();
  }
}

async function runNow(pool: pg.Pool, job: string): Promise<void> {
  await pool.query("update graphile_worker._private_jobs set run_at = now() where key = $1", [
    `every:${job}`,
  ]);
  await pool.query(`select pg_notify('jobs:insert', '{"count":1}')`);
}

/** What the last hours of a large shop have left: paid orders and abandoned ones, and some that still wait to be paid. */
async function fillHours(pool: pg.Pool, stripe: FakeStripe): Promise<void> {
  const count = Math.round((ordersADay / 24) * hoursKept);
  const now = Date.now();
  const made = Array.from({ length: count }, (_, nth) => {
    const at = new Date(now - (1 - nth / count) * hoursKept * 3_600_000);
    const minutesAgo = (now - at.getTime()) / 60_000;
    const isPaid = nth % 10 >= abandonedOfTen;
    const { id: intentId } = stripe.addIntent({
      amount: 3590,
      currency: "usd",
      metadata: {},
      created: Math.floor(at.getTime() / 1000),
      ...(isPaid ? { status: "succeeded", amount_received: 3590 } : {}),
    });
    const status = isPaid ? "completed" : minutesAgo > 30 ? "cancelled" : "pending";
    // Runs before this one have looked at those that waited then.
    return { intentId, at, status, isLooked: minutesAgo > 6 };
  });
  await writeOrders(pool, made);
}

type Made = { intentId: string; at: Date; status: string; isLooked: boolean };

async function writeOrders(pool: pg.Pool, made: readonly Made[]): Promise<void> {
  await pool.query(
    `insert into visitors (id, token_hash) values ('00000000-0000-4000-8000-000000000000', '\\x00')
     on conflict do nothing`,
  );
  await pool.query(
    `with made as materialized (
       select gen_random_uuid() as id, * from unnest($1::text[], $2::timestamptz[], $3::text[], $4::boolean[])
         as given(intent_id, at, status, is_looked)),
     placed as (
       insert into orders (id, visitor_id, status, currency, email, customer_name, shipping_address, shipping_option_id,
         shipping_option_name, subtotal_cents, discount_cents, shipping_cents, tax_cents, total_cents, request_hash,
         created_at, expires_at, paid_at, giving_percent)
       select id, '00000000-0000-4000-8000-000000000000', status, 'USD', 'ada@example.com', 'Ada Obi',
         '1 Main St, Austin, TX 78701, United States', 'us-standard', 'Standard', 2995, 0, 595, 0, 3590, '\\x00',
         at, at + interval '30 minutes', case when status = 'completed' then at end, 20
       from made),
     lined as (
       insert into order_lines (order_id, position, product_id, name, quantity, unit_price_cents, discount_cents, tax_cents)
       select id, 0, (select min(id) from products), 'Pure Batana Oil', 1, 2995, 0, 0 from made)
     insert into payments (order_id, provider, revision, intent_id, status, amount_cents, currency, created_at, next_check_at)
     select id, 'stripe', 1, intent_id,
       case status when 'completed' then 'succeeded' when 'cancelled' then 'canceled' else 'requires_payment' end,
       3590, 'USD', at, case when is_looked then at + interval '30 minutes' end
     from made`,
    [
      made.map(({ intentId }) => intentId),
      made.map(({ at }) => at),
      made.map(({ status }) => status),
      made.map(({ isLooked }) => isLooked),
    ],
  );
  await pool.query("vacuum analyze orders, order_lines, payments");
}

/** Until no job is due or being done. */
async function atRest(pool: pg.Pool): Promise<void> {
  const due =
    "select from graphile_worker.jobs where locked_at is not null or run_at <= now() and attempts < max_attempts limit 1";
  while ((await pool.query(due)).rowCount !== 0) await delay(100);
}
