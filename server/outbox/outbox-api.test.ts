import { eq, sql } from "drizzle-orm";
import { afterAll, beforeEach, expect, test } from "vitest";
import { adminBrowser } from "../../test/admin.ts";
import { startFakeSmtp } from "../../test/fake-smtp.ts";
import { insertPaidOrder } from "../../test/paid-order.ts";
import { openTestShop } from "../../test/shop.ts";
import { enqueueIssue } from "../issues/issues.ts";
import { enqueueLookup, enqueueOrderPaid } from "../orders/mail.ts";
import { messages } from "./tables.ts";

const smtp = await startFakeSmtp();
const shop = await openTestShop({ SMTP_URL: smtp.url, OWNER_EMAIL: "owner@example.com" });
const owner = await adminBrowser(shop);
beforeEach(async () => {
  // Delivers the messages of the previous test before this one starts.
  await shop.jobsDone();
  await shop.database.db.execute(sql`truncate messages`);
  smtp.received.length = 0;
});
afterAll(async () => {
  await shop.stop();
  await smtp.close();
});

async function payOrder(): Promise<string> {
  const orderId = await insertPaidOrder(shop.database.db);
  await enqueueOrderPaid(shop.ctx, shop.database.db, orderId);
  await shop.jobsDone();
  return orderId;
}

const readOutbox = async (query = "") => (await owner.get(`/api/admin/outbox${query}`)).body;
const resend = (id: string, browser = owner, headers = {}) =>
  browser.post(`/api/admin/outbox/${id}/resend`, {}, headers);
/** The latest message of a kind. */
const findLatest = async (kind: string) =>
  (await readOutbox()).data.find((entry: { kind: string }) => entry.kind === kind);
const findMessageId = async (kind: string): Promise<string> => (await findLatest(kind))?.id;

test("the outbox lists every message once, newest first, and can be filtered by status, channel, kind, address and order", async () => {
  const orderId = await payOrder();
  await payOrder();
  const first = await readOutbox("?limit=3");
  const second = await readOutbox(`?limit=3&cursor=${first.nextCursor}`);
  const allMessages = [...first.data, ...second.data];
  expect(new Set(allMessages.map(({ id }) => id)).size).toBe(4);
  expect(second.nextCursor).toBeNull();
  expect(allMessages.at(-1)).toMatchObject({
    orderId,
    orderNumber: expect.any(Number),
    status: "sent",
    attempts: 1,
  });
  const count = async (query: string) => (await readOutbox(query)).data.length;
  expect(await count("?status=failed")).toBe(0);
  expect(await count("?channel=sms")).toBe(0);
  const firstOfKind = await readOutbox("?kind=order_confirmation&limit=1");
  const rest = await readOutbox(`?kind=order_confirmation&limit=1&cursor=${firstOfKind.nextCursor}`);
  expect([...firstOfKind.data, ...rest.data].map(({ kind }) => kind)).toEqual(
    Array(2).fill("order_confirmation"),
  );
  expect(rest.nextCursor).toBeNull();
  expect(await count("?q=OWNER@example.com")).toBe(2);
  expect(await count(`?q=%23${allMessages.at(-1)?.orderNumber}`)).toBe(2);
});

test("a sent message can be read as it was sent, and sent again with current data", async () => {
  const orderId = await payOrder();
  const id = await findMessageId("order_confirmation");
  const { data } = (await owner.get(`/api/admin/outbox/${id}`)).body;
  expect(data).toMatchObject({
    html: expect.stringContaining("<html"),
    text: expect.any(String),
    resendProblem: null,
  });
  await shop.database.db.execute(sql`update orders set email = 'ada.new@example.com' where id = ${orderId}`);
  // Two clicks at once send one e-mail.
  smtp.hold();
  const clicks = await Promise.all([resend(id), resend(id)]);
  smtp.release();
  expect(clicks.map(({ status }) => status).sort()).toEqual([202, 409]);
  await shop.jobsDone();
  expect(smtp.received.filter(({ to }) => to.includes("ada.new@example.com"))).toHaveLength(1);
  const [copy] = (await readOutbox("?limit=1")).data;
  expect(copy).toMatchObject({ copyOf: id, status: "sent", orderId });
});

test("a failed message is sent again with its data", async () => {
  await shop.database.db.execute(sql`truncate messages`);
  smtp.next.push("no_such_address");
  await enqueueIssue(shop.database.db, {
    kind: "amount_mismatch",
    subject: "pi_9",
    orderId: null,
    message: "Payment pi_9 brought 100 USD",
  });
  await shop.jobsDone();
  const [failed] = (await readOutbox("?status=failed")).data;
  expect(failed).toMatchObject({ kind: "owner_attention", lastError: expect.stringContaining("5.1.1") });
  expect((await resend(failed.id)).status).toBe(202);
  await shop.jobsDone();
  expect(smtp.received[0]?.body).toContain("Payment pi_9 brought 100 USD.");
});

test("a message with a single-use link cannot be sent again, and the response says why", async () => {
  await enqueueLookup(shop.database.db, {
    purpose: "orders",
    lookupId: "9",
    email: "ada@example.com",
    token: `s3cret${"-".repeat(37)}`,
    expiresAt: new Date(Date.now() + 60_000),
  });
  await shop.jobsDone();
  const id = await findMessageId("order_lookup");
  expect(await resend(id)).toMatchObject({
    status: 409,
    body: { error: "invalid_state", message: expect.stringContaining("works only once") },
  });
  expect(JSON.stringify((await owner.get(`/api/admin/outbox/${id}`)).body)).not.toContain("s3cret");
});

test("a message of a kind that the owner has switched off is skipped with the reason, and sent when requested by hand", async () => {
  const setOrderAlerts = (order: boolean) =>
    owner.fetch("/api/admin/settings", {
      method: "PATCH",
      body: JSON.stringify({ notifications: { email: { order } } }),
      headers: { "Content-Type": "application/json" },
    });
  expect((await setOrderAlerts(false)).status).toBe(200);
  await expect
    .poll(async () => {
      await shop.database.db.execute(sql`truncate messages`);
      await payOrder();
      return (await findLatest("owner_new_order")).status;
    })
    .toBe("skipped");
  const [skipped] = (await readOutbox("?status=skipped")).data;
  expect(skipped.lastError).toBe("You have switched this kind of email off");
  expect((await findLatest("order_confirmation")).status).toBe("sent");
  smtp.received.length = 0;
  await resend(skipped.id);
  await shop.jobsDone();
  expect(smtp.received.map(({ to }) => to)).toEqual([["owner@example.com"]]);
  await setOrderAlerts(true);
});

test("the owner gets an e-mail about a new review, one a day about its edits, and none if nothing has changed", async () => {
  const writer = shop.browser();
  const review = { productId: 1, rating: 4, comment: "Soft hair after a week of use.", customerName: "Ada" };
  await writer.post("/api/reviews", review);
  await writer.post("/api/reviews", review);
  await writer.post("/api/reviews", { ...review, rating: 2 });
  await shop.jobsDone();
  const reviewMail = smtp.received.filter(({ headers }) => headers.get("subject")?.includes("review"));
  expect(reviewMail).toHaveLength(1);
  expect(reviewMail[0]?.to).toEqual(["owner@example.com"]);
  expect(reviewMail[0]?.body).toContain("Soft hair after a week of use.");
  shop.travel(25 * 60 * 60 * 1000);
  await writer.post("/api/reviews", { ...review, rating: 1 });
  await shop.jobsDone();
  const { rows } = await shop.database.db.execute(sql`select 1 from messages where kind = 'owner_review'`);
  expect(rows).toHaveLength(2);
  shop.travel(-25 * 60 * 60 * 1000);
});

test("messages can be read and resent only in the panel, and invalid requests are refused", async () => {
  await payOrder();
  const id = await findMessageId("order_confirmation");
  const stranger = shop.browser();
  const responses = [
    await stranger.get("/api/admin/outbox"),
    await stranger.get(`/api/admin/outbox/${id}`),
    await resend(id, stranger),
    await resend(id, owner, { Origin: "https://evil.example" }),
    await resend(crypto.randomUUID()),
    await owner.get(`/api/admin/outbox/${crypto.randomUUID()}`),
    await owner.get("/api/admin/outbox?cursor=x"),
    await owner.get(`/api/admin/outbox?cursor=2026-02-30T00:00:00.000000Z_${id}`),
    await owner.get("/api/admin/outbox?status=lost"),
    await owner.get("/api/admin/outbox?kind=toString"),
  ];
  expect(responses.map(({ status }) => status)).toEqual([401, 401, 401, 403, 404, 404, 422, 422, 422, 422]);
  await shop.database.db.update(messages).set({ status: "queued" }).where(eq(messages.id, id));
  expect((await resend(id)).body.message).toBe("It is on its way already.");
});
