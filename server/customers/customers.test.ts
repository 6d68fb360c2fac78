import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CustomerPage, CustomerRow } from "../../domain/customers/customer.ts";
import { adminBrowser, send } from "../../test/admin.ts";
import { insertPaidOrder } from "../../test/paid-order.ts";
import { openTestShop, type TestBrowser, type TestShop } from "../../test/shop.ts";
import { deletionRequests } from "../privacy/tables.ts";

let shop: TestShop;
let owner: TestBrowser;
const januaryDay = (n: number) => new Date(Date.UTC(2026, 0, n, 12));

beforeAll(async () => {
  shop = await openTestShop();
  owner = await adminBrowser(shop);
});
afterAll(() => shop.stop());

async function insertOrder(email: string, day: number, changes: Parameters<typeof insertPaidOrder>[1] = {}) {
  const { db } = shop.database;
  return insertPaidOrder(db, { email, createdAt: januaryDay(day), paidAt: januaryDay(day), ...changes });
}

async function readCustomers(query = ""): Promise<CustomerPage> {
  const { status, body } = await owner.get(`/api/admin/customers?${query}`);
  expect([status, body.fields], query).toEqual([200, undefined]);
  return body;
}

const listEmails = ({ data }: CustomerPage) => data.map(({ email }) => email);
const findEmails = async (q: string) => listEmails(await readCustomers(`q=${encodeURIComponent(q)}`));
async function findCustomerId(email: string): Promise<number> {
  return (await readCustomers(`q=${encodeURIComponent(email)}`)).data[0]?.id ?? 0;
}
async function readCustomer(id: number) {
  const { status, body } = await owner.get(`/api/admin/customers/${id}`);
  expect(status).toBe(200);
  return body.data;
}

test("the list of customers has the buyers of paid orders with their sums, updated with every change of an order", async () => {
  const firstOrderId = await insertOrder("Grace@Example.org", 1, {
    customerName: "Grace Bennett",
    phone: "+49 (0)171 2345678",
    shipping: {
      line1: "1 Allee",
      line2: null,
      city: "Köln",
      state: "NW",
      postalCode: "50667",
      country: "DE",
    },
  });
  await insertOrder("grace@example.org", 3, {
    customerName: "Grace B.",
    refundedCents: 590,
    status: "partially_refunded",
  });
  await insertOrder("omar@example.org", 2, {
    customerName: "Omar Reed",
    gift: { from: "Omar", note: "For you" },
  });
  await insertOrder("never@example.org", 4, { status: "cancelled", paidAt: null });
  const page = await readCustomers();
  expect(page).toMatchObject({ nextCursor: null, tags: [], isBuilding: false });
  expect(page.data).toMatchObject([
    {
      name: "Grace B.",
      email: "grace@example.org",
      otherEmails: 0,
      phone: "+49 (0)171 2345678",
      city: "Austin",
      country: "US",
      orders: 2,
      valueCents: 2 * 3590 - 590,
      firstOrderAt: januaryDay(1).toISOString(),
      lastOrderAt: januaryDay(3).toISOString(),
    },
    { name: "Omar Reed", orders: 1, valueCents: 3590 },
  ]);
  await shop.database.pool.query("update orders set email = 'omar@example.org' where id = $1", [
    firstOrderId,
  ]);
  expect((await readCustomers("sort=orders")).data).toMatchObject([
    { email: "omar@example.org", orders: 2, city: "Köln" },
    { email: "grace@example.org", orders: 1 },
  ]);
  await shop.database.pool.query("update orders set email = 'grace@example.org' where id = $1", [
    firstOrderId,
  ]);
  expect(listEmails(await readCustomers("sort=value"))).toEqual(["grace@example.org", "omar@example.org"]);
});

test("customers are found by name, address, city, phone and order number, and can be sorted, filtered and paged through", async () => {
  expect(await findEmails("bennett")).toEqual(["grace@example.org"]);
  expect(await findEmails("GRACE@example.org")).toEqual(["grace@example.org"]);
  expect(await findEmails("köln")).toEqual(["grace@example.org"]);
  expect(await findEmails("0171 2345678")).toEqual(["grace@example.org"]);
  expect(await findEmails("example.org")).toEqual(["grace@example.org", "omar@example.org"]);
  const { rows } = await shop.database.pool.query(
    "select number from orders where customer_name = 'Omar Reed'",
  );
  expect(await findEmails(`#${rows[0].number}`)).toEqual(["omar@example.org"]);
  expect(await findEmails("nobody at all")).toEqual([]);
  expect(listEmails(await readCustomers("kind=returning"))).toEqual(["grace@example.org"]);
  expect(listEmails(await readCustomers("country=DE"))).toEqual([]);
  const inCountry = await readCustomers("country=US");
  expect(listEmails(inCountry)).toEqual(["grace@example.org", "omar@example.org"]);
  expect(inCountry.countries).toEqual(["US"]);
  const first = await readCustomers("limit=1&sort=value");
  expect(listEmails(await readCustomers(`limit=1&sort=value&cursor=${first.nextCursor}`))).toEqual([
    "omar@example.org",
  ]);
  for (const query of ["sort=x", "kind=x", "country=usa", "limit=0", "cursor=x"]) {
    expect((await owner.get(`/api/admin/customers?${query}`)).status, query).toBe(422);
  }
  const file = await owner.get("/api/admin/customers.csv?sort=value");
  expect(file.body.split("\r\n")[1]).toMatch(
    /^\d+,Grace B\.,grace@example\.org,'\+49 \(0\)171 2345678,Austin,US,2,65\.90,/,
  );
  expect((await shop.browser().get("/api/admin/customers")).status).toBe(401);
});

test("a customer’s page has orders, messages, consent and notes; conflicting edits of tags are refused", async () => {
  const id = await findCustomerId("grace@example.org");
  await shop.browser().post("/api/contact", {
    name: "Grace",
    email: "GRACE@example.org",
    subject: "order",
    message: "Where is it?",
    elapsedMs: 60_000,
  });
  await shop.browser().post("/api/newsletter", { email: "grace@example.org" });
  const path = `/api/admin/customers/${id}`;
  expect((await owner.post(`${path}/notes`, { text: "Rang on Monday" })).status).toBe(201);
  expect((await owner.post(`${path}/notes`, { text: "Rang on Monday" })).status).toBe(201);
  const { revision } = await readCustomer(id);
  const tagResponse = await send(owner, "PUT", `${path}/tags`, { tags: [" VIP ", "vip", "Salon"], revision });
  expect([tagResponse.status, tagResponse.body.data.tags]).toEqual([200, ["salon", "vip"]]);
  const outdated = await send(owner, "PUT", `${path}/tags`, { tags: ["press"], revision });
  expect([outdated.status, outdated.body.current.tags]).toEqual([409, ["salon", "vip"]]);
  expect(await readCustomer(id)).toMatchObject({
    emails: ["grace@example.org"],
    recentOrders: [{ items: ["1 × Pure Batana Oil"], refundedCents: 590 }, { totalCents: 3590 }],
    messages: [{ message: "Where is it?" }],
    subscriptions: [{ email: "grace@example.org", state: "unconfirmed", place: "footer" }],
    notes: [{ text: "Rang on Monday" }],
    merges: [],
  });
  expect(await readCustomers("tag=vip")).toMatchObject({ data: [{ id }], tags: ["salon", "vip"] });
  const [note] = (await readCustomer(id)).notes;
  expect((await send(owner, "DELETE", `${path}/notes/${note.id}`)).status).toBe(200);
  expect((await send(owner, "DELETE", `${path}/notes/${note.id}`)).status).toBe(404);
  expect((await owner.get("/api/admin/customers/999999")).status).toBe(404);
  expect((await owner.post("/api/admin/customers/999999/notes", { text: "x" })).status).toBe(404);
  expect(
    (await send(owner, "PUT", "/api/admin/customers/999999/tags", { tags: [], revision: 1 })).status,
  ).toBe(404);
});

test("the panel’s search finds orders, customers and products, at most a few of each kind", async () => {
  const search = async (q: string) => {
    const { status, body } = await owner.get(`/api/admin/find?q=${encodeURIComponent(q)}`);
    expect(status).toBe(200);
    return body.data;
  };
  expect(await search("bennett")).toMatchObject({
    orders: [{ customer: "Grace Bennett", status: "completed" }],
    customers: [{ email: "grace@example.org", orders: 2 }],
    products: [],
  });
  expect(await search("batana")).toMatchObject({ products: [{ name: "Pure Batana Oil" }] });
  expect(await search("zzz nothing")).toEqual({ orders: [], customers: [], products: [], invoices: [] });
  expect((await owner.get("/api/admin/find?q=%20")).status).toBe(422);
  expect((await shop.browser().get("/api/admin/find?q=bennett")).status).toBe(401);
});

test("two customers can be merged, later orders of both addresses included, and the merge undone", async () => {
  const [id, otherId] = [await findCustomerId("grace@example.org"), await findCustomerId("omar@example.org")];
  await owner.post(`/api/admin/customers/${otherId}/notes`, { text: "Omar’s note" });
  const mergeResponse = await owner.post(`/api/admin/customers/${id}/merge`, { otherId });
  expect([mergeResponse.status, mergeResponse.body.data]).toMatchObject([
    200,
    {
      orders: 3,
      valueCents: 3 * 3590 - 590,
      emails: ["grace@example.org", "omar@example.org"],
      otherEmails: 1,
    },
  ]);
  await insertOrder("omar@example.org", 9);
  expect(await findEmails("omar@example.org")).toEqual(["grace@example.org"]);
  expect((await readCustomer(otherId)).id, "the id of the merged customer leads to the other").toBe(id);
  const { merges, notes, orders } = await readCustomer(id);
  expect([orders, notes]).toMatchObject([4, [{ text: "Omar’s note" }]]);
  expect((await owner.post(`/api/admin/customers/${id}/merge`, { otherId })).status).toBe(404);
  expect((await owner.post(`/api/admin/customers/${id}/merge`, { otherId: id })).status).toBe(422);

  const undo = () => send(owner, "DELETE", `/api/admin/customers/${id}/merges/${merges[0].id}`);
  expect(await undo()).toMatchObject({ status: 200, body: { data: { restoredId: otherId } } });
  expect((await undo()).status).toBe(404);
  expect(await readCustomer(otherId)).toMatchObject({
    orders: 2,
    emails: ["omar@example.org"],
    notes: [{ text: "Omar’s note" }],
  });
  expect(await readCustomer(id)).toMatchObject({ orders: 2, tags: ["salon", "vip"], notes: [] });
});

test("random merges and undos do not change the sums over all customers", async () => {
  const emails = [1, 2, 3, 4, 5].map((n) => `p${n}@example.net`);
  for (const [index, email] of emails.entries()) {
    await insertOrder(email, 10 + index, {
      refundedCents: index * 100,
      status: index > 0 ? "partially_refunded" : "completed",
    });
  }
  const readTestRows = async () =>
    (await readCustomers("q=%40example.net&sort=orders")).data.filter(({ email }) => emails.includes(email));
  const sumRows = (rows: CustomerRow[]) => ({
    orders: rows.reduce((sum, row) => sum + row.orders, 0),
    valueCents: rows.reduce((sum, row) => sum + row.valueCents, 0),
    emails: rows.reduce((sum, row) => sum + 1 + row.otherEmails, 0),
  });
  const before = sumRows(await readTestRows());
  expect(before).toEqual({ orders: 5, valueCents: 5 * 3590 - 1000, emails: 5 });
  const step = fc.record({ isUndo: fc.boolean(), index: fc.nat(4), otherIndex: fc.nat(4) });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
      for (const { isUndo, index, otherIndex } of steps) {
        const rows = await readTestRows();
        const id = rows[index % rows.length]?.id ?? 0;
        if (isUndo) {
          const { merges } = await readCustomer(id);
          const merge = merges[otherIndex % Math.max(merges.length, 1)];
          if (merge) await send(owner, "DELETE", `/api/admin/customers/${id}/merges/${merge.id}`);
        } else {
          await owner.post(`/api/admin/customers/${id}/merge`, {
            otherId: rows[otherIndex % rows.length]?.id,
          });
        }
        expect(sumRows(await readTestRows())).toEqual(before);
      }
    }),
    { numRuns: 10 },
  );
});

test("the owner can download a customer’s data, and delete it by typing the address", async () => {
  await insertOrder("iris@example.org", 5, {
    status: "delivered",
    shippedAt: januaryDay(5),
    deliveredAt: januaryDay(6),
  });
  const id = await findCustomerId("iris@example.org");
  await owner.post(`/api/admin/customers/${id}/notes`, { text: "Prefers mornings" });
  const data = await owner.get(`/api/admin/customers/${id}/data`);
  expect(data.body.data).toMatchObject([
    {
      email: "iris@example.org",
      orders: [{}],
      customer: [{ tags: [], notes: [{ text: "Prefers mornings" }] }],
    },
  ]);
  const wrongEmail = await owner.post(`/api/admin/customers/${id}/erase`, { email: "omar@example.org" });
  expect([wrongEmail.status, Object.keys(wrongEmail.body.fields)]).toEqual([422, ["email"]]);
  shop.travel(400 * 24 * 60 * 60 * 1000);
  owner = await adminBrowser(shop);
  const erase = () => owner.post(`/api/admin/customers/${id}/erase`, { email: "Iris@example.org" });
  const responses = await Promise.all([erase(), erase()]);
  for (const erased of responses) expect([erased.status, erased.body.data]).toEqual([202, { kept: [] }]);
  expect(await shop.database.db.$count(deletionRequests)).toBe(1);
  await shop.jobsDone();
  expect((await owner.get(`/api/admin/customers/${id}`)).status).toBe(404);
  expect(await findEmails("iris@example.org")).toEqual([]);
  expect((await owner.get(`/api/admin/customers/${id}/data`)).status).toBe(404);
  expect((await owner.post(`/api/admin/customers/${id}/erase`, { email: "x" })).status).toBe(404);
});

test("deleting a customer’s data erases the log entries about customers merged into it", async () => {
  for (const email of ["kai@example.org", "kai.work@example.org"])
    await insertOrder(email, 5, {
      status: "delivered",
      shippedAt: januaryDay(5),
      deliveredAt: januaryDay(6),
    });
  const [id, otherId] = [
    await findCustomerId("kai@example.org"),
    await findCustomerId("kai.work@example.org"),
  ];
  await send(owner, "PUT", `/api/admin/customers/${otherId}/tags`, { tags: ["allergic"], revision: 1 });
  await send(owner, "PUT", `/api/admin/customers/${otherId}/tags`, { tags: ["late payer"], revision: 2 });
  await owner.post(`/api/admin/customers/${id}/merge`, { otherId });
  const readLog = async () => JSON.stringify((await owner.get("/api/admin/activity?limit=100")).body);
  expect(await readLog()).toContain("allergic");
  shop.travel(400 * 24 * 60 * 60 * 1000);
  owner = await adminBrowser(shop);
  await owner.post(`/api/admin/customers/${id}/erase`, { email: "kai@example.org" });
  await shop.jobsDone();
  expect(await readLog()).not.toMatch(/allergic|late payer/);
});
