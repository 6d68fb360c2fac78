import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeEach, expect, test } from "vitest";
import { messageKindLabels } from "../../domain/outbox/outbox.ts";
import { openTestShop } from "../../test/shop.ts";
import { rateLimits } from "../http/tables.ts";
import { enqueueReviewAlert } from "../reviews/mail.ts";
import { mailCaps, mayMailStranger } from "./mail-caps.ts";
import { mailboxSql, messages } from "./tables.ts";

const shop = await openTestShop();
afterAll(() => shop.stop());

const hourMs = 60 * 60 * 1000;
beforeEach(async () => {
  await shop.jobsDone();
  await shop.database.db.delete(messages);
});

const form = { name: "Eve", subject: "other", message: "Hello" };
const sendContactMessage = (email: string) => shop.browser().post("/api/contact", { ...form, email });
const signUp = (email: string) => shop.browser().post("/api/newsletter", { email, place: "footer" });
const readMessages = (kind: typeof messages.$inferSelect.kind) =>
  shop.database.db.select().from(messages).where(eq(messages.kind, kind));

test.each([
  ["the part after a plus sign", (index: number) => `leah+${index}@example.com`],
  ["capital letters", (index: number) => (index % 2 ? "Leah@Example.com" : "leah@example.com")],
  [
    "dots and names of Gmail",
    (index: number) => ["l.eah@gmail.com", "le.ah+x@gmail.com", "leah@googlemail.com"][index % 3],
  ],
])("the limit of a mailbox ignores %s", async (_, address) => {
  const responses = await Promise.all(
    Array.from({ length: 6 }, (_, index) => sendContactMessage(address(index) ?? "")),
  );
  expect(responses.map(({ status }) => status)).toEqual(Array(6).fill(201));
  expect(await readMessages("contact_receipt")).toHaveLength(3);
  expect((await sendContactMessage("another.leah@example.com")).status).toBe(201);
  expect(await readMessages("contact_receipt")).toHaveLength(4);
});

test("a mailbox gets at most six receipts and three confirmations a day, and other mailboxes are unaffected", async () => {
  for (let hour = 0; hour < 4; hour += 1) {
    for (let index = 0; index < 3; index += 1) await sendContactMessage("leah@example.com");
    await signUp(`leah+${hour}@example.com`);
    // Makes all earlier messages over an hour older.
    await shop.database.pool.query("update messages set created_at = created_at - interval '61 minutes'");
  }
  expect(await readMessages("contact_receipt")).toHaveLength(6);
  expect(await readMessages("newsletter_confirm")).toHaveLength(3);
  await signUp("ada@example.com");
  expect(await readMessages("newsletter_confirm")).toHaveLength(4);
});

test("a flood of contact messages sends the owner ten e-mails and one summary that counts the rest", async () => {
  for (let index = 0; index < 14; index += 1) await sendContactMessage(`eve${index}@example.com`);
  expect(await readMessages("owner_contact")).toHaveLength(10);
  const [summary, ...otherSummaries] = await readMessages("owner_summary");
  expect([summary?.data, otherSummaries]).toEqual([{ of: "owner_contact", count: "4" }, []]);
  await shop.database.db.execute("update jobs set run_at = now()");
  await shop.jobsDone();
  const [sent] = await readMessages("owner_summary");
  expect([sent?.subject, sent?.status]).toEqual(["4 more messages came in", "kept"]);
  expect(sent?.text).toContain("/admin/messages");
});

test("calls are limited per network and day, an IPv6 /48 counting as one network", async () => {
  const expire = Date.now() + 24 * hourMs;
  await shop.database.db.insert(rateLimits).values([
    { key: "contact:day:198.51.100.150", points: 99, expire },
    { key: "contact:site:day:2001:db8:77::/48", points: 399, expire },
    { key: "contact:site:2001:db8:78::/48", points: 39, expire: Date.now() + 60_000 },
  ]);
  const postFrom = async (address: string) =>
    (await shop.browser(address).post("/api/contact", { ...form, email: "x@example.com" })).status;
  expect([await postFrom("198.51.100.150"), await postFrom("198.51.100.150")]).toEqual([201, 429]);
  expect(await postFrom("198.51.100.151")).toBe(201);
  expect([await postFrom("2001:db8:77:1::1"), await postFrom("2001:db8:77:2::1")]).toEqual([201, 429]);
  expect([await postFrom("2001:db8:78:1::1"), await postFrom("2001:db8:78:2::1")]).toEqual([201, 429]);
  expect(await postFrom("2001:db8:79:1::1")).toBe(201);
});

test.each(Object.keys(messageKindLabels) as (keyof typeof messageKindLabels)[])(
  "%s e-mails are limited per mailbox and day, or have a reason why they cannot flood one",
  async (kind) => {
    const cap = mailCaps[kind];
    if (typeof cap === "string") return expect(cap.length).toBeGreaterThan(10);
    const now = new Date();
    const mayMail = () =>
      mayMailStranger(shop.database.db, { kind: kind as "order_lookup", email: "a@example.com", now });
    const row = { kind, channel: "email", recipient: "a+1@example.com" } as const;
    const earlierMessages = Array.from({ length: cap.perDay - 1 }, (_, index) => ({
      ...row,
      id: randomUUID(),
      dedupeKey: `${kind}:${index}`,
      createdAt: new Date(now.getTime() - (2 + index) * hourMs),
    }));
    if (earlierMessages.length > 0) await shop.database.db.insert(messages).values(earlierMessages);
    expect(await mayMail()).toBe(true);
    const lastMessage = {
      id: randomUUID(),
      dedupeKey: `${kind}:last`,
      createdAt: new Date(now.getTime() - 2 * hourMs),
    };
    await shop.database.db.insert(messages).values({ ...row, ...lastMessage });
    expect(await mayMail()).toBe(false);
  },
);

test("the messages of a mailbox are counted by an index, even if there are many", async () => {
  const { db, pool } = shop.database;
  await pool.query(`insert into messages (id, kind, channel, dedupe_key, recipient)
    select gen_random_uuid(), 'newsletter_confirm', 'email', 'many:' || n, 'many' || n || '@example.com'
    from generate_series(1, 3000) n`);
  await pool.query("analyze messages");
  const { rows } = await db.execute<{
    "QUERY PLAN": string;
  }>(sql`explain select ${messages.kind} from ${messages}
    where ${messages.kind} in ('newsletter_confirm', 'order_lookup')
      and ${messages.createdAt} > now() - interval '1 day'
      and ${mailboxSql(messages.recipient)} = ${mailboxSql(sql`${"many+7@example.com"}::text`)}`);
  expect(rows.map((row) => row["QUERY PLAN"]).join("\n")).toContain("messages_mailbox");
});

test("a flood of reviews sends the owner one summary", async () => {
  const { db } = shop.database;
  const at = new Date();
  for (let id = 0; id < 13; id += 1) await db.transaction((tx) => enqueueReviewAlert(tx, { id, at }));
  // This review was reported before, so it is not counted again.
  await db.transaction((tx) => enqueueReviewAlert(tx, { id: 0, at }));
  expect(await readMessages("owner_review")).toHaveLength(10);
  expect((await readMessages("owner_summary")).map(({ data }) => data)).toEqual([
    { of: "owner_review", count: "3" },
  ]);
});
