import { randomUUID } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { adminBrowser } from "../../../test/admin.ts";
import { csvRows } from "../../../test/csv.ts";
import { insertPaidOrder } from "../../../test/paid-order.ts";
import { openTestShop } from "../../../test/shop.ts";
import { products } from "../../catalog/tables.ts";
import { disputes } from "../../disputes/tables.ts";
import { orderLines } from "../../orders/tables.ts";
import { payments } from "../../payments/tables.ts";
import { orderExchanges, orderReturns } from "../tables.ts";
import { readOrderPage } from "./list.ts";

const shop = await openTestShop();
afterAll(() => shop.stop());
const owner = await adminBrowser(shop);
const { db } = shop.database;

test("a line of the orders file has the order's items, payment, dispute fees, gift, source and original order", async () => {
  const at = new Date("2026-03-08T06:59:59.999Z");
  const plainId = await insertPaidOrder(db, { number: 3001, createdAt: at, carrier: "A, B; =C" });
  const fullId = await insertPaidOrder(db, {
    number: 3002,
    createdAt: new Date("2026-03-08T07:00:00Z"),
    gift: { from: "Ike", note: "=1+1\nEnjoy" },
    source: { referrer: "news.example", utmSource: "mail", utmMedium: null, utmCampaign: "@spring" },
    shipping: null,
  });
  const replacementId = await insertPaidOrder(db, {
    number: 3003,
    createdAt: at,
    replacesId: fullId,
    replacementReason: "lost",
    paidAt: null,
    subtotalCents: 0,
    shippingCents: 0,
    totalCents: 0,
  });
  const soap = { id: 7, slug: "soap", name: "Soap", shortDescription: "s", description: "s" };
  await db.insert(products).values({ ...soap, priceCents: 1295, size: "1 oz", sku: "SO-7" });
  const line = { orderId: fullId, productId: 7, unitPriceCents: 1295, discountCents: 0, taxCents: 0 };
  await db
    .insert(orderLines)
    .values({ ...line, position: 1, name: "Soap", quantity: 3, bundleSavingCents: 250 });
  const payment = { orderId: fullId, provider: "sandbox", amountCents: 3590, currency: "USD" } as const;
  await db.insert(payments).values([
    { ...payment, revision: 1, intentId: "pi_paid", status: "succeeded" },
    { ...payment, revision: 2, intentId: "pi_later", status: "canceled" },
    { ...payment, orderId: plainId, revision: 1, intentId: "pi_first", status: "canceled" },
    { ...payment, orderId: plainId, revision: 2, intentId: "pi_second", status: "canceled" },
  ]);
  const dispute = { intentId: "pi_paid", amountCents: 3590, reason: "fraudulent", isInquiry: false } as const;
  for (const id of ["dp_1", "dp_2"]) {
    const times = { createdAt: at, closedAt: at, changedAt: at, revision: 1 };
    await db
      .insert(disputes)
      .values({ ...dispute, ...times, id, orderId: fullId, feeCents: 1500, status: "won" });
  }
  const returnId = randomUUID();
  const returned = { id: returnId, orderId: plainId, kind: "return", status: "requested" } as const;
  await db.insert(orderReturns).values({ ...returned, reason: "Too heavy", requestedAt: at });
  const amounts = { returned: [], goodsCents: 100, taxCents: 0, differenceCents: 0 };
  for (const newOrderId of [fullId, replacementId]) {
    const exchange = { id: randomUUID(), orderId: plainId, newOrderId, returnId, createdAt: at };
    await db.insert(orderExchanges).values({ ...exchange, ...amounts, requestHash: Buffer.alloc(32) });
  }

  const rows = csvRows((await owner.get("/api/admin/orders.csv?status=all")).body);
  const findLine = (number: string) => rows.find(({ Order }) => Order === number);
  expect(findLine("3002")).toMatchObject({
    Items: "1 × Pure Batana Oil; 3 × Soap",
    SKUs: "1 × -; 3 × SO-7",
    Units: "4",
    "Bundle saving": "2.50",
    "Payment id": "pi_paid",
    "Dispute fees": "30.00",
    "Exchange of": "3001",
    Replaces: "",
    Placed: "2026-03-08 07:00:00",
    Gift: "yes",
    "Gift from": "Ike",
    "Gift note": "'=1+1\nEnjoy",
    City: "",
    Country: "",
    Referrer: "news.example",
    utm_source: "mail",
    utm_medium: "",
    utm_campaign: "'@spring",
  });
  expect(findLine("3003")).toMatchObject({
    Replaces: "3002",
    "Exchange of": "",
    "Payment id": "",
    Total: "0.00",
  });
  expect(findLine("3001")).toMatchObject({
    "Payment id": "pi_second",
    "Dispute fees": "0.00",
    "Exchange of": "",
    Gift: "no",
    Carrier: "A, B;' =C",
    Units: "1",
    "Bundle saving": "0.00",
    City: "Austin",
    Placed: "2026-03-08 06:59:59",
  });
});

test("a CSV file of several batches has every order once, and stops reading when the download is cancelled", async () => {
  await insertPaidOrder(db);
  await shop.database.pool.query(
    `insert into orders (id, number, visitor_id, currency, email, customer_name, shipping_address, shipping_option_id,
       shipping_option_name, subtotal_cents, discount_cents, shipping_cents, tax_cents, total_cents, giving_percent,
       request_hash, created_at, expires_at, status)
     select gen_random_uuid(), 5000 + n, visitor_id, 'USD', 'many@example.net', 'Many', '1 Main St', 'x', 'x', 0, 0, 0, 0, 0, 20, '\\x00',
       '2020-01-01T00:00:00Z'::timestamptz + n % 7 * interval '1 second', now(), 'cancelled'
     from generate_series(1, 4203) n, (select visitor_id from orders limit 1) as first`,
  );
  const { body } = await owner.get("/api/admin/orders.csv?status=canceled&q=many%40");
  const numbers = body
    .split("\r\n")
    .slice(1, -1)
    .map((line: string) => line.split(",")[0]);
  expect(numbers).toHaveLength(4203);
  expect(new Set(numbers).size).toBe(4203);

  const response = await owner.fetch("/api/admin/orders.csv?status=canceled");
  const reader = response.body?.getReader();
  const first = await reader?.read();
  expect(new TextDecoder().decode(first?.value).split("\r\n")).toHaveLength(502);
  await reader?.cancel();
  const orderPage = await readOrderPage(db, {
    status: "canceled",
    q: null,
    mode: "sandbox",
    limit: 1,
    cursor: null,
  });
  expect(orderPage.rows, "the connection was returned to the pool").toHaveLength(1);
});
