import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { checkoutBody, goodCard } from "../test/checkout.ts";
import { percentile } from "./figures.ts";
import { type KeepAliveClient, openClient, requestText } from "./keep-alive-client.ts";
import { cpuMsOf, familyOf } from "./processes.ts";

const buyers = 8;
const warmUpSeconds = 4;
const seconds = 10;
const settleMs = 20_000;

/** `p50Ms` and `p99Ms` are of a purchase's two calls together. */
export type OrderSpeed = {
  orders: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Per order, with its e-mails and jobs: processor time of all the shop's processes, and the database's work. */
  cost: { cpuMs: number; commits: number; walKb: number };
};

/**
 * Concurrent buyers order and pay in the sandbox, each order as a new visitor. An order counts once it is `completed` in
 * the database; the clock stops at the last one.
 */
export async function measureOrders(shopUrl: string, shopPid: number, pool: pg.Pool): Promise<OrderSpeed> {
  await pool.query("update stock set on_hand = 1000000");
  await buyFor(shopUrl, warmUpSeconds);
  await untilCompleted(pool);
  await untilSent(pool);
  const before = await countCompleted(pool);
  const costBefore = await readCost(shopPid, pool);
  const begunAt = performance.now();
  const waits = await buyFor(shopUrl, seconds);
  await untilCompleted(pool);
  const elapsedSeconds = (performance.now() - begunAt) / 1_000;
  const orders = (await countCompleted(pool)) - before;
  if (orders !== waits.length) throw new Error(`${waits.length} orders were paid, but ${orders} completed`);
  await untilSent(pool);
  const cost = await readCost(shopPid, pool);
  return {
    cost: {
      cpuMs: (cost.cpuMs - costBefore.cpuMs) / orders,
      commits: (cost.commits - costBefore.commits) / orders,
      walKb: (cost.walKb - costBefore.walKb) / orders,
    },
    orders,
    perSecond: orders / elapsedSeconds,
    p50Ms: percentile(waits, 0.5),
    p99Ms: percentile(waits, 0.99),
  };
}

async function readCost(shopPid: number, pool: pg.Pool) {
  const { rows } = await pool.query(`select
    (select xact_commit::int from pg_stat_database where datname = current_database()) as commits,
    (pg_current_wal_insert_lsn() - '0/0')::float / 1024 as "walKb"`);
  return { cpuMs: cpuMsOf(familyOf(shopPid)), commits: rows[0].commits, walKb: rows[0].walKb };
}

/** Waits until no message is left to send. */
async function untilSent(pool: pg.Pool): Promise<void> {
  for (const until = Date.now() + settleMs; Date.now() < until; await delay(100)) {
    const { rows } = await pool.query(
      "select count(*)::int as open from messages where status in ('queued', 'sending')",
    );
    if (rows[0].open === 0) return;
  }
  throw new Error("the mail of the orders was not sent in time");
}

/** Returns how long (ms) each purchase took. */
async function buyFor(shopUrl: string, duration: number): Promise<number[]> {
  const until = performance.now() + duration * 1_000;
  const waits: number[] = [];
  await Promise.all(
    Array.from({ length: buyers }, async () => {
      const client = await openClient(shopUrl);
      while (performance.now() < until) {
        const begunAt = performance.now();
        await buy(client);
        waits.push(performance.now() - begunAt);
      }
      client.close();
    }),
  );
  return waits;
}

/** Places and pays one order. */
export async function buyOnce(shopUrl: string): Promise<void> {
  const client = await openClient(shopUrl);
  await buy(client);
  client.close();
}

let visitors = 0;

async function buy(client: KeepAliveClient): Promise<void> {
  visitors += 1;
  // Checkout is limited by address, so each buyer has another one.
  const headers = { "X-Forwarded-For": `10.${visitors >> 16}.${(visitors >> 8) & 255}.${visitors & 255}` };
  const body = checkoutBody({ email: `buyer-${visitors}@example.com` });
  const order = await client.send(
    requestText("POST", "/api/stripe/create-payment-intent", { headers, body }),
  );
  if (order.status !== 201) throw new Error(`ordering answered ${order.status}: ${order.body}`);
  const { paymentIntentId, clientSecret } = JSON.parse(order.body);
  const paid = await client.send(
    requestText("POST", `/api/sandbox/payment-intents/${paymentIntentId}/confirm`, {
      headers,
      body: { clientSecret, card: goodCard },
    }),
  );
  if (paid.status !== 200) throw new Error(`paying answered ${paid.status}: ${paid.body}`);
}

async function countCompleted(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query("select count(*)::int from orders where status = 'completed'");
  return rows[0].count;
}

async function untilCompleted(pool: pg.Pool): Promise<void> {
  const open = "select from orders where status = 'pending' limit 1";
  for (const until = Date.now() + settleMs; (await pool.query(open)).rowCount !== 0; await delay(10)) {
    if (Date.now() > until) throw new Error("paid orders were not completed in time");
  }
}
