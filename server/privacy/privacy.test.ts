import { createHash } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq, inArray, sql } from "drizzle-orm";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { adminBrowser } from "../../test/admin.ts";
import { confirm, order } from "../../test/checkout.ts";
import { openTestContext } from "../../test/context.ts";
import { keptMail, mailedToken } from "../../test/kept-mail.ts";
import { insertPaidOrder } from "../../test/paid-order.ts";
import { soon } from "../../test/patience.ts";
import { openTestShop, type TestBrowser } from "../../test/shop.ts";
import { recordActivity } from "../admin/activity.ts";
import { activity } from "../admin/tables.ts";
import { enqueueContactReply } from "../contact/mail.ts";
import { contactReplies } from "../contact/tables.ts";
import { refreshCustomers } from "../customers/refresh.ts";
import { customerEmails, customerNotes, customers } from "../customers/tables.ts";
import { disputes } from "../disputes/tables.ts";
import { orderDrafts } from "../drafts/tables.ts";
import { imports } from "../imports/tables.ts";
import { issues } from "../issues/tables.ts";
import { labelJobOrders, labelJobs, labels } from "../labels/tables.ts";
import { subscribers } from "../newsletter/tables.ts";
import { orderEdits, orderNotes, orderReturns, orderTags, shipments } from "../order-desk/tables.ts";
import { orderLinkToken } from "../orders/link-tokens.ts";
import { enqueueOrderPaid } from "../orders/mail.ts";
import { orderEvents, orders, orderVisitors } from "../orders/tables.ts";
import { outboxFeature } from "../outbox/feature.ts";
import { hashEmail } from "../outbox/optouts.ts";
import { messages } from "../outbox/tables.ts";
import { expireOrders } from "../payments/cancellation/close.ts";
import { payments, refunds } from "../payments/tables.ts";
import { questions } from "../questions/tables.ts";
import { refillReminders } from "../refill-reminders/tables.ts";
import { enqueueReviewAlert } from "../reviews/mail.ts";
import { reviews } from "../reviews/tables.ts";
import { stockAlerts } from "../stock-alerts/tables.ts";
import { deletionRequests } from "./tables.ts";

const shop = await openTestShop();
mkdirSync(join(shop.dataDir, "mail"), { recursive: true });
afterAll(() => shop.stop());

/** Signs the owner in again: sessions end after 12 hours, and these tests move the clock further. */
async function signInOwner(): Promise<TestBrowser> {
  const owner = await adminBrowser(shop);
  return owner;
}

const dayMs = 24 * 60 * 60 * 1000;
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs);
let people = 0;

/** The file name of a planted photo; it depends on the marker, but does not contain it. */
const photoFile = (marker: string) =>
  `u-${createHash("sha256").update(marker).digest("hex").slice(0, 16)}.jpg`;

const emptyOrder = {
  lines: [],
  totals: { subtotal: 0, discount: 0, shipping: 0, tax: 0, total: 0, currency: "USD" },
};

/** Stores a person in every table for personal data. Each text contains `marker`, a word that occurs nowhere else. */
async function plantPerson() {
  people += 1;
  const marker = `Quillon${people}x`;
  const email = `${marker}@Example.com`;
  const { db } = shop.database;
  const browser = shop.browser();
  await browser.post("/api/cart/add", { productId: 1, quantity: 3 });
  await browser.post("/api/checkout/reminder", { email, items: [{ productId: 1, quantity: 3 }] });
  const [row] = await db
    .select({ id: sql<string>`visitor_id` })
    .from(sql`cart_reminders`)
    .where(sql`email = ${email}`);
  const visitorId = row?.id ?? "";
  const orderId = await insertPaidOrder(db, {
    visitorId,
    email,
    status: "partially_refunded",
    refundedCents: 500,
    customerName: `Ada ${marker}`,
    phone: `+1 ${marker}`,
    gift: { from: `Bo ${marker}`, note: `For ${marker}` },
    source: { referrer: null, utmSource: `mail-${marker}`, utmMedium: null, utmCampaign: null },
    shippingAddress: `1 ${marker} St, ${marker}ville, TX 78701, United States`,
    shipping: {
      line1: `1 ${marker} St`,
      line2: `c/o ${marker}`,
      city: `${marker}ville`,
      state: "TX",
      postalCode: `7${marker}`,
      country: "US",
    },
    createdAt: daysAgo(200),
    paidAt: daysAgo(200),
    shippedAt: daysAgo(198),
    deliveredAt: daysAgo(195),
    carrier: "UPS",
    trackingNumber: `1Z${marker}`,
  });
  await db.insert(shipments).values({
    id: crypto.randomUUID(),
    orderId,
    number: 1,
    carrier: "UPS",
    trackingNumber: `1Z${marker}`,
    shippedAt: daysAgo(198),
  });
  await db.insert(labels).values({
    id: crypto.randomUUID(),
    orderId,
    rateId: "rate_1",
    state: "bought",
    provider: "sandbox",
    mode: "sandbox",
    parcelRef: "parcel_1",
    rateRef: "Ground",
    carrier: "Sandbox carrier",
    service: "Ground",
    amountCents: 520,
    lines: [],
    recipient: [`Ada ${marker}`],
    forcedReason: `Asked ${marker}`,
    createdAt: daysAgo(80),
    boughtAt: daysAgo(80),
    shippedAt: daysAgo(80),
    trackingNumber: `TEST${marker}`,
  });
  await db.insert(orderDrafts).values({
    id: crypto.randomUUID(),
    email,
    customerName: marker,
    items: [],
    note: `${marker} rang`,
    phone: `+2 ${marker}`,
    shipping: { line1: marker, line2: null, city: "", state: "", postalCode: "", country: "US" },
    createdAt: daysAgo(80),
    changedAt: daysAgo(80),
    expiresAt: daysAgo(60),
  });
  await db.insert(orderVisitors).values({ orderId, visitorId });
  await db.insert(refillReminders).values({ orderId, askedAt: daysAgo(199) });
  await db.insert(payments).values({
    orderId,
    provider: "sandbox",
    revision: 1,
    intentId: `pi_${people}`,
    status: "succeeded",
    amountCents: 3590,
    currency: "USD",
  });
  await db.insert(refunds).values({
    id: crypto.randomUUID(),
    orderId,
    intentId: `pi_${people}`,
    amountCents: 500,
    goodsCents: 500,
    shippingCents: 0,
    taxCents: 0,
    status: "succeeded",
    reason: `A leaking bottle of ${marker}`,
  });
  await db.insert(disputes).values({
    id: `dp_${people}`,
    orderId,
    intentId: `pi_${people}`,
    amountCents: 700,
    reason: "product not received",
    status: "won",
    isInquiry: false,
    createdAt: daysAgo(190),
    closedAt: daysAgo(185),
    changedAt: daysAgo(185),
    revision: 1,
  });
  await db.insert(questions).values({
    productId: 1,
    visitorId,
    question: `May ${marker} use it?`,
    name: `Asker ${marker}`,
    email,
    status: "published",
    answer: `Yes, ${marker}`,
    answeredAt: daysAgo(3),
  });
  await db.insert(stockAlerts).values({
    id: crypto.randomUUID(),
    productId: 1,
    email,
    emailHash: hashEmail(email),
    askedAt: daysAgo(3),
  });
  await db.insert(subscribers).values({
    email,
    emailHash: hashEmail(email),
    askedAt: daysAgo(3),
    confirmedAt: daysAgo(3),
    place: "footer",
    consentText: `Send ${marker} news`,
  });
  await db.insert(issues).values({
    kind: "refund_failed",
    subject: `refund-${people}`,
    orderId,
    message: "A refund of $5.00 did not reach the buyer: the bank sent it back",
    resolvedAt: daysAgo(180),
    resolution: `${marker} got a voucher`,
  });
  await refreshCustomers(shop.ctx);
  const [customer] = await db
    .select({ id: customerEmails.customerId })
    .from(customerEmails)
    .where(eq(customerEmails.email, email.toLowerCase()));
  await db
    .insert(customerNotes)
    .values({ customerId: customer?.id ?? 0, at: daysAgo(189), text: `${marker} is kind` });
  await db
    .update(customers)
    .set({ tags: [`likes ${marker}`], imported: { phone: `+9 ${marker}` }, importedAt: daysAgo(189) })
    .where(eq(customers.id, customer?.id ?? 0));
  await db.insert(orderNotes).values({ orderId, at: daysAgo(189), text: `Order note on ${marker}` });
  await db.insert(orderTags).values({ orderId, tag: `tag ${marker}` });
  await db
    .update(orders)
    .set({ heldAt: daysAgo(199), holdReason: `Held for ${marker}` })
    .where(eq(orders.id, orderId));
  await db.insert(orderEdits).values({
    id: crypto.randomUUID(),
    orderId,
    status: "withdrawn",
    note: `Changed for ${marker}`,
    before: emptyOrder,
    after: emptyOrder,
    added: [],
    removed: [],
    removedCents: 0,
    differenceCents: 0,
    goodsCents: 0,
    shippingCents: 0,
    taxCents: 0,
    createdAt: daysAgo(199),
    endedAt: daysAgo(199),
  });
  await db.insert(orderEvents).values({
    orderId,
    at: daysAgo(198),
    fromStatus: "completed",
    toStatus: "shipped",
    actor: "owner",
    note: `UPS 1Z${marker}`,
  });
  await db.insert(orderReturns).values({
    id: crypto.randomUUID(),
    orderId,
    kind: "return",
    status: "closed",
    reason: `Not for ${marker}`,
    answer: `Dear ${marker}`,
    requestedAt: daysAgo(190),
  });
  const reviewFields = { productId: 1, rating: 5, customerName: marker, status: "published" } as const;
  const insertedReviews = await db
    .insert(reviews)
    .values([
      {
        ...reviewFields,
        orderId,
        comment: `A comment of ${marker}`,
        verified: true,
        reply: `Thank you, ${marker}`,
      },
      { ...reviewFields, visitorId, comment: `Another one of ${marker}` },
    ])
    .returning({ id: reviews.id });
  const file = photoFile(marker);
  await db.execute(sql`insert into picture_originals (file, bytes, sha256, size, type, width, height)
    values (${file}, ${Buffer.from(marker)}, sha256(${Buffer.from(marker)}), ${marker.length}, 'image/jpeg', 480, 480)
  `);
  await db.execute(sql`insert into review_photos (file, review_id, width, height)
    values (${file}, ${insertedReviews[0]?.id}, 480, 480)`);
  await db.execute(
    sql`insert into review_votes (review_id, visitor_id) values (${insertedReviews[0]?.id}, ${visitorId})`,
  );
  for (const { id } of insertedReviews) await enqueueReviewAlert(db, { id, at: new Date() });
  await db.transaction((tx) => enqueueOrderPaid(shop.ctx, tx, orderId));
  const contact = { name: marker, email, subject: "order", message: `From ${marker}`, elapsedMs: 60_000 };
  const contactResponse = await browser.post("/api/contact", contact);
  expect(contactResponse.status).toBe(201);
  const [replyId, messageId] = [crypto.randomUUID(), contactResponse.body.data.id];
  const answer = { id: replyId, messageId, text: `Dear ${marker}`, createdAt: new Date() };
  await db.insert(contactReplies).values(answer);
  await enqueueContactReply(db, { replyId, messageId, email });
  await shop.jobsDone();
  return { marker, email, orderId, browser };
}

/** All texts stored in the database, by column. */
async function textsByColumn(): Promise<{ column: string; texts: string[] }[]> {
  const { db } = shop.database;
  const { rows: columns } = await db.execute<{ table: string; name: string }>(sql`
    select c.table_name as table, c.column_name as name
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE'
      and c.data_type in ('text', 'character varying', 'json', 'jsonb', 'ARRAY', 'inet') order by 1, 2`);
  const values = [];
  for (const { table, name } of columns) {
    const { rows } = await db.execute<{ value: unknown }>(
      sql`select distinct to_jsonb(${sql.identifier(name)}) as value from ${sql.identifier(table)}`,
    );
    values.push({ column: `${table}.${name}`, texts: rows.flatMap(({ value }) => textsIn(value)) });
  }
  return [...values, { column: "messages.html", texts: await decompressedMail() }];
}

/** The HTML of all e-mails, decompressed, because its stored form cannot be searched. */
async function decompressedMail(): Promise<string[]> {
  const rows = await shop.database.db.select({ html: messages.html }).from(messages);
  return rows.flatMap(({ html }) => html ?? []);
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Every row of every table as text, including the job queue. */
async function dumpDatabase(): Promise<{ table: string; row: string }[]> {
  const { db } = shop.database;
  const { rows: tables } = await db.execute<{ name: string }>(sql`
    select format('%I.%I', table_schema, table_name) as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema = 'public'`);
  const dump: { table: string; row: string }[] = [];
  for (const { name } of tables) {
    const { rows } = await db.execute<{ row: string }>(sql.raw(`select t::text as row from ${name} as t`));
    dump.push(...rows.map(({ row }) => ({ table: name, row })));
  }
  dump.push(...(await decompressedMail()).map((row) => ({ table: "public.messages", row })));
  return dump;
}

async function tablesWith(marker: string): Promise<string[]> {
  const matches = (await dumpDatabase()).filter(({ row }) =>
    row.toLowerCase().includes(marker.toLowerCase()),
  );
  return [...new Set(matches.map(({ table }) => table))].sort();
}

function filesWith(marker: string, dataDir = shop.dataDir): string[] {
  const folder = join(dataDir, "mail");
  return readdirSync(folder).filter((file) => readFileSync(join(folder, file), "utf8").includes(marker));
}

async function linkFor(purpose: "export" | "deletion", email: string): Promise<string> {
  expect((await shop.browser().post(`/api/account/${purpose}`, { email })).status).toBe(202);
  return mailedToken(shop, email, `data_${purpose}`);
}

const download = (token: string) => shop.browser().post("/api/account/export/use", { token });
const confirmDeletion = (token: string, body: object = { confirm: true }) =>
  shop.browser().post("/api/account/deletion/use", { token, ...body });

async function runHousekeeping(): Promise<void> {
  const cron = shop.cron.find(({ task }) => task.job.name === "housekeeping");
  await cron?.task.run({}, { attempt: 1, isLastAttempt: true, signal: new AbortController().signal });
  await shop.jobsDone();
}

async function readOrderFigures(): Promise<unknown> {
  const { rows } = await shop.database.db.execute(sql`
    select number, status, currency, subtotal_cents, discount_cents, shipping_cents, tax_cents, total_cents,
      refunded_cents, giving_percent, created_at, paid_at, shipped_at, delivered_at,
      shipping ->> 'country' as country, shipping ->> 'state' as state,
      (select json_agg(l order by position) from order_lines l where order_id = orders.id) as lines,
      (select json_agg(p order by id) from payments p where order_id = orders.id) as payments,
      (select json_agg(to_jsonb(r) - 'reason' order by id) from refunds r where order_id = orders.id) as refunds,
      (select json_agg(to_jsonb(e) - 'note' order by id) from order_events e where order_id = orders.id) as events
    from orders order by number`);
  return rows;
}

/** The text as JSON escapes it, in lower case. */
const inJson = (text: string) => JSON.stringify(text).slice(1, -1).toLowerCase();

/** Columns with personal text that the copy omits, and why. */
const omittedFromCopy: Record<string, string> = {
  "customers.search": "the orders' texts again, in lower case for searches",
  "messages.html": "the same content as `messages.text`",
  "messages.text": "is in the copy without the tokens of its links",
};

/** Text columns for which `plantPerson` inserts no personal text, by the reason. `table.*` stands for all columns of a table. */
const unplantedColumns: Record<string, string> = {
  "the shop's own products, texts and settings": `batches.* built_files.* content_versions.* discounts.* donations.* installation.*
    invoice_numbers.* product_families.* product_images.* product_slugs.* products.* saved_replies.* secrets.* settings.*
     webhooks.* order_filters.* campaigns.* stock_movements.* mail_outage.* go_live_statements.*`,
  "about the people who run the shop, and what they did; its words about a buyer are erased with their data": `activity.* admin_access.* admin_sessions.* failed_code_attempts.* backups.*
    passkey_challenges.* passkeys.* people.* api_keys.* push_devices.*`,
  "sums and cursors of background work": `balance_cursors.* balance_entries.* book_days.* book_rollup.* event_cursors.* money_checks.* discrepancies.*
    order_count_changes.* order_counts.* payment_events.* review_counts.* sales_days.* sales_buckets.* sales_rollup.*
    sandbox_events.* sandbox_intents.* sandbox_refunds.*`,
  "hashes and networks, deleted within days":
    "payment_declines.* product_views.* rate_limits.* discount_uses.*",
  "events with ids and sums for other programs, and their answers": "webhook_deliveries.*",
  "deleted within an hour; the rows of customers and subscribers with their data": "imports.*",
  "stored answers to repeated API calls, deleted within a day": "api_key_answers.*",
  "pending work, deleted once it is done": "customer_changes.* deletion_requests.*",
  "addresses of merged customers; each address has a separate copy and is erased with its customer":
    "customer_merges.*",
  'kept with the buyer by law; in the copy as "invoices"': "invoices.*",
  "queued work, deleted with its job": `jobs.key jobs.lane jobs.last_error jobs.name jobs.payload`,
  "numbers, codes and states": `campaign_recipients.status cart_reminders.items contact_messages.status contact_messages.subject contact_messages.suspicion
    customers.country disputes.id disputes.intent_id
    disputes.reason disputes.status email_optouts.kind email_optouts.reason messages.channel messages.dedupe_key messages.delivery messages.kind
    messages.last_error messages.provider_id messages.status order_edits.status order_drafts.discount_code order_drafts.items
    label_job_orders.order_id label_rates.* rate_quotes.rates labels.carrier labels.mode labels.parcel_ref
    labels.provider labels.rate_id labels.rate_ref labels.service labels.state labels.tracking order_drafts.shipping_option order_events.actor order_events.from_status order_events.to_status order_lookups.purpose
    order_returns.kind order_returns.status orders.replacement_reason payments.source_intent_id orders.carrier orders.currency orders.discount_code orders.mode orders.ship_hold
    orders.shipping_option_id orders.shipping_option_name orders.status orders.taxed_for issues.kind issues.subject
    payments.account payments.currency payments.end_actor payments.end_note payments.failure payments.intent_id payments.mode
    payments.provider payments.session_id payments.status picture_originals.file picture_originals.problem picture_originals.type
    questions.status refunds.actor refunds.failure refunds.intent_id refunds.origin refunds.provider_refund_id refunds.status
    review_photos.file review_photos.status reviews.status shipments.carrier subscribers.place
    personal_codes.code subscribers.welcome_code`,
  "what was ordered": `order_edits.added order_edits.after order_edits.before order_edits.removed labels.lines order_exchanges.returned order_lines.bundles
    order_lines.image order_lines.name orders.with_tax refunds.lines`,
  "in the copy, but without free text, so nothing is planted there": `messages.data messages.subject orders.buyer_network payments.paid_with
    reviews.hair reviews.skin reviews.hidden_reason issues.message subscribers.confirmed_network`,
  "carriers' answers, erased with the order": "label_job_orders.problem labels.failure",
  "in the copy with the dispute (files by name), and erased with it": "dispute_evidence.* dispute_files.*",
};
const unplantedNames = Object.values(unplantedColumns).flatMap((names) => names.split(/\s+/));
const isUnplanted = (column: string) =>
  unplantedNames.includes(column) || unplantedNames.includes(column.replace(/\..*/, ".*"));

describe("the copy of a person's data", () => {
  test("contains everything stored about the address, and nothing about other people", async () => {
    const other = await plantPerson();
    const { marker, email } = await plantPerson();
    // Any spelling is accepted, and the link goes to the address as the shop stored it.
    await shop.browser().post("/api/account/export", { email: email.toLowerCase() });
    const token = await mailedToken(shop, email, "data_export");
    const { status, body } = await download(token);
    expect(status).toBe(200);
    const { data } = body;
    expect(data).toMatchObject({
      format: "palmira-personal-data",
      version: 1,
      email,
      isComplete: true,
      orders: [
        {
          customerName: `Ada ${marker}`,
          phone: `+1 ${marker}`,
          totals: { total: 3590, refunded: 500 },
          fulfilment: { trackingNumber: `1Z${marker}` },
          refunds: [{ amount: 500, status: "succeeded" }],
          returns: [{ reason: `Not for ${marker}`, answer: `Dear ${marker}` }],
          payments: [{ status: "succeeded", amountCents: 3590, currency: "USD" }],
          disputes: [{ amountCents: 700, reason: "product not received", status: "won" }],
        },
      ],
      reviews: [
        {
          comment: `A comment of ${marker}`,
          customerName: marker,
          reply: `Thank you, ${marker}`,
          photos: [{ type: "image/jpeg", base64: Buffer.from(marker).toString("base64") }],
        },
        { comment: `Another one of ${marker}`, verified: false },
      ],
      helpfulVotes: [{ reviewId: expect.any(Number) }],
      contactMessages: [
        {
          reference: expect.stringMatching(/^M-\d+$/),
          message: `From ${marker}`,
          replies: [{ text: `Dear ${marker}` }],
        },
      ],
      carts: [{ productId: 1, quantity: 3 }],
      invoices: [],
      cartReminders: [{ email, items: [{ productId: 1, quantity: 3 }] }],
      refillReminders: [{ orderNumber: expect.any(Number), askedAt: expect.any(String) }],
      links: [{ purpose: "export" }],
      unsubscribedFrom: [],
    });
    expect(data.emails.map(({ kind }: { kind: string }) => kind).sort()).toEqual([
      "contact_receipt",
      "contact_reply",
      "data_export",
      "order_confirmation",
    ]);
    const text = JSON.stringify(body);
    expect(text).not.toContain(other.marker);
    expect(text).not.toContain(token);
    expect(text).toContain("token=removed");
    expect(text).not.toMatch(/token=(?!removed)/);
  });

  test("contains every column with personal text, unless the column is listed with a reason", async () => {
    const { marker, email } = await plantPerson();
    const { body } = await download(await linkFor("export", email));
    const copy = JSON.stringify(body).toLowerCase();
    const columns = await textsByColumn();
    const hasMarker = (text: string) => text.toLowerCase().includes(marker.toLowerCase());
    const planted = columns.filter(({ texts }) => texts.some(hasMarker));
    const missingColumns = planted
      .filter(({ texts }) => texts.filter(hasMarker).some((text) => !copy.includes(inJson(text))))
      .map(({ column }) => column)
      .sort();
    expect(missingColumns, "planted, but not in the copy").toEqual(Object.keys(omittedFromCopy).sort());
    // A new text column must be planted above, exported and erased, or be listed above with a reason.
    const plantedColumns = planted.map(({ column }) => column);
    const unlisted = columns
      .map(({ column }) => column)
      .filter((column) => !plantedColumns.includes(column) && !isUnplanted(column));
    expect(unlisted, "neither planted nor listed").toEqual([]);
    const existing = new Set(columns.flatMap(({ column }) => [column, column.replace(/\..*/, ".*")]));
    expect(
      unplantedNames.filter((column) => !existing.has(column)),
      "listed, but not an existing column",
    ).toEqual([]);
    expect(plantedColumns.filter(isUnplanted), "planted, but listed as not planted").toEqual([]);
  });

  test("contains the network address of an order for as long as it is stored", async () => {
    const email = "waiting@example.com";
    const buyer = shop.browser("203.0.113.9");
    const { body } = await order(buyer, { email });
    const readNetworks = async () =>
      (await download(await linkFor("export", email))).body.data.orders.map(
        ({ network }: { network: string | null }) => network,
      );
    expect(await readNetworks()).toEqual(["203.0.113.9"]);
    await buyer.post(`/api/orders/${body.orderId}/cancel`);
    expect(await readNetworks()).toEqual([null]);
  });

  test("is returned once per link, even to two concurrent calls, and to no other caller", async () => {
    const { email } = await plantPerson();
    const token = await linkFor("export", email);
    const statuses = await Promise.all([download(token), download(token)]);
    expect(statuses.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect((await download("x".repeat(43))).status).toBe(404);
    const expiredToken = await linkFor("export", email);
    shop.travel(61 * 60 * 1000);
    expect((await download(expiredToken)).status).toBe(404);
  });

  test("is downloaded by a button, so that a mail scanner that opens the page does not use up the link", async () => {
    const { email, marker } = await plantPerson();
    const token = await linkFor("export", email);
    const page = await shop.browser().get(`/account/data?token=${token}`);
    expect(page.body).toContain("Download my data");
    expect(page.headers.get("cache-control")).toBe("private, no-store");
    const submit = () =>
      shop.browser().fetch("/account/data/file", {
        method: "POST",
        body: new URLSearchParams({ token }),
        redirect: "manual",
      });
    const file = await submit();
    expect(file.headers.get("content-disposition")).toContain("my-data.json");
    expect(file.headers.get("cache-control")).toBe("private, no-store");
    expect(JSON.parse(await file.text())).toMatchObject({ version: 1, orders: [{ phone: `+1 ${marker}` }] });
    expect((await submit()).status).toBe(303);
  });

  test("is identical while nothing has changed", async () => {
    const { email } = await plantPerson();
    const copy = async () => {
      const { data } = (await download(await linkFor("export", email))).body;
      return JSON.stringify({ ...data, madeAt: null, links: null, emails: null });
    };
    expect(await copy()).toBe(await copy());
  });
});

describe("a deletion", () => {
  test("erases the person from all tables, and changes no amount, date or state of an order", async () => {
    const { marker, email, orderId, browser } = await plantPerson();
    expect(await tablesWith(marker)).toEqual([
      "public.cart_reminders",
      "public.contact_messages",
      "public.contact_replies",
      "public.customer_emails",
      "public.customer_notes",
      "public.customers",
      "public.issues",
      "public.labels",
      "public.messages",
      "public.order_drafts",
      "public.order_edits",
      "public.order_events",
      "public.order_notes",
      "public.order_returns",
      "public.order_tags",
      "public.orders",
      "public.questions",
      "public.refunds",
      "public.reviews",
      "public.shipments",
      "public.stock_alerts",
      "public.subscribers",
    ]);
    const photo = photoFile(marker);
    expect(await tablesWith(photo)).toEqual(["public.picture_originals", "public.review_photos"]);
    const before = await readOrderFigures();
    const response = await confirmDeletion(await linkFor("deletion", email));
    expect([response.status, response.body.data]).toEqual([202, { kept: [] }]);
    await shop.jobsDone();

    expect(await tablesWith(marker)).toEqual([]);
    expect(await tablesWith(photo)).toEqual([]);
    expect(await tablesWith(orderId)).not.toContain("public.refill_reminders");
    expect(await readOrderFigures()).toEqual(before);
    const [erasedOrder] = await shop.database.db.select().from(orders).where(eq(orders.id, orderId));
    expect(erasedOrder).toMatchObject({
      customerName: "Deleted",
      email: `${orderId}@deleted.invalid`,
      phone: null,
      shippingAddress: "TX, United States",
      trackingNumber: null,
    });
    expect(erasedOrder?.erasedAt).toBeInstanceOf(Date);
    expect((await browser.get("/api/orders/user/me")).body.data).toEqual([]);
    expect((await browser.get("/api/cart")).body.data.items).toEqual([]);
    const link = orderLinkToken("test-session-secret", { id: orderId, events: [] }, new Date());
    expect((await shop.browser().get(`/orders/${orderId}?token=${link}`)).status).toBe(404);
    const owner = await signInOwner();
    expect((await owner.get(`/api/orders/${orderId}`)).body.data.customerName).toBe("Deleted");

    // Only the e-mail that confirms the deletion is left; without a mail server it is deleted after a day.
    const [receipt, ...otherMail] = keptMail(shop, email.toLowerCase());
    expect(otherMail).toEqual([]);
    expect(receipt).toContain("Your data is deleted");
    expect(receipt).toContain("The record of a card payment at the payment provider");
    expect(filesWith(marker)).toEqual([]);
    shop.travel(25 * 60 * 60 * 1000);
    await runHousekeeping();
    expect(filesWith(marker.toLowerCase())).toEqual([]);
  });

  test("erases the person's data in the activity log, issues, labels and imports, but keeps the record of each action", async () => {
    const { marker, email, orderId } = await plantPerson();
    const { db } = shop.database;
    const [draft] = await db
      .select({ id: orderDrafts.id })
      .from(orderDrafts)
      .where(eq(orderDrafts.email, email));
    const [customer] = await db
      .select({ id: customerEmails.customerId })
      .from(customerEmails)
      .where(eq(customerEmails.email, email.toLowerCase()));
    const at = new Date();
    const outcome = "done" as const;
    const entry = (subject: string, action: string, words: object) =>
      recordActivity(db, { at, sessionId: null, outcome, action, subject, summary: action, ...words });
    await entry(`order:${orderId}`, "hold", { summary: `Held: ${marker} moved`, after: { to: marker } });
    await entry(`draft:${draft?.id}`, "link", { summary: `Link of ${email}` });
    await entry(`customer:${customer?.id}`, "tags", { before: [], after: [marker] });
    await entry(`customer:${customer?.id}`, "note", {});
    const issue = { orderId, createdAt: at, resolvedAt: at };
    await db.insert(issues).values([
      { ...issue, kind: "packing_problem", subject: `p ${orderId}`, message: `“${marker} rang”` },
      { ...issue, kind: "label_unused", subject: `l ${orderId}`, message: `TEST${marker} was bought` },
      { ...issue, kind: "overpaid", subject: `o ${orderId}`, message: "Paid twice" },
    ]);
    await db
      .update(labels)
      .set({ failure: `${marker}ville is unknown.` })
      .where(eq(labels.orderId, orderId));
    const jobId = crypto.randomUUID();
    await db.insert(labelJobs).values({ id: jobId, createdAt: at });
    await db.insert(labelJobOrders).values({ jobId, position: 0, orderId, problem: `No ${marker} St` });
    const rows = [email, "b@b.example"].map((label, line) => ({
      line,
      label,
      step: { customer: { id: line, before: { name: label } } },
    }));
    const imported = { key: "x", at, counts: { new: 1, changed: 1, same: 0, refused: 0 } };
    await db.insert(imports).values([
      { ...imported, id: crypto.randomUUID(), kind: "customers", undoRows: rows },
      {
        ...imported,
        id: crypto.randomUUID(),
        kind: "subscribers",
        undoRows: [],
        undone: { rows: 0, kept: rows.map(({ line, label }) => ({ line, label, reason: "Changed." })) },
      },
    ]);
    await confirmDeletion(await linkFor("deletion", email));
    await shop.jobsDone();

    expect(await tablesWith(marker)).toEqual([]);
    const summaries = await db
      .select({ summary: activity.summary })
      .from(activity)
      .where(inArray(activity.action, ["hold", "link", "tags", "note"]))
      .orderBy(activity.id);
    const deleted = "Details deleted with the buyer’s data";
    expect(summaries.map(({ summary }) => summary)).toEqual([deleted, deleted, deleted, "note"]);
    const [label] = await db.select().from(labels).where(eq(labels.orderId, orderId));
    expect(label?.failure).toBe("The reason was deleted with the buyer’s data.");
    const [overpaid] = await db
      .select()
      .from(issues)
      .where(eq(issues.subject, `o ${orderId}`));
    expect(overpaid?.message).toBe("Paid twice");
    const [customerImport, subscriberImport] = await db.select().from(imports).orderBy(imports.kind);
    expect(customerImport?.undoRows).toEqual([
      { line: 0, label: "Deleted", step: { customer: { id: 0 } } },
      rows[1],
    ]);
    expect(subscriberImport?.undone?.kept.map(({ label }) => label)).toEqual(["Deleted", "b@b.example"]);
  });

  test("deletes e-mail files that another server has saved", async () => {
    const { marker, email } = await plantPerson();
    const dataDir = mkdtempSync(join(tmpdir(), "palmira-other-"));
    onTestFinished(() => rmSync(dataDir, { recursive: true }));
    cpSync(join(shop.dataDir, "mail"), join(dataDir, "mail"), { recursive: true });
    const mailFileCount = filesWith("Palmira", dataDir).length;
    const otherServer = await openTestContext(shop.database, { DATA_DIR: dataDir });
    onTestFinished(() => otherServer.changes.stop());
    await outboxFeature.atStart(otherServer);
    // Files of another database, or without a database, must not be deleted.
    const foreignFile = `2026-01-01T10-00-00-order_confirmation-${crypto.randomUUID()}.txt`;
    writeFileSync(join(dataDir, "mail", foreignFile), "Foreign");
    expect(filesWith(marker, dataDir)).not.toEqual([]);

    await confirmDeletion(await linkFor("deletion", email));
    await shop.jobsDone();
    await expect.poll(() => filesWith(marker, dataDir), soon).toEqual([]);
    expect(filesWith("Foreign", dataDir)).toEqual([foreignFile]);
    expect(filesWith("Palmira", dataDir).length).toBeGreaterThan(mailFileCount / 3);
  });

  test("waits for an unfinished order, notifies the person, and completes automatically", async () => {
    const email = "runner@example.com";
    const buyer = shop.browser();
    const checkout = await order(buyer, { email });
    await confirm(buyer, checkout);
    await shop.jobsDone();
    const { orderId, orderNumber } = checkout.body;
    const response = await confirmDeletion(await linkFor("deletion", email));
    expect(response.body.data.kept).toEqual([{ number: orderNumber, because: "it has not been sent yet" }]);
    await shop.jobsDone();
    expect(keptMail(shop, email, "data_deleted").at(-1)).toContain(
      `Order #${orderNumber}, because it has not been sent yet`,
    );
    expect((await buyer.get(`/api/orders/${orderId}`)).body.data.email).toBe(email);

    const parcel = { carrier: "UPS", trackingNumber: "1Z5R89390357567127" };
    const owner = await signInOwner();
    expect((await owner.post(`/api/admin/orders/${orderId}/ship`, parcel)).status).toBe(200);
    expect((await owner.post(`/api/admin/orders/${orderId}/deliver`)).status).toBe(200);
    await shop.jobsDone();
    await runHousekeeping();
    expect((await buyer.get(`/api/orders/${orderId}`)).body.data.email).toBe(email);

    shop.travel(60 * dayMs);
    await runHousekeeping();
    expect((await buyer.get(`/api/orders/${orderId}`)).body.data.email).toBe(email);
    const again = await confirmDeletion(await linkFor("deletion", email));
    expect(again.body.data.kept).toContainEqual({
      number: orderNumber,
      because: "its payment can still be disputed with the bank",
    });
    const laterOrder = await order(buyer, { email });
    shop.travel(61 * dayMs);
    await runHousekeeping();
    expect((await buyer.get(`/api/orders/${orderId}`)).status).toBe(404);
    expect(keptMail(shop, email, "data_deleted").at(-1)).toContain("Your data is deleted");
    const requests = await shop.database.db.select().from(deletionRequests);
    expect(requests.every((request) => request.email === null && request.finishedAt !== null)).toBe(true);
    // An order placed after the request is kept.
    const [keptOrder] = await shop.database.db
      .select()
      .from(orders)
      .where(eq(orders.id, laterOrder.body.orderId));
    expect(keptOrder).toMatchObject({ email, erasedAt: null });
  });

  test("waits for an order whose payment may still succeed", async () => {
    const email = "opener@example.com";
    const buyer = shop.browser();
    const checkout = await order(buyer, { email });
    const { orderId, orderNumber } = checkout.body;
    await buyer.post(`/api/orders/${orderId}/cancel`);
    // Books the provider's cancellation events first, so that they change nothing below.
    await shop.jobsDone();
    await shop.database.db
      .update(payments)
      .set({ status: "opening", openingUntil: new Date(Date.now() + dayMs) })
      .where(eq(payments.orderId, orderId));
    const response = await confirmDeletion(await linkFor("deletion", email));
    expect(response.body.data.kept).toEqual([{ number: orderNumber, because: "its payment is still open" }]);
  });

  test("deletes nothing of another person who shares the browser", async () => {
    const { browser, email } = await plantPerson();
    const checkout = await order(browser, { email: "housemate@example.com" });
    await confirm(browser, checkout);
    await shop.jobsDone();
    await confirmDeletion(await linkFor("deletion", email));
    await shop.jobsDone();
    const visibleOrders = (await browser.get("/api/orders/user/me")).body.data;
    expect(visibleOrders.map(({ id }: { id: string }) => id)).toEqual([checkout.body.orderId]);
  });

  test("needs a confirmation, and the link stays valid until then", async () => {
    const { email } = await plantPerson();
    const token = await linkFor("deletion", email);
    for (const body of [{ confirm: false }, { confirm: "true" }, {}]) {
      expect((await confirmDeletion(token, body)).body.fields).toHaveProperty("confirm");
    }
    expect((await download(token)).status).toBe(404);
    const statuses = await Promise.all([confirmDeletion(token), confirmDeletion(token)]);
    expect(statuses.map(({ status }) => status).sort()).toEqual([202, 404]);
    await shop.jobsDone();
    expect(keptMail(shop, email.toLowerCase(), "data_deleted")).toHaveLength(1);
  });

  test("works without JavaScript", async () => {
    const { email, marker } = await plantPerson();
    const submit = (path: string, fields: Record<string, string>) =>
      shop.browser().fetch(path, { method: "POST", body: new URLSearchParams(fields), redirect: "manual" });
    const response = await submit("/account", { email, ask: "deletion" });
    expect([response.status, response.headers.get("location")]).toEqual([
      303,
      "/account?sent=deletion#your-data",
    ]);
    const token = await mailedToken(shop, email, "data_deletion");
    const path = `/account/data?token=${token}`;
    const unconfirmed = await submit(path, { token });
    expect(unconfirmed.status).toBe(422);
    expect(await unconfirmed.text()).toContain("Please confirm that you want your data deleted");
    expect(await (await submit(path, { token, confirm: "yes" })).text()).toContain(
      "Your data is being deleted",
    );
    await shop.jobsDone();
    expect(await tablesWith(marker)).toEqual([]);
    expect((await shop.browser().get(path)).body).toContain("This link no longer works");
  });

  test("of an order prevents e-mails about its later events", async () => {
    const { email, orderId } = await plantPerson();
    await confirmDeletion(await linkFor("deletion", email));
    await shop.jobsDone();
    const { db } = shop.database;
    await db.delete(messages).where(eq(messages.orderId, orderId));
    await db.transaction((tx) => enqueueOrderPaid(shop.ctx, tx, orderId));
    await shop.jobsDone();
    const [confirmation] = await db
      .select()
      .from(messages)
      .where(sql`${messages.orderId} = ${orderId} and ${messages.kind} = 'order_confirmation'`);
    expect(confirmation).toMatchObject({ status: "skipped", recipient: null });
  });
});

describe("an order that was never paid", () => {
  const email = "left.it@example.com";
  const readOrder = async (id: string) =>
    (await shop.database.db.select().from(orders).where(eq(orders.id, id))).at(0);

  test("loses its buyer's name and address 90 days after it was placed; a paid one keeps them", async () => {
    const [unpaidBrowser, paidBrowser] = [shop.browser(), shop.browser()];
    const unpaidCheckout = await order(unpaidBrowser, { email });
    const paidCheckout = await order(paidBrowser, { email });
    await confirm(paidBrowser, paidCheckout);
    await shop.jobsDone();
    shop.travel(60 * 60 * 1000);
    await expireOrders(shop.ctx);

    shop.travel(89 * dayMs);
    await runHousekeeping();
    expect(await readOrder(unpaidCheckout.body.orderId)).toMatchObject({
      status: "cancelled",
      email,
      customerName: "Ada Obi",
    });
    shop.travel(dayMs);
    await runHousekeeping();
    expect(await readOrder(unpaidCheckout.body.orderId)).toMatchObject({
      email: `${unpaidCheckout.body.orderId}@deleted.invalid`,
      customerName: "Deleted",
      phone: null,
      shippingAddress: "TX, United States",
      totalCents: 3590,
    });
    expect(await readOrder(paidCheckout.body.orderId)).toMatchObject({ email, customerName: "Ada Obi" });
  });

  test("loses its card, the reason for its refund, its notes and its tags 90 days after it was placed", async () => {
    const { db } = shop.database;
    const { body } = await order(shop.browser(), { email });
    const orderId: string = body.orderId;
    shop.travel(60 * 60 * 1000);
    await expireOrders(shop.ctx);
    await shop.jobsDone();
    await db.update(payments).set({ paidWith: "Visa ending in 4242" }).where(eq(payments.orderId, orderId));
    await db.insert(refunds).values({
      id: crypto.randomUUID(),
      orderId,
      intentId: body.paymentIntentId,
      amountCents: 3590,
      goodsCents: 2995,
      shippingCents: 595,
      taxCents: 0,
      status: "succeeded",
      reason: "She moved away",
    });
    await db.insert(orderNotes).values({ orderId, at: new Date(), text: "She called twice" });
    await db.insert(orderTags).values({ orderId, tag: "calls" });
    const readTexts = async () => ({
      cards: (await db.select().from(payments).where(eq(payments.orderId, orderId))).map(
        ({ paidWith }) => paidWith,
      ),
      refunds: (await db.select().from(refunds).where(eq(refunds.orderId, orderId))).map(
        ({ reason, amountCents }) => [reason, amountCents],
      ),
      notes: (await db.select().from(orderNotes).where(eq(orderNotes.orderId, orderId))).length,
      tags: (await db.select().from(orderTags).where(eq(orderTags.orderId, orderId))).length,
    });

    shop.travel(89 * dayMs);
    await runHousekeeping();
    expect(await readTexts()).toEqual({
      cards: ["Visa ending in 4242"],
      refunds: [["She moved away", 3590]],
      notes: 1,
      tags: 1,
    });
    shop.travel(dayMs);
    await runHousekeeping();
    expect(await readTexts()).toEqual({ cards: [null], refunds: [[null, 3590]], notes: 0, tags: 0 });
  });
});
