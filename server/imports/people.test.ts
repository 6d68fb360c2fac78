import { randomUUID } from "node:crypto";
import { and, eq, isNull, sql } from "drizzle-orm";
import pg from "pg";
import { afterAll, describe, expect, test } from "vitest";
import type { ImportCheck, ImportKind } from "../../domain/imports/import.ts";
import { adminBrowser, send } from "../../test/admin.ts";
import { confirm, order } from "../../test/checkout.ts";
import { openTestShop } from "../../test/shop.ts";
import { campaignRecipients, campaigns } from "../campaigns/tables.ts";
import { purgeImportedCustomers } from "../customers/import.ts";
import { customers } from "../customers/tables.ts";
import { subscribers } from "../newsletter/tables.ts";
import { hashEmail, optOut } from "../outbox/optouts.ts";
import { messages } from "../outbox/tables.ts";
import { deletionRequests } from "../privacy/tables.ts";

const shop = await openTestShop({ PAYMENTS: "sandbox" });
const owner = await adminBrowser(shop);
afterAll(() => shop.stop());

async function upload(path: string, file: string, fields: Record<string, string>) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set("file", new File([file], "list.csv"));
  const response = await owner.fetch(path, { method: "POST", body: form });
  return { status: response.status, body: await response.json() };
}

async function dryRun(kind: ImportKind, file: string) {
  const { status, body } = await upload("/api/admin/imports/check", file, { kind });
  expect([status, body.message]).toEqual([200, undefined]);
  const { rows, ...check } = body.data as ImportCheck;
  return { ...check, rows: rows.map(({ line, state, label, text }) => `${line} ${state} ${label}: ${text}`) };
}

/** Checks and imports a file; returns the import's id. */
async function checkAndImport(kind: ImportKind, file: string): Promise<string> {
  const { key } = await dryRun(kind, file);
  const id = randomUUID();
  const { status, body } = await upload("/api/admin/imports", file, { kind, key, id });
  expect([status, body.message]).toEqual([201, undefined]);
  return id;
}
const undo = async (id: string) =>
  (await owner.post(`/api/admin/imports/${id}/undo`, {})).body.data.undone as {
    rows: number;
    kept: { label: string; reason: string }[];
  };

const readData = async (path: string) => (await owner.get(path)).body.data;
const findSubscriber = async (email: string) => (await readData(`/api/admin/subscribers?q=${email}`))[0];
const findCustomer = async (q: string) =>
  (await readData(`/api/admin/customers?q=${encodeURIComponent(q)}`))[0];
const countMails = () => shop.database.db.$count(messages);

/** Deletes all data of a customer, and waits until that is done. */
async function eraseCustomer(email: string): Promise<void> {
  const { id } = await findCustomer(email);
  expect((await owner.post(`/api/admin/customers/${id}/erase`, { email })).status).toBe(202);
  await shop.jobsDone();
}

describe("subscribers", () => {
  test("without consent columns are refused with the names of these columns", async () => {
    const { notes, rows } = await dryRun("subscribers", "Email\nada@example.com\n");
    expect(notes).toEqual([
      "Rows without date and proof of consent are refused. Add the columns “Consent date” and “Consent proof”.",
    ]);
    expect(rows).toEqual(["2 refused ada@example.com: It has neither date nor proof of consent."]);
    const shopify = "Email,Accepts Email Marketing,Consent date\nada@example.com,perhaps,2025-01-01\n";
    expect((await dryRun("subscribers", shopify)).notes).toEqual([
      "Shopify exports neither date nor proof of consent. Add the columns “Consent proof”.",
    ]);
  });

  test("need the date and proof of their consent, and are subscribed without an email", async () => {
    const file = [
      "Email,Consent date,Consent proof",
      "Ada@Example.com,2025-03-01,“News by email” on the form of our old shop",
      "bo@example.com,2025-03-01,",
      "cy@example.com,,Signed a paper list",
      "di@example.com,,",
      "ada@example.com,2025-03-01,Twice",
      "no address,2025-03-01,Paper",
      "future@example.com,2999-01-01,Paper",
    ].join("\n");
    const before = await countMails();
    expect((await dryRun("subscribers", file)).rows).toEqual([
      "2 new Ada@Example.com: Subscribed without any email. Agreed on 2025-03-01: “News by email” on the form of our old shop.",
      "3 refused bo@example.com: It has no proof of consent: the words agreed to, or how and where.",
      "4 refused cy@example.com: It has no date of consent.",
      "5 refused di@example.com: It has neither date nor proof of consent.",
      "6 refused ada@example.com: This address is in line 2 already.",
      "7 refused no address: Email: Enter a valid email address, like name@example.com.",
      "8 refused future@example.com: Its date of consent is in the future.",
    ]);
    expect(await shop.database.db.$count(subscribers)).toBe(0);
    const id = await checkAndImport("subscribers", file);
    expect(await findSubscriber("ada@example.com")).toMatchObject({
      state: "confirmed",
      place: "import",
      confirmedAt: expect.stringMatching(/^2025-03-01T/),
      consentText: "“News by email” on the form of our old shop",
      welcomeCode: null,
    });
    await shop.jobsDone();
    expect(await countMails()).toBe(before);
    expect((await dryRun("subscribers", file)).rows[0]).toMatch(/^2 same/);
    expect(await undo(id)).toEqual({ rows: 1, kept: [] });
    expect(await shop.database.db.$count(subscribers)).toBe(0);
  });

  test("are not subscribed again if they unsubscribed, bounced, complained or had their data deleted", async () => {
    const { db } = shop.database;
    for (const reason of ["unsubscribed", "bounced", "complained"] as const)
      await optOut(db, `${reason}@example.com`, "newsletter", reason);
    await checkAndImport("customers", "Email,Tags\nerased@example.com,vip\n");
    await eraseCustomer("erased@example.com");
    const emails = ["unsubscribed", "bounced", "complained", "erased"].map((name) => `${name}@example.com`);
    const rows = [
      "Email,Consent date,Consent proof",
      ...emails.map((email) => `${email.toUpperCase()},2025-03-01,Paper`),
    ];
    expect((await dryRun("subscribers", rows.join("\n"))).rows.map((row) => row.split(": ")[1])).toEqual([
      "It has unsubscribed here.",
      "A newsletter to it bounced here.",
      "It reported a newsletter as spam here.",
      "Its person had all data deleted here.",
    ]);
  });

  test("are not stored again by an import that was running when their data was deleted", async () => {
    const { db, url } = shop.database;
    await checkAndImport("customers", "Email,Tags\nraced@example.com,vip\n");
    const file = "Email,Consent date,Consent proof\nraced@example.com,2025-03-01,Paper\n";
    const { key } = await dryRun("subscribers", file);
    // Holds the import between its check for an erasure and its end.
    await db.execute(sql`create function wait_for_test() returns trigger language plpgsql as
      'begin perform pg_advisory_xact_lock(4711); return new; end'`);
    await db.execute(sql`create trigger waits before insert on subscribers
      for each row execute function wait_for_test()`);
    const waiting = async () =>
      (
        await db.execute(sql`select from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`)
      ).rowCount;
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query("select pg_advisory_lock(4711)");
    const importing = upload("/api/admin/imports", file, { kind: "subscribers", key, id: randomUUID() });
    await expect.poll(waiting).toBe(1);
    const { id } = await findCustomer("raced@example.com");
    expect(
      (await owner.post(`/api/admin/customers/${id}/erase`, { email: "raced@example.com" })).status,
    ).toBe(202);
    const isErased = async () =>
      (await db.$count(
        deletionRequests,
        and(eq(deletionRequests.email, "raced@example.com"), isNull(deletionRequests.finishedAt)),
      )) === 0;
    await expect.poll(async () => (await isErased()) || (await waiting()) === 2).toBe(true);
    await client.end();
    expect((await importing).status).toBe(201);
    await shop.jobsDone();
    await db.execute(sql`drop function wait_for_test cascade`);
    expect([await isErased(), await findSubscriber("raced@example.com")]).toEqual([true, undefined]);
  });

  test("from Mailchimp’s and MailPoet’s exports keep the time and network of their confirmation", async () => {
    const mailchimp = [
      "Email Address,First Name,MEMBER_RATING,OPTIN_TIME,OPTIN_IP,CONFIRM_TIME,CONFIRM_IP,UNSUB_TIME",
      "eve@example.com,Eve,2,2024-05-01 10:00:00,198.51.100.7,2024-05-01 10:02:00,198.51.100.7,",
      "byhand@example.com,,2,,,2024-05-01 10:02:00,,",
      "left@example.com,,2,2024-05-01 10:00:00,198.51.100.7,2024-05-01 10:02:00,198.51.100.7,2024-06-01 10:00:00",
    ].join("\n");
    const check = await dryRun("subscribers", mailchimp);
    expect(check.format).toBe("Mailchimp’s audience export");
    expect(check.rows.map((row) => row.split(": ").slice(1).join(": "))).toEqual([
      "Subscribed without any email. Agreed on 2024-05-01: Mailchimp: signed up 2024-05-01 10:00:00, confirmed 2024-05-01 10:02:00 UTC.",
      "It has no proof of consent: the words agreed to, or how and where.",
      "It unsubscribed there.",
    ]);
    await checkAndImport("subscribers", mailchimp);
    expect(await findSubscriber("eve@example.com")).toMatchObject({
      confirmedAt: "2024-05-01T10:02:00.000Z",
      confirmedNetwork: "198.51.100.0/24",
    });
    const mailPoet = [
      "Email,First name,Last name,Subscription IP,Subscription time,Confirmation time,Confirmation IP,List status,Global status",
      "flo@example.com,Flo,,198.51.100.7,2024-05-01 10:00:00,2024-05-01 10:02:00,198.51.100.7,Subscribed,Subscribed",
      "gus@example.com,Gus,,198.51.100.7,2024-05-01 10:00:00,2024-05-01 10:02:00,198.51.100.7,Subscribed,Bounced",
    ].join("\n");
    const { format, rows } = await dryRun("subscribers", mailPoet);
    expect([format, rows.map((row) => row.split(" ")[1])]).toEqual([
      "WooCommerce’s subscriber export (MailPoet)",
      ["new", "refused"],
    ]);
    expect(rows[1]).toContain("Its state there is “Bounced”, “Subscribed”.");
  });

  test("are not undone if they unsubscribed, signed up, were sent a newsletter or were deleted since the import", async () => {
    const { db } = shop.database;
    const emails = ["leaves", "anew", "reader", "gone", "free"].map((name) => `${name}@example.com`);
    const id = await checkAndImport(
      "subscribers",
      ["Email,Consent date,Consent proof", ...emails.map((email) => `${email},2025-03-01,Paper`)].join("\n"),
    );
    await optOut(db, "leaves@example.com", "newsletter");
    await shop.browser().post("/api/newsletter", { email: "anew@example.com", place: "footer" });
    const { body } = await owner.post("/api/admin/campaigns", { subject: "Hello" });
    await db
      .insert(campaignRecipients)
      .values({ campaignId: body.data.id, emailHash: hashEmail("reader@example.com") });
    await send(owner, "DELETE", `/api/admin/subscribers/${(await findSubscriber("gone@example.com")).id}`);
    expect((await undo(id)).kept.map(({ label, reason }) => `${label}: ${reason}`)).toEqual([
      "leaves@example.com: It has unsubscribed since.",
      "anew@example.com: It has signed up here since.",
      "reader@example.com: A newsletter was sent to it since.",
      "gone@example.com: It was deleted since.",
    ]);
    expect(await findSubscriber("free@example.com")).toBeUndefined();
    const checkAgain = await dryRun(
      "subscribers",
      "Email,Consent date,Consent proof\ngone@example.com,2025-03-01,Paper\n",
    );
    expect(checkAgain.rows[0]).toMatch(/^2 refused gone@example.com: /);
    await db.delete(campaigns);
  });
});

describe("customers", () => {
  const header =
    "Customer ID,First Name,Last Name,Email,Accepts Email Marketing,Default Address Company,Default Address Address1,Default Address Address2,Default Address City,Default Address Province Code,Default Address Country Code,Default Address Zip,Default Address Phone,Phone,Accepts SMS Marketing,Total Spent,Total Orders,Note,Tax Exempt,Tags";
  const shopify = [
    header,
    "'11,Mira,Okafor,Mira@Example.com,yes,,1 Main St,,Austin,TX,US,'78701,,'+15550100222,no,90.00,3,Likes soap,no,\"VIP, wholesale\"",
    "'12,,,plain@example.com,no,,,,,,,,,,no,0.00,0,,no,",
    "'13,Nobody,,,no,,,,,,,,,,no,0.00,0,,no,",
    "'14,Al,,al@example.com,no,,,,,,Atlantis,,,,no,0.00,0,,no,",
  ].join("\n");

  test("from Shopify’s export keep the fields that the shop stores; the check names the others; an undo removes them", async () => {
    const { format, notes, rows } = await dryRun("customers", shopify);
    expect(format).toBe("Shopify’s customer export");
    expect(notes).toEqual([
      "Left out: street, postal code and company, which buyers enter at checkout; orders and sums, which the shop counts itself; tax exemption; text-message marketing.",
      "Nobody is subscribed to the newsletter: the file has neither date nor proof of consent. Add the columns “Consent date” and “Consent proof” for those whose consent you can prove.",
    ]);
    expect(rows).toEqual([
      "2 new Mira@Example.com: Mira Okafor, +15550100222, Austin, United States. Tags: vip, wholesale. Note: Likes soap.",
      "3 new plain@example.com: Only the address.",
      "4 refused Nobody: It has no email address.",
      "5 refused al@example.com: Country: “Atlantis” is not a country we know. Write it like “United States” or US.",
    ]);
    const before = await shop.database.db.$count(customers);
    const id = await checkAndImport("customers", shopify);
    const mira = await findCustomer("0100222");
    expect(mira).toMatchObject({
      email: "mira@example.com",
      name: "Mira Okafor",
      phone: "+15550100222",
      city: "Austin",
      country: "US",
      tags: ["vip", "wholesale"],
      orders: 0,
    });
    expect((await readData(`/api/admin/customers/${mira.id}`)).notes).toMatchObject([{ text: "Likes soap" }]);
    expect(await findSubscriber("mira@example.com")).toBeUndefined();
    const declinedFile =
      "Email,First Name,Accepts Email Marketing,Consent date,Consent proof\nno@example.com,No,no,2025-01-01,Paper\n";
    expect((await dryRun("customers", declinedFile)).rows).toEqual([
      "2 new no@example.com: No. Not subscribed. It does not accept marketing there.",
    ]);
    expect((await dryRun("customers", shopify)).rows.map((row) => row.split(" ")[1])).toEqual([
      "same",
      "same",
      "refused",
      "refused",
    ]);
    expect(await undo(id)).toEqual({ rows: 2, kept: [] });
    expect(await shop.database.db.$count(customers)).toBe(before);
  });

  test("who bought here keep the data of their orders and get the other fields; the undo removes only these", async () => {
    const buyer = shop.browser();
    await confirm(buyer, await order(buyer, { email: "Buyer@example.com" }));
    await expect.poll(() => findCustomer("buyer@example.com")).toBeTruthy();
    const before = await findCustomer("buyer@example.com");
    await send(owner, "PUT", `/api/admin/customers/${before.id}/tags`, { tags: ["own"], revision: 1 });
    const file =
      'Email,Name,Tags,Note,Consent date,Consent proof\nbuyer@example.com,Other Name,"own, more",Came from the market,2025-01-01,Paper list\n';
    const { rows } = await dryRun("customers", file);
    expect(rows).toEqual([
      "2 changed buyer@example.com: Adds what is new. Tags: more. Note: Came from the market. Subscribed. Agreed on 2025-01-01: Paper list.",
    ]);
    const id = await checkAndImport("customers", file);
    expect(await findCustomer("buyer@example.com")).toMatchObject({
      name: "Ada Obi",
      tags: ["more", "own"],
      orders: 1,
    });
    expect(await findSubscriber("buyer@example.com")).toMatchObject({ state: "confirmed" });
    expect(await undo(id)).toEqual({ rows: 1, kept: [] });
    expect(await findCustomer("buyer@example.com")).toEqual({ ...before, tags: ["own"] });
    expect(await findSubscriber("buyer@example.com")).toBeUndefined();
  });

  test("are not undone if the owner edited or deleted them since the import", async () => {
    const id = await checkAndImport(
      "customers",
      "Email,Name\nedit@example.com,Ed\ngone2@example.com,Gil\nnoted@example.com,Nan\n",
    );
    const editedCustomer = await findCustomer("edit@example.com");
    await send(owner, "PUT", `/api/admin/customers/${editedCustomer.id}/tags`, { tags: ["x"], revision: 1 });
    await eraseCustomer("gone2@example.com");
    const notedCustomer = await findCustomer("noted@example.com");
    await owner.post(`/api/admin/customers/${notedCustomer.id}/notes`, { text: "Called" });
    expect(await undo(id)).toEqual({
      rows: 1,
      kept: [
        { line: 2, label: "edit@example.com", reason: "It was changed since." },
        { line: 3, label: "Deleted", reason: "It was deleted or merged since." },
      ],
    });
    // The owner's note keeps the customer, but the imported fields are removed.
    expect(await findCustomer("noted@example.com")).toMatchObject({ name: "", tags: [] });
  });

  test("are restored by undoing a merge", async () => {
    await checkAndImport(
      "customers",
      "Email,Name,City\none@example.com,One,Rome\ntwo@example.com,Two,Oslo\n",
    );
    const [one, two] = [await findCustomer("one@example.com"), await findCustomer("two@example.com")];
    await owner.post(`/api/admin/customers/${one.id}/merge`, { otherId: two.id });
    const { merges } = await readData(`/api/admin/customers/${one.id}`);
    await send(owner, "DELETE", `/api/admin/customers/${one.id}/merges/${merges[0].id}`);
    expect(await findCustomer("two@example.com")).toEqual(two);
    expect(await findCustomer("one@example.com")).toEqual(one);
  });

  test("are deleted after two years without an order, or on request", async () => {
    await checkAndImport("customers", "Email,Name,Tags\nold@example.com,Old,vip\nask@example.com,Ask,\n");
    const askingCustomer = await findCustomer("ask@example.com");
    expect(
      (await owner.get(`/api/admin/customers/${askingCustomer.id}/data`)).body.data[0].customer,
    ).toMatchObject([{ imported: { name: "Ask" }, notes: [] }]);
    await eraseCustomer("ask@example.com");
    expect(await findCustomer("ask@example.com")).toBeUndefined();
    expect((await dryRun("customers", "Email\nask@example.com\n")).rows).toEqual([
      "2 refused ask@example.com: Its person had all data deleted here.",
    ]);
    const { db } = shop.database;
    const oldCustomer = await findCustomer("old@example.com");
    const setImportedDaysAgo = (days: number) =>
      db
        .update(customers)
        .set({ importedAt: new Date(Date.now() - days * 24 * 60 * 60 * 1000) })
        .where(eq(customers.id, oldCustomer.id));
    await setImportedDaysAgo(729);
    await purgeImportedCustomers(shop.ctx);
    expect(await findCustomer("old@example.com")).toBeTruthy();
    await setImportedDaysAgo(732);
    await purgeImportedCustomers(shop.ctx);
    expect(await findCustomer("old@example.com")).toBeUndefined();
  });

  test("from WooCommerce’s export are recognized", async () => {
    const file =
      "Name,Username,Last Active,Sign Up,Email,Orders,Total Spend,AOV,Country / Region,City,Region,Postal Code\nWim Woo,wim,2025-01-01,2024-01-01,wim@example.com,2,50,25,NL,Utrecht,UT,3511\n";
    const { format, notes, rows } = await dryRun("customers", file);
    expect([format, rows]).toEqual([
      "WooCommerce’s customer export",
      ["2 new wim@example.com: Wim Woo, Utrecht, Netherlands."],
    ]);
    expect(notes).toEqual([
      "Left out: street, postal code and company, which buyers enter at checkout; orders and sums, which the shop counts itself; user names and sign-ins.",
    ]);
  });
});
