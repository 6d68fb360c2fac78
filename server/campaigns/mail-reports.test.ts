import { createHmac } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { adminBrowser, send } from "../../test/admin.ts";
import { type FakeSmtp, startFakeSmtp } from "../../test/fake-smtp.ts";
import { openTestShop, type TestBrowser, type TestShop } from "../../test/shop.ts";
import { subscribers } from "../newsletter/tables.ts";
import { findOptoutReason, hashOf } from "../outbox/optouts.ts";
import { emailOptouts, messages } from "../outbox/tables.ts";
import { campaigns } from "./tables.ts";

let smtp: FakeSmtp;
let shop: TestShop;
let owner: TestBrowser;
/** The path of the address that the panel shows. */
let address: string;
const readAddress = async () => {
  const { pathname, search } = new URL((await read("/api/admin/connections")).mail.reportsUrl);
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
  address = await readAddress();
});
afterAll(async () => {
  await shop.stop();
  await smtp.close();
});
beforeEach(async () => {
  const { db } = shop.database;
  for (const table of [campaigns, subscribers, emailOptouts]) await db.delete(table);
});

/** Sends a newsletter to these subscribers; returns its address in the API. */
async function sendNewsletter(...emails: string[]): Promise<string> {
  const at = new Date(Date.now() - 60_000);
  await shop.database.db.insert(subscribers).values(
    emails.map((email) => ({
      email,
      emailHash: hashOf(email),
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
const report = (body: object | string, to = address) => shop.browser().post(to, body);
const read = async (url: string) => (await owner.get(url)).body.data;
const subscriber = async (email: string) =>
  (await owner.get(`/api/admin/subscribers?q=${email}`)).body.data[0];
const change = (changes: object) =>
  send(owner, "PUT", "/api/admin/connections/mail/reports", { mailgunKey: "", ...changes });
const later = () => new Date(Date.now() + 1_000);

/** As Postmark's page of its bounce webhook has it. */
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
  BouncedAt: later().toISOString(),
  Inactive: true,
  ...changes,
});
/** As Mailgun's page of webhook payloads has it. */
const mailgun = (recipient: string, data: object, signature: object = {}) => ({
  signature: { token: "x", timestamp: "1529006854", signature: "x", ...signature },
  "event-data": {
    id: "CPgfbmQMTCKtHW6uIWtuVe",
    timestamp: later().getTime() / 1_000,
    recipient,
    message: { headers: { to: recipient, "message-id": "20130503182626.18666.16540@example.com" } },
    ...data,
  },
});

const mailgunBounce = { event: "failed", severity: "permanent", reason: "bounce" };

test("a bounce and a complaint end the subscription, with the reason, and count as the newsletter's results", async () => {
  const emails = ["gone", "spam", "mg", "mgspam", "soft", "reads"].map((name) => `${name}@example.com`);
  const [gone = "", spam = "", mg = "", mgSpam = "", soft = ""] = emails;
  const url = await sendNewsletter(...emails);
  const bodies = [
    postmarkBounce(gone.toUpperCase()),
    { ...postmarkBounce(spam), RecordType: "SpamComplaint", Type: "SpamComplaint" },
    mailgun(mg, mailgunBounce),
    mailgun(mgSpam, { event: "complained" }),
    // These say nothing for good.
    postmarkBounce(soft, { Type: "SoftBounce" }),
    mailgun(soft, { event: "failed", severity: "temporary", reason: "generic" }),
    mailgun(soft, { event: "failed", severity: "permanent", reason: "old" }),
    { RecordType: "Delivery", Recipient: soft },
  ];
  // Providers repeat what they have reported.
  for (const body of [...bodies, ...bodies])
    expect(await report(body)).toMatchObject({ status: 200, body: { data: { received: true } } });
  expect(await read(url)).toMatchObject({ recipients: 6, sent: 4, bounced: 2, complained: 2, left: 0 });
  const reasons = [];
  for (const email of emails) reasons.push((await subscriber(email)).endReason);
  expect(reasons).toEqual(["bounced", "complained", "bounced", "complained", null, null]);
  const { db } = shop.database;
  expect(await findOptoutReason(db, spam, "cart_reminder")).toBe("complained");
  expect(await findOptoutReason(db, gone, "cart_reminder")).toBeNull();
  // The next newsletter leaves only for the others.
  smtp.received.length = 0;
  await sendNewsletter("new@example.com");
  expect(smtp.received.map(({ to }) => to[0]).sort()).toEqual([
    "new@example.com",
    "reads@example.com",
    "soft@example.com",
  ]);
});

test("a call without the secret, or without sense, changes nothing", async () => {
  const url = await sendNewsletter("safe@example.com");
  for (const path of ["/api/mail/reports", "/api/mail/reports?key=guess"])
    expect((await report(postmarkBounce("safe@example.com"), path)).status).toBe(404);
  for (const body of [
    "{",
    "[]",
    { "event-data": null },
    postmarkBounce("no address"),
    postmarkBounce("a\0@b.example"),
  ])
    expect((await report(body)).status).toBe(200);
  expect(await subscriber("safe@example.com")).toMatchObject({ state: "confirmed", endReason: null });
  expect(await read(url)).toMatchObject({ sent: 1, bounced: 0 });
});

test("a new address replaces the former one", async () => {
  await sendNewsletter("safe@example.com");
  expect((await change({ isNewAddress: true })).status).toBe(200);
  const former = address;
  address = await readAddress();
  expect((await report(postmarkBounce("safe@example.com"), former)).status).toBe(404);
  expect(await subscriber("safe@example.com")).toMatchObject({ endReason: null });
  await report(postmarkBounce("safe@example.com"));
  expect(await subscriber("safe@example.com")).toMatchObject({ endReason: "bounced" });
});

test("with Mailgun's signing key only reports of the last day that are signed with it count", async () => {
  await sendNewsletter("signed@example.com");
  const { body } = await change({ mailgunKey: "key-1234567890" });
  expect(body.data.mail).toMatchObject({ hasMailgunKey: true });
  expect(JSON.stringify(body)).not.toContain("key-1234567890");
  const signed = (at: number, key = "key-1234567890") => {
    const timestamp = String(Math.round(at / 1_000));
    const signature = createHmac("sha256", key).update(`${timestamp}x`).digest("hex");
    return mailgun("signed@example.com", mailgunBounce, { timestamp, signature });
  };
  const dayMs = 86_400_000;
  const refused = [
    mailgun("signed@example.com", mailgunBounce),
    signed(Date.now(), "another key"),
    signed(Date.now() - dayMs - 60_000),
    postmarkBounce("signed@example.com"),
    "{",
  ];
  for (const each of refused) expect((await report(each)).status).toBe(400);
  expect(await subscriber("signed@example.com")).toMatchObject({ endReason: null });
  expect((await report(signed(Date.now()))).status).toBe(200);
  expect(await subscriber("signed@example.com")).toMatchObject({ endReason: "bounced" });
  const removed = await change({ removesMailgunKey: true });
  expect(removed.body.data.mail).toMatchObject({ hasMailgunKey: false });
  expect((await report(postmarkBounce("other@example.com"))).status).toBe(200);
});

test("a report from before a new sign-up was confirmed does not end it", async () => {
  await sendNewsletter("back@example.com");
  await report(
    postmarkBounce("back@example.com", { BouncedAt: new Date(Date.now() - 3_600_000).toISOString() }),
  );
  expect(await subscriber("back@example.com")).toMatchObject({ state: "confirmed" });
});

test("a report about another e-mail is no newsletter's result: a bounce fails it, a complaint ends only optional e-mail", async () => {
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
  const storedMessage = async () => (await db.select().from(messages).where(eq(messages.id, id)))[0];
  await report(mailgun("buyer@example.com", { event: "complained", message }));
  expect(await storedMessage()).toMatchObject({ status: "sent", lastError: null });
  expect(await findOptoutReason(db, "buyer@example.com", "review_request")).toBe("complained");
  const status = { message: "5.1.1 <buyer@example.com> unknown", code: 550 };
  await report(mailgun("buyer@example.com", { ...mailgunBounce, message, "delivery-status": status }));
  expect(await storedMessage()).toMatchObject({
    status: "failed",
    lastError: "It came back: 5.1.1 <b***@example.com> unknown",
  });
  expect(await read(url)).toMatchObject({ sent: 1, bounced: 0, complained: 0 });
  expect(await subscriber("buyer@example.com")).toMatchObject({ endReason: "complained" });
});

test("an id that only looks like one of the shop's e-mails is none: the last newsletter has bounced", async () => {
  const url = await sendNewsletter("dash@example.com");
  const message = { headers: { "message-id": `${"-".repeat(36)}@palmira.example` } };
  expect((await report(mailgun("dash@example.com", { ...mailgunBounce, message }))).status).toBe(200);
  expect(await read(url)).toMatchObject({ bounced: 1 });
});
