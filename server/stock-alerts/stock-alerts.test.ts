import { eq, sql } from "drizzle-orm";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { adminBrowser } from "../../test/admin.ts";
import { confirm, order } from "../../test/checkout.ts";
import { callInTurn } from "../../test/database.ts";
import { keptMail } from "../../test/kept-mail.ts";
import { openTestShop, type TestBrowser } from "../../test/shop.ts";
import { stock } from "../inventory/tables.ts";
import { hashEmail, optOut } from "../outbox/optouts.ts";
import { emailOptouts, messages } from "../outbox/tables.ts";
import { notifyBackInStock } from "./feature.ts";
import { stockAlerts } from "./tables.ts";

const shop = await openTestShop();
const admin = await adminBrowser(shop);
afterAll(() => shop.stop());
beforeEach(async () => {
  await shop.jobsDone();
  await shop.database.db.delete(stockAlerts);
  await shop.database.db.delete(emailOptouts);
  await setStock(0);
});

const path = "/api/stock-alerts";
const setStock = (onHand: number, reserved = 0) =>
  shop.database.db.update(stock).set({ onHand, reserved, batched: 0 }).where(eq(stock.productId, 1));
const requestAlert = (browser: TestBrowser, email: string) => browser.post(path, { productId: 1, email });
const readAlerts = () => shop.database.db.select().from(stockAlerts);
const readMail = async (kind: "stock_alert" | "stock_alert_confirm", email: string) =>
  (await shop.database.db.select().from(messages).where(eq(messages.kind, kind))).filter(
    ({ recipient }) => recipient === email,
  );

let addresses = 0;
function newAddress(): string {
  addresses += 1;
  return `waits${addresses}@example.com`;
}

/** The path of the confirmation link in the e-mail. */
async function confirmPath(email: string): Promise<string> {
  await shop.jobsDone();
  const text = keptMail(shop, email).findLast((mail) => mail.includes("/back-in-stock?confirm=")) ?? "";
  return `/back-in-stock?confirm=${/confirm=(\S+)/.exec(text)?.[1]}`;
}

const linkToken = (link: string) => link.split("confirm=")[1] ?? "";

/** Requests an alert and confirms it. */
async function requestConfirmedAlert(email = newAddress()): Promise<string> {
  const browser = shop.browser();
  await requestAlert(browser, email);
  const confirmed = await browser.post(`${path}/confirm`, { token: linkToken(await confirmPath(email)) });
  expect(confirmed.body.data).toEqual({
    product: { name: "Pure Batana Oil", slug: "pure-batana-oil" },
    inStock: false,
  });
  return email;
}

async function restockAndNotify(units = 5): Promise<void> {
  await setStock(units);
  await notifyBackInStock(shop.ctx);
  await shop.jobsDone();
}

describe("the alert for a sold-out product", () => {
  test("is sent once, to confirmed addresses, and again only after a new request", async () => {
    const email = await requestConfirmedAlert();
    await requestAlert(shop.browser(), newAddress());
    await restockAndNotify();
    const [alert, ...otherAlerts] = await readMail("stock_alert", email);
    expect(otherAlerts).toEqual([]);
    expect(alert?.subject).toBe("Pure Batana Oil is back in stock");
    expect(alert?.text).toContain("/product/pure-batana-oil");
    expect(await shop.database.db.$count(messages, eq(messages.kind, "stock_alert"))).toBe(1);
    await setStock(0);
    await restockAndNotify();
    expect(await readMail("stock_alert", email)).toHaveLength(1);

    await setStock(0);
    await requestConfirmedAlert(email);
    await restockAndNotify();
    expect(await readMail("stock_alert", email)).toHaveLength(2);
  });

  test("waits once it is confirmed, even if it is requested again at the same moment", async () => {
    const email = newAddress();
    await requestAlert(shop.browser(), email);
    const token = linkToken(await confirmPath(email));
    await shop.database.db.execute(sql`update stock_alerts set asked_at = asked_at - interval '2 minutes'`);
    await callInTurn(
      shop.database,
      sql`select from stock_alerts for update`,
      () => shop.browser().post(`${path}/confirm`, { token }),
      () => requestAlert(shop.browser(), email),
    );
    expect(await readAlerts()).toMatchObject([{ email, confirmedAt: expect.any(Date) }]);
  });

  test("is sent when units return to stock by added units, a new batch or a cancelled order", async () => {
    await setStock(1);
    const buyer = shop.browser();
    const checkout = await order(buyer);
    await confirm(buyer, checkout);
    await shop.jobsDone();
    const ways = {
      async "the owner adds units"() {
        const id = crypto.randomUUID();
        await admin.post("/api/admin/products/1/stock", { id, change: 4, reason: "received" });
      },
      async "the owner adds a batch"() {
        const batch = { code: `A${Date.now()}`, bestBefore: "2099-01-01", quantity: 3 };
        await admin.post("/api/admin/products/1/batches", batch);
      },
      async "a paid order is cancelled"() {
        await buyer.post(`/api/orders/${checkout.body.orderId}/cancel`);
      },
    };
    for (const [way, addUnits] of Object.entries(ways)) {
      const email = await requestConfirmedAlert();
      await addUnits();
      await shop.jobsDone();
      const job = shop.cron.find(({ task }) => task.job.name === "notify_back_in_stock");
      await job?.task.run({}, { attempt: 1, isLastAttempt: false, signal: new AbortController().signal });
      await shop.jobsDone();
      expect(await readMail("stock_alert", email), way).toHaveLength(1);
      await shop.database.db.delete(stockAlerts);
      await setStock(0);
    }
  });

  test("is sent once to hundreds of addresses by two concurrent servers", async () => {
    await shop.database.db.execute(sql`
      insert into stock_alerts (id, product_id, email, email_hash, asked_at, confirmed_at)
      select gen_random_uuid(), 1, 'many' || n || '@example.com', sha256(n::text::bytea), now(), now()
      from generate_series(1, 210) as n`);
    await setStock(3);
    await Promise.all([notifyBackInStock(shop.ctx), notifyBackInStock(shop.ctx)]);
    // Without stock the e-mails are not rendered, which saves time.
    await setStock(0);
    const { rows: counts } = await shop.database.db.execute<{ count: number; different: number }>(sql`
      select count(*)::int as count, count(distinct recipient)::int as different from messages
      where kind = 'stock_alert' and recipient like 'many%'`);
    expect(counts).toEqual([{ count: 210, different: 210 }]);
    await shop.jobsDone();
  });

  test("waits again if the product sells out before the e-mail is sent", async () => {
    const email = await requestConfirmedAlert();
    await shop.database.db.transaction(async (tx) => {
      await tx.update(stock).set({ onHand: 1 });
      await notifyBackInStock({ ...shop.ctx, db: tx as unknown as typeof shop.ctx.db });
      await tx.update(stock).set({ onHand: 0 });
    });
    await shop.jobsDone();
    expect(await readMail("stock_alert", email)).toMatchObject([{ status: "skipped" }]);
    expect(await readAlerts()).toMatchObject([{ email, notifiedAt: null }]);
    await restockAndNotify();
    expect((await readMail("stock_alert", email)).map(({ status }) => status).sort()).toEqual([
      "kept",
      "skipped",
    ]);
  });

  test("is not sent for an unpublished product, nor to an unsubscribed address until it confirms again", async () => {
    const email = await requestConfirmedAlert();
    await shop.database.db.execute(sql`update products set published = false`);
    await restockAndNotify();
    await shop.database.db.execute(sql`update products set published = true`);
    expect(await readMail("stock_alert", email)).toEqual([]);
    await setStock(0);
    await optOut(shop.database.db, email.toUpperCase(), "stock_alert");
    await restockAndNotify();
    expect(await readMail("stock_alert", email)).toEqual([]);
    expect(await readAlerts()).toEqual([]);
    await setStock(0);
    await requestConfirmedAlert(email);
    await restockAndNotify();
    expect(await readMail("stock_alert", email)).toHaveLength(1);
  });

  test("has an unsubscribe link for this kind of e-mail", async () => {
    const email = await requestConfirmedAlert();
    await restockAndNotify();
    await shop.jobsDone();
    const [mail = ""] = keptMail(shop, email, "-stock_alert-");
    const link = /\S+(\/unsubscribe\?token=stock_alert\S+)/.exec(mail)?.[1] ?? "";
    const page = await shop.browser().fetch(link, { method: "POST" });
    expect(await page.text()).toContain("products that are back in stock");
    const isThisAddress = eq(emailOptouts.emailHash, hashEmail(email));
    expect(await shop.database.db.$count(emailOptouts, isThisAddress)).toBe(1);
  });
});

describe("requesting an alert", () => {
  test("responds the same whether or not the address already waits, and e-mails it once", async () => {
    const [email, other] = [newAddress(), newAddress()];
    const first = await requestAlert(shop.browser(), email);
    expect(first).toMatchObject({ status: 202, body: { data: { next: "confirm" } } });
    expect((await requestAlert(shop.browser(), email.toUpperCase())).body).toEqual(first.body);
    expect(await readAlerts()).toHaveLength(1);
    await shop.jobsDone();
    expect(await readMail("stock_alert_confirm", email)).toHaveLength(1);
    await requestConfirmedAlert(other);
    expect((await requestAlert(shop.browser(), other)).body).toEqual(first.body);
    await shop.jobsDone();
    expect(await readMail("stock_alert_confirm", other)).toHaveLength(1);
  });

  test("sends an address at most three confirmation e-mails a day", async () => {
    const email = newAddress();
    for (let count = 0; count < 6; count += 1) {
      expect((await requestAlert(shop.browser(), email)).status).toBe(202);
      await shop.database.db.execute(sql`update stock_alerts set asked_at = asked_at - interval '2 minutes'`);
    }
    await shop.jobsDone();
    expect(await readMail("stock_alert_confirm", email)).toHaveLength(3);
    const floodingBrowser = shop.browser();
    const statuses = [];
    for (let count = 0; count < 11; count += 1)
      statuses.push((await requestAlert(floodingBrowser, newAddress())).status);
    expect(statuses).toEqual([...Array(10).fill(202), 429]);
  });

  test("needs no confirmation in a browser that has bought with the address", async () => {
    const [buyer, email] = [shop.browser(), newAddress()];
    await setStock(5);
    await confirm(buyer, await order(buyer, { email }));
    await shop.jobsDone();
    await setStock(0);
    expect((await requestAlert(buyer, email)).body.data).toEqual({ next: "waiting" });
    expect((await requestAlert(shop.browser(), email)).body.data).toEqual({ next: "confirm" });
    await restockAndNotify();
    expect(await readMail("stock_alert_confirm", email)).toEqual([]);
    expect(await readMail("stock_alert", email)).toHaveLength(1);
  });

  test.each([
    ["for a product in stock", { productId: 1, email: "a@example.com" }, 409],
    ["for an unknown product", { productId: 999, email: "a@example.com" }, 404],
    ["with an invalid address", { productId: 1, email: "ada@" }, 422],
  ])("%s is refused", async (_, body, status) => {
    await setStock(1);
    expect((await shop.browser().post(path, body)).status).toBe(status);
    expect(await readAlerts()).toEqual([]);
  });

  test("works without JavaScript; the link needs a click on its page, since mail scanners open links", async () => {
    const email = newAddress();
    const browser = shop.browser();
    const page = await browser.get("/product/pure-batana-oil");
    expect(page.body).toContain('action="/back-in-stock"');
    const post = (url: string, body: string) =>
      browser.fetch(url, {
        method: "POST",
        body,
        headers: { "Content-Type": "application/x-www-form-urlencoded" },
        redirect: "manual",
      });
    const invalidResponse = await post("/back-in-stock", "product=pure-batana-oil&email=ada%40");
    expect(invalidResponse.status).toBe(422);
    expect(await invalidResponse.text()).toContain("Enter a valid email address");
    const requestResponse = await post(
      "/back-in-stock",
      `product=pure-batana-oil&email=${encodeURIComponent(email)}`,
    );
    expect(requestResponse.status).toBe(303);
    const next = requestResponse.headers.get("location") ?? "";
    expect((await browser.get(next)).body).toContain("Check your inbox");

    const link = await confirmPath(email);
    expect((await browser.get(link)).body).toContain('<form method="post">');
    expect(await readAlerts()).toMatchObject([{ confirmedAt: null }]);
    expect(await (await post(link, "")).text()).toContain("You’re on the list");
    expect((await readAlerts())[0]?.confirmedAt).not.toBeNull();
    expect((await post("/back-in-stock?confirm=none", "")).status).toBe(404);
    await setStock(9);
    await expect
      .poll(async () => (await browser.get("/product/pure-batana-oil")).body)
      .not.toContain('action="/back-in-stock"');
    const lateResponse = await post("/back-in-stock", "product=pure-batana-oil&email=late%40example.com");
    expect(lateResponse.headers.get("location")).toBe("/product/pure-batana-oil");
  });
});

test("a confirmation link confirms only its own request, for a week, and is not stored in the outbox", async () => {
  const email = newAddress();
  await requestAlert(shop.browser(), email);
  const token = linkToken(await confirmPath(email));
  const [mail] = await readMail("stock_alert_confirm", email);
  expect(JSON.stringify(mail)).not.toContain(token);
  const postConfirmation = async (value: string) =>
    (await shop.browser().post(`${path}/confirm`, { token: value })).status;
  expect(await postConfirmation(`${crypto.randomUUID()}${token.slice(36)}`)).toBe(404);
  expect(await postConfirmation("x")).toBe(404);
  shop.travel(8 * 24 * 60 * 60 * 1000);
  expect(await postConfirmation(token)).toBe(404);
  shop.travel(-8 * 24 * 60 * 60 * 1000);
  expect(await postConfirmation(token)).toBe(200);
  expect(await postConfirmation(token)).toBe(200);
});

test("the panel shows how many addresses wait for an alert", async () => {
  await requestConfirmedAlert();
  await requestAlert(shop.browser(), newAddress());
  expect((await admin.get("/api/admin/products/1/stock")).body.data.waiting).toBe(1);
  expect((await admin.get("/api/admin/products")).body.data[0].waiting).toBe(1);
  expect((await admin.get("/admin/products/1/stock")).body).toContain("Shoppers waiting for it to be back");
});
