import pg from "pg";
import { Stripe } from "stripe";
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test, vi } from "vitest";
import { order } from "../../test/checkout.ts";
import { createTestDatabase } from "../../test/database.ts";
import { patienceMs } from "../../test/patience.ts";
import { type ApiResponse, openTestShop, type TestShop } from "../../test/shop.ts";
import { openTcpProxy, type TcpProxy } from "../../test/tcp-proxy.ts";
import { defaultDatabaseLimits, queueConnections } from "../platform/database/database-limits.ts";

/** A connection of another program to the shop's database. */
async function connectOtherProgram(shop: TestShop): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: shop.database.directUrl });
  client.on("error", () => {});
  onTestFinished(() => client.end().catch(() => {}));
  await client.connect();
  return client;
}

const diskFull = "raise exception 'could not extend file' using errcode = '53100'";

/** Checks out while a trigger runs `statement` in the order's transaction. */
async function orderWhile(shop: TestShop, statement: string): Promise<ApiResponse> {
  const otherProgram = await connectOtherProgram(shop);
  await otherProgram.query(
    `create function trouble() returns trigger language plpgsql as $$ begin ${statement}; return new; end $$`,
  );
  await otherProgram.query(
    "create trigger trouble before insert on orders for each row execute function trouble()",
  );
  const response = await order(shop.browser());
  await otherProgram.query("drop function trouble cascade");
  return response;
}

const webhookSecret = "whsec_trouble";
/** A webhook event of the payment provider. */
function sendPaymentEvent(shop: TestShop) {
  const body = JSON.stringify({
    id: "evt_1",
    type: "payment_intent.succeeded",
    created: Math.floor(Date.now() / 1000),
    livemode: false,
    data: { object: { id: "pi_1", object: "payment_intent", metadata: {} } },
  });
  const signature = Stripe.webhooks.generateTestHeaderString({ payload: body, secret: webhookSecret });
  const headers = { "Stripe-Signature": signature };
  return shop.browser().fetch("/api/stripe/webhook", { method: "POST", body, headers });
}

/** Waits until several calls are blocked by a locked row. */
async function waitUntilCallsWait(watcher: pg.Client): Promise<void> {
  await vi.waitFor(async () => {
    const { rows } = await watcher.query(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    expect(rows.length).toBeGreaterThan(1);
  }, patienceMs);
}

const addToCart = (shop: TestShop) => shop.browser().post("/api/cart/add", { productId: 1, quantity: 1 });
const readReadiness = async (shop: TestShop) => {
  const { status, body } = await shop.browser().get("/readyz");
  return { code: status, degraded: body.degraded };
};
const readyResponse = { code: 200, degraded: undefined };
const statusAndError = ({ status, body, headers }: ApiResponse) => [
  status,
  body.error,
  headers.get("retry-after"),
];
const message = {
  name: "Ada",
  email: "ada@example.com",
  subject: "order",
  message: "How long does it keep?",
};
const unavailableResponse = [503, "unavailable", "5"];

describe("on a working database", () => {
  let shop: TestShop;
  beforeAll(async () => {
    shop = await openTestShop({ STRIPE_WEBHOOK_SECRET: webhookSecret });
  });
  afterAll(() => shop.stop());

  test("checkouts that wait for a locked row are refused in time and delay no other call", async () => {
    const buyer = shop.browser();
    const { paymentIntentId } = (await order(buyer)).body;
    const [holder, watcher] = [await connectOtherProgram(shop), await connectOtherProgram(shop)];
    await holder.query("begin");
    await holder.query("select from stock for update");

    let endedCheckouts = 0;
    const startTwelveCheckouts = () =>
      Array.from({ length: 12 }, () =>
        order(shop.browser()).finally(() => {
          endedCheckouts += 1;
        }),
      );
    const checkouts = startTwelveCheckouts();
    await waitUntilCallsWait(watcher);

    expect(await readReadiness(shop)).toEqual(readyResponse);
    for (const path of ["/", "/api/products", "/orders", "/api/openapi.json", "/sitemap.xml"]) {
      expect([path, (await shop.browser().get(path)).status]).toEqual([path, 200]);
    }
    const carts = await Promise.all(Array.from({ length: 20 }, () => addToCart(shop)));
    expect(new Set(carts.map(({ status }) => status))).toEqual(new Set([200]));
    // On a busy machine, the first twelve may already have been refused.
    checkouts.push(...startTwelveCheckouts());
    expect((await shop.browser().post("/api/contact", message)).status).toBeLessThan(300);
    const signInResponse = await shop.browser().post("/api/admin/verify", { accessCode: "open-sesame-1234" });
    expect(signInResponse.status).toBe(200);
    expect((await buyer.get(`/api/stripe/payment-intent/${paymentIntentId}`)).status).toBe(200);
    expect((await sendPaymentEvent(shop)).status).toBe(200);
    expect(endedCheckouts, "some checkouts must still be waiting").toBeLessThan(24);

    expect((await Promise.all(checkouts)).map(statusAndError)).toEqual(Array(24).fill(unavailableResponse));
    await holder.query("rollback");
    expect((await order(shop.browser())).status).toBe(201);
  });

  test("pages that wait for a locked order delay no other page", async () => {
    const [holder, watcher] = [await connectOtherProgram(shop), await connectOtherProgram(shop)];
    const buyer = shop.browser();
    const { orderId, paymentIntentId } = (await order(buyer)).body;
    await holder.query("begin");
    await holder.query("select from orders where id = $1 for update", [orderId]);

    let ended = 0;
    const waitingPages = Array.from({ length: 6 }, () =>
      buyer.get(`/checkout/success?session_id=${paymentIntentId}`).finally(() => {
        ended += 1;
      }),
    );
    await waitUntilCallsWait(watcher);
    expect((await buyer.get("/orders")).status).toBe(200);
    expect(ended).toBe(0);
    await holder.query("rollback");
    await Promise.all(waitingPages);
  });

  test("a server opens at most twelve connections, each named by its use", async () => {
    const watcher = await connectOtherProgram(shop);
    const readConnections = async (): Promise<{ name: string; count: number }[]> => {
      const { rows } = await watcher.query(`
        select application_name as name, count(*)::int from pg_stat_activity
        where datname = current_database() and application_name <> '' group by 1 order by 1`);
      return rows;
    };
    // This starts a job: connections of jobs are closed while none runs.
    expect((await shop.browser().post("/api/contact", message)).status).toBeLessThan(300);
    await Promise.all(Array.from({ length: 30 }, () => addToCart(shop)));
    const { httpConnections, jobConnections } = defaultDatabaseLimits;
    const maxConnections = new Map([
      ["palmira-feed", 1],
      ["palmira-http", httpConnections],
      ["palmira-jobs", jobConnections - queueConnections],
      ["palmira-queue", queueConnections],
    ]);
    await expect
      .poll(async () => (await readConnections()).map(({ name }) => name))
      .toEqual([...maxConnections.keys()]);
    expect([...maxConnections.values()].reduce((sum, count) => sum + count)).toBeLessThanOrEqual(12);
    for (const { name, count } of await readConnections())
      expect(count).toBeLessThanOrEqual(maxConnections.get(name) ?? 0);
  });

  test.each([
    ["a full disk", diskFull],
    ["a connection that breaks inside a transaction", "perform pg_terminate_backend(pg_backend_pid())"],
    ["a deadlock", "raise exception 'deadlock detected' using errcode = '40P01'"],
  ])("a checkout that meets %s returns 503, and later ones succeed", async (_, statement) => {
    expect(statusAndError(await orderWhile(shop, statement))).toEqual(unavailableResponse);
    const orders = await Promise.all(Array.from({ length: 4 }, () => order(shop.browser())));
    expect(orders.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  });

  test("the readiness check reports a disk that was full recently, and recovers afterwards", async () => {
    await orderWhile(shop, diskFull);
    expect(await readReadiness(shop)).toEqual({ code: 503, degraded: { database: "its disk is full" } });
    await expect.poll(() => readReadiness(shop)).toEqual(readyResponse);
  });

  test("while the database is read-only nothing is sold and the server is not ready; later it recovers without leaked connections", async () => {
    expect((await shop.browser().get("/")).status).toBe(200);
    const otherProgram = await connectOtherProgram(shop);
    const { rows } = await otherProgram.query("select current_database() as name");
    const endConnections = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`;
    await otherProgram.query(`alter database ${rows[0].name} set default_transaction_read_only = on`);
    await otherProgram.query(endConnections);
    await expect.poll(async () => statusAndError(await addToCart(shop))).toEqual(unavailableResponse);
    await expect
      .poll(() => readReadiness(shop))
      .toMatchObject({ code: 503, degraded: { database: "takes no writes" } });
    expect((await shop.browser().get("/")).status).toBe(200);
    for (let call = 0; call < 30; call += 1)
      expect(statusAndError(await addToCart(shop))).toEqual(unavailableResponse);
    const readConnections = await otherProgram.query(`
      select count(*)::int from pg_stat_activity where datname = current_database() and application_name <> ''`);
    expect(readConnections.rows[0].count).toBeLessThanOrEqual(12);

    // Open connections keep the old default; new ones get the current one.
    await otherProgram.query(`alter database ${rows[0].name} reset default_transaction_read_only`);
    await expect.poll(() => readReadiness(shop)).toEqual(readyResponse);
    for (let call = 0; call < 8; call += 1) expect((await addToCart(shop)).status).toBe(200);
  });
});

describe("with a proxy between shop and database", () => {
  let proxy: TcpProxy;
  let shop: TestShop;
  beforeAll(async () => {
    proxy = await openTcpProxy(inject("adminDatabaseUrl"));
    const limits = { ...defaultDatabaseLimits, statementSeconds: 1 };
    shop = await openTestShop({}, { database: await createTestDatabase({ limits, through: proxy.through }) });
  });
  afterAll(async () => {
    // Otherwise background work would wait for responses on dead connections.
    proxy.cut();
    await shop.stop();
    await shop.database.drop();
    await proxy.close();
  });

  test("a statement that takes too long is cancelled, and its connection stays usable", async () => {
    expect(statusAndError(await orderWhile(shop, "perform pg_sleep(60)"))).toEqual(unavailableResponse);
    const orders = await Promise.all(Array.from({ length: 4 }, () => order(shop.browser())));
    expect(orders.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  });

  test("connections dropped by a firewall are closed, and the shop responds over new ones", async () => {
    expect((await shop.browser().get("/")).status).toBe(200);
    expect((await addToCart(shop)).status).toBe(200);

    proxy.blackHole();
    const refusedCalls = await Promise.all(Array.from({ length: 8 }, () => addToCart(shop)));
    expect(refusedCalls.map(statusAndError)).toEqual(Array(8).fill(unavailableResponse));
    expect((await readReadiness(shop)).code).toBe(503);
    // Public pages are served from the cache.
    expect((await shop.browser().get("/")).status).toBe(200);

    proxy.restore();
    await expect.poll(async () => (await addToCart(shop)).status).toBe(200);
    await expect.poll(() => readReadiness(shop)).toEqual(readyResponse);
    // Dead connections are closed after a while instead of staying open beside their replacements.
    await expect.poll(() => proxy.connections()).toBeLessThanOrEqual(12);
  });
});
