import { afterAll, beforeEach, expect, test } from "vitest";
import type { PaymentMode } from "../../domain/payments/payment-mode.ts";
import { givenCents, proceedsCents } from "../../domain/sales/giving.ts";
import { createTestDatabase } from "../../test/database.ts";
import { insertPaidOrder } from "../../test/paid-order.ts";
import { findOrder } from "../orders/queries.ts";
import { orderLines, orders } from "../orders/tables.ts";
import { readSold } from "./queries.ts";

const database = await createTestDatabase();
afterAll(() => database.drop());
beforeEach(async () => {
  await database.db.delete(orderLines);
  await database.db.delete(orders);
});

const readTotals = async (mode: PaymentMode = "live") =>
  (await readSold(database.db, [], { mode, timeZone: "UTC" })).ever;

test("the amount set aside is zero before the first order", async () => {
  expect(await readTotals()).toEqual({ setAsideCents: 0, proceedsCents: 0, since: null });
});

test("a share of the discounted goods is set aside, not of shipping and tax", async () => {
  const paidAt = new Date("2026-03-01T10:00:00Z");
  await insertPaidOrder(database.db, {
    subtotalCents: 5990,
    discountCents: 599,
    shippingCents: 595,
    taxCents: 445,
    totalCents: 6431,
    paidAt,
  });
  // 20% of $53.91, rounded down.
  expect(await readTotals()).toEqual({
    setAsideCents: 1078,
    proceedsCents: 5391,
    since: paidAt.toISOString(),
  });
});

test("a refund reduces the amount set aside in proportion, a full refund to zero", async () => {
  await insertPaidOrder(database.db, { status: "partially_refunded", refundedCents: 1795 });
  await insertPaidOrder(database.db, { status: "refunded", refundedCents: 3590 });
  // Half of $35.90 was refunded, so half of $29.95 counts: $14.975, rounded down; 20% of that, rounded down, too.
  expect(await readTotals()).toMatchObject({ proceedsCents: 1497, setAsideCents: 299 });
});

test("each order uses the donation percentage as of its purchase", async () => {
  await insertPaidOrder(database.db, { givingPercent: 12.5 });
  await insertPaidOrder(database.db, { givingPercent: 0 });
  expect(await readTotals()).toMatchObject({ setAsideCents: 374, proceedsCents: 5990 });
});

test("unpaid and cancelled orders set nothing aside", async () => {
  await insertPaidOrder(database.db, { status: "pending", paidAt: null });
  await insertPaidOrder(database.db, { status: "cancelled", paidAt: null });
  await insertPaidOrder(database.db, { cancelledAt: new Date() });
  expect(await readTotals()).toMatchObject({ setAsideCents: 0 });
});

test("test orders set nothing aside in a live shop; orders of unknown mode always do", async () => {
  const shares = { live: 10, test: 20, sandbox: 30, unknown: 40 };
  for (const [mode, givingPercent] of Object.entries(shares)) {
    const storedMode = mode === "unknown" ? null : (mode as "live");
    await insertPaidOrder(database.db, { mode: storedMode, givingPercent });
  }
  const setAsideIn = async (mode: PaymentMode) => (await readTotals(mode)).setAsideCents;
  // 10, 20, 30 and 40% of $29.95.
  expect(await setAsideIn("live")).toBe(299 + 1198);
  expect(await setAsideIn("test")).toBe(299 + 599 + 1198);
  expect(await setAsideIn("sandbox")).toBe(898 + 1198);
});

test("the amounts calculated for each order add up to the shop's total", async () => {
  const ids: string[] = [];
  for (const [index, refundedCents] of [0, 1, 777, 3589, 1200].entries()) {
    const status = refundedCents === 0 ? "completed" : "partially_refunded";
    ids.push(
      await insertPaidOrder(database.db, { status, refundedCents, givingPercent: 3.33 * (index + 1) }),
    );
  }
  let setAsideCents = 0;
  let proceeds = 0;
  for (const id of ids) {
    const order = await findOrder(database.db, id);
    if (!order) throw new Error("the order is gone");
    setAsideCents += givenCents(order);
    proceeds += proceedsCents(order);
  }
  expect(await readTotals()).toMatchObject({ setAsideCents, proceedsCents: proceeds });
  expect(setAsideCents).toBeGreaterThan(0);
});
