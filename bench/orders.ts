import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { checkoutBody, goodCard } from "../test/checkout.ts";
import { startFakeSmtp } from "../test/fake-smtp.ts";
import { type Figure, percentile } from "./figures.ts";
import { fillOrders } from "./fill-panel.ts";
import { type KeepAliveClient, openClient, requestText } from "./keep-alive-client.ts";
import { measureRawRequest } from "./pages.ts";
import { cpuMsOf, familyOf } from "./processes.ts";
import { type ShopProcess, startShop } from "./shop-process.ts";

const buyers = 8;
const warmUpSeconds = 4;
const seconds = 10;
const settleMs = 20_000;
/** E-mails that are sent at once, and how long that may take (ms). */
const confirmations = 1_000;
const sentMs = 120_000;

/**
 * Concurrent buyers order and pay in the sandbox, each order as a new visitor. An order counts once it is `completed` in
 * the database; the clock stops at the last one.
 */
export async function measureOrders(shop: ShopProcess): Promise<Figure[]> {
  const rawMs = await measureRawRequest();
  const { url, pool } = shop;
  await pool.query("update stock set on_hand = 1000000");
  await buyFor(url, warmUpSeconds);
  await untilCompleted(pool);
  await untilSent(pool);
  const before = await countCompleted(pool);
  const costBefore = await readCost(shop);
  const begunAt = performance.now();
  const waits = await buyFor(url, seconds);
  await untilCompleted(pool);
  const elapsedSeconds = (performance.now() - begunAt) / 1_000;
  const orders = (await countCompleted(pool)) - before;
  if (orders !== waits.length) throw new Error(`${waits.length} orders were paid, but ${orders} completed`);
  await untilSent(pool);
  const cost = await readCost(shop);
  const cpuMs = (cost.cpuMs - costBefore.cpuMs) / orders;
  return [
    {
      name: "orders made and paid",
      value: orders / elapsedSeconds,
      unit: "/s",
      aim: { least: 200 },
      note: `(${orders} by ${buyers} clients, p99 ${percentile(waits, 0.99).toFixed(0)} ms)`,
    },
    { name: "to order and pay, p50", value: percentile(waits, 0.5), unit: "ms" },
    {
      name: "processor for one, in raw requests of 4 kB",
      value: cpuMs / rawMs,
      unit: "",
      aim: { most: 500 },
      note: `(${cpuMs.toFixed(1)} ms, a raw request ${(rawMs * 1000).toFixed(0)} µs; mail and jobs included)`,
    },
    {
      name: "commits for one",
      value: (cost.commits - costBefore.commits) / orders,
      unit: "",
      aim: { most: 6 },
    },
    {
      name: "write-ahead log for one",
      value: (cost.walKb - costBefore.walKb) / orders,
      unit: "kB",
      aim: { most: 16 },
    },
  ];
}

/** Cost so far: processor time of all the shop's processes, and the database's work. */
async function readCost({ pid, pool }: ShopProcess) {
  const { rows } = await pool.query(`select
    (select xact_commit::int from pg_stat_database where datname = current_database()) as commits,
    (pg_current_wal_insert_lsn() - '0/0')::float / 1024 as "walKb"`);
  return { cpuMs: cpuMsOf(familyOf(pid)), commits: rows[0].commits, walKb: rows[0].walKb };
}

/** Waits until no message is left to send. */
async function untilSent(pool: pg.Pool, { limitMs = settleMs, everyMs = 100 } = {}): Promise<void> {
  for (const until = Date.now() + limitMs; Date.now() < until; await delay(everyMs)) {
    const { rows } = await pool.query(
      "select count(*)::int as open from messages where status in ('queued', 'sending')",
    );
    if (rows[0].open === 0) return;
  }
  throw new Error("the mail was not sent in time");
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

/**
 * Confirmations that one server renders and sends per second to a mail server that accepts them at once, and the processor
 * time per confirmation over all of the shop's processes.
 */
export async function measureMail(dataDir: string): Promise<Figure[]> {
  const smtp = await startFakeSmtp();
  const shop = await startShop(dataDir, { SMTP_URL: smtp.url });
  const { url, pool } = shop;
  try {
    const client = await openClient(url);
    await buy(client);
    client.close();
    await untilCompleted(pool);
    await untilSent(pool);
    await fillOrders(pool, confirmations + 1);
    smtp.received.length = 0;
    const cpuBefore = cpuMsOf(familyOf(shop.pid));
    const begunAt = performance.now();
    await pool.query(`with inserted as (
        insert into messages (id, kind, channel, dedupe_key, order_id)
        select gen_random_uuid(), 'order_confirmation', 'email', 'order_confirmation:' || id, id from orders
        on conflict do nothing returning id)
      select graphile_worker.add_job('send_message', json_build_object('messageId', id), priority => 0::smallint)
      from inserted`);
    await untilSent(pool, { limitMs: sentMs, everyMs: 20 });
    const seconds = (performance.now() - begunAt) / 1_000;
    const ids = new Set(smtp.received.map(({ headers }) => headers.get("message-id")));
    if (ids.size !== confirmations || smtp.received.length !== confirmations) {
      throw new Error(
        `${confirmations} messages arrived as ${smtp.received.length}, ${ids.size} of them different`,
      );
    }
    const cpuMs = (cpuMsOf(familyOf(shop.pid)) - cpuBefore) / confirmations;
    return [
      {
        name: "confirmations sent by one server",
        value: confirmations / seconds,
        unit: "/s",
        aim: { least: 150 },
        note: `(${cpuMs.toFixed(1)} ms of processor for one)`,
      },
    ];
  } finally {
    await shop.stop();
    await smtp.close();
  }
}
