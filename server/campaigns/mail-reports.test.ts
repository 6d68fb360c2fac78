import { createHmac } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { adminBrowser, send } from "../../test/admin.ts";
import { type FakeSmtp, startFakeSmtp } from "../../test/fake-smtp.ts";
import { openTestShop, type TestBrowser, type TestShop } from "../../test/shop.ts";
import { subscribers } from "../newsletter/tables.ts";
import { enqueueMessages } from "../outbox/enqueue.ts";
import { findOptoutReason, hashEmail } from "../outbox/optouts.ts";
import { emailOptouts, messages } from "../outbox/tables.ts";
import { campaigns } from "./tables.ts";

let smtp: FakeSmtp;
let shop: TestShop;
let owner: TestBrowser;
/** Path and secret of the URL that the panel shows for mail providers' reports. */
let reportPath: string;
const readReportPath = async () => {
  const { pathname, search } = new URL((await readData("/api/admin/connections")).mail.reportsUrl);
  return pathname + search;
};
beforeAll(async () => {
  smtp = await startFakeSmtp();
  shop = await openTestShop({
    SMTP_URL: smtp.url,
    OWNER_EMAIL: "owner@example.com",
    NEWSLETTERS_PER_MINUTE: "60000",
  });
  owner = await adminBrowser(shop);
  reportPath = await readReportPath();
});
afterAll(async () => {
  await shop.stop();
  await smtp.close();
});
beforeEach(async () => {
  const { db } = shop.database;
  for (const table of [campaigns, subscribers, emailOptouts]) await db.delete(table);
});

/** Sends a newsletter to these new subscribers; returns its API path. */
async function sendNewsletter(...emails: string[]): Promise<string> {
  const at = new Date(Date.now() - 60_000);
  await shop.database.db.insert(subscribers).values(
    emails.map((email) => ({
      email,
      emailHash: hashEmail(email),
      askedAt: at,
      confirmedAt: at,
      place: "footer" as const,
      consentText: "News",
    })),
  );
  const { body } = await owner.post("/api/admin/campaigns", { subject: "News", body: "Hello" });
  const url = `/api/admin/campaigns/${body.data.id}`;
  await owner.post(`${url}/send`, {});
  await shop.jobsDone();
  return url;
}
const sendReport = (body: object | string, to = reportPath) => shop.browser().post(to, body);
const readData = async (url: string) => (await owner.get(url)).body.data;
const readSubscriber = async (email: string) =>
  (await owner.get(`/api/admin/subscribers?q=${email}`)).body.data[0];
const saveSettings = (changes: object) =>
  send(owner, "PUT", "/api/admin/connections/mail/reports", { mailgunKey: "", ...changes });
const oneSecondLater = () => new Date(Date.now() + 1_000);

/** A bounce report as in Postmark's documentation. */
const postmarkBounce = (Email: string, changes: object = {}) => ({
  RecordType: "Bounce",
  MessageStream: "outbound",
  ID: 42,
  Type: "HardBounce",
  TypeCode: 1,
  Name: "Hard bounce",
  MessageID: "883953f4-6105-42a2-a16a-77a8eac79483",
  Description: "The server was unable to deliver your message (ex: unknown user, mailbox not found).",
  Details: "smtp;550 5.1.1 The email account does not exist",
  Email,
  BouncedAt: oneSecondLater().toISOString(),
  Inactive: true,
  ...changes,
});
/** A report as in Mailgun's documentation of webhook payloads. */
const mailgunReport = (recipient: string, data: object, signature: object = {}) => ({
  signature: { token: "x", timestamp: "1529006854", signature: "x", ...signature },
  "event-data": {
    id: "CPgfbmQMTCKtHW6uIWtuVe",
    timestamp: oneSecondLater().getTime() / 1_000,
    recipient,
    message: { headers: { to: recipient, "message-id": "20130503182626.18666.16540@example.com" } },
    ...data,
  },
});

const mailgunBounce = { event: "failed", severity: "permanent", reason: "bounce" };

test("a bounce and a complaint end the subscription with the reason and count in the newsletter's results", async () => {
  const emails = ["gone", "spam", "mg", "mgspam", "soft", "reads"].map((name) => `${name}@example.com`);
  const [gone = "", spam = "", bouncedAtMailgun = "", complainedAtMailgun = "", soft = ""] = emails;
  const url = await sendNewsletter(...emails);
  const bodies = [
    postmarkBounce(gone.toUpperCase()),
    { ...postmarkBounce(spam), RecordType: "SpamComplaint", Type: "SpamComplaint" },
    mailgunReport(bouncedAtMailgun, mailgunBounce),
    mailgunReport(complainedAtMailgun, { event: "complained" }),
    // Temporary failures and deliveries do not end a subscription.
    postmarkBounce(soft, { Type: "SoftBounce" }),
    mailgunReport(soft, { event: "failed", severity: "temporary", reason: "generic" }),
    mailgunReport(soft, { event: "failed", severity: "permanent", reason: "old" }),
    { RecordType: "Delivery", Recipient: soft },
  ];
  // Providers may send a report twice.
  for (const body of [...bodies, ...bodies])
    expect(await sendReport(body)).toMatchObject({ status: 200, body: { data: { received: true } } });
  expect(await readData(url)).toMatchObject({ recipients: 6, sent: 4, bounced: 2, complained: 2, left: 0 });
  const reasons = [];
  for (const email of emails) reasons.push((await readSubscriber(email)).endReason);
  expect(reasons).toEqual(["bounced", "complained", "bounced", "complained", null, null]);
  const { db } = shop.database;
  expect(await findOptoutReason(db, spam, "cart_reminder")).toBe("complained");
  expect(await findOptoutReason(db, gone, "cart_reminder")).toBeNull();
  // The next newsletter is sent only to those still subscribed.
  smtp.received.length = 0;
  await sendNewsletter("new@example.com");
  expect(smtp.received.map(({ to }) => to[0]).sort()).toEqual([
    "new@example.com",
    "reads@example.com",
    "soft@example.com",
  ]);
});

test("a bounce that arrives before the mail server's response still counts", async () => {
  smtp.hold();
  const sending = sendNewsletter("fast@example.com");
  await expect.poll(() => smtp.held()).toBe(1);
  await sendReport(postmarkBounce("fast@example.com"));
  smtp.release();
  expect(await readData(await sending)).toMatchObject({ status: "sent", sent: 0, bounced: 1, left: 0 });
});

/** Enqueues an e-mail to the address, and returns its id. */
async function enqueueEmail(recipient: string, sendAt: Date | null = null): Promise<string> {
  const id = crypto.randomUUID();
  const data = { token: "x", expiresAt: "2999-01-01T00:00:00Z" };
  const email = { id, dedupeKey: id, kind: "order_lookup", recipient, data } as const;
  await enqueueMessages(shop.database.db, [email], sendAt);
  return id;
}
const readStatuses = (...ids: string[]) =>
  Promise.all(
    ids.map(async (id) => {
      const [message] = await shop.database.db.select().from(messages).where(eq(messages.id, id));
      return message?.status;
    }),
  );
const runNow = (job: string) =>
  shop.database.db.execute(sql`update jobs set run_at = now() where name = ${job}`);
const reportAbout = (id: string, recipient: string) =>
  mailgunReport(recipient, {
    ...mailgunBounce,
    message: { headers: { "message-id": `${id}@palmira.example` } },
  });

test.each(["Postmark", "Mailgun"])(
  "a bounce reported by %s before the mail server has responded fails the e-mail being sent, not an earlier or a later one",
  async (provider) => {
    const recipient = `${provider.toLowerCase()}@example.com`;
    const earlier = await enqueueEmail(recipient);
    await shop.jobsDone();
    smtp.hold();
    const id = await enqueueEmail(recipient);
    await expect.poll(() => smtp.held()).toBe(1);
    await sendReport(provider === "Postmark" ? postmarkBounce(recipient) : reportAbout(id, recipient));
    smtp.release();
    await shop.jobsDone();
    const later = await enqueueEmail(recipient);
    await shop.jobsDone();
    await runNow("book_mail_report");
    await shop.jobsDone();
    expect(await readStatuses(earlier, id, later)).toEqual(["sent", "failed", "sent"]);
  },
);

test("a bounce is not recorded for an e-mail that was still to be sent when it was reported", async () => {
  const recipient = "undo@example.com";
  const id = await enqueueEmail(recipient);
  await shop.jobsDone();
  const later = await enqueueEmail(recipient, new Date(Date.now() + 600_000));
  await sendReport(postmarkBounce(recipient));
  for (const job of ["send_message", "book_mail_report"]) {
    await runNow(job);
    await shop.jobsDone();
  }
  expect(await readStatuses(id, later)).toEqual(["failed", "sent"]);
});

test("a bounce is recorded once its e-mail is recorded as sent, even if that takes more than a minute", async () => {
  smtp.hold();
  const id = await enqueueEmail("slow@example.com");
  await expect.poll(() => smtp.held()).toBe(1);
  await sendReport(reportAbout(id, "slow@example.com"));
  await runNow("book_mail_report");
  const isTried = sql`select from jobs where name = 'book_mail_report' and last_error like '%not recorded as sent yet'`;
  await expect
    .poll(async () => (await shop.database.db.execute(isTried)).rowCount, { timeout: 5_000 })
    .toBe(1);
  smtp.release();
  await shop.jobsDone();
  await runNow("book_mail_report");
  await shop.jobsDone();
  expect(await readStatuses(id)).toEqual(["failed"]);
});

test("a call without the secret is refused, and a malformed report changes nothing", async () => {
  const url = await sendNewsletter("safe@example.com");
  for (const path of ["/api/mail/reports", "/api/mail/reports?key=guess"])
    expect((await sendReport(postmarkBounce("safe@example.com"), path)).status).toBe(404);
  for (const body of [
    "{",
    "[]",
    { "event-data": null },
    postmarkBounce("no address"),
    postmarkBounce("a\0@b.example"),
  ])
    expect((await sendReport(body)).status).toBe(200);
  expect(await readSubscriber("safe@example.com")).toMatchObject({ state: "confirmed", endReason: null });
  expect(await readData(url)).toMatchObject({ sent: 1, bounced: 0 });
});

test("a new URL for reports replaces the former one", async () => {
  await sendNewsletter("safe@example.com");
  expect((await saveSettings({ isNewAddress: true })).status).toBe(200);
  const formerPath = reportPath;
  reportPath = await readReportPath();
  expect((await sendReport(postmarkBounce("safe@example.com"), formerPath)).status).toBe(404);
  expect(await readSubscriber("safe@example.com")).toMatchObject({ endReason: null });
  await sendReport(postmarkBounce("safe@example.com"));
  expect(await readSubscriber("safe@example.com")).toMatchObject({ endReason: "bounced" });
});

test("a save without a change sends no alert", async () => {
  const countAlerts = () => shop.database.db.$count(messages, eq(messages.kind, "owner_security"));
  const before = await countAlerts();
  expect((await saveSettings({})).status).toBe(200);
  expect(await countAlerts()).toBe(before);
});

test("with Mailgun's signing key only signed reports of the last day are accepted", async () => {
  await sendNewsletter("signed@example.com");
  const { body } = await saveSettings({ mailgunKey: "key-1234567890" });
  expect(body.data.mail).toMatchObject({ hasMailgunKey: true });
  expect(JSON.stringify(body)).not.toContain("key-1234567890");
  const signedReport = (at: number, key = "key-1234567890") => {
    const timestamp = String(Math.round(at / 1_000));
    const signature = createHmac("sha256", key).update(`${timestamp}x`).digest("hex");
    return mailgunReport("signed@example.com", mailgunBounce, { timestamp, signature });
  };
  const dayMs = 86_400_000;
  const refused = [
    mailgunReport("signed@example.com", mailgunBounce),
    signedReport(Date.now(), "another key"),
    signedReport(Date.now() - dayMs - 60_000),
    postmarkBounce("signed@example.com"),
    "{",
  ];
  for (const report of refused) expect((await sendReport(report)).status).toBe(400);
  expect(await readSubscriber("signed@example.com")).toMatchObject({ endReason: null });
  expect((await sendReport(signedReport(Date.now()))).status).toBe(200);
  expect(await readSubscriber("signed@example.com")).toMatchObject({ endReason: "bounced" });
  const removeResponse = await saveSettings({ removesMailgunKey: true });
  expect(removeResponse.body.data.mail).toMatchObject({ hasMailgunKey: false });
  expect((await sendReport(postmarkBounce("other@example.com"))).status).toBe(200);
});

test("a report dated before the sign-up was confirmed does not end the subscription", async () => {
  await sendNewsletter("back@example.com");
  await sendReport(
    postmarkBounce("back@example.com", { BouncedAt: new Date(Date.now() - 3_600_000).toISOString() }),
  );
  expect(await readSubscriber("back@example.com")).toMatchObject({ state: "confirmed" });
});

test("a report about an e-mail other than a newsletter marks that e-mail as failed if it bounced, and ends optional e-mail after a complaint", async () => {
  const url = await sendNewsletter("buyer@example.com");
  const id = crypto.randomUUID();
  const { db } = shop.database;
  await db.insert(messages).values({
    id,
    kind: "order_confirmation",
    channel: "email",
    dedupeKey: `order_confirmation:${id}`,
    recipient: "Buyer@example.com",
    status: "sent",
    sentAt: new Date(),
  });
  const message = { headers: { "message-id": `${id}@palmira.example` } };
  const readMessage = async () => (await db.select().from(messages).where(eq(messages.id, id)))[0];
  await sendReport(mailgunReport("buyer@example.com", { event: "complained", message }));
  expect(await readMessage()).toMatchObject({ status: "sent", lastError: null });
  expect(await findOptoutReason(db, "buyer@example.com", "review_request")).toBe("complained");
  const status = { message: "5.1.1 <buyer@example.com> unknown", code: 550 };
  await sendReport(
    mailgunReport("buyer@example.com", { ...mailgunBounce, message, "delivery-status": status }),
  );
  expect(await readMessage()).toMatchObject({
    status: "failed",
    lastError: "It came back: 5.1.1 <b***@example.com> unknown",
  });
  expect(await readData(url)).toMatchObject({ sent: 1, bounced: 0, complained: 0 });
  expect(await readSubscriber("buyer@example.com")).toMatchObject({ endReason: "complained" });
});

test("a report with an invalid message id counts as a bounce of the last newsletter", async () => {
  const url = await sendNewsletter("dash@example.com");
  const message = { headers: { "message-id": `${"-".repeat(36)}@palmira.example` } };
  expect((await sendReport(mailgunReport("dash@example.com", { ...mailgunBounce, message }))).status).toBe(
    200,
  );
  expect(await readData(url)).toMatchObject({ bounced: 1 });
});
