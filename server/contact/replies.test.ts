import { type SQL, sql } from "drizzle-orm";
import { afterAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { adminBrowser, send } from "../../test/admin.ts";
import { startFakeSmtp } from "../../test/fake-smtp.ts";
import { openTestShop } from "../../test/shop.ts";

const smtp = await startFakeSmtp();
const shop = await openTestShop({ SMTP_URL: smtp.url, OWNER_EMAIL: "owner@example.com" });
const owner = await adminBrowser(shop);
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

const messageFields = {
  name: "Leah Cooper",
  email: "Leah@Example.com",
  subject: "wholesale",
  message: "Do you sell boxes of 12\nto salons?",
};

async function receive(changes: object = {}): Promise<{ id: string; reference: string }> {
  const { body } = await shop.browser().post("/api/contact", { ...messageFields, ...changes });
  await shop.jobsDone();
  return body.data;
}

const path = (id: string) => `/api/admin/messages/${id}`;
const reply = (id: string, body: object, browser = owner, headers = {}) =>
  browser.post(`${path(id)}/reply`, body, headers);
const deleteMessage = (id: string, browser = owner, headers = {}) =>
  browser.fetch(path(id), { method: "DELETE", headers });
/** Puts e-mails into the state in which a server is sending them. */
async function simulateSending(condition: SQL): Promise<void> {
  const { db } = shop.database;
  await db.execute(sql`with held as (update messages set status = 'queued' where ${condition} returning id)
    insert into jobs (name, lane, payload, attempts, max_attempts, leased_until)
    select 'send_message', 'mail', jsonb_build_object('messageId', id), 1, 12, now() + interval '1 minute' from held`);
  onTestFinished(async () => void (await db.execute(sql`delete from jobs where leased_until is not null`)));
}
const mailToLeah = () => smtp.received.filter(({ to }) => to[0]?.toLowerCase() === "leah@example.com");
const readAllMail = async () => {
  const { rows } = await shop.database.db.execute<{ text: string }>(
    sql`select t::text as text from messages t`,
  );
  return rows.map(({ text }) => text).join("");
};

test("a reply goes to the sender in the thread of the receipt, and quotes the message", async () => {
  const { id, reference } = await receive();
  const replyResponse = await reply(id, { text: "We do.\n\nSee you <soon>", done: true });
  expect(replyResponse).toMatchObject({
    status: 201,
    body: {
      data: { status: "done", answeredAt: expect.any(String), replies: [{ text: expect.any(String) }] },
    },
  });
  await shop.jobsDone();
  const [receipt, response] = mailToLeah();
  expect(response?.headers.get("subject")).toBe(`Re: ${receipt?.headers.get("subject")}`);
  expect(response?.headers.get("subject")).toContain(reference);
  expect(response?.headers.get("in-reply-to")).toBe(receipt?.headers.get("message-id"));
  expect(response?.headers.get("references")).toBe(receipt?.headers.get("message-id"));
  expect(response?.headers.has("reply-to")).toBe(false);
  expect(response?.body).toContain("To answer, please write to us at http://localhost:5000/contact");
  expect(response?.headers.has("auto-submitted")).toBe(false);
  expect(response?.body).toContain("See you &lt;soon&gt;");
  expect(response?.body).toContain("> Do you sell boxes of 12");

  await reply(id, { text: "And one more thing." });
  await shop.jobsDone();
  expect(mailToLeah()[2]?.headers.get("in-reply-to")).toBe(response?.headers.get("message-id"));
  expect(JSON.stringify(mailToLeah())).not.toContain("owner@example.com");
  const { body } = await owner.get(path(id));
  expect(body.data.receipt.status).toBe("sent");
  expect(body.data.replies.map(({ mail }: { mail: { status: string } }) => mail.status)).toEqual([
    "sent",
    "sent",
  ]);
});

test("a repeated reply, even a concurrent one, is stored once; a different text with its id is refused", async () => {
  const { id } = await receive();
  const body = { text: "We do.", replyId: crypto.randomUUID() };
  const statuses = await Promise.all([reply(id, body), reply(id, body), reply(id, body)]);
  expect(statuses.map(({ status }) => status).sort()).toEqual([200, 200, 201]);
  expect((await reply(id, { ...body, text: "We do not." })).body.error).toBe("invalid_state");
  await shop.jobsDone();
  expect(mailToLeah()).toHaveLength(2);
});

test("the panel shows that a reply's e-mail has failed", async () => {
  const { id } = await receive();
  smtp.next.push("no_such_address");
  await reply(id, { text: "We do." });
  await shop.jobsDone();
  const { body } = await owner.get(path(id));
  expect(body.data.replies[0].mail).toMatchObject({
    status: "failed",
    lastError: expect.stringContaining("5.1.1"),
  });
});

test("messages caught by the honeypot are listed separately with the reason, and can be answered", async () => {
  const { id } = await receive({ website: "x" });
  expect((await owner.get("/api/admin/messages?status=open&suspicious=false")).body).toMatchObject({
    data: [],
    counts: { open: 0, unread: 0, suspicious: 1 },
  });
  const { body } = await owner.get("/api/admin/messages?suspicious=true");
  expect(body.data).toMatchObject([{ id, suspicion: "honeypot" }]);
  expect((await reply(id, { text: "Are you a person?" })).status).toBe(201);
  await shop.jobsDone();
  expect(mailToLeah()[0]?.headers.has("in-reply-to")).toBe(false);
});

test("a message sent immediately after the form opened is listed with the others, since its text may have been pasted", async () => {
  const { id } = await receive({ elapsedMs: 400 });
  const { body } = await owner.get("/api/admin/messages?status=open&suspicious=false");
  expect(body).toMatchObject({
    data: [{ id, suspicion: "too_fast" }],
    counts: { open: 1, unread: 1, suspicious: 0 },
  });
  expect((await owner.get("/api/admin/counts")).body.data.unreadMessages).toBe(1);
});

test("messages are found by name, address, words and reference", async () => {
  const { id, reference } = await receive();
  await receive({ name: "Ben", email: "ben@example.com", message: "Yes,\n100% sure_" });
  const search = async (q: string) => {
    const { body } = await owner.get(`/api/admin/messages?q=${encodeURIComponent(q)}`);
    return body.data.map(({ name }: { name: string }) => name);
  };
  for (const q of ["cooper", "leah@", "BOXES", reference, reference.slice(2)]) {
    expect(await search(q)).toEqual(["Leah Cooper"]);
  }
  expect(await search("100%")).toEqual(["Ben"]);
  // One or two letters match the start of a word; wildcard characters are literal.
  for (const q of ["Be", "10", "s"]) expect(await search(q)).toContain("Ben");
  for (const q of ["en", "%", "_"]) expect(await search(q)).toEqual([]);
  expect(await search("nowhere")).toEqual([]);
  expect((await owner.get(path(id))).body.data.orders).toEqual([]);
});

test("deleting a message also deletes its replies, its e-mails and its text in the activity log", async () => {
  const { id, reference } = await receive();
  await reply(id, { text: "We do." });
  await shop.jobsDone();
  const { body } = await owner.get("/api/admin/outbox?q=leah@example.com");
  await owner.post(`/api/admin/outbox/${body.data[0].id}/resend`);
  await shop.jobsDone();
  expect(await readAllMail()).toContain("Leah");
  expect((await deleteMessage(id)).status).toBe(200);
  expect(await readAllMail()).not.toMatch(/leah|boxes|we do/i);
  expect([(await owner.get(path(id))).status, (await deleteMessage(id)).status]).toEqual([404, 404]);
  const { rows } = await shop.database.db.execute<{ entry: string }>(
    sql`select row_to_json(a)::text as entry from activity a`,
  );
  const entries = rows.map(({ entry }) => entry).join("");
  expect(entries).toContain(`Message ${reference} deleted`);
  expect(entries).not.toMatch(/leah|boxes|we do/i);
});

test("a message is not deleted while an e-mail about it is being sent", async () => {
  const { id } = await receive();
  await simulateSending(sql`kind = 'owner_contact'`);
  const refused = await deleteMessage(id);
  expect([refused.status, (await owner.get(path(id))).status]).toEqual([409, 200]);
});

test("an empty or too long reply, or one to an unknown message, is refused", async () => {
  const { id } = await receive();
  const responses = [
    await reply(crypto.randomUUID(), { text: "Hello" }),
    await reply(id, { text: "  " }),
    await reply(id, { text: "x".repeat(10_001) }),
  ];
  expect(responses.map(({ status }) => status)).toEqual([404, 422, 422]);
});

const joinReferences = (messages: { reference: string }[]) =>
  messages.map(({ reference }) => reference).join(", ");
const updateMessages = (body: object) => send(owner, "PATCH", "/api/admin/messages", body);
const deleteMessages = (body: object) => owner.post("/api/admin/messages/delete", body);
const readLatestEntry = async () => (await owner.get("/api/admin/activity?limit=1")).body.data[0];

test("several messages can be marked as done or open by one call, with one entry in the activity log", async () => {
  const received = [await receive(), await receive(), await receive()];
  const ids = received.map(({ id }) => id);
  await updateMessages({ ids: [ids[1]], status: "done" });
  const { status, body } = await updateMessages({ ids: [...ids, crypto.randomUUID()], status: "done" });
  expect([status, body.data.ids]).toEqual([200, [ids[0], ids[2]]]);
  expect((await owner.get("/api/admin/messages?status=open")).body.data).toEqual([]);
  expect(await readLatestEntry()).toMatchObject({
    summary: "2 messages marked as done",
    after: { messages: `${received[0]?.reference}, ${received[2]?.reference}` },
  });
  await updateMessages({ ids, status: "open" });
  expect((await owner.get("/api/admin/messages?status=open")).body.data).toHaveLength(3);
});

test("several messages are deleted with their e-mails; one whose e-mail is being sent is kept", async () => {
  const received = [await receive(), await receive({ name: "Ben" }), await receive({ name: "Busy" })];
  const [first, second, busy] = received.map(({ id }) => id);
  await reply(first ?? "", { text: "We do." });
  await shop.jobsDone();
  await simulateSending(sql`dedupe_key = ${`owner_contact:${busy}`}`);
  const ids = [busy, second, first];
  expect((await deleteMessages({ ids })).body.data).toEqual({ deleted: [first, second], busy: [busy] });
  expect(await readLatestEntry()).toMatchObject({
    summary: "2 messages deleted",
    before: { messages: joinReferences(received.slice(0, 2)) },
  });
  expect(await readAllMail()).not.toMatch(/we do|Ben/);
  expect(await readAllMail()).toContain("Busy");
  expect((await owner.get("/api/admin/messages")).body.data).toMatchObject([{ id: busy }]);
  // A repeated request succeeds, too.
  expect((await deleteMessages({ ids: [first, second] })).body.data).toEqual({ deleted: [], busy: [] });
});

test("a call for several messages is refused if it has no ids, too many or invalid ones", async () => {
  const invalidIds = [[], ["7"], Array.from({ length: 101 }, () => crypto.randomUUID())];
  for (const ids of invalidIds) {
    expect([
      (await updateMessages({ ids, status: "done" })).status,
      (await deleteMessages({ ids })).status,
    ]).toEqual([422, 422]);
  }
});
