import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import fc from "fast-check";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { refundByAmount } from "../../domain/orders/line-refund.ts";
import type { Overview, Period } from "../../domain/overview/overview.ts";
import type { PaymentMode } from "../../domain/payments/payment-mode.ts";
import { givenCents } from "../../domain/sales/giving.ts";
import { adminBrowser, send } from "../../test/admin.ts";
import { confirm, order } from "../../test/checkout.ts";
import { openTestShop } from "../../test/shop.ts";
import { productViewHours } from "../catalog/tables.ts";
import { contactMessages } from "../contact/tables.ts";
import { stock } from "../inventory/tables.ts";
import { orderEvents, orders } from "../orders/tables.ts";
import { splitColumns } from "../payments/refunds/refunds.ts";
import { payments, refunds } from "../payments/tables.ts";
import { settings } from "../settings/tables.ts";
import { visitors } from "../visitors/tables.ts";
import { refreshSales } from "./rollup.ts";
import { salesBuckets, salesDays, salesRollup } from "./tables.ts";

const path = "/api/admin/overview";
const visitorId = randomUUID();
const shop = await openTestShop({ PAYMENTS: "sandbox" });
const admin = await adminBrowser(shop);
await shop.jobsDone();
await shop.database.db.insert(visitors).values({ id: visitorId, tokenHash: Buffer.from(visitorId) });
beforeEach(() => shop.database.db.delete(salesRollup));
afterEach(async () => {
  for (const table of [refunds, orderEvents, payments, settings, salesBuckets, salesDays, productViewHours])
    await shop.database.db.delete(table);
  await shop.database.db.execute("truncate orders cascade");
});
afterAll(() => shop.stop());

const readOverview = async (query: object): Promise<Overview> => {
  const search = new URLSearchParams(query as Record<string, string>);
  return (await admin.get(`${path}?${search}`)).body.data;
};

let zone = "UTC";
/** Sums up sales as the job does every few minutes. */
const refreshSums = (now: Date, timeZone = zone) => refreshSales(shop.database.db, { now, timeZone });

/** Changes the shop's time zone, and waits until the shop uses it. */
async function changeTimeZone(timeZone: string): Promise<void> {
  zone = timeZone;
  await send(admin, "PATCH", "/api/admin/settings", { timeZone });
  await expect.poll(async () => (await readOverview({})).timeZone).toBe(timeZone);
}

type Sale = {
  placedAt: number;
  paidAt: number | null;
  status: "completed" | "delivered" | "cancelled" | "partially_refunded" | "refunded";
  goods: number;
  discount: number;
  refund: { at: number; cents: number } | null;
  mode: PaymentMode;
};

const minute = 60_000;
const [periodStart, periodEnd] = [Date.parse("2026-02-20T00:00Z"), Date.parse("2026-11-10T00:00Z")];
/** A random full minute. */
const instantIn = (from: number, to: number) =>
  fc.integer({ min: from / minute, max: to / minute - 1 }).map((m) => m * minute);
const clockChangeNights = ["2026-03-08", "2026-03-29", "2026-04-24", "2026-10-25", "2026-11-01"].map((day) =>
  Date.parse(day),
);
const nearClockChanges = (from: number, to: number) =>
  clockChangeNights
    .map((night) => [Math.max(from, night - 1800 * minute), Math.min(to, night + 1800 * minute)] as const)
    .filter(([begin, end]) => begin < end)
    .map(([begin, end]) => instantIn(begin, end));
const saleBetween = (from: number, to: number): fc.Arbitrary<Sale> =>
  fc
    .record({
      placedAt: fc.oneof(instantIn(from, to), ...nearClockChanges(from, to)),
      minutesUntilPaid: fc.option(fc.nat(40), { freq: 5 }),
      goods: fc.integer({ min: 1, max: 20_000 }),
      discountPercent: fc.constantFrom(0, 0, 0, 10, 33),
      refund: fc.option(fc.record({ afterDays: fc.nat(40), percent: fc.constantFrom(1, 30, 100) }), {
        freq: 2,
      }),
      mode: fc.constantFrom<PaymentMode>("sandbox", "sandbox", "sandbox", "test", "live"),
    })
    .map(({ placedAt, minutesUntilPaid, goods, discountPercent, refund, mode }) => {
      const discount = Math.floor((goods * discountPercent) / 100);
      const paidAt = minutesUntilPaid === null ? null : placedAt + minutesUntilPaid * minute;
      const cents =
        refund && Math.max(1, Math.floor(((goods - discount + shippingCents) * refund.percent) / 100));
      const isRefundedInPeriod =
        paidAt !== null && refund !== null && paidAt + refund.afterDays * 1440 * minute < to;
      const status =
        paidAt === null
          ? "cancelled"
          : !isRefundedInPeriod
            ? "completed"
            : refund.percent === 100
              ? "refunded"
              : "partially_refunded";
      return {
        placedAt,
        paidAt,
        goods,
        discount,
        mode,
        status,
        refund: isRefundedInPeriod && cents ? { at: paidAt + refund.afterDays * 1440 * minute, cents } : null,
      };
    });
const shippingCents = 595;

/** Writes orders with their payments and refunds straight into the tables. */
async function insertSales(sales: readonly Sale[]): Promise<void> {
  const { db } = shop.database;
  if (sales.length === 0) return;
  const rows = sales.map((sale) => ({ id: randomUUID(), ...sale }));
  await db.insert(orders).values(rows.map((row) => orderRow(row.id, row)));
  await db.insert(payments).values(
    rows.map(({ id, mode, paidAt }) => ({
      orderId: id,
      provider: mode === "sandbox" ? ("sandbox" as const) : ("stripe" as const),
      mode,
      revision: 1,
      intentId: `pi_${id}`,
      status: paidAt === null ? ("canceled" as const) : ("succeeded" as const),
      amountCents: 1,
      currency: "USD",
    })),
  );
  await db.insert(orderEvents).values(
    rows.map(({ id, placedAt, paidAt }) => ({
      orderId: id,
      at: new Date(placedAt),
      toStatus: paidAt === null ? ("cancelled" as const) : ("completed" as const),
      actor: "system" as const,
    })),
  );
  const refundedSales = rows.flatMap(({ id, refund, goods, discount }) => {
    const remaining = { goods: goods - discount, shipping: shippingCents, tax: 0 };
    return refund ? [{ id, refund, parts: splitColumns(refundByAmount(remaining, refund.cents)) }] : [];
  });
  if (refundedSales.length === 0) return;
  await db.insert(refunds).values(
    refundedSales.map(({ id, refund, parts }) => ({
      ...parts,
      id: randomUUID(),
      orderId: id,
      intentId: `pi_${id}`,
      amountCents: refund.cents,
      status: "succeeded" as const,
      settledAt: new Date(refund.at),
    })),
  );
}

function orderRow(id: string, sale: Sale): typeof orders.$inferInsert {
  return {
    id,
    visitorId,
    status: sale.status,
    mode: sale.mode,
    currency: "USD",
    email: "a@example.com",
    customerName: "A",
    shippingAddress: "1 Main St",
    shippingOptionId: "us-standard",
    shippingOptionName: "Standard",
    subtotalCents: sale.goods,
    discountCents: sale.discount,
    shippingCents,
    taxCents: 0,
    totalCents: sale.goods - sale.discount + shippingCents,
    refundedCents: sale.refund?.cents ?? 0,
    givingPercent: 20,
    requestHash: Buffer.alloc(1),
    createdAt: new Date(sale.placedAt),
    expiresAt: new Date(sale.placedAt),
    paidAt: sale.paidAt === null ? null : new Date(sale.paidAt),
  };
}

/** The expected figures, added up order by order, by the date in the shop's time zone. */
function sumSales(sales: readonly Sale[], { from, to }: Period, timeZone: string) {
  const dayFormat = new Intl.DateTimeFormat("en-CA", { timeZone });
  const isWithin = (at: number | null) =>
    at !== null && dayFormat.format(at) >= from && dayFormat.format(at) <= to;
  const sandboxSales = sales.filter(({ mode }) => mode === "sandbox");
  const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0);
  const paid = sandboxSales.filter(({ paidAt }) => isWithin(paidAt));
  const refundAmounts = sandboxSales.flatMap(({ refund }) =>
    refund && isWithin(refund.at) ? [refund.cents] : [],
  );
  const goodsCents = sum(paid.map(({ goods, discount }) => goods - discount));
  return {
    grossCents: sum(paid.map(({ goods }) => goods)),
    discountCents: sum(paid.map(({ discount }) => discount)),
    receivedCents: goodsCents + shippingCents * paid.length,
    netCents: goodsCents + shippingCents * paid.length - sum(refundAmounts),
    salesCents: goodsCents,
    orders: paid.length,
    refunds: refundAmounts.length,
    refundedCents: sum(refundAmounts),
    checkouts: sandboxSales.filter(({ placedAt }) => isWithin(placedAt)).length,
    donatedCents: sum(
      paid.map(({ goods, discount, refund }) =>
        givenCents({
          givingPercent: 20,
          cancelledAt: null,
          totals: {
            subtotal: goods,
            discount,
            total: goods - discount + shippingCents,
            refunded: refund?.cents ?? 0,
            chargedBack: 0,
          } as Parameters<typeof givenCents>[0]["totals"],
        }),
      ),
    ),
  };
}

const pickFigures = ({
  figures: {
    grossCents,
    discountCents,
    receivedCents,
    netCents,
    salesCents,
    orders,
    refunds,
    refundedCents,
    donatedCents,
    conversion,
  },
}: Pick<Overview, "figures">) => ({
  grossCents,
  discountCents,
  receivedCents,
  netCents,
  salesCents,
  orders,
  refunds,
  refundedCents,
  donatedCents,
  checkouts: conversion.checkouts,
});

function expectToAddUp(figures: Overview["figures"]): void {
  const { grossCents, discountCents, shippingCents: shipping, taxCents, receivedCents } = figures;
  const { refundedGoodsCents, refundedShippingCents, refundedTaxCents, refundedCents } = figures;
  expect(grossCents - discountCents + shipping + taxCents).toBe(receivedCents);
  expect(refundedGoodsCents + refundedShippingCents + refundedTaxCents).toBe(refundedCents);
  expect(receivedCents - refundedCents - figures.chargedBackCents).toBe(figures.netCents);
}

test("only the admin can open the overview", async () => {
  expect((await shop.browser().get(path)).status).toBe(401);
});

test.each([
  { from: "2026-02-30" },
  { to: "yesterday" },
  { from: "2026-05-02", to: "2026-05-01" },
  { from: "2020-01-01", to: "2026-05-01" },
  { by: "hour" },
])("the period %j is refused", async (query) => {
  const { status, body } = await admin.get(`${path}?${new URLSearchParams(query as Record<string, string>)}`);
  expect([status, body.error]).toEqual([422, "validation_failed"]);
});

describe("the figures", () => {
  test.each(["America/Chicago", "Asia/Kathmandu", "Australia/Lord_Howe", "Africa/Cairo"])(
    "equal the sums of the orders to the cent in the time zone %s",
    async (timeZone) => {
      await changeTimeZone(timeZone);
      const middle = Date.parse("2026-10-30T21:07Z");
      const sample = fc.sample(
        fc.tuple(
          fc.array(saleBetween(periodStart, middle), { minLength: 200, maxLength: 200 }),
          fc.array(saleBetween(middle - 3 * minute, periodEnd), { minLength: 60, maxLength: 60 }),
        ),
        1,
      )[0];
      if (!sample) throw new Error("no sample");
      const [past, recent] = sample;
      await insertSales(past);
      await refreshSums(new Date(middle));
      await insertSales(recent);
      const allSales = [...past, ...recent];
      const expectFigures = async () => {
        for (const [by, from, to] of [
          ["day", "2026-03-05", "2026-03-12"],
          ["month", "2026-03-01", "2026-11-01"],
          ["week", "2026-10-20", "2026-11-08"],
        ] as const) {
          const overview = await readOverview({ from, to, by });
          expect(pickFigures(overview), `${from} ${to}`).toEqual(sumSales(allSales, { from, to }, timeZone));
          expectToAddUp(overview.figures);
          expect(pickFigures(overview.before)).toEqual(sumSales(allSales, overview.before, timeZone));
          for (const slot of overview.series)
            expect(slot).toMatchObject({
              ...pickSeriesFields(sumSales(allSales, slot, timeZone)),
              from: slot.from,
            });
        }
        const ever = sumSales(allSales, { from: "2020-01-01", to: "2030-01-01" }, timeZone);
        expect((await readOverview({})).donated.totalCents).toBe(ever.donatedCents);
      };
      // The figures counted from the orders and those from the job's sums are the same.
      await expectFigures();
      await refreshSums(new Date(middle + 20 * 60 * minute));
      await expectFigures();
      await refreshSums(new Date(periodEnd + 1e9));
      await expectFigures();
      expect(await shop.database.db.$count(salesDays)).toBeGreaterThan(0);
      // After a change of the time zone, days are summed from the quarter-hour sums until the job has run.
      await refreshSums(new Date(periodEnd + 1e9), "Pacific/Auckland");
      await expectFigures();
      await refreshSums(new Date(periodEnd + 1e9));
      await expectFigures();
    },
  );

  const pickSeriesFields = ({ salesCents, orders, refundedCents }: ReturnType<typeof sumSales>) => ({
    salesCents,
    orders,
    refundedCents,
  });

  test("are right immediately after a sale, and still the same after the job has run", async () => {
    await refreshSums(new Date());
    const buyer = shop.browser();
    const checkout = await order(buyer);
    expect((await readOverview({})).figures).toMatchObject({
      orders: 0,
      conversion: { checkouts: 1, paid: 0 },
    });
    await confirm(buyer, checkout);
    await shop.jobsDone();
    const expected = {
      salesCents: 2995,
      orders: 1,
      averageCents: 2995,
      shippingCents: 595,
      donatedCents: 599,
    };
    const overview = await readOverview({});
    expect(overview.figures).toMatchObject(expected);
    expect(overview.hasSold).toBe(true);
    expect(overview.waitingToShip).toMatchObject({
      count: 1,
      orders: [{ number: checkout.body.orderNumber }],
    });
    const readToShip = async () => (await admin.get("/api/admin/to-do")).body.data.ship;
    const { paid } = (await admin.get("/api/admin/news")).body.data;
    expect(paid[0]).toEqual({ orderId: checkout.body.orderId, number: checkout.body.orderNumber });
    const toShipNow = await readToShip();
    expect(toShipNow).toMatchObject({ count: 1, overdue: 0 });
    // The shop promises to ship within two working days, so an order paid 14 days ago is overdue.
    const { db } = shop.database;
    const { orderId: id } = checkout.body;
    await db
      .update(orders)
      .set({ paidAt: new Date(Date.now() - 14 * 86_400_000) })
      .where(eq(orders.id, id));
    expect(await readToShip()).toMatchObject({ count: 1, overdue: 1 });
    await db
      .update(orders)
      .set({ paidAt: new Date(toShipNow.oldestAt) })
      .where(eq(orders.id, id));
    await refreshSums(new Date(Date.now() + 3_600_000));
    expect((await readOverview({})).figures).toMatchObject(expected);
  });

  test("exclude a late payment that was only refunded", async () => {
    const at = Date.parse("2026-06-01T12:00Z");
    const lateSale: Sale = {
      placedAt: at,
      paidAt: at,
      status: "refunded",
      goods: 2995,
      discount: 0,
      refund: { at, cents: 3590 },
      mode: "sandbox",
    };
    await insertSales([lateSale]);
    await shop.database.db.delete(orderEvents);
    expect((await readOverview({ from: "2026-06-01", to: "2026-06-01" })).figures).toMatchObject({
      orders: 0,
      refunds: 0,
      conversion: { checkouts: 1 },
    });
  });

  test("reduce the donation share by a refund on the order's day, not on the refund's", async () => {
    const paidAt = Date.now() - 20 * 1440 * minute;
    const sale: Sale = {
      placedAt: paidAt,
      paidAt,
      status: "completed",
      goods: 2995,
      discount: 0,
      refund: null,
      mode: "sandbox",
    };
    await insertSales([sale]);
    await refreshSums(new Date());
    expect((await readOverview({})).figures.donatedCents).toBe(599);
    const [row] = await shop.database.db
      .update(orders)
      .set({ status: "refunded", refundedCents: 3590 })
      .returning();
    await shop.database.db.insert(refunds).values({
      id: randomUUID(),
      orderId: row?.id ?? "",
      intentId: "pi",
      amountCents: 3590,
      goodsCents: 2995,
      shippingCents: 595,
      taxCents: 0,
      status: "succeeded",
      settledAt: new Date(),
    });
    expect((await readOverview({})).figures).toMatchObject({
      refundedCents: 3590,
      refundedGoodsCents: 2995,
      refundedShippingCents: 595,
      salesCents: 2995,
    });
    await refreshSums(new Date());
    expect((await readOverview({})).figures).toMatchObject({
      donatedCents: 0,
      salesCents: 2995,
      refundedCents: 3590,
    });
  });
});

test("the overview compares with the previous period of the same length, if that had sales", async () => {
  const at = (day: string) => Date.parse(`${day}T12:00Z`);
  const sale = (day: string, goods: number): Sale => ({
    placedAt: at(day),
    paidAt: at(day),
    status: "completed",
    goods,
    discount: 0,
    refund: null,
    mode: "sandbox",
  });
  await insertSales([sale("2026-06-01", 1000), sale("2026-06-08", 1000), sale("2026-06-14", 500)]);
  const week = await readOverview({ from: "2026-06-08", to: "2026-06-14" });
  expect(week.before).toMatchObject({ from: "2026-06-01", to: "2026-06-07" });
  expect(week.changes).toEqual({
    sales: 50,
    orders: 100,
    average: -25,
    refunded: null,
    net: expect.any(Number),
  });
  expect(week.before.soldFrom, "the first sale was on the previous period's first day").toBe("2026-06-01");
  const longer = await readOverview({ from: "2026-06-07", to: "2026-06-14" });
  expect(longer.before.soldFrom, "the first sale was within the previous period").toBe("2026-06-01");
  expect(week.series.map(({ from, salesCents }) => [from, salesCents])).toContainEqual(["2026-06-14", 500]);
  expect((await readOverview({ from: "2026-06-01", to: "2026-06-07" })).changes.sales).toBeNull();
});

test("the overview accepts timestamps, and reads them as days in the shop's time zone", async () => {
  await changeTimeZone("America/New_York");
  const overview = await readOverview({ from: "2026-03-02T02:00:00Z", to: "2026-03-05T12:00:00.000Z" });
  expect(overview).toMatchObject({ from: "2026-03-01", to: "2026-03-05" });
  await changeTimeZone("UTC");
});

test("all sums are computed again after they were computed while the clock was a year ahead", async () => {
  await refreshSums(new Date(Date.now() + 365 * 86_400_000));
  const now = new Date();
  await refreshSums(now);
  expect(await shop.database.db.select().from(salesRollup)).toMatchObject([{ rebuiltAt: now }]);
});

test("the overview has visits, low stock and open messages", async () => {
  const { db } = shop.database;
  await db
    .insert(productViewHours)
    .values({ productId: 1, hour: new Date(Date.now() - 3_600_000), views: 7 });
  await db.update(stock).set({ onHand: 4 });
  await shop.browser().post("/api/contact", {
    name: "Leah",
    email: "leah@example.com",
    subject: "wholesale",
    message: "Boxes of 12?",
    elapsedMs: 9000,
  });
  const overview = await readOverview({});
  expect(overview.figures.conversion.productViews).toBe(7);
  await refreshSums(new Date(Date.now() + 3 * 3_600_000));
  expect((await readOverview({})).figures.conversion.productViews).toBe(7);
  await db.delete(salesRollup);
  await insertSales(
    [0, 1, 2, 3, 4, 5, 6, 7, 8].map((at) => ({
      placedAt: Date.now() - at * minute,
      paidAt: at < 3 ? Date.now() - at * minute : null,
      status: at < 3 ? ("completed" as const) : ("cancelled" as const),
      goods: 1000,
      discount: 0,
      refund: null,
      mode: "sandbox" as const,
    })),
  );
  expect(
    (await readOverview({})).figures.conversion,
    "everybody who placed an order counts as having viewed a product",
  ).toEqual({
    productViews: 9,
    checkouts: 9,
    paid: 3,
  });
  expect(overview.lowStock).toMatchObject([{ productId: 1, free: 4 }]);
  expect(overview.latestMessage).toMatchObject({
    name: "Leah",
    about: "Wholesale Inquiry",
    text: "Boxes of 12?",
  });
  expect(overview).toMatchObject({
    hasSold: false,
    rating: { average: null, count: 0 },
    donated: { percent: 20 },
  });
  const { data: toDo } = (await admin.get("/api/admin/to-do")).body;
  expect(toDo).toMatchObject({
    lowStock: [{ productId: 1, free: 4 }],
    messages: { count: 1, oldestAt: expect.stringMatching(/Z$/) },
    questions: { count: 0, oldestAt: null },
  });
  await db.delete(contactMessages);
});
