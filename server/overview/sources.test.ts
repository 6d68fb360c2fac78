import { eq } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import type { Overview } from "../../domain/overview/overview.ts";
import type { Sources } from "../../domain/sales/sources.ts";
import { adminBrowser } from "../../test/admin.ts";
import { insertPaidOrder } from "../../test/paid-order.ts";
import { openTestShop } from "../../test/shop.ts";
import { orders } from "../orders/tables.ts";
import { payments, refunds } from "../payments/tables.ts";

const period = "from=2026-03-01&to=2026-03-31";

const shop = await openTestShop({ PAYMENTS: "sandbox" });
const owner = await adminBrowser(shop);
afterAll(() => shop.stop());

const readSources = async (query: string): Promise<Sources> =>
  (await owner.get(`/api/admin/sources?${query}`)).body.data;
const readPage = async (query: string, path = "/admin/sources"): Promise<string> =>
  (await owner.get(`${path}?${query}`)).body
    .replace(/.*<main/s, "")
    .replace(/<script.*/s, "")
    .replaceAll("<!-- -->", "");

type Sale = { day: string; email: string; changes?: Partial<typeof orders.$inferInsert> };
const sell = ({ day, email, changes }: Sale) => {
  const at = new Date(`${day}T12:00:00Z`);
  return insertPaidOrder(shop.database.db, { createdAt: at, paidAt: at, email, mode: "sandbox", ...changes });
};
const sourceChanges = (
  referrer: string | null,
  utmSource: string | null = null,
  utmCampaign: string | null = null,
) => ({
  source: { referrer, utmSource, utmMedium: null, utmCampaign },
});

test("before the first sale, the page of sources states that there are no sales, and shows no customer values", async () => {
  const html = await readPage("");
  expect(html).toContain("No sales in this period");
  expect(html).not.toContain("Value of a customer");
});

test("orders and money by source add up to the overview's, and each source shows its first orders and the customers who ordered again", async () => {
  await sell({ day: "2026-02-10", email: "old@example.com" });
  await sell({ day: "2026-03-02", email: "Ada@example.com", changes: sourceChanges("example.com") });
  await sell({ day: "2026-03-20", email: "ada@example.com" });
  await sell({
    day: "2026-03-03",
    email: "bo@example.com",
    changes: sourceChanges("example.com", "letter", "spring"),
  });
  const discounted = {
    ...sourceChanges(null, "letter"),
    discountCode: "SPRING10",
    discountCents: 300,
    totalCents: 3290,
  };
  await sell({ day: "2026-03-31", email: "old@example.com", changes: discounted });
  await sell({ day: "2026-04-01", email: "later@example.com", changes: sourceChanges("example.com") });
  // A refund in the period counts for its order's source, even if the order was placed before the period.
  const refundedOrderId = await sell({
    day: "2026-02-11",
    email: "cy@example.com",
    changes: sourceChanges("example.com"),
  });
  const intentId = "pi_1";
  const { db } = shop.database;
  const payment = {
    orderId: refundedOrderId,
    provider: "sandbox",
    revision: 1,
    intentId,
    status: "succeeded",
  } as const;
  await db.insert(payments).values({ ...payment, amountCents: 3590, currency: "USD" });
  await db.insert(refunds).values({
    id: crypto.randomUUID(),
    orderId: refundedOrderId,
    intentId,
    amountCents: 500,
    goodsCents: 500,
    shippingCents: 0,
    taxCents: 0,
    status: "succeeded",
    settledAt: new Date("2026-03-15T12:00:00Z"),
  });
  await db
    .update(orders)
    .set({ refundedCents: 500, status: "partially_refunded" })
    .where(eq(orders.id, refundedOrderId));

  const { rows, totals, others, months } = await readSources(period);
  expect(rows).toEqual([
    { name: "letter", orders: 2, salesCents: 5690, netCents: 6880, firstOrders: 1, boughtAgain: 0 },
    { name: "example.com", orders: 1, salesCents: 2995, netCents: 3090, firstOrders: 1, boughtAgain: 1 },
    { name: null, orders: 1, salesCents: 2995, netCents: 3590, firstOrders: 0, boughtAgain: 0 },
  ]);
  expect(others).toBeNull();
  const { figures, topSources }: Overview = (await owner.get(`/api/admin/overview?${period}`)).body.data;
  const { orders: count, salesCents, netCents } = figures;
  expect(totals).toMatchObject({ orders: count, salesCents, netCents });
  expect(topSources).toEqual([
    { name: "letter", orders: 2 },
    { name: "example.com", orders: 1 },
  ]);
  const overviewPage = await readPage(period, "/admin");
  expect(overviewPage).toContain("2 orders, example.com 1");
  expect((await readSources(`${period}&by=campaign`)).rows.map(({ name, orders }) => [name, orders])).toEqual(
    [
      [null, 3],
      ["spring", 1],
    ],
  );
  expect((await readSources(`${period}&by=code`)).rows.at(-1)).toMatchObject({
    name: "SPRING10",
    salesCents: 2695,
  });

  expect(months).toEqual([
    { month: "2026-04", customers: 1, orders: 1, boughtAgain: 0, valueCents: 3590 },
    { month: "2026-03", customers: 2, orders: 3, boughtAgain: 1, valueCents: 10_770 },
    { month: "2026-02", customers: 2, orders: 3, boughtAgain: 1, valueCents: 9970 },
  ]);
  const html = await readPage(`${period}&view=table`);
  for (const words of ["letter", "Unknown", "Together 4 orders", "$116.80 of sales", "March 2026", "$53.85"])
    expect(html).toContain(words);
});

test("both tables of the page of sources can be downloaded as CSV files, with all groups and months", async () => {
  const { body } = await owner.get(`/api/admin/sources.csv?${period}`);
  expect(body.split("\r\n").slice(0, 2)).toEqual([
    "Source,Orders,Sales,Net,First orders,Ordered again %",
    "letter,2,56.90,68.80,1,0",
  ]);
  const codes = await owner.get(`/api/admin/sources.csv?${period}&by=code`);
  expect(codes.body).toMatch(/^Discount,Orders/);
  const months = await owner.get(`/api/admin/sources.csv?table=months`);
  expect(months.body).toContain("2026-03,2,3,107.70,53.85,50\r\n");
});

test("sources beyond the fiftieth are added up in the last row", async () => {
  for (let n = 0; n < 52; n += 1)
    await sell({ day: "2026-05-05", email: `n${n}@example.com`, changes: sourceChanges(`n${n}.example`) });
  const { rows, others, totals } = await readSources("from=2026-05-05&to=2026-05-05");
  expect([rows.length, others?.groups, others?.orders, totals.orders]).toEqual([50, 2, 2, 52]);
  expect(await readPage("from=2026-05-05&to=2026-05-05")).toContain("2 others");
  expect((await owner.get("/api/admin/sources?by=moon")).status).toBe(422);
});
