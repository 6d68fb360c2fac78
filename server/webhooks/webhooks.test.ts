import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { maxWebhooks } from "../../domain/webhooks/webhook.ts";
import { adminBrowser, send } from "../../test/admin.ts";
import { confirm, order } from "../../test/checkout.ts";
import { callInTurn } from "../../test/database.ts";
import { openTestShop, type TestBrowser, type TestShop } from "../../test/shop.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../../test/webhook-receiver.ts";
import { deliverWebhooks } from "./deliver.ts";
import { webhookUrlProblem } from "./webhook-url.ts";

let shop: TestShop;
let owner: TestBrowser;
let receiver: WebhookReceiver;

beforeAll(async () => {
  const env = { PAYMENTS: "sandbox", SECRETS_KEY: "the key of two servers that is long enough" };
  shop = await openTestShop({ ...env, WEBHOOK_ALLOW_LOCAL: "1" });
});
beforeEach(async () => {
  owner = await adminBrowser(shop);
  receiver = await startWebhookReceiver();
});
afterEach(async () => {
  await shop.database.pool.query("delete from webhooks");
  await send(owner, "PUT", "/api/products/1/price", { price: 2995 });
  await receiver.stop();
});
afterAll(() => shop.stop());

type CreatedWebhook = { id: string; secret: string };
async function createWebhook(events: string[], url = receiver.url): Promise<CreatedWebhook> {
  const response = await owner.post("/api/admin/webhooks", { url, events });
  expect(response.status).toBe(201);
  receiver.secret = response.body.data.secret;
  return response.body.data;
}

async function placePaid(): Promise<string> {
  const buyer = shop.browser();
  const checkout = await order(buyer);
  await confirm(buyer, checkout);
  await shop.jobsDone();
  return checkout.body.orderId;
}

const fetchDeliveries = async ({ id }: CreatedWebhook) =>
  (await owner.get(`/api/admin/webhooks/${id}/deliveries`)).body.data;
const receivedTypes = () => receiver.received.map(({ type }) => type);
/** Makes deliveries that wait for their next try due now. */
const retryNow = async () => {
  await shop.database.pool.query("update webhook_deliveries set next_try_at = now()");
  await shop.database.pool.query("update jobs set run_at = now() where name = 'deliver_webhooks'");
  await shop.jobsDone();
};
const ship = (id: string) =>
  owner.post(`/api/admin/orders/${id}/ship`, { carrier: "USPS", trackingNumber: "9400110200881111111111" });

describe("a webhook", () => {
  test("is refused beyond the limit, even if two are created at the same time", async () => {
    await shop.database.pool.query(
      `insert into webhooks (url, events, created_at)
        select 'https://example.com/' || n, '{order.paid}', now() from generate_series(2, ${maxWebhooks}) as n`,
    );
    const create = () => owner.post("/api/admin/webhooks", { url: receiver.url, events: ["order.paid"] });
    const lock = sql`lock table webhooks in share mode`;
    const responses = await callInTurn(shop.database, lock, create, create);
    expect(responses.map(({ status }) => status)).toEqual([201, 409]);
  });

  test("receives an order's events in sequence, with signatures that independent code verifies", async () => {
    const earlierOrderId = await placePaid();
    const webhook = await createWebhook([
      "order.shipped",
      "order.paid",
      "order.delivered",
      "refund.succeeded",
    ]);
    expect(webhook.secret).toMatch(/^whsec_/);
    const id = await placePaid();
    expect((await ship(id)).status).toBe(200);
    expect((await owner.post(`/api/admin/orders/${id}/deliver`)).status).toBe(200);
    await owner.post(`/api/admin/orders/${id}/refund`, { amount: 100 });
    await shop.jobsDone();
    await shop.jobsDone();
    expect(receivedTypes()).toEqual(["order.paid", "order.shipped", "order.delivered", "refund.succeeded"]);
    expect(receiver.received.every(({ isValid }) => isValid)).toBe(true);
    const { data } = (await owner.get(`/api/orders/${id}`)).body;
    expect(receiver.received[0]?.data).toEqual({
      id,
      number: data.number,
      status: "completed",
      total: data.totals.total,
      currency: data.currency,
    });
    expect(receiver.received[1]?.data).toMatchObject({ id, status: "shipped", carrier: "USPS" });
    // The body has the order's state at the end of the transaction that caused the event.
    expect(receiver.received[3]?.data).toMatchObject({
      id,
      status: "partially_refunded",
      refund: { amount: 100 },
    });
    expect(JSON.stringify(receiver.received)).not.toContain(earlierOrderId);
    expect(JSON.stringify(receiver.received)).not.toContain("@");
    const rows = await fetchDeliveries(webhook);
    expect(rows[3]).toMatchObject({
      id: receiver.received[0]?.id,
      type: "order.paid",
      status: "delivered",
      attempts: [{ status: 204, error: null }],
      body: receiver.received[0]?.body,
    });
    expect(JSON.stringify((await owner.get("/api/admin/webhooks")).body)).not.toContain(webhook.secret);
  });

  test("receives events of cancellations, returns, edits, products, reviews and subscribers", async () => {
    await createWebhook([
      "order.cancelled",
      "order.edited",
      "product.updated",
      "review.published",
      "return.requested",
      "subscriber.confirmed",
      "stock.low",
      "dispute.opened",
    ]);
    const id = await placePaid();
    const contact = (await owner.get(`/api/admin/orders/${id}`)).body.data;
    await shop.database.pool.query(
      "update orders set phone = '+15125550100' where id = $1 and phone is distinct from '+15125550100'",
      [id],
    );
    await owner.post(`/api/admin/orders/${id}/cancel`, { reason: "x", restock: true });
    await send(owner, "PUT", "/api/products/1/price", { price: 3195 });
    await send(owner, "PUT", "/api/products/1/price", { price: 2995 });
    await owner.post("/api/reviews", {
      productId: 1,
      rating: 5,
      comment: "It works well.",
      customerName: null,
    });
    await shop.database.pool.query(
      `insert into subscribers (email, email_hash, asked_at, place, consent_text) values ('a@b.example', 'x', now(), 'footer', 'x')`,
    );
    await shop.database.pool.query("update subscribers set confirmed_at = now() where email_hash = 'x'");
    await shop.database.pool.query("update stock set low_stock_notified_at = now() where product_id = 1");
    await shop.database.pool.query(
      `insert into order_returns (id, order_id, kind, requested_at) values (gen_random_uuid(), $1, 'return', now())`,
      [id],
    );
    await shop.jobsDone();
    expect(contact.number).toEqual(receiver.received[0]?.data.number);
    const eventsByType = Map.groupBy(receiver.received, ({ type }) => type);
    expect(Object.fromEntries([...eventsByType].map(([type, all]) => [type, all.length]))).toEqual({
      "order.edited": 1,
      "order.cancelled": 1,
      "product.updated": 2,
      "review.published": 1,
      "subscriber.confirmed": 1,
      "stock.low": 1,
      "return.requested": 1,
    });
    expect(eventsByType.get("product.updated")?.map(({ data }) => data.price)).toEqual([3195, 2995]);
    // The order itself keeps its status until its refund has succeeded.
    expect(eventsByType.get("order.cancelled")?.[0]?.data).toMatchObject({ id, status: "cancelled" });
    expect(eventsByType.get("return.requested")?.[0]?.data).toMatchObject({ id, return: { kind: "return" } });
    await shop.database.pool.query("delete from subscribers where email_hash = 'x'");
  });

  test("receives no event of a rolled-back transaction, or of the time when it was switched off", async () => {
    const webhook = await createWebhook(["product.updated"]);
    await shop.database.db
      .transaction(async (tx) => {
        await tx.execute(sql`update products set price_cents = 1 where id = 1`);
        throw new Error("no");
      })
      .catch(() => {});
    await send(owner, "PATCH", `/api/admin/webhooks/${webhook.id}`, { active: false });
    await send(owner, "PUT", "/api/products/1/price", { price: 3195 });
    expect((await owner.post(`/api/admin/webhooks/${webhook.id}/test`)).status).toBe(409);
    await send(owner, "PATCH", `/api/admin/webhooks/${webhook.id}`, { active: true });
    await send(owner, "PUT", "/api/products/1/price", { price: 2995 });
    await shop.jobsDone();
    expect(receiver.received.map(({ data }) => data.price)).toEqual([2995]);
  });

  test.each([
    ["an error", 500, 500, "It answered 500"],
    ["410 Gone", 410, 410, "It answered 410"],
    [
      "a cut connection",
      "cut" as const,
      null,
      "It could not be reached: it broke off the connection (ECONNRESET)",
    ],
    [
      "a redirect to this machine",
      { redirectTo: "http://127.0.0.1:1/" },
      302,
      "It answered 302: redirects are not followed",
    ],
  ])(
    "is tried again later after a response %s, with the same id and bytes",
    async (_, response, status, error) => {
      const webhook = await createWebhook(["order.paid", "order.shipped", "product.updated"]);
      receiver.next = [response];
      const id = await placePaid();
      const before = Date.now();
      const [waitingDelivery] = await fetchDeliveries(webhook);
      expect(waitingDelivery).toMatchObject({ status: "waiting", attempts: [{ status, error }] });
      expect(Date.parse(waitingDelivery.nextTryAt) - before).toBeLessThanOrEqual(5_000);
      expect((await owner.get("/api/admin/webhooks")).body.data).toMatchObject([
        { waiting: 1, lastError: error },
      ]);
      // A failed delivery delays only later events of the same order.
      await ship(id);
      await send(owner, "PUT", "/api/products/1/price", { price: 2996 });
      await shop.jobsDone();
      expect(receivedTypes()).toEqual(["order.paid", "product.updated"]);
      await retryNow();
      expect(receivedTypes()).toEqual(["order.paid", "product.updated", "order.paid", "order.shipped"]);
      const [first, , again] = receiver.received;
      expect([again?.id, again?.body, again?.isValid]).toEqual([first?.id, first?.body, true]);
      const last = (await fetchDeliveries(webhook)).find(
        ({ type }: { type: string }) => type === "order.paid",
      );
      expect(last).toMatchObject({ status: "delivered", attempts: [{ error }, { error: null }] });
    },
  );

  test("times out after ten seconds without a response, while others receive their events", async () => {
    const slow = await createWebhook(["product.updated"]);
    const other = await startWebhookReceiver();
    await createWebhook(["product.updated"], other.url);
    receiver.next = ["silence"];
    await send(owner, "PUT", "/api/products/1/price", { price: 2997 });
    await expect.poll(() => other.received.length, { timeout: 5_000 }).toBe(1);
    await expect
      .poll(async () => (await fetchDeliveries(slow))[0].attempts, { timeout: 15_000 })
      .toMatchObject([{ status: null, error: "It did not answer within 10 seconds" }]);
    await other.stop();
  }, 30_000);

  test("is tried again after its pause, whether the server's clock is a day behind or the database's was a year ahead", async () => {
    const webhook = await createWebhook(["product.updated"]);
    receiver.next = [500, 500, 500];
    const clock = vi.spyOn(Date, "now");
    await shop.withoutJobs(async () => {
      await send(owner, "PUT", "/api/products/1/price", { price: 2998 });
      clock.mockImplementation(() => performance.timeOrigin + performance.now() - 86_400_000);
    });
    await shop.jobsDone();
    clock.mockRestore();
    expect(receiver.received).toHaveLength(1);
    await shop.database.pool.query("update webhook_deliveries set next_try_at = now() + interval '1 year'");
    await shop.database.pool.query("update jobs set run_at = now() where name = 'deliver_webhooks'");
    await shop.jobsDone();
    expect((await fetchDeliveries(webhook))[0].attempts).toHaveLength(2);
  });

  test("fails if the response is not HTTP, and is tried again", async () => {
    const webhook = await createWebhook(["product.updated"]);
    receiver.next = ["upgrade"];
    await send(owner, "PUT", "/api/products/1/price", { price: 2998 });
    await expect
      .poll(async () => (await fetchDeliveries(webhook))[0].attempts)
      .toMatchObject([{ status: 101, error: "It answered 101" }]);
    await retryNow();
    expect((await fetchDeliveries(webhook))[0]).toMatchObject({ status: "delivered" });
  });

  test("is switched off after failing for three days, with an issue until it is switched on again", async () => {
    const webhook = await createWebhook(["order.paid", "order.shipped"]);
    receiver.next = Array.from({ length: 30 }, () => 500);
    const id = await placePaid();
    await ship(id);
    for (let tries = 0; tries < 6; tries += 1) await retryNow();
    const readPauseSeconds = async () => {
      const { rows } = await shop.database.pool.query(
        "select extract(epoch from next_try_at - now())::int as s from webhook_deliveries where tries > 0",
      );
      return rows[0]?.s;
    };
    expect(await readPauseSeconds()).toBeGreaterThan(5.9 * 3600);
    await shop.database.pool.query(
      "update webhook_deliveries set tried_since = now() - interval '2 days 19 hours' where tries > 0",
    );
    await retryNow();
    const [listed] = (await owner.get("/api/admin/webhooks")).body.data;
    expect(listed).toMatchObject({ active: false, switchedOffAt: expect.any(String), waiting: 0 });
    const rows = await fetchDeliveries(webhook);
    expect(rows.map(({ status }: { status: string }) => status)).toEqual(["failed", "failed"]);
    const readIssues = async () =>
      (await owner.get("/api/admin/attention")).body.data.filter(
        ({ kind }: { kind: string }) => kind === "webhook_switched_off",
      );
    expect((await readIssues())[0].message).toContain("failed for 3 days and was switched off");
    await send(owner, "PATCH", `/api/admin/webhooks/${webhook.id}`, { active: true });
    expect(await readIssues()).toEqual([]);
    // The owner replays a missed event.
    receiver.next = [];
    const replayed = await owner.post(`/api/admin/webhooks/${webhook.id}/deliveries/${rows[1].id}/replay`);
    expect([replayed.status, replayed.body.data.id]).toEqual([202, rows[1].id]);
    await shop.jobsDone();
    expect(receiver.received.at(-1)).toMatchObject({ id: rows[1].id, type: "order.paid", isValid: true });
  });

  test("receives a test event, and replays of earlier deliveries with identical bytes", async () => {
    const webhook = await createWebhook(["order.paid"]);
    expect((await owner.post(`/api/admin/webhooks/${webhook.id}/test`)).status).toBe(202);
    await shop.jobsDone();
    expect(receiver.received).toMatchObject([{ type: "webhook.test", isValid: true }]);
    const [row] = await fetchDeliveries(webhook);
    await owner.post(`/api/admin/webhooks/${webhook.id}/deliveries/${row.id}/replay`);
    await shop.jobsDone();
    const [first, second] = receiver.received;
    expect([second?.id, second?.body]).toEqual([first?.id, first?.body]);
    const unknown = "6f9619ff-8b86-4d01-b42d-00cf4fc964ff";
    for (const path of [`/${unknown}/test`, `/${webhook.id}/deliveries/${unknown}/replay`]) {
      expect((await owner.post(`/api/admin/webhooks${path}`)).status).toBe(404);
    }
  });

  test("is signed with both secrets for a day after a rotation", async () => {
    const webhook = await createWebhook(["product.updated"]);
    const { body } = await send(owner, "PATCH", `/api/admin/webhooks/${webhook.id}`, { rotateSecret: true });
    expect(body.data.secret).not.toBe(webhook.secret);
    const tryWith = async (secret: string) => {
      receiver.secret = secret;
      await owner.post(`/api/admin/webhooks/${webhook.id}/test`);
      await shop.jobsDone();
      return receiver.received.at(-1)?.isValid;
    };
    expect(await tryWith(body.data.secret)).toBe(true);
    expect(await tryWith(webhook.secret)).toBe(true);
    shop.travel(24 * 60 * 60_000 + 1000);
    owner = await adminBrowser(shop);
    expect(await tryWith(body.data.secret)).toBe(true);
    expect(await tryWith(webhook.secret)).toBe(false);
    const { rows } = await shop.database.pool.query(
      "select s::text from secrets s union all select a::text from activity a",
    );
    expect(JSON.stringify([rows, shop.logLines])).not.toContain(body.data.secret);
  });

  test("receives a delivery again, from another server and with the same id, if its server died", async () => {
    await createWebhook(["product.updated"]);
    receiver.next = ["silence"];
    await send(owner, "PUT", "/api/products/1/price", { price: 2998 });
    await expect.poll(() => receiver.received.length, { timeout: 5_000 }).toBe(1);
    // The lease and the claim of a dead server run out.
    await shop.database.pool.query(
      "update jobs set leases = leases + 1, leased_until = null where name = 'deliver_webhooks'",
    );
    await shop.database.pool.query("update webhook_deliveries set next_try_at = now()");
    const secondServer = await openTestShop(
      {
        PAYMENTS: "sandbox",
        SECRETS_KEY: "the key of two servers that is long enough",
        WEBHOOK_ALLOW_LOCAL: "1",
      },
      { database: shop.database },
    );
    await expect.poll(() => receiver.received.length, { timeout: 5_000 }).toBe(2);
    const [first, second] = receiver.received;
    expect([second?.id, second?.body]).toEqual([first?.id, first?.body]);
    await secondServer.stop();
  });

  test("causes no job and no row while none exists", async () => {
    const id = await placePaid();
    await ship(id);
    const { rows } = await shop.database.pool.query(
      "select (select count(*) from jobs where name = 'deliver_webhooks') as jobs, (select count(*) from webhook_deliveries) as events",
    );
    expect(rows).toEqual([{ jobs: "0", events: "0" }]);
  });

  test("receives a delivery once, even if another server takes over its job for a later event", async () => {
    const { id: webhookId } = await createWebhook(["product.updated"]);
    receiver.next = ["silence"];
    await send(owner, "PUT", "/api/products/1/price", { price: 2998 });
    await expect.poll(() => receiver.received.length, { timeout: 5_000 }).toBe(1);
    await send(owner, "PUT", "/api/products/1/price", { price: 2999 });
    await deliverWebhooks(shop.ctx, { webhookId, subject: "product:1" }, AbortSignal.timeout(30_000));
    expect(receiver.received).toHaveLength(1);
  });

  test("cancels the delivery of an event that is written while the webhook is being switched off", async () => {
    const webhook = await createWebhook(["product.updated"]);
    const responses = await callInTurn(
      shop.database,
      sql`select from webhooks for update`,
      () => send(owner, "PATCH", `/api/admin/webhooks/${webhook.id}`, { active: false }),
      () => send(owner, "PUT", "/api/products/1/price", { price: 2998 }),
    );
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    await shop.jobsDone();
    expect(await fetchDeliveries(webhook)).toMatchObject([{ status: "failed", attempts: [] }]);
  });
});

describe("the URL of a webhook", () => {
  test.each([
    "http://example.com/hook",
    "https://example.com:444/hook",
    "https://user@example.com/",
    "https://user:word@example.com/",
    "https://127.0.0.1/",
    "https://10.1.2.3/",
    "https://2130706433/",
    "https://0x7f.1/",
    "https://169.254.169.254/latest",
    "https://[::1]/",
    "https://[::ffff:10.0.0.1]/",
    "https://[fd00::1]/",
    "https://localhost/",
    "https://localhost./",
    "https://shop.internal/",
    "https://intranet/",
    "ftp://example.com/",
    "example.com",
    "",
  ])("is refused unless it is a public https URL: %s", async (url) => {
    expect(webhookUrlProblem(url, false)).not.toBeNull();
  });

  test.each([
    "https://example.com/hook?a=1",
    "https://example.com:8443/",
    "https://93.184.216.34/",
    "https://looked-up-at-delivery.invalid/",
  ])("is accepted if it is public: %s", (url) => expect(webhookUrlProblem(url, false)).toBeNull());

  test.each([
    ["http://127.0.0.1:5010/hook", true],
    ["http://localhost/", true],
    ["http://10.0.0.1/", false],
    ["https://127.0.0.1/", false],
    ["https://[::1]/", false],
    ["https://localhost/", false],
  ])("is accepted over http only on this machine, for tests of receivers: %s", (url, isAccepted) =>
    expect(webhookUrlProblem(url, true) === null).toBe(isAccepted),
  );

  test("is checked when the webhook is created, which needs at least one event", async () => {
    const refusedFields = async (body: object) =>
      Object.keys((await owner.post("/api/admin/webhooks", body)).body.fields);
    expect(await refusedFields({ url: "http://10.0.0.1/", events: ["order.paid"] })).toEqual(["url"]);
    expect(await refusedFields({ url: "https://example.com/", events: [] })).toEqual(["events"]);
    expect(await refusedFields({ url: "https://example.com/", events: ["order.lost"] })).toEqual([
      "events.0",
    ]);
    const webhook = await createWebhook(["order.paid"]);
    const updateResponse = await send(owner, "PATCH", `/api/admin/webhooks/${webhook.id}`, {
      url: "https://10.0.0.1/",
    });
    expect([updateResponse.status, Object.keys(updateResponse.body.fields)]).toEqual([422, ["url"]]);
  });

  test("is not connected to if its host name resolves to a private IP address", async () => {
    const webhook = await createWebhook(
      ["product.updated"],
      "https://localhost.localdomain.example.invalid.example/",
    );
    await send(owner, "PUT", "/api/products/1/price", { price: 2999 });
    await shop.jobsDone();
    await expect
      .poll(async () => (await fetchDeliveries(webhook))[0]?.attempts[0]?.error, { timeout: 12_000 })
      .toMatch(/^It could not be reached|^It did not answer/);
  });
});
