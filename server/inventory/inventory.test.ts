import { randomUUID } from "node:crypto";
import { eq, isNotNull, sql } from "drizzle-orm";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { dateIn } from "../../domain/shared/zoned-days.ts";
import type { WebhookEvent } from "../../domain/webhooks/webhook.ts";
import { adminBrowser, send } from "../../test/admin.ts";
import { confirm, order } from "../../test/checkout.ts";
import { countLockWaits } from "../../test/database.ts";
import { insertPaidOrder } from "../../test/paid-order.ts";
import { openTestShop } from "../../test/shop.ts";
import { activity } from "../admin/tables.ts";
import { products } from "../catalog/tables.ts";
import { orderLines, orders } from "../orders/tables.ts";
import { messages } from "../outbox/tables.ts";
import type { RecurringTask } from "../platform/jobs/jobs.ts";
import { today } from "../settings/today.ts";
import { webhooks } from "../webhooks/tables.ts";
import { setAvailableUnits } from "./adjust.ts";
import { returnToStock, sellUnreserved } from "./commands.ts";
import { enqueueOwnerStockAlert, inventoryFeature, watchStock } from "./feature.ts";
import { readBatch, recallFile } from "./recall-api.ts";
import { batches, batchUnits, stock, stockMovements } from "./tables.ts";

const shop = await openTestShop();
const admin = await adminBrowser(shop);
afterAll(() => shop.stop());
beforeEach(async () => {
  const { db } = shop.database;
  await db.delete(batchUnits);
  await db.delete(stockMovements);
  await db.delete(batches);
  await db.update(stock).set({ onHand: 100, reserved: 0, batched: 0, lowStockNotifiedAt: null });
});

/** Dates count from the start of this test run, so that they stay the same past midnight. */
const startedAt = Date.now();
const inDays = (days: number) => new Date(startedAt + days * 86_400_000).toISOString().slice(0, 10);
const stockUrl = "/api/admin/products/1/stock";
const batchUrl = "/api/admin/products/1/batches";

/** Adds a batch; returns its id. */
async function addBatch(code: string, bestBefore: string, quantity: number): Promise<number> {
  const { body } = await admin.post(batchUrl, { code, bestBefore, quantity });
  return body.data.batches.find((batch: { code: string }) => batch.code === code).id;
}

/** Sells units to a new order, without a payment. Throws if there are not enough. */
async function sell(quantity: number, today = inDays(0)): Promise<string> {
  const orderId = randomUUID();
  const isSold = await shop.database.db.transaction((tx) =>
    sellUnreserved(tx, orderId, [{ productId: 1, quantity }], today),
  );
  if (!isSold) throw new Error("sold out");
  return orderId;
}

const returnUnits = (orderId: string, quantity: number) =>
  shop.database.db.transaction((tx) =>
    returnToStock(tx, orderId, sql`select 1 as product_id, ${quantity}::int as quantity`),
  );

/** Units of an order by batch code. */
async function readOrderUnits(
  orderId: string,
): Promise<Record<string, [quantity: number, returned: number]>> {
  const rows = await shop.database.db
    .select({ code: batches.code, quantity: batchUnits.quantity, returned: batchUnits.returned })
    .from(batchUnits)
    .innerJoin(batches, eq(batches.id, batchUnits.batchId))
    .where(eq(batchUnits.orderId, orderId));
  return Object.fromEntries(rows.map(({ code, quantity, returned }) => [code, [quantity, returned]]));
}

async function readUnits(): Promise<Record<string, number>> {
  const { body } = await admin.get(stockUrl);
  const { onHand, unbatched } = body.data;
  const codes = body.data.batches.map((batch: { code: string; remaining: number }) => [
    batch.code,
    batch.remaining,
  ]);
  return { onHand, unbatched, ...Object.fromEntries(codes) };
}

const readLastChange = async () =>
  (await shop.database.db.select().from(activity).orderBy(sql`id desc`).limit(1))[0];

describe("stock calls", () => {
  test("make a repeated adjustment once, and refuse a different one with the same id", async () => {
    const adjustment = { id: crypto.randomUUID(), change: -7, reason: "damaged", note: "Dropped" };
    const adjust = (fields = {}) => admin.post(stockUrl, { ...adjustment, ...fields });
    const { onHand = 0 } = await readUnits();
    const responses = await Promise.all([adjust(), adjust(), adjust()]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await readUnits()).onHand).toBe(onHand - 7);
    expect((await adjust({ change: -8 })).body.error).toBe("invalid_state");
    await admin.post(stockUrl, { change: 7, reason: "counted" });
    expect((await adjust()).status).toBe(200);
    expect((await readUnits()).onHand).toBe(onHand);
  });

  test("return 404 for an unknown product or batch", async () => {
    expect((await admin.get("/api/admin/products/99/stock")).status).toBe(404);
    expect((await admin.post("/api/admin/products/99/stock", { change: 1, reason: "counted" })).status).toBe(
      404,
    );
    expect((await admin.post(stockUrl, { change: 1, reason: "counted", batchId: 99 })).status).toBe(404);
    expect((await send(admin, "PATCH", `${batchUrl}/99`, { note: "x" })).status).toBe(404);
    expect((await admin.get("/api/admin/batches/99/orders")).status).toBe(404);
  });
});

describe("changing stock", () => {
  test("records the reason in the history and in the activity log", async () => {
    const { status, body } = await admin.post(stockUrl, { change: -4, reason: "damaged", note: "Dropped" });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ onHand: 96, reserved: 0, free: 96, unbatched: 96 });
    expect(body.data.movements[0]).toMatchObject({
      kind: "adjusted",
      change: -4,
      reason: "damaged",
      note: "Dropped",
      order: null,
    });
    expect(await readLastChange()).toMatchObject({
      subject: "product:1",
      summary: "Stock of Pure Batana Oil: 100 → 96 units (Damaged)",
      before: { onHand: 100 },
      outcome: "done",
    });
    expect((await admin.post(stockUrl, { onHand: 90, reason: "counted" })).body.data.onHand).toBe(90);
  });

  test("is refused if fewer units would remain than are reserved for orders being paid", async () => {
    await order(shop.browser(), { quantity: 3 });
    const refused = await admin.post(stockUrl, { onHand: 2, reason: "counted" });
    expect(refused.status).toBe(409);
    expect(refused.body.message).toMatch(/^3 units are reserved/);
    expect((await admin.post(stockUrl, { onHand: 3, reason: "counted" })).body.data.free).toBe(0);
    await shop.database.db.transaction(async (tx) => {
      expect(await setAvailableUnits(tx, 1, 7)).toEqual({ ok: true, before: 3, after: 10 });
    });
  });

  test.each([
    { change: 0, reason: "counted" },
    { change: 1, onHand: 5, reason: "counted" },
    { change: 1.5, reason: "counted" },
    { change: 1 },
    { change: 1, reason: "expired" },
    { onHand: 5, reason: "counted", batchId: 1 },
  ])("refuses %o", async (body) => {
    expect((await admin.post(stockUrl, body)).status).toBe(422);
  });

  test("is listed in a paginated history", async () => {
    for (let change = 1; change <= 5; change += 1) await admin.post(stockUrl, { change, reason: "counted" });
    const first = await admin.get(`${stockUrl}?limit=3`);
    const second = await admin.get(`${stockUrl}?limit=3&cursor=${first.body.data.nextCursor}`);
    const changes = [first, second].flatMap(({ body }) =>
      body.data.movements.map((movement: { change: number }) => movement.change),
    );
    expect(changes).toEqual([5, 4, 3, 2, 1]);
    expect(second.body.data.nextCursor).toBeNull();
  });
});

describe("batches", () => {
  test("add units to the shelf, or include units there that belong to no batch, up to their number", async () => {
    const { status, body } = await admin.post(batchUrl, {
      code: "A1",
      bestBefore: inDays(400),
      quantity: 20,
    });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ onHand: 120, unbatched: 100 });
    expect(body.data.movements[0]).toMatchObject({ change: 20, reason: "received", batchCode: "A1" });
    const fromShelf = { code: "B1", bestBefore: inDays(300), quantity: 100, fromUnbatched: true };
    expect((await admin.post(batchUrl, fromShelf)).body.data).toMatchObject({ onHand: 120, unbatched: 0 });
    const excess = await admin.post(batchUrl, { ...fromShelf, code: "C1", quantity: 1 });
    expect([excess.status, excess.body.message]).toEqual([
      409,
      "All units on the shelf are in batches already.",
    ]);
    const sameCode = await admin.post(batchUrl, { code: "a1", bestBefore: inDays(300), quantity: 1 });
    expect(sameCode.status).toBe(409);
    expect(await readUnits()).toEqual({ onHand: 120, unbatched: 0, A1: 20, B1: 100 });
    expect((await admin.post(batchUrl, { code: "D", bestBefore: inDays(-1), quantity: 1 })).status).toBe(422);
    expect((await admin.post(batchUrl, { code: "D", bestBefore: "2090-02-30", quantity: 1 })).status).toBe(
      422,
    );
  });

  test("cannot go below zero units, and get smaller when fewer units are counted on the shelf", async () => {
    await shop.database.db.update(stock).set({ onHand: 2 });
    const oldBatchId = await addBatch("OLD", inDays(100), 5);
    await addBatch("NEW", inDays(200), 5);
    const refused = await admin.post(stockUrl, { change: -6, reason: "lost", batchId: oldBatchId });
    expect([refused.status, refused.body.message]).toEqual([409, "This batch has 5 units left."]);
    await admin.post(stockUrl, { onHand: 4, reason: "counted" });
    expect(await readUnits()).toEqual({ onHand: 4, unbatched: 0, OLD: 0, NEW: 4 });
    await admin.post(stockUrl, { change: 3, reason: "received", batchId: oldBatchId });
    expect(await readUnits()).toEqual({ onHand: 7, unbatched: 0, OLD: 3, NEW: 4 });
  });

  test("are sold in the order of their dates, and get back the units that are returned", async () => {
    await shop.database.db.update(stock).set({ onHand: 4 });
    await addBatch("NEW", inDays(200), 5);
    await addBatch("OLD", inDays(100), 2);
    const first = await sell(3);
    expect(await readOrderUnits(first)).toEqual({ OLD: [2, 0], NEW: [1, 0] });
    const second = await sell(6);
    expect(await readOrderUnits(second)).toEqual({ NEW: [4, 0] });
    expect(await readUnits()).toEqual({ onHand: 2, unbatched: 2, OLD: 0, NEW: 0 });
    await returnUnits(first, 1);
    await returnUnits(first, 2);
    await returnUnits(second, 6);
    expect(await readOrderUnits(first)).toEqual({ OLD: [2, 2], NEW: [1, 1] });
    expect(await readUnits()).toEqual({ onHand: 11, unbatched: 4, OLD: 2, NEW: 5 });
  });

  test("never sell concurrent buyers more units than they have, and each sold unit belongs to one batch", async () => {
    await shop.database.db.update(stock).set({ onHand: 0 });
    for (const [code, days] of [
      ["A", 100],
      ["B", 200],
      ["C", 300],
    ] as const) {
      await addBatch(code, inDays(days), 10);
    }
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, async (_, index) => {
        const orderId = await sell(2);
        if (index % 5 === 4) await returnUnits(orderId, 1);
      }),
    );
    const refused = results.flatMap((result) =>
      result.status === "rejected" ? [result.reason.message] : [],
    );
    expect(new Set(refused)).toEqual(new Set(["sold out"]));
    const { rows } = await shop.database.db.execute(sql`
      select on_hand, batched, (select sum(remaining)::int from batches) as remaining,
        (select sum(quantity)::int from stock_movements where kind = 'sold') as sold,
        (select sum(quantity)::int from batch_units) as units,
        (select sum(quantity)::int from stock_movements where kind = 'returned') as returned from stock`);
    const [sums] = rows as Record<string, number>[];
    expect(sums).toMatchObject({ units: sums?.sold, batched: sums?.remaining, on_hand: sums?.remaining });
    expect(sums?.on_hand).toBe(30 - (sums?.sold ?? 0) + (sums?.returned ?? 0));
    expect(sums?.sold).toBeGreaterThan(26);
  });

  test("keep the stock's `batched` count correct when SQL deletes a batch or moves it to another product", async () => {
    const { db } = shop.database;
    const deletedBatch = await addBatch("P-1", "2099-01-01", 10);
    const movedBatch = await addBatch("P-2", "2099-02-01", 7);
    const texts = {
      slug: "another-oil",
      name: "Another oil",
      shortDescription: "",
      description: "",
      size: "",
    };
    const [product] = await db
      .insert(products)
      .values({ ...texts, priceCents: 1 })
      .returning();
    const otherId = product?.id ?? 0;
    await db.insert(stock).values({ productId: otherId, onHand: 20 });
    const readBatchedByProduct = async () =>
      Object.fromEntries((await db.select().from(stock)).map((row) => [row.productId, row.batched]));
    expect(await readBatchedByProduct()).toEqual({ 1: 17, [otherId]: 0 });
    await db.delete(batches).where(eq(batches.id, deletedBatch));
    expect(await readBatchedByProduct()).toEqual({ 1: 7, [otherId]: 0 });
    await db.update(batches).set({ productId: otherId, remaining: 5 }).where(eq(batches.id, movedBatch));
    expect(await readBatchedByProduct()).toEqual({ 1: 0, [otherId]: 5 });
  });

  test("can be corrected in date and note", async () => {
    const id = await addBatch("A", inDays(100), 1);
    const { status, body } = await send(admin, "PATCH", `${batchUrl}/${id}`, { bestBefore: inDays(50) });
    expect([status, body.data.batches[0].bestBefore]).toEqual([200, inDays(50)]);
    expect((await readLastChange())?.summary).toBe(`Best before of batch A: ${inDays(100)} → ${inDays(50)}`);
    expect((await send(admin, "PATCH", `${batchUrl}/${id}`, {})).status).toBe(422);
  });
});

describe("a recall", () => {
  test("lists every paid order with units of the batch, and exports them as a CSV file", async () => {
    const { db } = shop.database;
    const batchId = await addBatch("A", inDays(100), 5);
    const unpaid = await order(shop.browser(), { quantity: 2, email: "eve@example.com" });
    const buyer = shop.browser();
    const paid = await order(buyer, { quantity: 2, email: "bea@example.com" });
    await confirm(buyer, paid);
    await shop.jobsDone();
    const erasedOrderId = await insertPaidOrder(db, {
      email: "x@deleted.invalid",
      customerName: "Deleted",
      erasedAt: new Date(),
    });
    await db.insert(batchUnits).values({ orderId: erasedOrderId, productId: 1, batchId, quantity: 1 });
    const url = `/api/admin/batches/${batchId}/orders`;
    const { body } = await admin.get(url);
    expect(unpaid.status).toBe(201);
    expect(body.data.batch).toMatchObject({ code: "A", productName: "Pure Batana Oil", orders: 2 });
    expect(body.data.orders).toMatchObject([
      { email: "bea@example.com", customerName: "Ada Obi", quantity: 2, returned: 0, shippedAt: null },
      { email: null, customerName: null, quantity: 1 },
    ]);
    expect(body.data.totals).toEqual({ orders: 2, units: 3, unshipped: 2, erased: 1 });
    const firstPage = (await admin.get(`${url}?limit=1`)).body.data;
    const nextPage = (await admin.get(`${url}?limit=1&cursor=${firstPage.nextCursor}`)).body.data;
    expect([...firstPage.orders, ...nextPage.orders]).toEqual(body.data.orders);
    expect(nextPage.nextCursor).toBeNull();
    const otherProduct = {
      name: "Balm",
      shortDescription: "B",
      description: "B",
      price: 500,
      size: "1 oz",
      stock: 5,
    };
    const { id: productId } = (await admin.post("/api/admin/products", otherProduct)).body.data;
    const line = {
      position: 1,
      name: "Balm",
      quantity: 1,
      unitPriceCents: 500,
      discountCents: 0,
      taxCents: 0,
    };
    await db.insert(orderLines).values({ ...line, orderId: paid.body.orderId, productId });
    const lines = [{ productId: 1, quantity: 2 }];
    const parcel = { carrier: "UPS", trackingNumber: null, email: false, lines };
    expect((await admin.post(`/api/admin/orders/${paid.body.orderId}/ship`, parcel)).status).toBe(200);
    const recall = (await admin.get(url)).body.data;
    expect(recall.totals.unshipped).toBe(1);
    expect(recall.orders[0].shippedAt).not.toBeNull();
    await db.update(orders).set({ customerName: '=1+1,"x"' }).where(eq(orders.email, "bea@example.com"));
    const file = await admin.fetch(`/api/admin/batches/${batchId}/orders.csv`);
    expect(file.headers.get("content-disposition")).toBe('attachment; filename="recall-A.csv"');
    expect(await file.text()).toContain(`,"'=1+1,""x""",bea@example.com,Pure Batana Oil,A,`);
    // The file's dates are in the owner's time zone.
    await db
      .update(orders)
      .set({ paidAt: new Date("2026-03-01T03:30:00Z") })
      .where(eq(orders.id, erasedOrderId));
    const batch = await readBatch(db, batchId);
    if (!batch) throw new Error("the batch is gone");
    const [inUtc, inNewYork] = await Promise.all(
      ["UTC", "America/New_York"].map((zone) => new Response(recallFile(db, batch, zone)).text()),
    );
    expect([inUtc?.includes(",2026-03-01,"), inNewYork?.includes(",2026-02-28,")]).toEqual([true, true]);
  });
});

describe("the check of stock levels and dates", () => {
  const checkStock = () => watchStock(shop.ctx);
  const alertCondition = eq(messages.kind, "owner_low_stock");
  /** The owner's alerts, oldest first. */
  const readAlerts = async () => {
    const rows = await shop.database.db
      .select()
      .from(messages)
      .where(alertCondition)
      .orderBy(messages.createdAt);
    return rows.map(({ data }) => data);
  };
  const setLowStockAt = async (lowStockAt: number) => {
    await send(admin, "PATCH", "/api/admin/settings", { lowStockAt });
    await expect.poll(async () => (await shop.ctx.ownerSettings()).lowStockAt).toBe(lowStockAt);
  };
  beforeEach(async () => {
    await shop.jobsDone();
    await shop.database.db.delete(messages).where(alertCondition);
    await setLowStockAt(10);
  });
  const setOnHand = (onHand: number) => shop.database.db.update(stock).set({ onHand });

  test("alerts the owner to low stock once, and again only after the stock has recovered", async () => {
    await checkStock();
    expect(await readAlerts()).toEqual([]);
    await setOnHand(10);
    await Promise.all([checkStock(), checkStock()]);
    await setOnHand(0);
    await checkStock();
    expect(await readAlerts()).toEqual([{ news: "low", productId: "1", free: "10" }]);
    await setOnHand(11);
    await checkStock();
    await setOnHand(0);
    await checkStock();
    expect(await readAlerts()).toMatchObject([{ free: "10" }, { news: "low", free: "0" }]);
    await setLowStockAt(0);
    await setOnHand(20);
    await checkStock();
    await setOnHand(0);
    await checkStock();
    expect(await readAlerts()).toHaveLength(2);
  });

  test("runs every minute, because it also triggers webhooks", () => {
    const [{ everySeconds }] = inventoryFeature.cron(shop.ctx) as [RecurringTask];
    expect(everySeconds).toBeLessThanOrEqual(60);
  });

  test("does not make buyers wait while the product is being edited", async () => {
    const { db } = shop.database;
    const events: WebhookEvent[] = ["product.updated", "stock.low"];
    await db.insert(webhooks).values({ url: "https://example.com/hook", events, createdAt: new Date() });
    await setOnHand(9);
    let check: Promise<void> | undefined;
    await db.transaction(async (tx) => {
      await tx.update(products).set({ size: "2 fl oz" }).where(eq(products.id, 1));
      check = checkStock();
      await expect.poll(() => countLockWaits(shop.database)).toBe(1);
      expect((await order(shop.browser())).status).toBe(201);
    });
    await check;
    expect(await readAlerts()).toMatchObject([{ news: "low", productId: "1" }]);
    await db.delete(webhooks);
  });

  test("does not deadlock with an order of several products whose stock has recovered", async () => {
    const { db } = shop.database;
    const { body } = await admin.post("/api/admin/products", { name: "Small Oil", price: 1695, stock: 50 });
    const lockStock = (productId: number) =>
      sql`select from stock where product_id = ${productId} for update`;
    await db.update(stock).set({ lowStockNotifiedAt: new Date() });
    // The row of the first product is now the last one of the table.
    await db.update(stock).set({ lowStockNotifiedAt: new Date() }).where(eq(stock.productId, 1));
    let check: Promise<void> | undefined;
    await db.transaction(async (tx) => {
      await tx.execute(lockStock(1));
      check = checkStock();
      await expect.poll(() => countLockWaits(shop.database)).toBe(1);
      await tx.execute(lockStock(body.data.id));
    });
    await check;
    expect(await db.$count(stock, isNotNull(stock.lowStockNotifiedAt))).toBe(0);
  });

  test("withdraws units past their date from sale, except reserved ones", async () => {
    await setOnHand(2);
    const id = await addBatch("OVER", inDays(5), 6);
    await order(shop.browser(), { quantity: 3 });
    await shop.database.db.update(batches).set({ bestBefore: inDays(-1) });
    await setLowStockAt(0);
    await Promise.all([checkStock(), checkStock()]);
    expect(await readAlerts()).toMatchObject([{ news: "expired", batchId: String(id), units: "5" }]);
    expect(await readUnits()).toEqual({ onHand: 3, unbatched: 2, OVER: 1 });
    // Units of no batch are sold before those of an expired batch.
    await shop.database.db.update(stock).set({ reserved: 0 });
    expect(await readOrderUnits(await sell(2))).toEqual({});
  });

  test("lets a batch expire by the date in the owner's time zone", async () => {
    /** Sets the owner's time zone; returns the date there. */
    const setTimeZone = async (timeZone: string) => {
      await send(admin, "PATCH", "/api/admin/settings", { timeZone });
      const dateThere = dateIn(timeZone, new Date());
      await expect.poll(() => today(shop.ctx)).toBe(dateThere);
      return dateThere;
    };
    // These zones are 25 hours apart, so their dates always differ.
    const date = await setTimeZone("Pacific/Pago_Pago");
    const id = await addBatch("LAST DAY", date, 6);
    await addBatch("LATER", inDays(300), 6);
    expect((await admin.get(stockUrl)).body.data.today).toBe(date);
    await checkStock();
    expect(await readAlerts()).toEqual([]);
    expect(await readOrderUnits(await sell(1, date))).toEqual({ "LAST DAY": [1, 0] });
    const tomorrow = await setTimeZone("Pacific/Kiritimati");
    expect(await readOrderUnits(await sell(1, tomorrow))).toEqual({ LATER: [1, 0] });
    await checkStock();
    expect(await readAlerts()).toMatchObject([{ news: "expired", batchId: String(id), units: "5" }]);
    const refused = await admin.post(batchUrl, { code: "OLD", bestBefore: date, quantity: 1 });
    expect(refused.body.fields.bestBefore).toContain("passed");
    await setTimeZone("UTC");
  });

  test("e-mails the owner when a product is sold out or a batch is past its date", async () => {
    await setOnHand(0);
    const { db } = shop.database;
    const at = new Date();
    await db.transaction((tx) => enqueueOwnerStockAlert(tx, { kind: "low", productId: 1, at, free: 0 }));
    const batchId = await addBatch("OVER", inDays(5), 6);
    await db.transaction((tx) =>
      enqueueOwnerStockAlert(tx, { kind: "expired", productId: 1, at, batchId, units: 6 }),
    );
    await shop.jobsDone();
    const mails = await db.select().from(messages).where(eq(messages.kind, "owner_low_stock"));
    expect(mails.map(({ subject }) => subject).sort()).toEqual([
      "Past best before: Pure Batana Oil, batch OVER",
      "Sold out: Pure Batana Oil",
    ]);
  });
});
