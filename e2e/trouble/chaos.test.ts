import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { sql } from "drizzle-orm";
import pg from "pg";
import pino from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase } from "../../server/platform/database/database.ts";
import { startPostgres } from "../../server/platform/embedded-postgres/embedded-postgres.ts";
import { checkoutBody } from "../../test/checkout.ts";
import { type ReceivedMail, startFakeSmtp } from "../../test/fake-smtp.ts";
import { type FakeStripe, startFakeStripe } from "../../test/fake-stripe.ts";
import { accessCode, fragileShop } from "../../test/fragile-shop.ts";
import {
  bookedCents,
  emailsPaidTwice,
  failedJobs,
  findRuleViolations,
  offlineCents,
  unfinishedWork,
} from "../../test/order-rules.ts";
import { patienceMs } from "../../test/patience.ts";
import {
  type Parties,
  type PendingEditRefund,
  type RepeatedCall,
  racedOrders,
} from "../../test/raced-orders.ts";
import { numbersFrom } from "../../test/seeded.ts";
import { openTcpProxy, type TcpProxy } from "../../test/tcp-proxy.ts";

/**
 * Set these to repeat a failure or to test longer: `npm run test:longer`, or `CHAOS_ORDERS=500`, which takes some minutes.
 * The timing depends on the machine as well. Every 40 orders cover all scenarios.
 */
const seed = Number(process.env.CHAOS_SEED ?? 20_261_127);
const minOrders = Number(process.env.CHAOS_ORDERS ?? 40);

/** Per half. Limited, since each server start takes a core for two seconds, and a slow machine would get more of them. */
const maxFaults = Math.ceil(minOrders / 10);

const concurrentBuyers = 10;
const reservationSeconds = 6;
/** Number of orders that are unpaid when the keys change to another account. */
const unpaidAtKeyChange = 10;
/** Number of orders paid during the mail outage. */
const paidDuringOutage = 2;
const testMs = 10 * 60_000;

type Server = ReturnType<typeof fragileShop>;

const dataDir = mkdtempSync(join(tmpdir(), "palmira-chaos-"));
const log = pino({ level: "silent" });
let postgres: Awaited<ReturnType<typeof startPostgres>>;
let directDatabase: ReturnType<typeof openDatabase>;
let proxy: TcpProxy;
let smtp: Awaited<ReturnType<typeof startFakeSmtp>>;
const stripes: FakeStripe[] = [];
let servers: Server[] = [];
const allServers: Server[] = [];

beforeAll(async () => {
  postgres = await startPostgres({ dataDir, log, maxConnections: 100 });
  directDatabase = openDatabase(postgres.url, log);
  proxy = await openTcpProxy(postgres.url);
  smtp = await startFakeSmtp();
  servers = await startServers("first");
  ownerCookie = (await callUntilResponse("/api/admin/verify", { body: JSON.stringify({ accessCode }) }, 0))
    .cookie;
  await directDatabase.pool.query("update stock set on_hand = 1000000");
});

afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  await Promise.all(stripes.map((stripe) => stripe.stop()));
  await smtp.close();
  await proxy.close();
  await directDatabase.pool.end();
  await postgres.stop();
  for (const server of allServers) server.remove();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Two servers of one shop on one database, reached through the proxy, with the keys of a separate account. */
async function startServers(account: string): Promise<Server[]> {
  const stripe = await startFakeStripe({ secretKey: `sk_test_${account}` });
  stripes.push(stripe);
  const started = [1, 2].map(() =>
    fragileShop({
      DATABASE_URL: proxy.through(postgres.url),
      SESSION_SECRET: "the-same-on-both-servers",
      ...stripe.env,
      SMTP_URL: smtp.url,
      OWNER_EMAIL: "owner@example.com",
      TRUST_PROXY: "127.0.0.1",
      RESERVATION_S: String(reservationSeconds),
      RECONCILE_EVERY_S: "2",
      LOG_LEVEL: "error",
    }),
  );
  allServers.push(...started);
  for (const server of started) await server.start().opened;
  return started;
}

/** How many of each forty orders follow a scenario. */
const scenarioCounts = {
  pays: 13,
  pays_after_a_decline: 3,
  abandons: 4,
  pays_by_slow_bank: 3,
  pays_by_failing_bank: 1,
  gets_partial_refund: 2,
  cancels: 2,
  disputes_and_wins: 1,
  disputes_and_loses: 1,
  orders_twice_at_once: 1,
  edit_paid_then_refunded_by_owner: 1,
  edit_paid_then_refunded_at_provider: 1,
  edit_paid_then_partly_refunded: 1,
  edit_paid_after_refund_by_owner: 1,
  edit_paid_after_refund_at_provider: 1,
  edit_paid_after_partial_refund: 1,
  draft_paid_twice: 3,
};
type Scenario = keyof typeof scenarioCounts;

const editScenarios: { [scenario in Scenario]?: { refund: PendingEditRefund; isPaidFirst: boolean } } = {
  edit_paid_then_refunded_by_owner: { refund: "by_owner", isPaidFirst: true },
  edit_paid_then_refunded_at_provider: { refund: "at_provider", isPaidFirst: true },
  edit_paid_then_partly_refunded: { refund: "in_part", isPaidFirst: true },
  edit_paid_after_refund_by_owner: { refund: "by_owner", isPaidFirst: false },
  edit_paid_after_refund_at_provider: { refund: "at_provider", isPaidFirst: false },
  edit_paid_after_partial_refund: { refund: "in_part", isPaidFirst: false },
};

const races = racedOrders();
let ownerCookie = "";
/** Payments that succeeded at the provider: order id by payment id. */
const orderByPayment = new Map<string, string>();
const pendingDeliveries: Promise<unknown>[] = [];

test(
  `despite all faults, each order is settled once, and the books agree with the provider (seed ${seed}, ${minOrders} orders)`,
  async () => {
    const random = numbersFrom(seed);
    const ordersBeforeKeyChange = Math.ceil(minOrders * 0.6);
    await withFaults(random, () => placeOrders(0, ordersBeforeKeyChange));
    // A running shop that gets new keys has booked all payments, while some orders are still open.
    await waitUntilSettled();
    const unfinishedPayments = await Promise.all(
      Array.from({ length: unpaidAtKeyChange }, (_, index) => placeOrder(minOrders + index)),
    );
    await withoutMail(random, async () => {
      await Promise.all(servers.map((server) => server.kill("server")));
      servers = await startServers("second");
    });
    await withFaults(random, () => placeOrders(ordersBeforeKeyChange, minOrders));
    await waitUntilSettled();

    expect(await findRuleViolations(directDatabase.db)).toEqual([]);
    expect(await rows(unbookedPayments())).toEqual([]);
    expect(await rows(emailsPaidTwice)).toEqual([]);
    expect(await rows(sql`select * from messages where status = 'failed'`)).toEqual([]);
    expect(await rows(failedJobs)).toEqual([]);
    // No payment can still be made, except for those opened in the previous account.
    const abandoned = new Set(unfinishedPayments.map(({ intentId }) => intentId));
    expect(stripes.flatMap((stripe) => payableIntents(stripe)).filter((id) => !abandoned.has(id))).toEqual(
      [],
    );
    expect(await races.problems(directDatabase.db)).toEqual([]);
    // Mail is sent at least once; a server that is killed while it sends may send a message again.
    const receivedIds = new Set(smtp.received.map(readMessageId));
    expect((await readSentIds()).filter((id) => !receivedIds.has(id))).toEqual([]);
    expect(orderByPayment.size).toBeGreaterThan(minOrders / 2);
  },
  testMs,
);

/** Places orders while faults are injected, until both have finished. */
async function withFaults(random: () => number, work: () => Promise<void>): Promise<void> {
  let isDone = false;
  const injection = injectFaults(random, () => isDone);
  await work();
  isDone = true;
  await injection;
  currentStripe().endTrouble();
}

// Stops the mail server, as if for two minutes: the owner is alerted, and each message is sent once afterwards.
async function withoutMail(random: () => number, meanwhile: () => Promise<void>): Promise<void> {
  const arrivedBefore = smtp.received.length;
  const sentBefore = new Set(await readSentIds());
  await smtp.goAway();
  for (let index = 0; index < paidDuringOutage; index += 1) {
    await payAndDeliver(currentStripe(), await placeOrder(minOrders + unpaidAtKeyChange + index));
  }
  // Waits for the bookings, too: the keys of another account cannot read earlier payments.
  const deferredConfirmations = sql`select from messages where kind = 'order_confirmation' and status = 'queued' and attempts > 0`;
  await expect.poll(() => count(deferredConfirmations), { timeout: patienceMs }).toBe(paidDuringOutage);
  await expect
    .poll(() => count(sql`update mail_outage set since = since - interval '2 minutes' returning id`), {
      timeout: patienceMs,
    })
    .toBe(1);
  await meanwhile();
  const outage = async () =>
    (await createParties(minOrders, random).owner("GET", "/api/admin/news")).body.data.mailOutage;
  expect(await outage()).toMatchObject({ cause: "connection refused" });
  await smtp.comeBack();
  // Ends the pause after failed attempts, too.
  await directDatabase.pool.query(`update jobs set run_at = now()
    where name = 'send_message' and leased_until is null`);
  await expect.poll(outage, { timeout: patienceMs, interval: 500 }).toBeNull();
  await expect.poll(() => rows(unsentMail), { timeout: patienceMs, interval: 500 }).toEqual([]);
  const sent = (await readSentIds()).filter((id) => !sentBefore.has(id));
  expect(sent.length).toBeGreaterThanOrEqual(paidDuringOutage);
  expect(smtp.received.slice(arrivedBefore).map(readMessageId).sort()).toEqual(sent.sort());
}

const unsentMail = sql`select id, status from messages where status = 'queued'`;

/** Ids of all e-mails that the shop has recorded as sent. */
async function readSentIds(): Promise<string[]> {
  const { rows: sent } = await directDatabase.db.execute<{ id: string }>(
    sql`select id from messages where status = 'sent' and channel = 'email'`,
  );
  return sent.map(({ id }) => id);
}

function readMessageId({ headers }: ReceivedMail): string {
  return /^<(.+)@/.exec(headers.get("message-id") ?? "")?.[1] ?? "";
}

async function placeOrders(from: number, to: number): Promise<void> {
  let next = from;
  const lane = async () => {
    while (next < to) {
      const index = next;
      next += 1;
      await buy(index);
    }
  };
  await Promise.all(Array.from({ length: concurrentBuyers }, lane));
  // Waits for slow banks and delayed events.
  await Promise.all(pendingDeliveries);
}

const faults = [
  "one server killed",
  "both servers killed",
  "connections cut",
  "database silent",
  "stock locked",
  "provider slow",
  "provider fails",
  "database far away",
] as const;
/** Faults not injected yet in this round, which spans both halves, so that a short run injects each. */
let remainingFaults: (typeof faults)[number][] = [];

async function injectFaults(random: () => number, hasEnded: () => boolean): Promise<void> {
  let silenceCount = 0;
  for (let remaining = maxFaults; remaining > 0 && !hasEnded(); remaining -= 1) {
    if (remainingFaults.length === 0) remainingFaults = [...faults];
    const [kind] = remainingFaults.splice(Math.floor(random() * remainingFaults.length), 1);
    const stripe = currentStripe();
    const server = servers[random() < 0.5 ? 0 : 1];
    if (kind === "one server killed" && server) await restart([server], random);
    else if (kind === "both servers killed") await restart(servers, random);
    else if (kind === "connections cut") proxy.cut();
    else if (kind === "database silent" && silenceCount < 1) {
      silenceCount += 1;
      proxy.blackHole();
      await delay(1_000 + random() * 2_000);
      proxy.restore();
    } else if (kind === "stock locked") await lockStock(1_000 + random() * 2_000);
    else if (kind === "provider slow")
      stripe.slow({ path: "/v1/payment_intents", ms: 500 + random() * 2_000, times: 10 });
    else if (kind === "provider fails") {
      const how =
        (["hang", "lose", "cut", 500, 409, "fail-after-work"] as const)[Math.floor(random() * 6)] ?? "cut";
      stripe.failNext({ path: "/v1/", how, times: 1 + Math.floor(random() * 5), after: 3 });
    } else proxy.delay(random() < 0.5 ? 20 : 0);
    await delay(300 + random() * 1_200);
  }
  proxy.delay(0);
}

async function restart(targets: Server[], random: () => number): Promise<void> {
  await Promise.all(targets.map((server) => server.kill("server")));
  await delay(random() * 500);
  await Promise.all(targets.map(restartServer));
}

/** Restarts like a supervisor: a start that meets a locked row ends with exit code 1. */
async function restartServer(server: Server): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await server.start().opened;
      return;
    } catch (error) {
      if (tries === 10) throw error;
      await delay(500);
    }
  }
}

async function lockStock(ms: number): Promise<void> {
  // Without time limits: a server that lost its connection may hold the row's lock for a while.
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  await client.query("begin; select from stock for update");
  await delay(ms);
  await client.end();
}

async function buy(index: number): Promise<void> {
  const random = numbersFrom(seed + 7_919 * index);
  const scenario = pickScenario(index);
  const actors = createParties(index, random);
  const { stripe } = actors;
  if (scenario === "draft_paid_twice") {
    return races.payDraftTwice(actors, `draft-${index}@example.com`);
  }
  const edit = editScenarios[scenario];
  const quantity = edit?.refund === "in_part" ? 2 : 1 + (index % 3);
  const order = await placeOrder(index, { quantity, isTwice: scenario === "orders_twice_at_once" });
  if (edit) {
    await payAndDeliver(stripe, order);
    return races.refundWhileEditWaits(actors, order, edit);
  }
  const isOpen = () => stripe.intent(order.intentId).status === "requires_payment_method";
  await delay(random() * 200);
  if (scenario === "abandons" || !isOpen()) return;
  if (scenario.startsWith("pays_by")) {
    deliverUnreliably(stripe, random, () => stripe.processing(order.intentId));
    pendingDeliveries.push(
      delay(random() * 2_000 * reservationSeconds).then(() =>
        scenario === "pays_by_slow_bank"
          ? pay(stripe, order, random)
          : deliverUnreliably(stripe, random, () => stripe.decline(order.intentId)),
      ),
    );
    return;
  }
  if (scenario === "pays_after_a_decline")
    deliverUnreliably(stripe, random, () => stripe.decline(order.intentId));
  pay(stripe, order, random);
  if (scenario === "gets_partial_refund") {
    deliverUnreliably(stripe, random, () => stripe.refundFromDashboard(order.intentId, 500));
  } else if (scenario === "cancels") {
    await cancel(order);
  } else if (scenario.startsWith("disputes")) {
    deliverUnreliably(stripe, random, () => stripe.dispute(order.intentId));
    const { id } = stripe.findDispute(order.intentId);
    pendingDeliveries.push(
      delay(random() * 5_000).then(() =>
        deliverUnreliably(stripe, random, () =>
          stripe.closeDispute(id, scenario === "disputes_and_wins" ? "won" : "lost"),
        ),
      ),
    );
  }
}

function pay(stripe: FakeStripe, { intentId, orderId }: PlacedOrder, random: () => number): void {
  if (stripe.intent(intentId).status === "canceled") return;
  deliverUnreliably(stripe, random, () => stripe.pay(intentId));
  orderByPayment.set(intentId, orderId);
}

/** Delivers the provider's events of an action late, twice or not at all. */
function deliverUnreliably(stripe: FakeStripe, random: () => number, action: () => unknown): void {
  const first = stripe.events.length;
  action();
  for (const event of stripe.events.slice(first)) {
    if (random() < 0.3) continue;
    const times = random() < 0.2 ? 2 : 1;
    for (let time = 0; time < times; time += 1) {
      const lateMs = random() < 0.2 ? random() * 6_000 : random() * 300;
      pendingDeliveries.push(delay(lateMs).then(() => post("/api/stripe/webhook", stripe.sign(event))));
    }
  }
}

/** Pays, and repeats the webhook until the shop has accepted it. */
async function payAndDeliver(stripe: FakeStripe, { intentId, orderId }: PlacedOrder): Promise<void> {
  const event = stripe.pay(intentId);
  orderByPayment.set(intentId, orderId);
  await callUntilResponse("/api/stripe/webhook", stripe.sign(event), 0);
}

type PlacedOrder = { orderId: string; intentId: string; cookie: string };

/**
 * Places an order, repeating the call until it gets a response, as the shop's own pages do. If the order expires before its
 * payment is opened, places another one under a new key.
 */
async function placeOrder(
  index: number,
  { quantity = 1 + (index % 3), isTwice = false, retries = 0 } = {},
): Promise<PlacedOrder> {
  const email = `buyer-${index}@example.com`;
  const body = JSON.stringify(checkoutBody({ email, quantity }));
  const headers = { "Idempotency-Key": `${email} ${retries}`, ...addressHeaders(index) };
  const call = () => callUntilResponse("/api/stripe/create-payment-intent", { body, headers }, index);
  const [first, second] = await Promise.all(isTwice ? [call(), call()] : [call()]);
  if (first?.status === 409 && retries < 10) {
    return placeOrder(index, { quantity, isTwice, retries: retries + 1 });
  }
  if (first?.status !== 201) throw new Error(`No order: ${first?.status} ${JSON.stringify(first?.body)}`);
  if (second) expect(second.body.orderId).toBe(first.body.orderId);
  return {
    orderId: first.body.orderId,
    intentId: first.body.paymentIntentId,
    cookie: first.cookie,
  };
}

function addressHeaders(index: number): Record<string, string> {
  return { "X-Forwarded-For": `10.${index >> 8}.${index & 255}.7` };
}

/** Calls of the owner and the buyer, which reach different servers while both run. */
function createParties(index: number, random: () => number): Parties {
  const stripe = currentStripe();
  const callAs =
    (identity: Record<string, string>, first: number): RepeatedCall =>
    (method, path, body, headers) =>
      callUntilResponse(
        path,
        { method, ...(body && { body: JSON.stringify(body) }), headers: { ...identity, ...headers } },
        first,
      );
  return {
    owner: callAs({ Cookie: ownerCookie }, index),
    buyer: callAs(addressHeaders(index), index + 1),
    stripe,
    deliverEventsFrom: (action) => deliverUnreliably(stripe, random, action),
    random,
  };
}

async function cancel({ orderId, cookie }: PlacedOrder): Promise<void> {
  const response = await callUntilResponse(
    `/api/orders/${orderId}/cancel`,
    { body: "{}", headers: { Cookie: cookie } },
    0,
  );
  // Refused if the shop has not received the payment yet, or if the order is disputed or has ended.
  expect([200, 202, 404, 409]).toContain(response.status);
}

// biome-ignore lint/suspicious/noExplicitAny: JSON of every shape
type ApiResponse = { status: number; body: any; cookie: string };
type Call = { method?: string; body?: string; headers?: Record<string, string>; signature?: string };

async function callUntilResponse(
  path: string,
  call: Call,
  first: number,
): Promise<ApiResponse & { tries: number }> {
  for (let attempt = first, deadline = Date.now() + patienceMs; Date.now() < deadline; attempt += 1) {
    const response = await post(path, call, attempt);
    if (response && response.status < 500) return { ...response, tries: attempt - first + 1 };
    await delay(50);
  }
  throw new Error(`${path} was not answered in ${patienceMs} ms`);
}

/** Null: no response. */
async function post(
  path: string,
  { method = "POST", body, headers, signature }: Call,
  serverIndex = Date.now(),
): Promise<ApiResponse | null> {
  const url = servers[serverIndex % servers.length]?.url();
  if (!url) return null;
  try {
    const response = await fetch(url + path, {
      method,
      ...(body !== undefined && { body }),
      headers: {
        "Content-Type": "application/json",
        ...(signature && { "Stripe-Signature": signature }),
        ...headers,
      },
      signal: AbortSignal.timeout(40_000),
    });
    const cookie = response.headers.getSetCookie()[0]?.split(";")[0] ?? "";
    return { status: response.status, body: await response.json().catch(() => null), cookie };
  } catch {
    return null;
  }
}

/** Waits until the shop has finished its work without further events. */
async function waitUntilSettled(): Promise<void> {
  // Simulates an hour: claims of killed servers have expired, and so have the pauses after failed checks.
  for (const table of ["payments", "refunds"]) {
    await directDatabase.pool.query(`update ${table} set next_check_at = next_check_at - interval '1 hour'`);
  }
  await directDatabase.pool.query(`update payments set opening_until = opening_until - interval '1 hour',
    created_at = created_at - interval '1 hour' where status = 'opening'`);
  await expect.poll(() => rows(unfinishedWork), { timeout: 3 * patienceMs, interval: 500 }).toEqual([]);
  const providerCents = () =>
    stripes.reduce(
      (sum, stripe) => sum + stripe.captured() - stripe.refunded() - stripe.disputed().withdrawn,
      0,
    );
  const bookedOnlineCents = async () =>
    (await bookedCents(directDatabase.db)) - (await offlineCents(directDatabase.db));
  await expect
    .poll(async () => (await bookedOnlineCents()) - providerCents(), {
      timeout: 2 * patienceMs,
      interval: 500,
    })
    .toBe(0);
  await expect.poll(() => rows(unfinishedWork), { timeout: patienceMs, interval: 500 }).toEqual([]);
}

function unbookedPayments() {
  return sql`select made.key as intent, o.status from json_each_text(${JSON.stringify(Object.fromEntries(orderByPayment))}::json) as made
    left join orders o on o.id::text = made.value
    left join payments p on p.order_id = o.id and p.intent_id = made.key and p.status = 'succeeded'
    where p.id is null or o.paid_at is null`;
}

function payableIntents(stripe: FakeStripe): string[] {
  return stripe
    .intents()
    .flatMap(({ id, status }) => (["succeeded", "canceled"].includes(status) ? [] : [id]));
}

async function rows(query: ReturnType<typeof sql>): Promise<unknown[]> {
  return (await directDatabase.db.execute(query)).rows;
}

async function count(query: ReturnType<typeof sql>): Promise<number> {
  return (await rows(query)).length;
}

function currentStripe(): FakeStripe {
  const stripe = stripes.at(-1);
  if (!stripe) throw new Error("no provider was started");
  return stripe;
}

/** Shuffles the scenarios anew for every forty orders. */
function pickScenario(index: number): Scenario {
  const deck = Object.entries(scenarioCounts).flatMap(([scenario, times]) =>
    Array<Scenario>(times).fill(scenario as Scenario),
  );
  const random = numbersFrom(seed + 104_729 * Math.floor(index / deck.length));
  const shuffled = deck.map((scenario) => ({ scenario, at: random() })).sort((a, b) => a.at - b.at);
  return shuffled[index % deck.length]?.scenario ?? "pays";
}
