import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openTestShop, type TestShop } from "../../test/shop.ts";
import { rateLimits } from "../http/tables.ts";
import { messages } from "./tables.ts";

let shop: TestShop;
beforeAll(async () => {
  shop = await openTestShop();
});
afterAll(() => shop.stop());

const hourMs = 60 * 60 * 1000;
beforeEach(async () => {
  await shop.jobsDone();
  await shop.database.db.delete(messages);
});

const form = { name: "Eve", subject: "other", message: "Hello" };
const write = (email: string) => shop.browser().post("/api/contact", { ...form, email });
const signUp = (email: string) => shop.browser().post("/api/newsletter", { email, place: "footer" });
const sentOf = (kind: typeof messages.$inferSelect.kind) =>
  shop.database.db.select().from(messages).where(eq(messages.kind, kind));

test.each([
  ["what follows a plus sign", (index: number) => `leah+${index}@example.com`],
  ["capital letters", (index: number) => (index % 2 ? "Leah@Example.com" : "leah@example.com")],
  [
    "dots and names of Gmail",
    (index: number) => ["l.eah@gmail.com", "le.ah+x@gmail.com", "leah@googlemail.com"][index % 3],
  ],
])("a mailbox gets its share of a kind, whatever its address looks like: %s", async (_, address) => {
  const answers = await Promise.all(Array.from({ length: 6 }, (_, index) => write(address(index) ?? "")));
  expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(201));
  expect(await sentOf("contact_receipt")).toHaveLength(3);
  expect((await write("another.leah@example.com")).status).toBe(201);
  expect(await sentOf("contact_receipt")).toHaveLength(4);
});

test("a mailbox gets no more than six receipts and three confirmations a day, and others what is theirs", async () => {
  for (let hour = 0; hour < 4; hour += 1) {
    for (let index = 0; index < 3; index += 1) await write("leah@example.com");
    await signUp(`leah+${hour}@example.com`);
    // What was sent was sent an hour earlier.
    await shop.database.pool.query("update messages set created_at = created_at - interval '61 minutes'");
  }
  expect(await sentOf("contact_receipt")).toHaveLength(6);
  expect(await sentOf("newsletter_confirm")).toHaveLength(3);
  await signUp("ada@example.com");
  expect(await sentOf("newsletter_confirm")).toHaveLength(4);
});

test("a flood of messages brings the owner ten e-mails and one summary, which counts the others", async () => {
  for (let index = 0; index < 14; index += 1) await write(`eve${index}@example.com`);
  expect(await sentOf("owner_contact")).toHaveLength(10);
  const [summary, ...more] = await sentOf("owner_summary");
  expect([summary?.data, more]).toEqual([{ of: "owner_contact", count: "4" }, []]);
  await shop.database.db.execute(
    "select graphile_worker.reschedule_jobs(array_agg(id), now()) from graphile_worker.jobs",
  );
  await shop.jobsDone();
  const [sent] = await sentOf("owner_summary");
  expect([sent?.subject, sent?.status]).toEqual(["4 more messages came in", "kept"]);
  expect(sent?.text).toContain("/admin/messages");
});

test("networks are limited by the day, and those of an IPv6 /48 together", async () => {
  const expire = Date.now() + 24 * hourMs;
  await shop.database.db.insert(rateLimits).values([
    { key: "contact:day:198.51.100.150", points: 99, expire },
    { key: "contact:site:day:2001:db8:77::/48", points: 399, expire },
    { key: "contact:site:2001:db8:78::/48", points: 39, expire: Date.now() + 60_000 },
  ]);
  const from = async (address: string) =>
    (await shop.browser(address).post("/api/contact", { ...form, email: "x@example.com" })).status;
  expect([await from("198.51.100.150"), await from("198.51.100.150")]).toEqual([201, 429]);
  expect(await from("198.51.100.151")).toBe(201);
  expect([await from("2001:db8:77:1::1"), await from("2001:db8:77:2::1")]).toEqual([201, 429]);
  expect([await from("2001:db8:78:1::1"), await from("2001:db8:78:2::1")]).toEqual([201, 429]);
  expect(await from("2001:db8:79:1::1")).toBe(201);
});
