import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import type { AdminOrderRow, OrderFilter } from "../../../domain/orders/admin-orders.ts";
import type { OrderStatus } from "../../../domain/orders/order-status.ts";
import { adminBrowser, send } from "../../../test/admin.ts";
import { insertPaidOrder } from "../../../test/paid-order.ts";
import { openTestShop } from "../../../test/shop.ts";
import { issues } from "../../issues/tables.ts";
import { orderLines, orders } from "../../orders/tables.ts";
import { payments } from "../../payments/tables.ts";
import { orderReturns } from "../tables.ts";

/** Ids of the orders by the names used in these tests, newest first. */
const ids: Record<string, string> = {};
const intent = `pi_3Qx7a${"k".repeat(16)}`;

const shop = await openTestShop();
const owner = await adminBrowser(shop);
const { db } = shop.database;
const januaryDay = (day: number) => new Date(Date.UTC(2026, 0, day, 12));
const addOrder = async (name: string, day: number, changes: Partial<typeof orders.$inferInsert>) => {
  const at = januaryDay(day);
  ids[name] = await insertPaidOrder(db, { createdAt: at, paidAt: at, number: 2000 + day, ...changes });
};
await addOrder("paid", 20, {
  customerName: "Grace Bennett",
  email: "Grace@Example.org",
  phone: "+1 555 0100",
});
await addOrder("part", 19, {
  status: "partially_refunded",
  refundedCents: 500,
  customerName: "100%_Real \\ Ltd",
});
await addOrder("shipped", 18, {
  status: "shipped",
  shippedAt: januaryDay(19),
  carrier: "USPS",
  trackingNumber: "9400111899223817654321",
  discountCode: "SPRING10",
  shipping: {
    line1: "5 Rua Nova",
    line2: null,
    city: "São Paulo",
    state: "SP",
    postalCode: "01000",
    country: "BR",
  },
});
await addOrder("delivered", 17, {
  status: "delivered",
  shippedAt: januaryDay(17),
  deliveredAt: januaryDay(18),
});
await addOrder("cancelled", 16, { cancelledAt: januaryDay(16) });
await addOrder("refunded", 15, { status: "refunded", refundedCents: 3590 });
await addOrder("pending", 14, { status: "pending", paidAt: null, email: "shelf@example.com" });
await addOrder("unpaid", 13, { status: "cancelled", paidAt: null });
await addOrder("erased", 12, {
  status: "delivered",
  shippedAt: januaryDay(12),
  deliveredAt: januaryDay(12),
  erasedAt: januaryDay(13),
  customerName: "Deleted",
  email: `${randomUUID()}@deleted.invalid`,
});
await addOrder("formula", 11, {
  customerName: '=HYPERLINK("http://x","a"), & Sons',
  email: "f@example.com",
});
await db.insert(payments).values({
  orderId: ids.paid ?? "",
  provider: "sandbox",
  revision: 1,
  intentId: intent,
  status: "succeeded",
  amountCents: 3590,
  currency: "USD",
});
await db.insert(issues).values([
  { kind: "refund_refused", subject: "a", orderId: ids.part ?? "", message: "Refused" },
  {
    kind: "refund_refused",
    subject: "b",
    orderId: ids.paid ?? "",
    message: "Old",
    resolvedAt: januaryDay(21),
  },
]);
await db.insert(orderReturns).values({
  id: randomUUID(),
  orderId: ids.delivered ?? "",
  kind: "return",
  status: "requested",
  reason: "Too heavy",
  requestedAt: januaryDay(20),
});

afterAll(() => shop.stop());

async function list(
  query: string,
): Promise<{ found: string[]; rows: AdminOrderRow[]; nextCursor: string | null }> {
  const { status, body } = await owner.get(`/api/orders?${query}`);
  expect([status, body.fields], query).toEqual([200, undefined]);
  const names = new Map(Object.entries(ids).map(([name, id]) => [id, name]));
  return {
    found: body.data.map((row: AdminOrderRow) => names.get(row.orderId)),
    rows: body.data,
    nextCursor: body.nextCursor,
  };
}

const paidNames = ["paid", "part", "shipped", "delivered", "cancelled", "refunded", "erased", "formula"];

test("without a filter the paid orders are listed, newest first", async () => {
  const { found, rows } = await list("");
  expect(found).toEqual(paidNames);
  expect(rows[0]).toEqual({
    id: intent,
    orderId: ids.paid,
    number: 2020,
    customer: { name: "Grace Bennett", email: "Grace@Example.org" },
    created: Date.UTC(2026, 0, 20, 12) / 1000,
    items: [{ quantity: 1, description: "Pure Batana Oil" }],
    amount: 3590,
    currency: "USD",
    status: "succeeded",
    payment: "paid",
    orderStatus: "completed",
    delivery: "to_ship",
    shipHold: null,
    shippingOption: "Standard",
    isExpedited: false,
    shipTo: { city: "Austin", state: "TX", country: "US" },
    sameAddress: [],
    refunded: 0,
    chargedBack: 0,
    attention: false,
    returnAsked: false,
    tags: [],
    isGift: false,
    followUp: null,
    isTest: false,
  });
  const erased = rows.find(({ orderId }) => orderId === ids.erased);
  expect(erased, "an erased order has no customer; without a payment, the order's id is shown").toMatchObject(
    {
      customer: null,
      id: ids.erased,
    },
  );
});

test("the page shows buyer, items, date and state of each order, and marks erased buyers", async () => {
  const { body: page } = await owner.get("/admin/orders");
  const text = String(page)
    .replaceAll(/<script.*?<\/script>|<style.*?<\/style>/gs, "")
    .replaceAll(/<!--.*?-->/g, "")
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll(/\s+/g, " ");
  const orderedItems = "1 × Pure Batana Oil";
  const destination = "Austin, TX , United States";
  // Phones show number, date, payment state and payment id on an extra line.
  expect(text).toContain(
    `#2020 · Jan 20, 2026 · Paid · pi_3Qx7a… Grace Bennett Grace@Example.org ${orderedItems} ${destination} To ship $35.90 Paid pi_3Qx7a…`,
  );
  expect(text).toContain(`Anonymous No email ${orderedItems} Delivered $35.90 Paid`);
});

test("every filter of the list finds exactly its orders", async () => {
  const expected: Record<OrderFilter | OrderStatus, string[]> = {
    succeeded: ["paid", "part", "shipped", "delivered", "cancelled", "erased", "formula"],
    pending: ["pending"],
    canceled: ["unpaid"],
    refunded: ["refunded"],
    to_ship: ["paid", "part", "formula"],
    shipped: ["shipped"],
    delivered: ["delivered", "erased"],
    attention: ["part"],
    returns: ["delivered"],
    problems: ["part", "delivered"],
    all: Object.keys(ids),
    completed: ["paid", "cancelled", "formula"],
    partially_refunded: ["part"],
    cancelled: ["unpaid"],
    cancelled_paid: ["cancelled"],
    on_hold: [],
    waiting: [],
    disputed: [],
  };
  for (const [filter, found] of Object.entries(expected)) {
    expect((await list(`status=${filter}`)).found, filter).toEqual(found);
  }
  const { body } = await owner.get("/api/orders?limit=1");
  expect(body.queues).toEqual({
    to_ship: 3,
    shipped: 1,
    on_hold: 0,
    waiting: 0,
    returns: 1,
    attention: 1,
    problems: 2,
  });
});

test("a search finds a tracking number, a phone number or a name as people write it", async () => {
  const find = async (q: string) => (await list(`status=all&q=${encodeURIComponent(q)}`)).found;
  expect(await find("9400 1118 9922 3817 6543 21"), "the tracking number as the carrier prints it").toEqual([
    "shipped",
  ]);
  expect(await find("420787019400111899223817654321"), "as the label’s bar code contains it").toEqual([
    "shipped",
  ]);
  expect(await find("17654321"), "the end of the tracking number").toEqual(["shipped"]);
  expect(await find("+1 555 0101"), "another phone number").toEqual([]);
  expect(await find("555.0100"), "the end of a phone number").toEqual(["paid"]);
  expect(await find("+1 (555) 0100")).toEqual(["paid"]);
  expect(await find("são pa"), "a city").toEqual(["shipped"]);
  expect(await find("spring10"), "a code").toEqual(["shipped"]);
  expect(await find("batana OIL"), "a product").toEqual(Object.keys(ids));
  expect((await list("q=batana&status=all&limit=3")).found).toEqual(["paid", "part", "shipped"]);
});

test("the list of orders can be filtered by days, country and product, and a filter saved under a name", async () => {
  expect((await list("status=all&country=BR")).found).toEqual(["shipped"]);
  expect((await list("status=all&country=US&q=bennett")).found).toEqual(["paid"]);
  expect((await list("status=all&product=1&limit=2")).found).toEqual(["paid", "part"]);
  expect((await list("status=all&product=999999")).found).toEqual([]);
  expect((await list("status=all&from=2026-01-14&to=2026-01-15")).found).toEqual(["refunded", "pending"]);
  const path = "/api/admin/order-filters";
  const query = "q=&from=2026-01-01&country=BR&status=all&cursor=x";
  const firstSave = await owner.post(path, { name: " Brazil  this year ", query });
  expect([firstSave.status, firstSave.body.data]).toMatchObject([
    201,
    { name: "Brazil this year", query: "status=all&from=2026-01-01&country=BR" },
  ]);
  const secondSave = await owner.post(path, { name: "brazil THIS year", query: "country=BR" });
  expect(secondSave.body.data).toEqual({
    id: firstSave.body.data.id,
    name: "brazil THIS year",
    query: "country=BR",
  });
  expect((await owner.get(path)).body.data).toEqual({
    saved: [secondSave.body.data],
    countries: ["BR", "US"],
    products: [expect.objectContaining({ id: 1 })],
    tags: [],
  });
  expect((await owner.post(path, { name: "Nothing", query: "cursor=1" })).status).toBe(422);
  expect((await owner.post(path, { name: "Nothing", list: "customers", query: "status=all" })).status).toBe(
    422,
  );
  const customerFilter = {
    list: "customers",
    name: "Again in Brazil",
    query: "country=BR&kind=returning&from=x",
  };
  expect((await owner.post(path, { ...customerFilter, name: "Brazil this year" })).status).toBe(409);
  const other = await owner.post(path, customerFilter);
  expect(other.body.data).toMatchObject({ query: "kind=returning&country=BR" });
  expect((await owner.get("/api/admin/customer-filters")).body.data).toEqual({
    saved: [other.body.data],
  });
  expect((await owner.get(path)).body.data.saved).toEqual([secondSave.body.data]);
  expect((await send(owner, "DELETE", `${path}/${firstSave.body.data.id}`)).status).toBe(200);
  expect((await send(owner, "DELETE", `${path}/${firstSave.body.data.id}`)).status).toBe(404);
});

test("a search finds names, addresses, numbers and the first characters of ids", async () => {
  const find = async (q: string) => (await list(`status=all&q=${encodeURIComponent(q)}`)).found;
  expect(await find("  BENNETT ")).toEqual(["paid"]);
  expect(await find("grace@exam")).toEqual(["paid"]);
  expect(await find("Grace@example.ORG"), "a whole address").toEqual(["paid"]);
  expect(await find("e@example.or"), "the middle of an address").toEqual(["paid"]);
  expect(
    await find("f@example.com"),
    "a complete address does not match longer ones that contain it",
  ).toEqual(["formula"]);
  expect(await find("shelf@exa"), "an unpaid order").toEqual(["pending"]);
  expect(await find("be"), "two letters match the beginning of a word").toEqual(["paid"]);
  expect(await find("en"), "two letters do not match within a word").toEqual([]);
  expect(await find("2017")).toEqual(["delivered"]);
  expect(await find("#2017")).toEqual(["delivered"]);
  expect(await find("pi_3Qx7a…"), "as the list shows it").toEqual(["paid"]);
  expect(await find(intent)).toEqual(["paid"]);
  expect(await find(ids.shipped?.slice(0, 13) ?? "")).toEqual(["shipped"]);
  expect(await find(ids.shipped?.toUpperCase() ?? "")).toEqual(["shipped"]);
  expect(await find("100%_real \\"), "wildcards of LIKE are literal").toEqual(["part"]);
  expect(await find("1%r")).toEqual([]);
  expect(await find("pi_3Qx7_")).toEqual([]);
  expect(await find("#ada")).toEqual([]);
  expect(await find("99999999999")).toEqual([]);
  expect((await list("q=%20")).found, "a search text of spaces only").toEqual(paidNames);
  expect((await list("status=to_ship&q=obi")).found).toEqual([]);
  expect((await list("status=shipped&q=grace%40example.org")).found).toEqual([]);
});

test("the pages of the list have no gap or repetition if an order is placed between two requests", async () => {
  const first = await list("limit=3");
  await insertPaidOrder(shop.database.db, { number: 1999 });
  const listedOrders = [...first.found];
  for (let { nextCursor } = first; nextCursor !== null; ) {
    const page = await list(`limit=3&cursor=${nextCursor}`);
    listedOrders.push(...page.found);
    nextCursor = page.nextCursor;
  }
  await shop.database.db
    .delete(orderLines)
    .where(eq(orderLines.orderId, (await list("limit=1")).rows[0]?.orderId ?? ""));
  await shop.database.db.delete(orders).where(eq(orders.number, 1999));
  expect(listedOrders).toEqual(paidNames);
  expect((await list(`cursor=${randomUUID()}`)).rows, "a cursor of an unknown order").toEqual([]);
});

test("invalid queries of the list are refused by field, and strangers get nothing", async () => {
  for (const query of [
    "status=gone",
    "limit=0",
    "limit=101",
    "limit=x",
    "cursor=1",
    `q=${"x".repeat(101)}`,
  ]) {
    const { status, body } = await owner.get(`/api/orders?${query}`);
    expect([status, Object.keys(body.fields ?? {})], query).toEqual([422, [query.split("=")[0]]]);
  }
  const invalid = await owner.get("/api/admin/orders.csv?from=2026-02-30&to=x");
  expect([invalid.status, Object.keys(invalid.body.fields)]).toEqual([422, ["from", "to"]]);
  const ancient = await owner.get("/api/admin/orders.csv?from=0000-01-01&to=9999-12-31");
  expect([ancient.status, Object.keys(ancient.body.fields)]).toEqual([422, ["from", "to"]]);
  const reversed = await owner.get("/api/admin/orders.csv?from=2026-01-02&to=2026-01-01");
  expect([reversed.status, Object.keys(reversed.body.fields)]).toEqual([422, ["to"]]);
  const stranger = shop.browser();
  expect((await stranger.get("/api/orders?status=gone")).status).toBe(401);
  expect((await stranger.get("/api/admin/orders.csv")).status).toBe(401);
});

test("the CSV file has the filtered orders, one per line, without spreadsheet formulas", async () => {
  const response = await owner.fetch("/api/admin/orders.csv?status=all&from=2026-01-11&to=2026-01-20");
  expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(response.headers.get("content-disposition")).toMatch(
    /^attachment; filename="orders-\d{4}-\d\d-\d\d\.csv"$/,
  );
  const bytes = new Uint8Array(await response.arrayBuffer());
  expect([...bytes.slice(0, 3)], "the byte order mark of UTF-8").toEqual([0xef, 0xbb, 0xbf]);
  const lines = new TextDecoder().decode(bytes).split("\r\n");
  expect(lines.at(-1)).toBe("");
  expect(lines).toHaveLength(Object.keys(ids).length + 2);
  expect(lines[1]).toMatch(
    /^2020,2026-01-20 12:00:00,2026-01-20 12:00:00,completed,succeeded,to_ship,Grace Bennett,Grace@Example\.org,'\+1 555 0100,"1 Main St, Austin/,
  );
  expect(lines[1]).toContain(",1 × Pure Batana Oil,1,USD,29.95,0.00,,5.95,0.00,35.90,0.00,Standard,");
  expect(lines[1]?.endsWith(`${ids.paid},${intent},1 × -,,,,,,`)).toBe(true);
  expect(
    lines.find((line) => line.startsWith("2011,")),
    "a leading apostrophe prevents a formula",
  ).toContain(`,"'=HYPERLINK(""http://x"",""a""), & Sons",`);
  expect(
    lines.find((line) => line.startsWith("2012,")),
    "no data of an erased buyer",
  ).toMatch(/,delivered,,,,,,TX,,US,1 × /);
  const filteredFile = await owner.get(
    "/api/admin/orders.csv?status=to_ship&q=bennett&from=2026-01-20&to=2026-01-20",
  );
  expect(filteredFile.body.split("\r\n")).toHaveLength(3);
});
