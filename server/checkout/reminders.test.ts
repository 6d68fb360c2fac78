import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { adminBrowser, send } from "../../test/admin.ts";
import { checkoutBody, confirm, order } from "../../test/checkout.ts";
import { startFakeSmtp } from "../../test/fake-smtp.ts";
import { openTestShop, type TestBrowser } from "../../test/shop.ts";
import { products } from "../catalog/tables.ts";
import { unsubscribeUrl } from "../outbox/optouts.ts";
import { messages } from "../outbox/tables.ts";
import { purgeReminders, remindOfCartJob } from "./reminders.ts";
import { cartReminders } from "./tables.ts";

const smtp = await startFakeSmtp();
const shop = await openTestShop({ SMTP_URL: smtp.url });
beforeEach(async () => {
  // Delivers the messages of the previous test before this one starts.
  await shop.jobsDone();
  await shop.database.db.execute(sql`truncate cart_reminders, email_optouts, messages`);
  await shop.database.db.execute(sql`delete from jobs where key is not null`);
  smtp.received.length = 0;
});
afterAll(async () => {
  await shop.stop();
  await smtp.close();
});

const path = "/api/checkout/reminder";
const cart = [{ productId: 1, quantity: 2 }];
let addressCount = 0;
/** An address that no other test uses. */
function newAddress(): string {
  addressCount += 1;
  return `ada${addressCount}@example.com`;
}
const requestReminder = (browser: TestBrowser, email: string, items: object = cart) =>
  browser.post(path, { email, items });

let traveledMs = 0;
function travel(ms: number): void {
  traveledMs += ms;
  shop.travel(ms);
}

/** Advances the clock until reminders requested now are due, and runs their jobs. */
async function passFourHours(): Promise<void> {
  travel(4 * 60 * 60 * 1000 + 1_000);
  await runDueJobs();
}

/** Runs jobs that are due by the shop's clock. The queue's workers use the database's clock, which tests cannot advance. */
async function runDueJobs(): Promise<void> {
  const task = shop.tasks.find(({ job }) => job.name === remindOfCartJob.name);
  const { rows } = await shop.database.db.execute<{ payload: unknown }>(sql`
    delete from jobs
    where key like 'remind_of_cart:%' and run_at <= ${new Date(Date.now() + traveledMs)}
    returning payload`);
  for (const { payload } of rows) await task?.run(payload, taskContext);
  await shop.jobsDone();
}

const taskContext = { attempt: 1, isLastAttempt: false, signal: new AbortController().signal };
const mailTo = (email: string) => smtp.received.filter(({ to }) => to.includes(email));
const readReminders = () => shop.database.db.select().from(cartReminders);
const findRestoreToken = (body: string | undefined) => /\/cart\?restore=(\S+)/.exec(body ?? "")?.[1] ?? "";

describe("a cart reminder", () => {
  test("is sent once after four hours, with the items in stock and a link that opens the cart in any browser", async () => {
    const email = newAddress();
    const response = await requestReminder(shop.browser(), email);
    expect(response.status).toBe(200);
    await shop.jobsDone();
    expect(smtp.received).toEqual([]);
    await passFourHours();
    const [mail] = mailTo(email);
    expect(mail?.headers.get("subject")).toBe("Your Palmira cart");
    expect(mail?.body).toContain("2 × Pure Batana Oil, $59.90");
    const restored = await shop.browser().get(`${path}?restore=${findRestoreToken(mail?.body)}`);
    expect(restored.body.data.items).toMatchObject([{ productId: 1, slug: "pure-batana-oil", quantity: 2 }]);
    await passFourHours();
    await runDueJobs();
    expect(mailTo(email).length).toBe(1);
  });

  test("is sent by a server whose clock is behind the database's", async () => {
    const email = newAddress();
    await requestReminder(shop.browser(), email);
    travel(4 * 60 * 60 * 1000 - 5_000);
    await shop.database.db.execute(sql`update jobs set run_at = now() where key like 'remind_of_cart:%'`);
    await shop.jobsDone();
    expect(mailTo(email).length).toBe(1);
  });

  test("links to a cart with the automatic discount, and counts as bounced if the address refuses it", async () => {
    const owner = await adminBrowser(shop);
    const terms = { code: "Five off", kind: "amount", value: 500, automatic: true };
    const creation = await owner.post("/api/admin/discounts", terms);
    const [email, refused] = [newAddress(), newAddress()];
    await requestReminder(shop.browser(), email);
    await passFourHours();
    const restored = await shop.browser().get(`${path}?restore=${findRestoreToken(mailTo(email)[0]?.body)}`);
    expect(restored.body.data).toMatchObject({
      totals: { discount: 500 },
      automaticDiscount: { name: "Five off", label: "$5 off" },
    });
    await send(owner, "DELETE", `/api/admin/discounts/${creation.body.data.id}`);
    smtp.next.push("user_unknown");
    await requestReminder(shop.browser(), refused);
    await passFourHours();
    // A message of an earlier version, and one from a mail server that does not know this shop.
    const responses = [
      "550 5.1.1 <a***@example.com>: no such mailbox",
      "550 5.1.8 the sender's domain does not exist",
    ];
    const failed = { kind: "cart_reminder", channel: "email", status: "failed" } as const;
    for (const lastError of responses) {
      const id = randomUUID();
      await shop.database.db.insert(messages).values({ id, dedupeKey: id, lastError, ...failed });
    }
    const { automatic } = (await owner.get("/api/admin/campaigns")).body;
    const figures = automatic.find(({ kind }: { kind: string }) => kind === "cart_reminder");
    expect(figures).toMatchObject({ recipients: 4, sent: 1, bounced: 2 });
  });

  test("is sent once, even if its job runs twice", async () => {
    const email = newAddress();
    await requestReminder(shop.browser(), email);
    const [reminder] = await readReminders();
    const task = shop.tasks.find(({ job }) => job.name === remindOfCartJob.name);
    travel(100 * 60 * 60 * 1000);
    await Promise.all(Array.from({ length: 5 }, () => task?.run({ reminderId: reminder?.id }, taskContext)));
    await shop.jobsDone();
    expect(mailTo(email).length).toBe(1);
  });

  test("is sent four hours after the last change, with the latest cart to the latest address", async () => {
    const browser = shop.browser();
    const [first, second] = [newAddress(), newAddress()];
    await requestReminder(browser, first);
    // A worker that took the job just before it was rescheduled runs it too early.
    const task = shop.tasks.find(({ job }) => job.name === remindOfCartJob.name);
    await task?.run({ reminderId: (await readReminders())[0]?.id }, taskContext);
    await shop.jobsDone();
    expect(smtp.received).toEqual([]);
    travel(3 * 60 * 60 * 1000);
    await requestReminder(browser, second, [{ productId: 1, quantity: 3 }]);
    travel(2 * 60 * 60 * 1000);
    await runDueJobs();
    expect(smtp.received).toEqual([]);
    await requestReminder(browser, second, [{ productId: 1, quantity: 3 }]);
    await passFourHours();
    expect(mailTo(first)).toEqual([]);
    expect(mailTo(second)[0]?.body).toContain("3 × Pure Batana Oil");
    expect((await readReminders()).length).toBe(1);
  });

  test("is not sent once the checkbox is cleared", async () => {
    const browser = shop.browser();
    await requestReminder(browser, newAddress());
    expect((await browser.fetch(path, { method: "DELETE" })).status).toBe(204);
    expect(await readReminders()).toEqual([]);
    await passFourHours();
    expect(smtp.received).toEqual([]);
  });

  test("cannot be withdrawn by another visitor", async () => {
    await requestReminder(shop.browser(), newAddress());
    expect((await shop.browser().fetch(path, { method: "DELETE" })).status).toBe(204);
    expect((await readReminders()).length).toBe(1);
  });

  test("is deleted as soon as the order is paid", async () => {
    const browser = shop.browser();
    const email = newAddress();
    await requestReminder(browser, email);
    await confirm(browser, await order(browser, { email }));
    await shop.jobsDone();
    expect(await readReminders()).toEqual([]);
    await passFourHours();
    expect(mailTo(email).map(({ headers }) => headers.get("subject"))).toEqual([
      expect.stringMatching(/^Your Palmira order #/),
    ]);
  });

  test("is not sent if the same address has ordered in another browser, whether paid or not yet", async () => {
    const email = newAddress();
    await requestReminder(shop.browser(), email);
    await order(shop.browser(), { email: email.toUpperCase() });
    await passFourHours();
    expect(smtp.received).toEqual([]);
    expect(await readReminders()).toEqual([]);
  });

  test("is sent if an order placed since then was cancelled, and despite earlier orders", async () => {
    const [browser, email] = [shop.browser(), newAddress()];
    await confirm(browser, await order(browser, { email }));
    await shop.jobsDone();
    await new Promise((resolve) => setTimeout(resolve, 20));
    await requestReminder(browser, email);
    const started = await order(browser, { email, quantity: 2 });
    await shop.database.db.execute(
      sql`update orders set status = 'cancelled' where id = ${started.body.orderId}`,
    );
    smtp.received.length = 0;
    await passFourHours();
    expect(mailTo(email).map(({ headers }) => headers.get("subject"))).toEqual(["Your Palmira cart"]);
  });

  test("is not sent if nothing in the cart can be bought", async () => {
    const { db } = shop.database;
    await requestReminder(shop.browser(), newAddress());
    await db.update(products).set({ published: false }).where(eq(products.id, 1));
    await passFourHours();
    await db.update(products).set({ published: true }).where(eq(products.id, 1));
    expect(smtp.received).toEqual([]);
    expect(await readReminders()).toEqual([]);
  });

  test("is sent to an address at most once a week, across browsers", async () => {
    const email = newAddress();
    for (let index = 0; index < 4; index += 1)
      await requestReminder(shop.browser(), index % 2 ? email : email.toUpperCase());
    await passFourHours();
    expect(smtp.received.length).toBe(1);
    const browser = shop.browser();
    await requestReminder(browser, email);
    await passFourHours();
    expect(smtp.received.length).toBe(1);
    await shop.database.db.execute(sql`update messages set created_at = now() - interval '8 days'`);
    await requestReminder(browser, email);
    await passFourHours();
    expect(smtp.received.length).toBe(2);
  });

  test.each([
    ["no address", { items: cart }, "email"],
    ["half an address", { email: "ada@", items: cart }, "email"],
    ["an empty cart", { email: "ada@example.com", items: [] }, "items"],
    ["no quantity", { email: "ada@example.com", items: [{ productId: 1 }] }, "items.0.quantity"],
  ])("with %s is refused", async (_, body, field) => {
    const response = await shop.browser().post(path, body);
    expect(response.status).toBe(422);
    expect(Object.keys(response.body.fields)).toEqual([field]);
    expect(await readReminders()).toEqual([]);
  });

  test("from another site's page is refused, and so are more than 20 a minute from one network address", async () => {
    const body = { email: newAddress(), items: cart };
    const foreignCall = await shop.browser().post(path, body, { Origin: "https://evil.example" });
    expect(foreignCall.status).toBe(403);
    const browser = shop.browser();
    const statuses = [];
    for (let index = 0; index < 21; index += 1) statuses.push((await browser.post(path, body)).status);
    expect(statuses).toEqual([...Array(20).fill(200), 429]);
  });

  test("is deleted after 30 days, with its cart", async () => {
    await requestReminder(shop.browser(), newAddress());
    const [reminder] = await readReminders();
    const daysLater = (count: number) =>
      new Date((reminder?.createdAt.getTime() ?? 0) + count * 24 * 60 * 60 * 1000);
    await purgeReminders({ db: shop.database.db, now: () => daysLater(29.9) });
    expect((await readReminders()).length).toBe(1);
    await purgeReminders({ db: shop.database.db, now: () => daysLater(30.1) });
    expect(await readReminders()).toEqual([]);
  });
});

describe("the link to a cart", () => {
  test("opens nothing if it is forged, belongs to another cart, or is older than 30 days", async () => {
    const email = newAddress();
    await requestReminder(shop.browser(), email);
    await passFourHours();
    const restore = findRestoreToken(mailTo(email)[0]?.body);
    const fetchStatus = async (value: string) =>
      (await shop.browser().get(`${path}?restore=${encodeURIComponent(value)}`)).status;
    expect(await fetchStatus(restore)).toBe(200);
    expect(await fetchStatus(`${randomUUID()}${restore.slice(36)}`)).toBe(404);
    expect(await fetchStatus(restore.slice(0, -1))).toBe(404);
    expect(await fetchStatus("x")).toBe(404);
    expect((await shop.browser().get(path)).status).toBe(422);
    travel(31 * 24 * 60 * 60 * 1000);
    expect(await fetchStatus(restore)).toBe(404);
  });

  test("is not stored in the outbox", async () => {
    const email = newAddress();
    await requestReminder(shop.browser(), email);
    await passFourHours();
    const token = findRestoreToken(mailTo(email)[0]?.body).slice(37);
    expect(token.length).toBeGreaterThan(40);
    const { rows } = await shop.database.db.execute(sql`select * from messages`);
    expect(JSON.stringify(rows)).toContain("Your Palmira cart");
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  test("opens a page that is never cached", async () => {
    const page = await shop.browser().fetch("/cart?restore=x");
    expect(page.headers.get("cache-control")).toBe("private, no-store");
  });
});

describe("unsubscribing", () => {
  /** Has a reminder sent; returns the path of the unsubscribe link in its header. */
  async function unsubscribePath(email: string): Promise<string> {
    await requestReminder(shop.browser(), email);
    await passFourHours();
    const { headers } = mailTo(email)[0] ?? {};
    expect(headers?.get("list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");
    const link = /^<(.*)>$/.exec(headers?.get("list-unsubscribe") ?? "")?.[1] ?? "";
    expect(mailTo(email)[0]?.body).toContain(link);
    expect(link).not.toContain(email);
    return link.slice(new URL(link).origin.length);
  }

  /** Requests a reminder; returns whether it is sent. */
  async function getsReminder(email: string): Promise<boolean> {
    await shop.database.db.execute(sql`truncate messages`);
    smtp.received.length = 0;
    await requestReminder(shop.browser(), email);
    await passFourHours();
    return mailTo(email).length === 1;
  }

  test.each([
    [
      "a mail program's one click",
      { body: "List-Unsubscribe=One-Click", type: "application/x-www-form-urlencoded" },
    ],
    ["a form of another media type", { body: "--x\r\n\r\n", type: "multipart/form-data; boundary=x" }],
  ])("works with %s, permanently", async (_, { body, type }) => {
    const email = newAddress();
    const link = await unsubscribePath(email);
    const headers = { "Content-Type": type };
    const response = await shop.browser().fetch(link, { method: "POST", body, headers });
    expect(response.status).toBe(200);
    expect(await response.text()).toContain("You’re unsubscribed");
    expect(await getsReminder(email.toUpperCase())).toBe(false);
    expect(await shop.database.db.$count(messages)).toBe(0);
    expect(await getsReminder(newAddress())).toBe(true);
  });

  test("also applies to an e-mail that the mail server has deferred", async () => {
    const email = newAddress();
    smtp.next.push("try_later");
    await requestReminder(shop.browser(), email);
    await passFourHours();
    const linkContext = { publicUrl: "", secret: "test-session-secret", now: () => new Date() };
    const link = unsubscribeUrl(linkContext, email, "cart_reminder");
    expect((await shop.browser().fetch(link, { method: "POST" })).status).toBe(200);
    await shop.retryNow();
    await expect
      .poll(async () => (await shop.database.db.select().from(messages))[0]?.status)
      .toBe("skipped");
    expect(smtp.received).toEqual([]);
  });

  test("needs more than opening the page, because mail scanners open links", async () => {
    const email = newAddress();
    const link = await unsubscribePath(email);
    for (const method of ["GET", "HEAD"]) {
      const page = await shop.browser().fetch(link, { method });
      expect(page.status).toBe(200);
      expect(page.headers.get("cache-control")).toBe("private, no-store");
      expect(page.headers.get("referrer-policy")).toBe("same-origin");
    }
    const html = await (await shop.browser().fetch(link)).text();
    expect(html).toContain('<form method="post">');
    expect(html).toContain('content="noindex"');
    expect(await getsReminder(email)).toBe(true);
  });

  test("by the API names the subscription that ended, can be repeated, and refuses forged links", async () => {
    const email = newAddress();
    const link = await unsubscribePath(email);
    const token = new URLSearchParams(link.split("?")[1]).get("token") ?? "";
    const post = (token: unknown) => shop.browser().post("/api/unsubscribe", { token });
    expect((await post(token)).body).toEqual({ success: true, data: { kind: "cart_reminder" } });
    expect((await post(token)).status).toBe(200);
    expect((await post(token.replace("cart_reminder", "review_request"))).status).toBe(404);
    expect((await post(token.slice(0, -1))).status).toBe(404);
    expect((await post("x".repeat(301))).status).toBe(422);
    expect((await post(undefined)).status).toBe(422);
    const foreignCall = await shop
      .browser()
      .post("/api/unsubscribe", { token }, { Origin: "https://evil.example" });
    expect(foreignCall.status).toBe(403);
  });

  test("stores a hash instead of the address", async () => {
    const email = newAddress();
    await shop.browser().fetch(await unsubscribePath(email), { method: "POST" });
    const { rows } = await shop.database.db.execute(sql`select * from email_optouts`);
    expect(rows.length).toBe(1);
    expect(JSON.stringify(rows)).not.toContain("example.com");
  });

  test("with a forged link shows that the link cannot be used", async () => {
    const page = await shop.browser().fetch("/unsubscribe?token=none");
    expect(await page.text()).toContain("This link can’t be used");
    const submitted = await shop.browser().fetch("/unsubscribe?token=none", { method: "POST" });
    expect(submitted.status).toBe(404);
    expect(await submitted.text()).toContain("This link can’t be used");
  });
});

test("checkout accepts orders while reminders cannot be stored", async () => {
  const browser = shop.browser();
  await shop.database.db.execute(sql`alter table cart_reminders rename to cart_reminders_away`);
  try {
    expect((await requestReminder(browser, newAddress())).status).toBe(500);
    const started = await browser.post("/api/stripe/create-payment-intent", checkoutBody());
    expect(started.status).toBe(201);
  } finally {
    await shop.database.db.execute(sql`alter table cart_reminders_away rename to cart_reminders`);
  }
});
