import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { invoices } from "../server/books/tables.ts";
import { contactMessages } from "../server/contact/tables.ts";
import { contentVersions } from "../server/content/tables.ts";
import { orderDrafts } from "../server/drafts/tables.ts";
import { moneyChecks } from "../server/money-check/tables.ts";
import { subscribers } from "../server/newsletter/tables.ts";
import { questions } from "../server/questions/tables.ts";
import { donations } from "../server/sales/tables.ts";
import { webhookDeliveries, webhooks } from "../server/webhooks/tables.ts";
import { confirm, order } from "./checkout.ts";
import { type FilledShop, openFilledShop } from "./filled-shop.ts";

let filled: FilledShop;
beforeAll(async () => {
  filled = await openFilledShop();
  await addRows();
});
afterAll(() => filled.shop.stop());

const anHourAgo = new Date(Date.now() - 3_600_000);
const isoDate = (time: Date) => time.toISOString().slice(0, 10);
const today = isoDate(new Date());
const webhookId = randomUUID();
const contentKeys = { email: "email:order_confirmation", page: "story", menu: "menu" };

/** Adds rows to lists that are short in a filled shop, all with the same time, so that only the second sort key orders them. */
async function addRows(): Promise<void> {
  const { shop, orders, admin } = filled;
  const { db } = shop.database;
  const four = [1, 2, 3, 4];
  const order = Object.values(orders);
  await db.insert(invoices).values(
    four.map((number) => ({
      id: randomUUID(),
      mode: "sandbox" as const,
      kind: "invoice" as const,
      year: 2000,
      number,
      orderId: order[number] ?? "",
      issuedAt: anHourAgo,
      totalCents: 1,
      snapshot: { label: `INV-${number}`, buyer: { name: "Ada", company: null } } as never,
    })),
  );
  await db.insert(contactMessages).values(
    four.map((number) => ({
      id: randomUUID(),
      name: `Ada ${number}`,
      email: "ada@example.com",
      subject: "order" as const,
      message: "Where is it?",
      createdAt: anHourAgo,
    })),
  );
  await db
    .insert(contentVersions)
    .values(
      Object.values(contentKeys).flatMap((key) =>
        four.map(() => ({ key, text: null, defaultHash: "", createdAt: anHourAgo, publishedAt: anHourAgo })),
      ),
    );
  const shipping = { line1: "1 Main St", line2: null, city: "Austin", state: "TX", postalCode: "78701" };
  await db.insert(orderDrafts).values(
    four.map((number) => ({
      id: randomUUID(),
      email: "ada@example.com",
      customerName: `Ada ${number}`,
      shipping: { ...shipping, country: "US" },
      items: [{ productId: 1, quantity: number }],
      createdAt: anHourAgo,
      changedAt: anHourAgo,
      expiresAt: new Date(Date.now() + 86_400_000),
    })),
  );
  await db.insert(moneyChecks).values(
    four.map(() => ({
      periodFrom: anHourAgo,
      periodTo: new Date(),
      status: "done" as const,
      startedAt: anHourAgo,
      finishedAt: anHourAgo,
    })),
  );
  await db.insert(subscribers).values(
    four.map((number) => ({
      email: `ada${number}@example.com`,
      emailHash: Buffer.from(`ada${number}`),
      askedAt: anHourAgo,
      place: "footer" as const,
      consentText: "Yes",
      confirmedAt: anHourAgo,
    })),
  );
  await db.insert(questions).values(
    four.map((number) => ({
      productId: 1,
      question: `How long does it last? ${number}`,
      createdAt: anHourAgo,
    })),
  );
  await db
    .insert(donations)
    .values(
      four.map((cents) => ({ id: randomUUID(), amountCents: cents, sentOn: today, createdAt: anHourAgo })),
    );
  await db
    .insert(webhooks)
    .values({ id: webhookId, url: "https://example.com/", events: ["order.paid"], createdAt: anHourAgo });
  await db.insert(webhookDeliveries).values(
    four.map((number) => ({
      webhookId,
      type: "order.paid",
      subject: `order:${number}`,
      body: "{}",
      status: "delivered" as const,
      createdAt: anHourAgo,
    })),
  );
  for (const number of four) {
    const discount = { code: `CODE${number}`, kind: "percent", value: number };
    expect((await admin.post("/api/admin/discounts", discount)).status).toBe(201);
    const change = { id: randomUUID(), change: number, reason: "received", note: "", batchId: null };
    await admin.post("/api/admin/products/1/stock", change);
    const campaign = { subject: `News ${number}` };
    expect((await admin.post("/api/admin/campaigns", campaign)).status).toBe(201);
  }
}

/** Paths of the lists that need parameters. */
const paths = (): Record<string, string> => ({
  "/api/admin/invoices": `/api/admin/invoices?from=${isoDate(anHourAgo)}&to=${today}`,
  "/api/admin/content/:key/versions": `/api/admin/content/${contentKeys.page}/versions`,
  "/api/admin/email-texts/:kind/versions": "/api/admin/email-texts/order_confirmation/versions",
  "/api/admin/products/:id/stock": "/api/admin/products/1/stock",
  "/api/admin/webhooks/:id/deliveries": `/api/admin/webhooks/${webhookId}/deliveries`,
  "/api/admin/batches/:id/orders": `/api/admin/batches/${filled.batchId}/orders`,
});

type Page = { items: unknown[]; nextCursor: string | null };

/** Name of the list, for responses whose `data` has several; otherwise the list is `data` itself, or its only list. */
const listNames: Record<string, string> = {
  "/api/admin/products/:id/stock": "movements",
  "/api/admin/batches/:id/orders": "orders",
};

function parsePage(body: { data: unknown; nextCursor?: string | null }, name: string | undefined): Page {
  const within = body.data as Record<string, unknown> & { nextCursor?: string | null };
  const lists = Array.isArray(body.data) ? [body.data] : Object.values(within).filter(Array.isArray);
  const items = name === undefined ? lists[0] : within[name];
  expect(Array.isArray(items) && (name !== undefined || lists.length === 1), JSON.stringify(body)).toBe(true);
  return { items: items as unknown[], nextCursor: body.nextCursor ?? within.nextCursor ?? null };
}

test("every list of the panel, read one row at a time, has the same rows in the same order as the whole list", async () => {
  const { shop, admin } = filled;
  const queryNames = (row: (typeof shop.api)[number]) =>
    Object.keys((row.query as { entries?: object } | undefined)?.entries ?? {});
  const rows = shop.api.filter(
    (row) => row.method === "GET" && row.access === "admin" && queryNames(row).includes("cursor"),
  );
  expect(rows.length).toBeGreaterThan(14);
  const read = async (path: string, query: string, name: string | undefined): Promise<Page> => {
    const { status, body } = await admin.get(`${path}${path.includes("?") ? "&" : "?"}${query}`);
    expect([path, query, status]).toEqual([path, query, 200]);
    return parsePage(body, name);
  };
  for (const row of rows) {
    const path = paths()[row.path] ?? row.path;
    const name = listNames[row.path];
    const whole = await read(path, "limit=100", name);
    expect(whole.items.length, `rows of ${path}`).toBeGreaterThan(2);
    const single: unknown[] = [];
    let cursor: string | null = null;
    do {
      const after: string = cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`;
      const page: Page = await read(path, `limit=1${after}`, name);
      expect(page.items.length, path).toBeLessThan(2);
      single.push(...page.items);
      cursor = page.nextCursor;
    } while (cursor !== null && single.length <= whole.items.length);
    expect(single, path).toEqual(whole.items);
  }
});

test("packing begins with expedited orders, however late they were placed", async () => {
  const { shop, admin } = filled;
  const buyer = shop.browser();
  const fast = await order(buyer, {
    email: "fast@example.com",
    shippingOption: "us-expedited",
    amount: 4490,
  });
  expect(fast.status).toBe(201);
  await confirm(buyer, fast);
  await shop.jobsDone();
  expect((await admin.get("/api/admin/packing")).body.data.next.id).toBe(fast.body.orderId);
});

test("packing visits each order to ship exactly once", async () => {
  const { admin } = filled;
  const visited: string[] = [];
  for (let after = ""; visited.length < 20; ) {
    const { body } = await admin.get(`/api/admin/packing${after && `?after=${after}`}`);
    if (body.data.next === null) break;
    after = body.data.next.id;
    visited.push(after);
  }
  const waiting = (await admin.get("/api/orders?status=to_ship&sort=packing")).body.data;
  expect(visited.length).toBeGreaterThan(1);
  expect(visited).toEqual(waiting.map(({ orderId }: { orderId: string }) => orderId));
});
