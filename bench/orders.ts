import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { checkoutBody, goodCard } from "../test/checkout.ts";
import { startFakeSmtp } from "../test/fake-smtp.ts";
import { startFakeStripe } from "../test/fake-stripe.ts";
import { type Figure, percentile } from "./figures.ts";
import { fillOrders } from "./fill-panel.ts";
import { type KeepAliveClient, openClient, requestText } from "./keep-alive-client.ts";
import { measureRawRequest } from "./pages.ts";
import { postgresAndOthers, processTree, readCpuMs } from "./processes.ts";
import { type ShopProcess, startShop } from "./shop-process.ts";

const buyers = 8;
const warmUpSeconds = 4;
const seconds = 10;
/** Blocks of a comparison are short, so that other load on the machine affects each kind equally. */
const blockSeconds = 5;
const blockRounds = 4;
const settleMs = 20_000;
/** Number of e-mails that `measureMail` sends. */
const confirmations = 1_000;
/** Time limit (ms) for sending them. */
const mailTimeoutMs = 120_000;

/** Times are processor time. A flush writes the log to the disk; simultaneous commits share one. */
const noCost = { nodeMs: 0, postgresMs: 0, statements: 0, commits: 0, flushes: 0, walKb: 0 };
const noSums = { orders: 0, seconds: 0, ...noCost };
const sumNames = <Sums extends object>(sums: Sums) => Object.keys(sums) as (keyof Sums)[];
/** Sums over orders. `waits`: duration of each purchase (ms). */
type OrderCosts = typeof noSums & { waits: number[] };

/**
 * Concurrent buyers order and pay in the sandbox, each order as a new visitor. An order counts once it is `completed` in
 * the database; the clock stops at the last one.
 */
export async function measureOrders(shop: ShopProcess): Promise<Figure[]> {
  const rawMs = await measureRawRequest();
  const { pool } = shop;
  await pool.query("update stock set on_hand = 1000000");
  const benchedShop = { ...shop, buy };
  await buyFor(benchedShop, warmUpSeconds);
  await untilCompleted(pool);
  await untilSent(pool);
  return orderFigures(await measureBlock(benchedShop, seconds), rawMs);
}

function orderFigures(costs: OrderCosts, rawMs: number): Figure[] {
  const { orders, waits } = costs;
  const cpuMs = (costs.nodeMs + costs.postgresMs) / orders;
  return [
    {
      name: "orders made and paid",
      value: orders / costs.seconds,
      unit: "/s",
      target: { min: 200 },
      note: `(${orders} by ${buyers} clients, p99 ${percentile(waits, 0.99).toFixed(0)} ms)`,
    },
    { name: "to order and pay, p50", value: percentile(waits, 0.5), unit: "ms" },
    {
      name: "processor time of an order, in raw requests of 4 kB",
      value: cpuMs / rawMs,
      unit: "",
      target: { max: 500 },
      note: `(${cpuMs.toFixed(1)} ms, a raw request ${(rawMs * 1000).toFixed(0)} µs; mail and jobs included)`,
    },
    { name: "commits of an order", value: costs.commits / orders, unit: "", target: { max: 6 } },
    { name: "write-ahead log of an order", value: costs.walKb / orders, unit: "kB", target: { max: 20 } },
  ];
}

/** A running shop, with the function by which a buyer orders and pays there. */
type BenchedShop = ShopProcess & { buy: typeof buy };

async function measureBlock(benchedShop: BenchedShop, duration: number): Promise<OrderCosts> {
  const { pool } = benchedShop;
  const ordersBefore = await countCompleted(pool);
  const costBefore = await readCost(benchedShop);
  const startedAt = performance.now();
  const waits = await buyFor(benchedShop, duration);
  await untilCompleted(pool);
  const elapsedSeconds = (performance.now() - startedAt) / 1_000;
  const orders = (await countCompleted(pool)) - ordersBefore;
  if (orders !== waits.length) throw new Error(`${waits.length} orders were paid, but ${orders} completed`);
  await untilSent(pool);
  const costAfter = await readCost(benchedShop);
  const costs = { ...noCosts(), orders, seconds: elapsedSeconds, waits };
  for (const name of sumNames(noCost)) costs[name] = costAfter[name] - costBefore[name];
  return costs;
}

/**
 * Measures the cost of an order in this copy of the repository and, if there is one, in `otherCopy`, in alternating short blocks,
 * each with mail and without, in two set-ups: the sandbox with the mail folder, and a fake Stripe with a mail server that accepts
 * everything.
 */
export async function compareOrders(newFolder: () => string, otherCopy: string | undefined): Promise<void> {
  const checkouts = [undefined, ...(otherCopy === undefined ? [] : [otherCopy])];
  const shops: { name: string; benchedShop: BenchedShop; costs: Record<"all" | "unmailed", OrderCosts> }[] =
    [];
  const closers: (() => Promise<unknown>)[] = [];
  try {
    for (const checkout of checkouts) {
      for (const kind of ["sandbox", "Stripe and SMTP"] as const) {
        const services = kind === "sandbox" ? null : await startFakeServices();
        if (services) closers.unshift(services.close);
        const shop = await startCountingShop(newFolder(), services?.env ?? {}, checkout);
        closers.unshift(() => shop.stop());
        await shop.pool.query("update stock set on_hand = 1000000");
        const benchedShop = { ...shop, buy: services?.buy ?? buy };
        await buyFor(benchedShop, warmUpSeconds);
        await untilCompleted(shop.pool);
        await untilSent(shop.pool);
        const name = `${kind}${checkout === undefined ? "" : `, ${checkout}`}`;
        shops.push({ name, benchedShop, costs: { all: noCosts(), unmailed: noCosts() } });
      }
    }
    for (let round = 0; round < blockRounds; round += 1) {
      for (const { benchedShop, costs } of round % 2 === 0 ? shops : shops.toReversed()) {
        addCosts(costs.all, await measureBlock(benchedShop, blockSeconds));
        await benchedShop.pool.query(
          "create trigger no_mail before insert on messages for each row execute function no_mail()",
        );
        addCosts(costs.unmailed, await measureBlock(benchedShop, blockSeconds));
        await benchedShop.pool.query("drop trigger no_mail on messages");
      }
    }
    printOrderCosts(shops);
  } finally {
    for (const close of closers) await close();
  }
}

function printOrderCosts(
  shops: readonly { name: string; costs: Record<"all" | "unmailed", OrderCosts> }[],
): void {
  console.log("\nOne order, on average; in brackets without mail");
  for (const { name, costs } of shops) {
    console.log(`\n  ${name} (${costs.all.orders} and ${costs.unmailed.orders} orders)`);
    const [values, unmailedValues] = [costValues(costs.all), costValues(costs.unmailed)];
    for (const [title, value] of Object.entries(values)) {
      const withoutMail = (unmailedValues[title] ?? 0).toFixed(2);
      console.log(`    ${title.padEnd(12)} ${value.toFixed(2).padStart(8)}  (${withoutMail})`);
    }
    const share = 1 - (unmailedValues["cpu ms"] ?? 0) / (values["cpu ms"] ?? 1);
    console.log(`    share of mail in processor time: ${(share * 100).toFixed(0)} %`);
  }
}

function costValues({ orders, ...costs }: OrderCosts): Record<string, number> {
  return {
    "cpu ms": (costs.nodeMs + costs.postgresMs) / orders,
    node: costs.nodeMs / orders,
    PostgreSQL: costs.postgresMs / orders,
    statements: costs.statements / orders,
    commits: costs.commits / orders,
    flushes: costs.flushes / orders,
    "log kB": costs.walKb / orders,
    "orders/s": orders / costs.seconds,
    "p50 ms": percentile(costs.waits, 0.5),
  };
}

const noCosts = (): OrderCosts => ({ ...noSums, waits: [] });

function addCosts(total: OrderCosts, block: OrderCosts): void {
  for (const name of sumNames(noSums)) total[name] += block[name];
  total.waits.push(...block.waits);
}

/** Stand-ins for Stripe and a mail server, in this process, so that their processor time does not count. */
async function startFakeServices() {
  const stripe = await startFakeStripe();
  const smtp = await startFakeSmtp();
  return {
    env: {
      ...stripe.env,
      SMTP_URL: smtp.url,
    },
    async buy(client: KeepAliveClient) {
      const { paymentIntentId } = await placeOrder(client);
      const { body, signature } = stripe.sign(stripe.pay(paymentIntentId));
      const headers = { "Stripe-Signature": signature };
      const response = await client.send(
        requestText("POST", "/api/stripe/webhook", { headers, body: JSON.parse(body) }),
      );
      if (response.status !== 200)
        throw new Error(`the webhook answered ${response.status}: ${response.body}`);
      smtp.received.length = 0;
    },
    close: () => Promise.all([stripe.stop(), smtp.close()]),
  };
}

/** A shop whose database counts statements and can leave out all mail. */
async function startCountingShop(
  dataDir: string,
  env: Record<string, string>,
  checkout: string | undefined,
): Promise<ShopProcess> {
  const first = await startShop(dataDir, env, checkout);
  await first.pool.query("alter system set shared_preload_libraries = 'pg_stat_statements'");
  // The full-page images after a checkpoint would count for the shop that is being measured at that moment.
  await first.pool.query("alter system set checkpoint_timeout = '1h'");
  await first.pool.query("create extension pg_stat_statements");
  await first.pool.query(
    "create function no_mail() returns trigger language plpgsql as 'begin return null; end'",
  );
  await first.stop();
  return startShop(dataDir, env, checkout);
}

/** Costs until now: processor time of all the shop's processes, and the database's work. */
async function readCost({ pid, pool }: ShopProcess) {
  const { rows } = await pool.query(`select
    (select xact_commit::int from pg_stat_database where datname = current_database()) as commits,
    (select sum(fsyncs)::int from pg_stat_io where object = 'wal') as flushes,
    (pg_current_wal_insert_lsn() - '0/0')::float / 1024 as "walKb",
    to_regclass('pg_stat_statements') is not null as "isCounting"`);
  const { commits, flushes, walKb, isCounting } = rows[0];
  const statements = isCounting
    ? await pool.query("select sum(calls)::int as calls from pg_stat_statements")
    : null;
  const [postgres, others] = postgresAndOthers(processTree(pid));
  return {
    nodeMs: readCpuMs(others),
    postgresMs: readCpuMs(postgres),
    statements: statements?.rows[0].calls ?? Number.NaN,
    commits,
    flushes,
    walKb,
  };
}

/** Waits until no message is left to send. */
async function untilSent(pool: pg.Pool, { limitMs = settleMs, everyMs = 100 } = {}): Promise<void> {
  for (const until = Date.now() + limitMs; Date.now() < until; await delay(everyMs)) {
    const { rows } = await pool.query("select count(*)::int as open from messages where status = 'queued'");
    if (rows[0].open === 0) return;
  }
  throw new Error("the mail was not sent in time");
}

/** Lets buyers purchase for `duration` seconds; returns how long (ms) each purchase took. */
async function buyFor({ url, buy }: Pick<BenchedShop, "url" | "buy">, duration: number): Promise<number[]> {
  const until = performance.now() + duration * 1_000;
  const waits: number[] = [];
  await Promise.all(
    Array.from({ length: buyers }, async () => {
      const client = await openClient(url);
      while (performance.now() < until) {
        const startedAt = performance.now();
        await buy(client);
        waits.push(performance.now() - startedAt);
      }
      client.close();
    }),
  );
  return waits;
}

let visitors = 0;

async function placeOrder(client: KeepAliveClient) {
  visitors += 1;
  // Checkout is limited by network address, so each buyer has a different one.
  const headers = { "X-Forwarded-For": `10.${visitors >> 16}.${(visitors >> 8) & 255}.${visitors & 255}` };
  const body = checkoutBody({ email: `buyer-${visitors}@example.com` });
  const order = await client.send(
    requestText("POST", "/api/stripe/create-payment-intent", { headers, body }),
  );
  if (order.status !== 201) throw new Error(`ordering answered ${order.status}: ${order.body}`);
  const { paymentIntentId, clientSecret } = JSON.parse(order.body);
  return { headers, paymentIntentId, clientSecret };
}

/** Places an order in the sandbox and pays it. */
export async function buy(client: KeepAliveClient): Promise<void> {
  const { headers, paymentIntentId, clientSecret } = await placeOrder(client);
  const response = await client.send(
    requestText("POST", `/api/sandbox/payment-intents/${paymentIntentId}/confirm`, {
      headers,
      body: { clientSecret, card: goodCard },
    }),
  );
  if (response.status !== 200) throw new Error(`paying answered ${response.status}: ${response.body}`);
}

async function countCompleted(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query("select count(*)::int from orders where status = 'completed'");
  return rows[0].count;
}

async function untilCompleted(pool: pg.Pool): Promise<void> {
  const pendingOrders = "select from orders where status = 'pending' limit 1";
  for (
    const until = Date.now() + settleMs;
    (await pool.query(pendingOrders)).rowCount !== 0;
    await delay(10)
  ) {
    if (Date.now() > until) throw new Error("paid orders were not completed in time");
  }
}

/**
 * Confirmations that one server renders and sends per second to a mail server that accepts them immediately, and the processor
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
    const cpuBefore = readCpuMs(processTree(shop.pid));
    const startedAt = performance.now();
    await pool.query(`with inserted as (
        insert into messages (id, kind, channel, dedupe_key, order_id)
        select gen_random_uuid(), 'order_confirmation', 'email', 'order_confirmation:' || id, id from orders
        on conflict do nothing returning id)
      insert into jobs (name, lane, payload, max_attempts)
      select 'send_message', 'mail', jsonb_build_object('messageId', id), 12 from inserted`);
    await untilSent(pool, { limitMs: mailTimeoutMs, everyMs: 20 });
    const seconds = (performance.now() - startedAt) / 1_000;
    const ids = new Set(smtp.received.map(({ headers }) => headers.get("message-id")));
    if (ids.size !== confirmations || smtp.received.length !== confirmations) {
      throw new Error(
        `${confirmations} messages arrived as ${smtp.received.length}, ${ids.size} of them different`,
      );
    }
    const cpuMs = (readCpuMs(processTree(shop.pid)) - cpuBefore) / confirmations;
    return [
      {
        name: "confirmations sent by one server",
        value: confirmations / seconds,
        unit: "/s",
        target: { min: 150 },
        note: `(${cpuMs.toFixed(1)} ms of processor for one)`,
      },
    ];
  } finally {
    await shop.stop();
    await smtp.close();
  }
}
