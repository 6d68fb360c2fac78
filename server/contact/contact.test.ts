import { sql } from "drizzle-orm";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { adminBrowser } from "../../test/admin.ts";
import { startFakeSmtp } from "../../test/fake-smtp.ts";
import { openTestShop, type TestBrowser } from "../../test/shop.ts";
import { purgeContactMessages } from "./commands.ts";

const smtp = await startFakeSmtp();
const shop = await openTestShop({ SMTP_URL: smtp.url, OWNER_EMAIL: "owner@example.com" });
beforeEach(async () => {
  // Deliver the e-mails of the previous test before this one starts.
  await shop.jobsDone();
  await shop.database.db.execute(sql`truncate contact_messages, contact_replies, messages`);
  smtp.received.length = 0;
});
afterAll(async () => {
  await shop.stop();
  await smtp.close();
});

const message = {
  name: "Leah Cooper",
  email: "leah@example.com",
  subject: "wholesale",
  message: "Do you sell boxes of 12\nto salons?",
};
const send = (changes: object = {}, browser: TestBrowser = shop.browser()) =>
  browser.post("/api/contact", { ...message, ...changes });
const mailTo = (address: string) => smtp.received.filter(({ to }) => to.includes(address));

describe("a message", () => {
  test("is stored, sent to the owner with the sender as reply-to, and acknowledged with its reference", async () => {
    const sent = await send();
    expect(sent).toMatchObject({
      status: 201,
      body: { success: true, data: { id: expect.any(String), reference: expect.stringMatching(/^M-\d+$/) } },
    });
    const { reference } = sent.body.data;
    await shop.jobsDone();
    const [toOwner, ...others] = mailTo("owner@example.com");
    expect(others).toEqual([]);
    expect(toOwner?.headers.get("subject")).toBe(`Wholesale Inquiry (${reference})`);
    expect(toOwner?.headers.get("reply-to")).toBe("leah@example.com");
    expect(toOwner?.body).toContain("> Do you sell boxes of 12");
    expect(toOwner?.body).toContain("> to salons?");
    const [receipt, ...otherReceipts] = mailTo("leah@example.com");
    expect(otherReceipts).toEqual([]);
    expect(receipt?.headers.get("subject")).toBe(`Your message to Palmira (${reference})`);
    expect(receipt?.body).toContain(`Your reference is ${reference}.`);
    expect(receipt?.headers.get("auto-submitted")).toBe("auto-generated");
    // OWNER_EMAIL is private: buyers see the address in the settings, if there is one.
    expect(receipt?.headers.has("reply-to")).toBe(false);
    expect(receipt?.greeting).toBe("localhost");
    expect(receipt?.headers.has("list-unsubscribe")).toBe(false);
  });

  test.each([
    ["a name of only invisible characters", { name: "\u200b\u2060\u200d" }, "name"],
    ["a text of only invisible characters", { message: "\u3164\ufeff \u2800" }, "message"],
    ["a name of two lines", { name: "Ada\r\nBcc: eve@example.com" }, "name"],
    ["a character that reverses the letters after it", { name: "\u202egnp.exe" }, "name"],
    ["characters that isolate the direction of text", { message: "Hello \u2066there\u2069" }, "message"],
  ])("with %s is refused", async (_, invalid, field) => {
    const response = await send(invalid);
    expect([response.status, Object.keys(response.body.fields)]).toEqual([422, [field]]);
  });

  test("in a non-Latin script keeps its combining marks", async () => {
    const name = "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 \u200f";
    const text = "\ud83d\udc69\u200d\ud83d\udc67 \u05e9\u05dc\u05d5\u05dd\u200e";
    expect((await send({ name, message: text })).status).toBe(201);
    // The next test counts e-mails to the same address.
    await shop.jobsDone();
  });

  test("is not quoted in the receipt, so that the form cannot be used to send text to others", async () => {
    await send({ name: "Visit https://spam.example", message: "Buy at https://spam.example now" });
    await shop.jobsDone();
    expect(mailTo("leah@example.com").length).toBe(1);
    expect(mailTo("leah@example.com")[0]?.body).not.toContain("spam.example");
  });

  test("cannot inject header lines or markup into the owner's e-mail", async () => {
    await send({ name: "Eve", message: "<b>bold</b>\u2028Reply to this" });
    await shop.jobsDone();
    const [mail] = mailTo("owner@example.com");
    expect(mail?.to).toEqual(["owner@example.com"]);
    expect(mail?.headers.has("bcc")).toBe(false);
    expect(mail?.body).toContain("Eve, leah@example.com");
    expect(mail?.body).toContain("&lt;b&gt;bold&lt;/b&gt; Reply to this");
  });

  test.each([
    ["honeypot", { website: "https://spam.example" }],
    ["too_fast", { elapsedMs: 400 }],
  ])(
    "is accepted like any other if it looks automatic (%s), but no receipt is e-mailed",
    async (suspicion, fields) => {
      const sent = await send(fields);
      expect(sent).toMatchObject({ status: 201, body: { data: { reference: expect.any(String) } } });
      await shop.jobsDone();
      expect(smtp.received.flatMap(({ to }) => to)).toEqual(["owner@example.com"]);
      expect(smtp.received[0]?.headers.get("subject")).toMatch(/^Possibly automatic: /);
      const { body } = await (await adminBrowser(shop)).get("/api/admin/messages");
      expect(body.data).toMatchObject([{ suspicion, message: message.message }]);
    },
  );

  test("is not suspicious if it was not sent too fast and the honeypot is empty", async () => {
    await send({ website: "", elapsedMs: 60_000 });
    await shop.jobsDone();
    expect(mailTo("leah@example.com").length).toBe(1);
  });

  test("is acknowledged at most three times an hour per address, even if sent concurrently", async () => {
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        send({ email: index % 2 ? "Leah@Example.com" : "leah@example.com" }),
      ),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(201));
    expect(new Set(responses.map(({ body }) => body.data.reference)).size).toBe(8);
    await shop.jobsDone();
    expect(mailTo("owner@example.com").length).toBe(8);
    expect(smtp.received.length - 8).toBe(3);
    shop.travel(61 * 60 * 1000);
    await send();
    await shop.jobsDone();
    expect(smtp.received.length - 9).toBe(4);
  });

  test("of the maximum length is accepted, and a longer one is refused with all its problems", async () => {
    expect((await send({ message: "🌴".repeat(5000) })).status).toBe(201);
    const refused = await send({ name: " ", email: "leah", subject: "hello", message: "a".repeat(5001) });
    expect(refused.status).toBe(422);
    expect(refused.body.fields).toEqual({
      name: "Enter your name",
      email: "Enter a valid email address, like name@example.com",
      subject: "Choose one of the subjects",
      message: "At most 5000 characters",
    });
  });
});

describe("the inbox", () => {
  test("is paginated, newest message first, and lists each message once", async () => {
    const references = [];
    for (const name of ["One", "Two", "Three"])
      references.unshift((await send({ name })).body.data.reference);
    const browser = await adminBrowser(shop);
    const first = await browser.get("/api/admin/messages?limit=2");
    const second = await browser.get(`/api/admin/messages?limit=2&cursor=${first.body.nextCursor}`);
    const messages = [...first.body.data, ...second.body.data];
    expect(messages.map(({ reference }) => reference)).toEqual(references);
    expect(messages.map(({ name }) => name)).toEqual(["Three", "Two", "One"]);
    expect(second.body.nextCursor).toBeNull();
  });

  test.each(["limit=0", "limit=101", "limit=x", "cursor=x", "status=lost"])("refuses %s", async (query) => {
    expect((await (await adminBrowser(shop)).get(`/api/admin/messages?${query}`)).status).toBe(422);
  });

  test("marks a message as read and done, and filters by status", async () => {
    const [{ id }, otherMessage] = [(await send()).body.data, (await send()).body.data];
    const browser = await adminBrowser(shop);
    const patch = async (path: string, body: object) => {
      const headers = { "Content-Type": "application/json" };
      const response = await browser.fetch(path, { method: "PATCH", body: JSON.stringify(body), headers });
      return { status: response.status, body: await response.json() };
    };
    const path = `/api/admin/messages/${id}`;
    const doneResponse = await patch(path, { status: "done", read: true });
    expect(doneResponse).toMatchObject({ status: 200, body: { data: { id, status: "done" } } });
    const { readAt } = doneResponse.body.data;
    expect(readAt).not.toBeNull();
    expect((await patch(path, { read: true })).body.data.readAt).toBe(readAt);
    const openMessages = await browser.get("/api/admin/messages?status=open");
    expect(openMessages.body.data.map(({ id }: { id: string }) => id)).toEqual([otherMessage.id]);
    expect((await patch(path, { read: false, status: "open" })).body.data).toMatchObject({
      readAt: null,
      status: "open",
    });
    expect((await patch(path, {})).status).toBe(422);
    expect((await patch(`/api/admin/messages/${crypto.randomUUID()}`, { read: true })).status).toBe(404);
    expect((await patch("/api/admin/messages/1", { read: true })).status).toBe(404);
  });

  test("keeps open messages forever and done ones for two years", async () => {
    await send({ name: "Open" });
    await send({ name: "Done" });
    await shop.database.db.execute(sql`update contact_messages set status = 'done' where name = 'Done'`);
    const readNames = async () => {
      const { body } = await (await adminBrowser(shop)).get("/api/admin/messages");
      return body.data.map(({ name }: { name: string }) => name);
    };
    const inYears = (count: number) => new Date(Date.now() + count * 365 * 24 * 60 * 60 * 1000);
    await purgeContactMessages({ ...shop.ctx, now: () => inYears(1.9) });
    expect(await readNames()).toEqual(["Done", "Open"]);
    await purgeContactMessages({ ...shop.ctx, now: () => inYears(3) });
    expect(await readNames()).toEqual(["Open"]);
  });
});

describe("without JavaScript", () => {
  const submit = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    shop.browser().fetch(path, {
      method: "POST",
      body: new URLSearchParams(fields),
      headers: { "Content-Type": "application/x-www-form-urlencoded", ...headers },
      redirect: "manual",
    });

  test.each([
    ["/contact", "wholesale"],
    ["/contact-simple", "Contact Form Submission"],
  ])("the form on %s is sent and leads to a page with the reference", async (path, subject) => {
    const sent = await submit(path, message);
    expect(sent.status).toBe(303);
    const target = sent.headers.get("location") ?? "";
    const { body } = await (await adminBrowser(shop)).get("/api/admin/messages");
    expect(body.data).toMatchObject([{ ...message, subject }]);
    expect(target).toBe(`/contact/sent?reference=${body.data[0].reference}`);
    const page = await shop.browser().fetch(target);
    expect(page.headers.get("cache-control")).toBe("private, no-store");
    expect(await page.text()).toContain(body.data[0].reference);
  });

  test("an incomplete form is shown again with its values and a message per field, and nothing is sent", async () => {
    const refused = await submit("/contact", { ...message, email: "", message: "Hello <script>" });
    expect(refused.status).toBe(422);
    expect(refused.headers.get("cache-control")).toBe("private, no-store");
    const html = await refused.text();
    expect(html).toContain("Missing information");
    expect(html).toContain("Enter your email address");
    expect(html).toContain('value="Leah Cooper"');
    expect(html).toContain("Hello &lt;script&gt;</textarea>");
    expect(html).toMatch(/<option value="wholesale" selected=""/);
    await shop.jobsDone();
    expect(smtp.received).toEqual([]);
  });

  test("if a message cannot be stored, the page shows an error and keeps the text", async () => {
    await shop.database.db.execute(sql`alter table contact_messages rename to contact_messages_away`);
    try {
      const failed = await submit("/contact", message);
      expect(failed.status).toBe(500);
      const html = await failed.text();
      expect(html).toContain("Failed to send message");
      expect(html).toContain("Please try again later");
      expect(html).toContain("to salons?</textarea>");
    } finally {
      await shop.database.db.execute(sql`alter table contact_messages_away rename to contact_messages`);
    }
  });

  test("a message with a filled honeypot is marked as suspicious", async () => {
    expect((await submit("/contact-simple", { ...message, website: "x" })).status).toBe(303);
    const { body } = await (await adminBrowser(shop)).get("/api/admin/messages");
    expect(body.data).toMatchObject([{ suspicion: "honeypot" }]);
  });

  test("a form above 64 KiB is refused, even without a Content-Length", async () => {
    const body = new URLSearchParams({ ...message, message: "a".repeat(70_000) }).toString();
    for (const content of [body, new Blob([body]).stream()]) {
      const response = await shop.browser().fetch("/contact", {
        method: "POST",
        body: content,
        headers: { "Content-Type": "application/x-www-form-urlencoded" },
        duplex: "half",
      } as RequestInit);
      expect(response.status).toBe(413);
    }
  });

  test("behind a proxy that terminates https, the shop's own form is accepted", async () => {
    const secure = await openTestShop({ PUBLIC_URL: "https://shop.example", PAYMENTS: "sandbox" });
    try {
      const sent = await secure.browser().fetch("/contact", {
        method: "POST",
        body: new URLSearchParams(message),
        headers: { Origin: "https://shop.example", Host: "shop.example" },
        redirect: "manual",
      });
      expect(sent.status).toBe(303);
    } finally {
      await secure.stop();
    }
  });
});

test("the answers to common questions on the contact page follow the owner's settings", async () => {
  const readPage = async () => (await shop.browser().fetch("/contact")).text();
  expect(await readPage()).toContain("Expedited shipping to the United States takes 1-2 business days.");
  expect(await readPage()).not.toContain("mailto:");
  await shop.database.db.execute(sql`insert into settings (key, value) values
    ('returns', '{"days": 45, "minimumRemainingPercent": 60}'),
    ('contact', '{"email": "hello@palmira.example", "phone": null, "location": "La Ceiba"}'),
    ('social', '{"instagram": "https://social.example/palmira", "facebook": null, "tiktok": null, "x": null}')
    on conflict (key) do update set value = excluded.value`);
  await expect.poll(readPage).toContain("45-day satisfaction guarantee");
  const html = await readPage();
  expect(html).toContain("at least 60% full");
  expect(html).toContain("mailto:hello@palmira.example");
  expect(html).toContain("La Ceiba");
  expect(html).toContain("https://social.example/palmira");
  expect(html).not.toContain("Facebook");
  expect(html).not.toContain("tel:");
});
