import { createServer, type Server } from "node:net";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { GoLiveCheck } from "../../domain/go-live/go-live.ts";
import { mailOutageSentence } from "../../domain/outbox/mail-outage.ts";
import { adminBrowser } from "../../test/admin.ts";
import { type FakePush, startFakePush } from "../../test/fake-push.ts";
import { type FakeSmtp, type SmtpBehavior, startFakeSmtp } from "../../test/fake-smtp.ts";
import { patienceMs } from "../../test/patience.ts";
import { openTestShop, type TestBrowser, type TestShop } from "../../test/shop.ts";
import { watchMail } from "../go-live/watch.ts";
import { openMailer } from "./smtp.ts";
import { mailOutage, messages } from "./tables.ts";

const smtpLogin = { user: "shop", password: "right-password" };
let shop: TestShop;
let smtp: FakeSmtp;
let push: FakePush;
let owner: TestBrowser;

beforeAll(async () => {
  [smtp, push] = await Promise.all([startFakeSmtp(), startFakePush()]);
  shop = await openTestShop({
    ...push.env,
    SMTP_URL: smtp.url,
    OWNER_EMAIL: "owner@example.com",
    MAIL_FROM: "Shop <shop@example.com>",
  });
  owner = await adminBrowser(shop);
});
beforeEach(async () => {
  smtp.next.length = 0;
  await shop.jobsDone();
  await shop.database.db.execute(sql`delete from jobs where attempts > 0`);
  await shop.database.db.execute(sql`truncate contact_messages, contact_replies, messages, mail_outage`);
});
afterAll(async () => {
  await shop.stop();
  await Promise.all([smtp.close(), push.close()]);
});

let writerCount = 0;
/** Sends a contact message; the shop then tries to e-mail its receipt and the owner's alert. */
async function sendContactMessage(): Promise<string> {
  writerCount += 1;
  const email = `writer-${writerCount}@example.com`;
  const { body } = await shop
    .browser()
    .post("/api/contact", { name: "Leah", email, subject: "other", message: "Is it fragrant?" });
  await shop.jobsDone();
  return body.data.id;
}
const respondToEveryMail = (behavior: SmtpBehavior) =>
  smtp.next.push(...Array<SmtpBehavior>(60).fill(behavior));
const readCounts = async () => (await owner.get("/api/admin/news")).body.data;
const readToDo = async () => (await owner.get("/api/admin/to-do")).body.data.mailOutage;
async function readMailCheck(): Promise<GoLiveCheck | undefined> {
  const { checks } = (await owner.get("/api/admin/go-live")).body.data as { checks: GoLiveCheck[] };
  return checks.find(({ id }) => id === "mail");
}
const readReplyState = async (id: string) => (await owner.get(`/api/admin/messages/${id}`)).body.data.reply;
const readOutageSeconds = async () =>
  Number(/^mail_outage_seconds (.+)$/m.exec(await shop.ctx.metrics.text())?.[1]);

test("a mail outage of a minute is reported in the panel and the metrics, once to devices, and ends with the first e-mail sent", async () => {
  const phone = push.phone();
  await owner.post("/api/admin/account/devices", { subscription: phone.subscription, wants: [] });
  const id = await sendContactMessage();
  expect(await readCounts()).toMatchObject({ mailOutage: null });
  respondToEveryMail("try_later");
  await owner.post(`/api/admin/messages/${id}/reply`, { text: "A little.", done: true });
  await shop.jobsDone();
  expect(await readReplyState(id)).toBe("waits");
  const [reply] = (await owner.get(`/api/admin/messages/${id}`)).body.data.replies;
  expect(reply.mail).toMatchObject({
    status: "queued",
    attempts: 1,
    lastError: expect.stringContaining("451"),
  });
  // Not an outage yet: the next attempt may succeed.
  await watchMail(shop.ctx);
  expect(await readCounts()).toMatchObject({ mailOutage: null });
  expect((await readMailCheck())?.state).toBe("ok");

  shop.travel(61_000);
  const outage = { cause: expect.stringContaining("451"), since: expect.any(String), waiting: 1 };
  expect(await readCounts()).toMatchObject({ mailOutage: outage });
  expect(await readToDo()).toMatchObject(outage);
  expect(await readMailCheck()).toMatchObject({
    state: "problem",
    detail: expect.stringMatching(
      /^No email has left since \d{1,2}:\d\d [AP]M: the mail server answers “451 .*”\.$/,
    ),
  });
  expect(await readOutageSeconds()).toBeGreaterThan(60);
  await watchMail(shop.ctx);
  await watchMail(shop.ctx);
  await shop.jobsDone();
  expect(phone.received.map(({ notice }) => notice.body)).toEqual([
    expect.stringMatching(/^No email has left since \d{1,2}:\d\d [AP]M: /),
  ]);

  smtp.next.length = 0;
  await shop.retryNow();
  await shop.jobsDone();
  expect(await readReplyState(id)).toBe("sent");
  expect(await readCounts()).toMatchObject({ mailOutage: null });
  expect(await readToDo()).toBeNull();
  expect((await readMailCheck())?.state).toBe("ok");
  expect(await readOutageSeconds()).toBe(0);
});

test("a mail outage that begins while the clock is far ahead is reported a minute after the clock was put right", async () => {
  respondToEveryMail("try_later");
  shop.travel(3_600_000);
  await sendContactMessage();
  shop.travel(-3_600_000);
  await shop.retryNow();
  await shop.jobsDone();
  shop.travel(61_000);
  expect(await readCounts()).toMatchObject({ mailOutage: { cause: expect.stringContaining("451") } });
});

test("refusing mail to a single address is not an outage; refusing mail to two addresses is one", async () => {
  // A complaint about the sender's address must not count as an address that does not exist.
  smtp.next.push("bad_sender");
  const id = await sendContactMessage();
  const [refused] = await shop.database.db.select().from(messages).where(eq(messages.status, "queued"));
  shop.travel(3_600_000);
  // The other of the two messages was sent; from now on only the refused address is tried.
  respondToEveryMail("no_relay");
  await shop.retryNow();
  await shop.jobsDone();
  shop.travel(61_000);
  expect(refused?.attempts).toBe(1);
  expect(await readCounts()).toMatchObject({ mailOutage: null });
  await owner.post(`/api/admin/messages/${id}/reply`, { text: "A little." });
  await shop.database.db.execute(
    sql`update messages set recipient = 'other@example.com' where kind = 'contact_reply'`,
  );
  await shop.jobsDone();
  await shop.retryNow();
  await shop.jobsDone();
  shop.travel(61_000);
  expect(await readCounts()).toMatchObject({ mailOutage: { cause: expect.stringContaining("550") } });
});

test("mail to an address that does not exist fails immediately, and is not an outage", async () => {
  const id = await sendContactMessage();
  respondToEveryMail("no_such_address");
  await owner.post(`/api/admin/messages/${id}/reply`, { text: "A little." });
  await shop.jobsDone();
  expect(await readReplyState(id)).toBe("failed");
  expect(await shop.database.db.select().from(mailOutage)).toEqual([]);
});

describe("a mail server that could not be reached", () => {
  let unreachable: TestShop;
  let server: FakeSmtp | null = null;
  let port: number;
  beforeAll(async () => {
    const server = await startFakeSmtp();
    port = Number(new URL(server.url).port);
    await server.close();
    unreachable = await openTestShop({
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      OWNER_EMAIL: "owner@example.com",
    });
  });
  afterAll(async () => {
    await unreachable.stop();
    await server?.close();
  });

  test("is probed; once it is reachable again, all waiting e-mails are sent immediately, with their full number of attempts", async () => {
    const admin = await adminBrowser(unreachable);
    for (const name of ["Ada", "Leah", "Noor"]) {
      const email = `${name}@example.com`;
      const body = { name, email, subject: "other", message: "Is it fragrant?" };
      await unreachable.browser().post("/api/contact", body);
    }
    await unreachable.jobsDone();
    // Makes each e-mail wait for an hour.
    await unreachable.database.db.execute(
      sql`update jobs set run_at = now() + interval '1 hour', attempts = 11 where name = 'send_message'`,
    );
    unreachable.travel(61_000);
    expect((await admin.get("/api/admin/news")).body.data.mailOutage).toMatchObject({
      cause: "connection refused",
      waiting: 6,
    });
    await watchMail(unreachable.ctx);
    expect(await readStatuses(unreachable)).toEqual(Array(6).fill("queued"));

    server = await startFakeSmtp(undefined, port);
    await watchMail(unreachable.ctx);
    await expect
      .poll(() => readStatuses(unreachable), { timeout: patienceMs })
      .toEqual(Array(6).fill("sent"));
    expect((await admin.get("/api/admin/news")).body.data.mailOutage).toBeNull();
  });
});

const readStatuses = async ({ database }: TestShop) =>
  (await database.db.select({ status: messages.status }).from(messages)).map(({ status }) => status);

describe("the reason for a mail failure", () => {
  const publicUrl = "https://shop.example";
  const sender = { brandName: "Palmira", publicUrl } as Parameters<
    ReturnType<typeof openMailer>["send"]
  >[0]["sender"];
  async function sendFailure(smtpUrl: string): Promise<unknown> {
    const mailer = openMailer({ smtpUrl, from: null, connections: 1, publicUrl });
    onTestFinished(() => mailer.close());
    return mailer
      .send({
        messageId: crypto.randomUUID(),
        to: "ada@example.com",
        replyTo: null,
        sender,
        rendered: { subject: "Hello", html: "<p>Hello</p>", text: "Hello" },
      })
      .catch((error: unknown) => error);
  }

  test("contains no user, password or address from the server's response", async () => {
    const strictServer = await startFakeSmtp(smtpLogin);
    onTestFinished(() => strictServer.close());
    const { host } = new URL(strictServer.url);
    const wrongPassword = await sendFailure(`smtp://shop:not-this@${host}`);
    expect(wrongPassword).toMatchObject({
      reason: "the mail server does not accept the user and password (535)",
      isAnswered: false,
      isAboutRecipient: false,
    });
    expect(JSON.stringify([wrongPassword, String(wrongPassword)])).not.toContain("not-this");
    smtp.next.push("no_relay");
    const refusedRelay = await sendFailure(smtp.url);
    expect(refusedRelay).toMatchObject({ isAnswered: true, isAboutRecipient: true });
    expect((refusedRelay as { reason: string }).reason).toMatch(/answers “550 5\.7\.1 <a\*\*\*@example.com>/);
    smtp.next.push("try_later");
    expect(await sendFailure(smtp.url)).toMatchObject({ isAnswered: true, isAboutRecipient: false });
  });

  test("distinguishes a server that does not exist from one that does not respond", async () => {
    const silentServer = createServer(() => undefined);
    await new Promise<void>((resolve) => silentServer.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => closeServer(silentServer));
    const { port } = silentServer.address() as { port: number };
    const [refused, unknown, silentResponse] = await Promise.all([
      sendFailure("smtp://127.0.0.1:1"),
      sendFailure("smtp://mail.invalid:25"),
      sendFailure(`smtp://127.0.0.1:${port}`),
    ]);
    expect(refused).toMatchObject({ reason: "connection refused", isAnswered: false });
    expect(unknown).toMatchObject({ reason: "the mail server’s name is not found" });
    expect(silentResponse).toMatchObject({
      reason: "the mail server does not answer",
      isAboutRecipient: false,
    });
  });
});

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}

test("the sentence about an outage has the start in the shop's time zone, with the day unless it is today", () => {
  const outage = { since: "2026-11-23T19:05:30.000Z", cause: "connection refused" };
  const sentenceAt = (now: string) => mailOutageSentence(outage, { timeZone: "America/New_York", now });
  expect(sentenceAt("2026-11-23T19:10:00.000Z")).toBe("No email has left since 2:05 PM: connection refused");
  expect(sentenceAt("2026-11-24T19:10:00.000Z")).toBe(
    "No email has left since Nov 23, 2:05 PM: connection refused",
  );
});
