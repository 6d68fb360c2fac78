import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { messageKinds } from "../../domain/outbox/outbox.ts";
import { type Role, roles } from "../../domain/people/roles.ts";
import { callExamples } from "../../test/call-examples.ts";
import { type FilledShop, openFilledShop } from "../../test/filled-shop.ts";
import type { TestBrowser, TestShop } from "../../test/shop.ts";
import { restoreToken } from "../checkout/restore-link.ts";
import { orderLinkToken, reviewLinkToken } from "../orders/link-tokens.ts";
import { unsubscribeUrl } from "../outbox/optouts.ts";
import { paymentLink } from "../payments/payment-link.ts";
import { unpackHtml } from "../platform/database/packed-html.ts";

// Links with a token open an order, a payment, a form or the panel. Only their recipient may get them, not the panel.

let filled: FilledShop;
let shop: TestShop;
let draftId: string;
/** A browser of each role, signed in by an invitation. */
const browsers = new Map<Role, TestBrowser>();
/** Secret tokens of the links in all mail. */
let secrets: string[];

beforeAll(async () => {
  filled = await openFilledShop({ PAYMENTS: "sandbox" });
  ({ shop } = filled);
  await sendRemainingMail();
  await storeEarlierMessages();
  for (const role of roles) {
    const person = { name: role, email: `${role}@example.com`, role };
    const { body } = await filled.admin.post("/api/admin/people", person);
    const token = new URL(body.data.link).searchParams.get("token");
    const browser = shop.browser();
    await browser.post("/api/admin/invitation", { token });
    browsers.set(role, browser);
  }
});
afterAll(() => shop.stop());

/** Sends e-mails of the kinds that the filled shop has not sent. */
async function sendRemainingMail(): Promise<void> {
  const { admin, buyer, orders } = filled;
  const draft = await admin.post("/api/admin/drafts", {
    email: "phone@example.com",
    customerName: "Ida Kern",
    phone: null,
    shippingOption: "us-standard",
    shipping: { line1: "1 Main St", city: "Austin", state: "TX", postalCode: "78701", country: "US" },
    items: [{ productId: 1, quantity: 1 }],
  });
  draftId = draft.body.data.id;
  await admin.post(`/api/admin/drafts/${draftId}/send`);
  const path = `/api/admin/orders/${orders.paid}/items`;
  const edit = { add: [{ productId: 1, quantity: 1 }] };
  const { version, difference } = (await admin.post(`${path}/preview`, edit)).body.data;
  expect((await admin.post(path, { ...edit, version, difference })).status).toBe(200);
  await buyer.post("/api/orders/find", { email: "shipped@example.com" });
  await buyer.post("/api/account/export", { email: "shipped@example.com" });
  await buyer.post("/api/newsletter", { email: "news@example.com" });
  await shop.jobsDone();
  const pastedLink = sentLinks().find((link) => link.includes(`/orders/${orders.shipped}?token=`));
  const message = `My order is ${pastedLink} and it has not come.`;
  const contact = { name: "Ada", email: "shipped@example.com", subject: "order", message };
  expect((await buyer.post("/api/contact", contact)).status).toBe(201);
  await shop.jobsDone();
}

/** Stores one message of each kind as earlier versions did: with working links. */
async function storeEarlierMessages(): Promise<void> {
  const { ctx } = shop;
  const { orders, reviewId } = filled;
  const { publicUrl } = ctx.config;
  const [at, page] = [new Date(), `${publicUrl}/orders/${orders.paid}`];
  const paid = { id: orders.paid, events: [] };
  const order = `${page}?token=${orderLinkToken(ctx.secret, paid, at)}`;
  const review = reviewLinkToken(ctx.secret, { order: paid, productId: 1 }, at);
  const links = [
    order,
    `${publicUrl}/reviews/new?product=oil&review=${review}&rating=5`,
    `${publicUrl}/cart?restore=${restoreToken(ctx.secret, randomUUID(), at)}`,
    `${publicUrl}/newsletter?confirm=${reviewId}.${orderLinkToken(ctx.secret, { id: randomUUID(), events: [] }, at)}`,
    paymentLink(ctx, { id: draftId, email: "ada@example.com", createdAt: at }),
    unsubscribeUrl({ publicUrl, secret: ctx.secret, now: () => at }, "ada@example.com", "stock_alert"),
  ];
  const text = links.join("\n");
  const html = links.map((link) => `<a href="${link.replaceAll("&", "&amp;")}">Open</a>`).join("");
  for (const kind of messageKinds) {
    const id = kind === "order_confirmation" ? null : orders.paid;
    await shop.database.db.execute(sql`
      insert into messages (id, kind, channel, dedupe_key, recipient, order_id, subject, html, text, last_error, status, created_at)
      values (${randomUUID()}, ${kind}, 'email', ${`before:${kind}`}, 'ada@example.com', ${id}, ${`See ${order}`},
        '\\x00'::bytea || convert_to(${html}, 'UTF8'), ${text},
        ${`550 no such link: ${order}`}, 'sent', now())`);
  }
  secrets = [...new Set([...sentLinks(), ...links].flatMap((link) => tokensIn(link)))];
}

/** The links in all mail written to disk. */
function sentLinks(): string[] {
  const folder = join(shop.dataDir, "mail");
  return readdirSync(folder)
    .filter((name) => name.endsWith(".txt"))
    .flatMap((name) => readFileSync(join(folder, name), "utf8").match(/https?:\S+/g) ?? []);
}

/** The secret tokens in a link, whatever the parameter's name. */
function tokensIn(link: string): string[] {
  return [...new URL(link).searchParams.values()].flatMap((value) => value.match(/[\w-]{30,}$/g) ?? []);
}

const secretsFoundIn = (text: string) => secrets.filter((secret) => text.includes(secret));

test("e-mails contain links with tokens, which the outbox does not store", async () => {
  expect(secrets.length).toBeGreaterThan(12);
  const { rows } = await shop.database.db.execute<{ html: Buffer | null }>(
    sql`select kind, subject, html, text from messages where dedupe_key not like 'before:%' and status <> 'queued'`,
  );
  expect(rows.length).toBeGreaterThan(20);
  const unpacked = rows.map(({ html, ...row }) => ({ ...row, html: html && unpackHtml(html) }));
  expect(secretsFoundIn(JSON.stringify(unpacked))).toEqual([]);
});

test.each(roles)("the %s gets no link with a token in any response of the panel's API", async (role) => {
  const browser = browsers.get(role);
  if (!browser) throw new Error(`no browser is signed in as ${role}`);
  const { rows } = await shop.database.db.execute<{ id: string }>(sql`select id from messages`);
  const { rows: contacts } = await shop.database.db.execute<{ id: string }>(
    sql`select id from contact_messages`,
  );
  const { rows: customers } = await shop.database.db.execute<{ id: string }>(sql`select id from customers`);
  const paths = shop.api
    .filter(({ method, access }) => method === "GET" && access !== "provider")
    .flatMap((row) => [{ query: {} }, ...callExamples(filled, row)].map((call) => buildPath(row.path, call)))
    .filter((path) => !path.includes("/:"));
  const leaks: string[] = [];
  const allPaths = [
    ...paths,
    ...rows.map(({ id }) => `/api/admin/outbox/${id}`),
    "/api/admin/outbox?limit=100",
    ...contacts.map(({ id }) => `/api/admin/messages/${id}`),
    ...customers.flatMap(({ id }) => [`/api/admin/customers/${id}`, `/api/admin/customers/${id}/data`]),
    `/api/admin/drafts/${draftId}`,
    `/admin/drafts/${draftId}`,
    `/admin/orders/${filled.orders.paid}`,
    `/admin/messages/sent/${filled.outboxId}`,
    "/metrics",
  ];
  for (const path of new Set(allPaths)) {
    const response = await browser.fetch(path, { headers: { Accept: "text/html" } });
    // The test shop fails every response that contains such a link.
    if (response.status === 500 || secretsFoundIn(await response.text()).length > 0) leaks.push(path);
  }
  expect(leaks).toEqual([]);
});

test("the log contains no link with a token", async () => {
  const [link = ""] = sentLinks().filter((url) => url.includes("?token="));
  await shop.browser().fetch(link.replace(/^https?:\/\/[^/]+/, ""));
  expect(shop.logLines.length).toBeGreaterThan(20);
  expect(secretsFoundIn(shop.logLines.join(""))).toEqual([]);
});

test("“Copy link” returns a payment link, only to permitted roles, and is recorded in the activity log", async () => {
  const { admin, orders } = filled;
  const orderPath = `/api/admin/orders/${orders.paid}`;
  const [unpaidEdit] = (await admin.get(orderPath)).body.data.changes;
  for (const path of [`/api/admin/drafts/${draftId}/link`, `${orderPath}/items/${unpaidEdit.id}/link`]) {
    const staff = await browsers.get("staff")?.post(path);
    expect(staff?.status).toBe(200);
    const url = new URL(staff?.body.url);
    const pageName = path.includes("drafts") ? "pay" : "pay-change";
    const id = path.includes("drafts") ? draftId : unpaidEdit.id;
    expect((await shop.browser().get(`/api/${pageName}/${id}${url.search}`)).status).toBe(200);
    for (const role of ["packer", "accountant"] as const) {
      expect((await browsers.get(role)?.post(path))?.status).toBe(403);
    }
    const [entry] = (await admin.get("/api/admin/activity")).body.data.filter(
      ({ outcome }: { outcome: string }) => outcome === "done",
    );
    expect(entry).toMatchObject({ who: { person: { name: "staff" } } });
    expect(entry.summary).toMatch(/^Payment link .*handed out/);
    expect(entry.summary).not.toContain("@");
    expect(JSON.stringify(entry)).not.toContain("token=");
  }
  expect((await admin.post(`/api/admin/drafts/${randomUUID()}/link`)).status).toBe(404);
  await admin.post(`${orderPath}/items/${unpaidEdit.id}/withdraw`);
  expect((await admin.post(`${orderPath}/items/${unpaidEdit.id}/link`)).body.error).toBe("invalid_state");
});

function buildPath(
  path: string,
  { params = {}, query = {} }: { params?: Record<string, string | number>; query?: Record<string, string> },
): string {
  const filledIn = path.replace(/:(\w+)/g, (whole, name) => String(params[name] ?? whole));
  const search = new URLSearchParams(query).toString();
  return search === "" ? filledIn : `${filledIn}?${search}`;
}
