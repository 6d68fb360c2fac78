import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { adminBrowser, send } from "../../test/admin.ts";
import { confirm, order } from "../../test/checkout.ts";
import { type FakeSmtp, startFakeSmtp } from "../../test/fake-smtp.ts";
import { keptMail } from "../../test/kept-mail.ts";
import { openTestShop, type TestBrowser, type TestShop } from "../../test/shop.ts";
import { subscribers } from "../newsletter/tables.ts";
import { findOptoutReason, hashEmail, optOut } from "../outbox/optouts.ts";
import { emailOptouts, messages } from "../outbox/tables.ts";
import { purgeCampaignRecipients } from "./commands.ts";
import { resumeCampaigns, sendCampaign } from "./send.ts";
import { campaignRecipients, campaigns } from "./tables.ts";

let smtp: FakeSmtp;
let shop: TestShop;
/** A shop that stores its e-mails in a folder instead of sending them. */
let shopWithoutMail: TestShop;
let owner: TestBrowser;
beforeAll(async () => {
  smtp = await startFakeSmtp();
  [shop, shopWithoutMail] = await Promise.all([
    openTestShop({ SMTP_URL: smtp.url, OWNER_EMAIL: "owner@example.com", NEWSLETTERS_PER_MINUTE: "60000" }),
    openTestShop(),
  ]);
  owner = await adminBrowser(shop);
});
afterAll(async () => {
  await Promise.all([shop.stop(), shopWithoutMail.stop()]);
  await smtp.close();
});
beforeEach(async () => {
  smtp.next.length = 0;
  smtp.received.length = 0;
  await shop.jobsDone();
  await shop.database.db.execute(
    sql`truncate campaigns, campaign_recipients, personal_codes, subscribers, email_optouts, jobs`,
  );
});

const path = "/api/admin/campaigns";
const newsletter = {
  subject: "A new harvest",
  body: "The first oil of the year is **here**.\n\n- Pressed in [May](/story)",
};

async function subscribe(emails: string[], { database }: TestShop = shop): Promise<void> {
  const at = new Date();
  const rows = emails.map((email) => ({
    email,
    emailHash: hashEmail(email),
    askedAt: at,
    confirmedAt: at,
    place: "footer" as const,
    consentText: "News",
  }));
  await database.db.insert(subscribers).values(rows);
}

const readerEmails = (count: number) =>
  Array.from({ length: count }, (_, index) => `reader${index}@example.com`);

async function createDraft(content: object = newsletter, browser = owner): Promise<string> {
  const { status, body } = await browser.post(path, content);
  expect([status, body.data.status]).toEqual([201, "draft"]);
  return `${path}/${body.data.id}`;
}

const idFromUrl = (url: string) => Number(url.split("/").at(-1));
const readCampaign = async (url: string) => (await owner.get(url)).body.data;
const sentTo = () => smtp.received.map(({ to }) => to[0]).sort();

test("a newsletter is written, sent as a test, counted and sent to each confirmed subscriber once", async () => {
  await subscribe(["ada@example.com", "ben@example.com", "left@example.com"]);
  await optOut(shop.database.db, "left@example.com", "newsletter");
  await shop.database.db.insert(subscribers).values({
    email: "asked@example.com",
    emailHash: hashEmail("asked@example.com"),
    askedAt: new Date(),
    place: "footer",
    consentText: "News",
  });
  const url = await createDraft({});
  expect((await owner.post(`${url}/send`, {})).body.fields).toEqual({
    subject: "Please write a subject",
    body: "Please write something",
  });
  expect((await send(owner, "PATCH", url, { ...newsletter, body: "# No\n\n<b>bold</b>" })).status).toBe(200);
  expect((await owner.post(`${url}/test`)).body.fields.body).toContain("HTML is not allowed");
  expect((await send(owner, "PATCH", url, { body: "Use {{code}}" })).status).toBe(200);
  expect((await owner.post(`${url}/send`, {})).body.fields).toEqual({
    body: "Choose a discount code below, or remove {{code}}",
  });
  expect((await send(owner, "PATCH", url, newsletter)).body.data).toMatchObject({
    revision: 4,
    recipients: 2,
  });

  expect(await owner.post(`${url}/test`)).toMatchObject({
    status: 202,
    body: { data: { to: "owner@example.com", isSent: true } },
  });
  await shop.jobsDone();
  expect(smtp.received.map(({ to, headers }) => [to, headers.get("subject")])).toEqual([
    [["owner@example.com"], "Test: A new harvest"],
  ]);
  smtp.received.length = 0;

  // Of two concurrent calls, one starts the sending and the other finds it started.
  const startResponses = await Promise.all([owner.post(`${url}/send`, {}), owner.post(`${url}/send`, {})]);
  expect(startResponses.map(({ status }) => status)).toEqual([200, 200]);
  expect(startResponses[0]?.body.data).toMatchObject({ recipients: 2 });
  await shop.jobsDone();
  expect(sentTo()).toEqual(["ada@example.com", "ben@example.com"]);
  expect(await readCampaign(url)).toMatchObject({
    status: "sent",
    recipients: 2,
    sent: 2,
    waiting: 0,
    bounced: 0,
    left: 0,
  });
  expect((await owner.post(`${url}/send`, {})).body.data.status).toBe("sent");
  expect((await send(owner, "PATCH", url, { subject: "Later" })).status).toBe(409);
  expect((await send(owner, "DELETE", url)).status).toBe(409);
  await shop.jobsDone();
  expect(smtp.received).toHaveLength(2);

  const [mail] = smtp.received;
  const link = /<(http[^>]+)>/.exec(mail?.headers.get("list-unsubscribe") ?? "")?.[1] ?? "";
  expect(mail?.headers.get("list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");
  expect(mail?.body).toContain("<strong>here</strong>");
  expect(mail?.body).toContain("- Pressed in May (");
  expect(mail?.body.split(link).length, "both the HTML and the text part contain the link").toBeGreaterThan(
    2,
  );
  // The one-click request that mail programs send (RFC 8058).
  const { pathname, search } = new URL(link);
  const form = { method: "POST", body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }) };
  expect((await shop.browser().fetch(pathname + search, form)).status).toBe(200);
  expect(await readCampaign(url)).toMatchObject({ left: 1 });
  expect(await readCampaign(await createDraft())).toMatchObject({ recipients: 1 });
});

test("an e-mail about an order is sent before the rest of a newsletter", async () => {
  await subscribe(readerEmails(3));
  const url = await createDraft();
  smtp.next.push("hold");
  await owner.post(`${url}/send`, {});
  await expect.poll(() => smtp.held()).toBe(1);
  const buyer = shop.browser();
  await confirm(buyer, await order(buyer, { email: "buyer@example.com" }));
  await expect.poll(() => sentTo()).toContain("buyer@example.com");
  expect(sentTo()).not.toContain("reader0@example.com");
  smtp.release();
  await expect.poll(async () => (await readCampaign(url)).status).toBe("sent");
  expect(sentTo().filter((to) => to?.startsWith("reader"))).toEqual(readerEmails(3));
});

test("after a crash, the e-mail that was being sent counts as unknown and is not sent again; queued ones are sent", async () => {
  await subscribe(readerEmails(3));
  const url = await createDraft();
  await owner.post(`${url}/send`, {});
  await shop.jobsDone();
  // The state after a kill: one e-mail was being sent, one is queued, and the job's lease has ended.
  await shop.database.db.execute(sql`
    update campaign_recipients set attempts = 0, status = case when id % 3 = 0 then 'sending' when id % 3 = 1 then 'queued' else 'sent' end`);
  await shop.database.db.execute(sql`update campaigns set status = 'sending', ended_at = null`);
  smtp.received.length = 0;
  await resumeCampaigns(shop.ctx);
  await shop.jobsDone();
  expect(smtp.received).toHaveLength(1);
  expect(await readCampaign(url)).toMatchObject({ status: "sent", sent: 2, unknown: 1, waiting: 0 });
});

test("three concurrent runs of one newsletter send it to each reader at most once", async () => {
  await subscribe(readerEmails(20));
  const id = idFromUrl(await createDraft());
  await shop.database.db.execute(
    sql`update campaigns set status = 'scheduled', scheduled_at = now() where id = ${id}`,
  );
  const { signal } = new AbortController();
  await Promise.all([1, 2, 3].map(() => sendCampaign(shop.ctx, id, signal)));
  await expect.poll(async () => (await readCampaign(`${path}/${id}`)).status).toBe("sent");
  const counts = await readCampaign(`${path}/${id}`);
  expect(counts.sent + counts.unknown).toBe(20);
  expect(new Set(sentTo()).size).toBe(sentTo().length);
});

test("a stopped newsletter is sent to no further subscribers, and is not resumed", async () => {
  await subscribe(readerEmails(5));
  const url = await createDraft();
  expect((await owner.post(`${url}/stop`)).status, "a draft").toBe(409);
  smtp.next.push("hold");
  await owner.post(`${url}/send`, {});
  await expect.poll(() => smtp.held()).toBe(1);
  expect((await owner.post(`${url}/stop`)).body.data.status).toBe("stopped");
  smtp.release();
  await shop.jobsDone();
  expect(sentTo()).toEqual(["reader0@example.com"]);
  expect(await readCampaign(url)).toMatchObject({ status: "stopped", recipients: 5, sent: 1, waiting: 0 });
  expect((await owner.post(`${url}/send`, {})).status).toBe(409);
  expect((await owner.post(`${url}/stop`)).body.data.status).toBe("stopped");
});

test("a recipient whose e-mail is refused or lost while the newsletter is being stopped no longer counts as waiting", async () => {
  await subscribe(readerEmails(2));
  const url = await createDraft();
  smtp.next.push("hold_then_refuse");
  await owner.post(`${url}/send`, {});
  await expect.poll(() => smtp.held()).toBe(1);
  await owner.post(`${url}/stop`);
  expect(await readCampaign(url)).toMatchObject({ status: "stopped", waiting: 1 });
  smtp.release();
  await expect.poll(async () => (await readCampaign(url)).waiting).toBe(0);
  // The state after a crash, which the next run of the job books.
  const ofCampaign = eq(campaignRecipients.campaignId, idFromUrl(url));
  await shop.database.db.update(campaignRecipients).set({ status: "sending" }).where(ofCampaign);
  await sendCampaign(shop.ctx, idFromUrl(url), new AbortController().signal);
  expect(await readCampaign(url)).toMatchObject({ status: "stopped", unknown: 2, waiting: 0 });
});

test("people who unsubscribe, bounce or are erased while a newsletter is being sent get no further e-mail", async () => {
  await subscribe(readerEmails(5));
  const url = await createDraft();
  smtp.next.push("hold");
  await owner.post(`${url}/send`, {});
  await expect.poll(() => smtp.held()).toBe(1);
  await optOut(shop.database.db, "reader1@example.com", "newsletter");
  await shop.database.db.delete(subscribers).where(eq(subscribers.email, "reader2@example.com"));
  smtp.next.push("no_such_address");
  smtp.release();
  await shop.jobsDone();
  expect(sentTo()).toEqual(["reader0@example.com", "reader4@example.com"]);
  expect(await readCampaign(url)).toMatchObject({ status: "sent", sent: 2, bounced: 1, left: 0 });
  const { body } = await owner.get("/api/admin/subscribers?q=reader3");
  expect(body.data).toMatchObject([{ state: "unsubscribed" }]);
  expect(await findOptoutReason(shop.database.db, "reader3@example.com", "newsletter")).toBe("bounced");
});

test("an address that the mail server does not know counts as bounced; the reader of a refused e-mail stays subscribed", async () => {
  await subscribe(readerEmails(2));
  const url = await createDraft();
  smtp.next.push("user_unknown", "access_rejected");
  await owner.post(`${url}/send`, {});
  await shop.jobsDone();
  expect(await readCampaign(url)).toMatchObject({ status: "sent", sent: 0, bounced: 1, failed: 1 });
  const { db } = shop.database;
  expect(await findOptoutReason(db, "reader0@example.com", "newsletter")).toBe("bounced");
  expect(await findOptoutReason(db, "reader1@example.com", "newsletter")).toBeNull();
});

test("20 refused recipients in a row stop the newsletter, and the owner is alerted with the mail server's response", async () => {
  await subscribe(readerEmails(22));
  const url = await createDraft();
  const refusals = (length: number) => Array.from({ length }, () => "no_relay" as const);
  // Needs two runs: the first one ends with the pause after the mail server's refusals.
  smtp.next.push(...refusals(12), "try_later", ...refusals(8));
  await owner.post(`${url}/send`, {});
  await expect.poll(async () => (await readCampaign(url)).problem).toContain("try again later");
  await shop.database.db.execute(sql`update jobs set run_at = now()`);
  await expect.poll(async () => (await readCampaign(url)).status).toBe("stopped");
  await shop.jobsDone();
  expect(await readCampaign(url)).toMatchObject({
    status: "stopped",
    problem: expect.stringMatching(/^20 recipients in a row were refused: .*relaying denied/),
    sent: 0,
    failed: 20,
    waiting: 0,
  });
  const issues = (await owner.get("/api/admin/attention")).body.data;
  expect(issues).toMatchObject([
    { kind: "newsletter_stopped", message: expect.stringMatching(/“A new harvest”.*relaying denied/) },
  ]);
  expect(smtp.received.map(({ to }) => to)).toEqual([["owner@example.com"]]);
});

test("while the mail server is unavailable a newsletter waits, shows the reason, and continues afterwards", async () => {
  await subscribe(readerEmails(2));
  const url = await createDraft();
  await smtp.goAway();
  await owner.post(`${url}/send`, {});
  await expect.poll(async () => (await readCampaign(url)).problem).toBe("connection refused");
  expect(await readCampaign(url)).toMatchObject({ status: "sending", sent: 0, unknown: 0, waiting: 2 });
  await smtp.comeBack();
  await shop.database.db.execute(sql`update jobs set run_at = now()`);
  await shop.database.db.execute(sql`update campaign_recipients set at = at - interval '2 minutes'`);
  await expect.poll(async () => (await readCampaign(url)).status).toBe("sent");
  expect(await readCampaign(url)).toMatchObject({ sent: 2, problem: null });
  expect(sentTo()).toEqual(readerEmails(2));
});

test("a recipient whose e-mail was not transferred is tried again after the mail server closed the connection", async () => {
  await subscribe(readerEmails(2));
  const url = await createDraft();
  // A connection that was used before would be opened anew immediately.
  await smtp.goAway();
  await smtp.comeBack();
  smtp.next.push("hang_up_at_recipient");
  await owner.post(`${url}/send`, {});
  await expect
    .poll(async () => (await readCampaign(url)).problem)
    .toBe("the connection to the mail server breaks");
  expect(await readCampaign(url)).toMatchObject({ status: "sending", sent: 0, unknown: 0, waiting: 2 });
  await shop.database.db.execute(sql`update jobs set run_at = now()`);
  await shop.database.db.execute(sql`update campaign_recipients set at = at - interval '2 minutes'`);
  await expect.poll(async () => (await readCampaign(url)).status).toBe("sent");
  expect(sentTo()).toEqual(readerEmails(2));
});

test("a recipient whom the mail server defers for three days counts as failed, which ends the newsletter", async () => {
  await subscribe(readerEmails(1));
  const url = await createDraft();
  smtp.next.push("try_later", "try_later");
  await owner.post(`${url}/send`, {});
  await expect.poll(async () => (await readCampaign(url)).problem).toContain("try again later");
  const fourDaysMs = 4 * 24 * 3_600_000;
  shop.travel(fourDaysMs);
  await shop.database.db.execute(sql`update jobs set run_at = now()`);
  owner = await adminBrowser(shop);
  await expect.poll(async () => (await readCampaign(url)).status).toBe("sent");
  expect(await readCampaign(url)).toMatchObject({ sent: 0, failed: 1, waiting: 0 });
  shop.travel(-fourDaysMs);
  owner = await adminBrowser(shop);
});

test("a recipient deferred while the clock was a year ahead is tried again once the clock is right", async () => {
  const yearMs = 365 * 24 * 3_600_000;
  await subscribe(readerEmails(1));
  shop.travel(yearMs);
  owner = await adminBrowser(shop);
  const url = await createDraft();
  smtp.next.push("try_later");
  await owner.post(`${url}/send`, {});
  await expect.poll(async () => (await readCampaign(url)).problem).toContain("try again later");
  shop.travel(-yearMs);
  owner = await adminBrowser(shop);
  await shop.database.db.execute(sql`update jobs set run_at = now()`);
  await expect.poll(async () => (await readCampaign(url)).status).toBe("sent");
  expect(sentTo()).toEqual(readerEmails(1));
  // The newsletter's time to give up deferred recipients, and the orders counted as its result, begin now.
  expect(Date.parse((await readCampaign(url)).startedAt)).toBeLessThan(Date.now() + 60_000);
});

test("a newsletter pauses after an e-mail without a response, and is stopped after 20 in a row", async () => {
  await subscribe(readerEmails(22));
  const url = await createDraft();
  smtp.next.push("accept_then_hang_up");
  await owner.post(`${url}/send`, {});
  await expect
    .poll(async () => (await readCampaign(url)).problem)
    .toBe("the connection to the mail server breaks");
  expect(await readCampaign(url)).toMatchObject({ sent: 0, unknown: 1, waiting: 21 });
  await shop.database.db.execute(sql`
    update campaign_recipients set status = 'unknown', at = now()
    where id in (select id from campaign_recipients where status = 'queued' order by id limit 18)`);
  smtp.next.push("accept_then_hang_up");
  await shop.database.db.execute(sql`update jobs set run_at = now()`);
  await expect.poll(async () => (await readCampaign(url)).status).toBe("stopped");
  await shop.jobsDone();
  expect(await readCampaign(url)).toMatchObject({
    problem: "20 recipients in a row may not have got theirs: the connection to the mail server breaks",
    unknown: 20,
    waiting: 0,
  });
  const issues = (await owner.get("/api/admin/attention")).body.data;
  expect(issues.map(({ message }: { message: string }) => message).join()).toContain(
    "may not have got theirs",
  );
});

test("a scheduled newsletter is sent at its time, to everybody who is subscribed at that time", async () => {
  await subscribe(readerEmails(1));
  const url = await createDraft();
  const at = new Date(Date.now() + 3_600_000).toISOString();
  expect((await owner.post(`${url}/send`, { at: "tomorrow" })).status).toBe(422);
  expect((await owner.post(`${url}/send`, { at })).body.data).toMatchObject({
    status: "scheduled",
    scheduledAt: at,
  });
  const [entry] = (await owner.get("/api/admin/activity")).body.data;
  // The panel shows the time in the shop's zone.
  expect(entry).toMatchObject({
    summary: expect.stringMatching(/^Newsletter \d+ scheduled, to 1 subscriber$/),
    after: { scheduledAt: at },
  });
  await shop.jobsDone();
  expect(smtp.received).toHaveLength(0);
  await subscribe(["late@example.com"]);
  shop.travel(3_700_000);
  await resumeCampaigns(shop.ctx);
  await shop.database.db.execute(sql`update jobs set run_at = now()`);
  await shop.jobsDone();
  shop.travel(-3_700_000);
  expect(sentTo()).toEqual(["late@example.com", "reader0@example.com"]);
});

test("a scheduled newsletter to buyers also reaches a subscriber who bought just before its time", async () => {
  await subscribe(["late@example.com"]);
  const url = await createDraft({ ...newsletter, audience: "buyers" });
  await owner.post(`${url}/send`, { at: new Date(Date.now() + 3_600_000).toISOString() });
  const buyer = shop.browser();
  await confirm(buyer, await order(buyer, { email: "late@example.com" }));
  await shop.jobsDone();
  smtp.received.length = 0;
  await shop.database.db.execute(sql`update campaigns set scheduled_at = now() where id = ${idFromUrl(url)}`);
  await sendCampaign(shop.ctx, idFromUrl(url), AbortSignal.timeout(30_000));
  expect(sentTo()).toEqual(["late@example.com"]);
});

test("a segment counts subscribers who bought, and orders with a newsletter's code count as its result", async () => {
  const browser = shop.browser();
  await confirm(browser, await order(browser, { email: "once@example.com" }));
  await shop.jobsDone();
  await subscribe(["once@example.com", "never@example.com"]);
  const count = async (segment: object) =>
    (
      await owner.post(`${path}/check`, {
        ...(await readCampaign(await createDraft())),
        audience: "segment",
        segment,
      })
    ).body.data.recipients;
  expect(await count({})).toBe(1);
  expect(await count({ boughtOnce: true, productId: 1, country: "US" })).toBe(1);
  expect(await count({ productId: 2 })).toBe(0);
  expect(await count({ country: "JP" })).toBe(0);
  expect(await count({ notForWeeks: 1 })).toBe(0);
  expect(await count({ tag: "vip" })).toBe(0);
  const creation = await owner.post("/api/admin/discounts", { code: "HARVEST", kind: "percent", value: 10 });
  const url = await createDraft({ ...newsletter, audience: "buyers", code: "harvest", productId: 1 });
  await owner.post(`${url}/send`, {});
  await shop.jobsDone();
  const [mail] = smtp.received.filter(({ to }) => to[0] === "once@example.com").slice(-1);
  expect(mail?.body).toContain("Your code: HARVEST");
  const codePath = `/api/admin/discounts/${creation.body.data.id}`;
  expect((await send(owner, "PATCH", codePath, { automatic: true })).status, "it was given away").toBe(409);
  expect(mail?.body).toContain("/product/pure-batana-oil?code=HARVEST");
  expect(mail?.body).toContain("Pure Batana Oil, $29.95");
  const buyer = shop.browser();
  await confirm(
    buyer,
    await order(buyer, { email: "once@example.com", amount: 3290, discountCode: "HARVEST" }),
  );
  await shop.jobsDone();
  const result = await readCampaign(url);
  expect(result).toMatchObject({ recipients: 1, orders: 1 });
  expect(result.revenue).toBeGreaterThan(2_000);
  const { automatic } = (await owner.get(path)).body;
  expect(automatic.map(({ kind }: { kind: string }) => kind)).toEqual([
    "newsletter_welcome",
    "refill_reminder",
    "cart_reminder",
  ]);
});

test("a newsletter that was changed after its sender last read it is not sent", async () => {
  await subscribe(["ada@example.com"]);
  const url = await createDraft();
  const { revision } = await readCampaign(url);
  await send(owner, "PATCH", url, { body: "Win [a prize](https://elsewhere.example)." });
  const refused = await owner.post(`${url}/send`, { revision });
  expect([refused.status, refused.body.error]).toEqual([409, "invalid_state"]);
  expect(refused.body.current).toMatchObject({ status: "draft", revision: revision + 1 });
  await shop.jobsDone();
  expect(smtp.received).toEqual([]);
  expect((await owner.post(`${url}/send`, { revision: revision + 1 })).status).toBe(200);
});

test("an edit of an outdated draft is refused, and the response has the current one", async () => {
  const url = await createDraft();
  expect((await send(owner, "PATCH", url, { heading: "One", revision: 1 })).status).toBe(200);
  expect(await send(owner, "PATCH", url, { heading: "Two", revision: 1 })).toMatchObject({
    status: 409,
    body: { error: "invalid_state", current: { heading: "One", revision: 2 } },
  });
  expect((await send(owner, "DELETE", url)).status).toBe(200);
  expect((await owner.get(url)).status).toBe(404);
});

test("without subscribers nothing is sent, and strangers can neither read nor send newsletters", async () => {
  const url = await createDraft();
  expect(await owner.post(`${url}/send`, {})).toMatchObject({
    status: 409,
    body: { error: "invalid_state" },
  });
  expect((await shop.browser().get(path)).status).toBe(401);
  expect((await shop.browser().post(`${url}/send`, {})).status).toBe(401);
});

test("the copy of a person’s data includes the newsletters received; recipients still count after an erasure and a purge", async () => {
  await subscribe(readerEmails(2));
  const url = await createDraft();
  await owner.post(`${url}/send`, {});
  await shop.jobsDone();
  const { db } = shop.database;
  const person = {
    email: "reader0@example.com",
    orderIds: [],
    visitorIds: [],
    until: new Date(),
    finishedOrderIds: [],
  };
  const hooks = shop.ctx.personalData;
  const exported = await Promise.all(
    hooks.map(({ lists }) => lists?.newsletters?.(db, person, 10, shop.ctx) ?? Promise.resolve([])),
  );
  expect(exported.flat()).toMatchObject([{ subject: "A new harvest", status: "sent" }]);
  await db.transaction(async (tx) => {
    for (const { erase } of hooks) await erase?.(tx, person, shop.ctx);
  });
  const recipients = await db.select().from(campaignRecipients);
  expect(recipients.map(({ emailHash }) => emailHash.equals(hashEmail(person.email)))).toEqual([
    false,
    false,
  ]);
  expect(await readCampaign(url)).toMatchObject({ recipients: 2, sent: 2 });
  await db.update(campaigns).set({ endedAt: new Date(Date.now() - 31 * 86_400_000) });
  await purgeCampaignRecipients(shop.ctx);
  expect(await db.$count(campaignRecipients)).toBe(0);
  expect(await readCampaign(url)).toMatchObject({ recipients: 2, sent: 2, waiting: 0 });
});

test("without a mail server, each recipient's newsletter is stored once", async () => {
  const count = Number(process.env.NEWSLETTERS ?? 300);
  const { db } = shopWithoutMail.database;
  await db.execute(sql`
    insert into subscribers (email, email_hash, asked_at, confirmed_at, place, consent_text)
    select 'many' || n || '@example.com', sha256(('many' || n || '@example.com')::bytea), now(), now(), 'footer', 'x'
    from generate_series(1, ${count}) n`);
  const admin = await adminBrowser(shopWithoutMail);
  const url = await createDraft(newsletter, admin);
  expect((await admin.post(`${url}/send`, {})).body.data).toMatchObject({ recipients: count });
  await shopWithoutMail.jobsDone();
  expect((await admin.get(url)).body.data).toMatchObject({
    status: "sent",
    sent: count,
    unknown: 0,
    problem: "It was kept, because no mail server was set",
  });
  const storedCount = await db.$count(messages, eq(messages.kind, "newsletter"));
  expect(storedCount).toBe(count);
  expect(await db.$count(emailOptouts)).toBe(0);
  expect(keptMail(shopWithoutMail, "many7@example.com", "newsletter").join()).toContain(
    "Subject: A new harvest",
  );
}, 120_000);
