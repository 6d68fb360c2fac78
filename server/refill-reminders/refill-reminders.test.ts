import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { confirm, order } from "../../test/checkout.ts";
import { openTestShop, type TestBrowser, type TestShop } from "../../test/shop.ts";
import { products } from "../catalog/tables.ts";
import { stock } from "../inventory/tables.ts";
import { orderLines, orders } from "../orders/tables.ts";
import { optOut } from "../outbox/optouts.ts";
import { emailOptouts, messages } from "../outbox/tables.ts";
import { remindOfRefills } from "./feature.ts";
import { refillReminders } from "./tables.ts";

let shop: TestShop;
beforeAll(async () => {
  shop = await openTestShop();
});
afterAll(() => shop.stop());
beforeEach(async () => {
  await shop.database.db.delete(refillReminders);
  await shop.database.db.delete(emailOptouts);
  await shop.database.db.update(stock).set({ onHand: 50, reserved: 0 });
});

const weeksAgo = (weeks: number) => new Date(Date.now() - weeks * 7 * 24 * 60 * 60 * 1000);
let buyers = 0;

/** Places a paid, delivered order; if `isWanted`, its buyer requests a reminder. */
async function buy({ isWanted = true, deliveredWeeksAgo = 9 } = {}) {
  buyers += 1;
  const [browser, email] = [shop.browser(), `refills${buyers}@example.com`];
  const checkout = await order(browser, { email });
  await confirm(browser, checkout);
  await shop.jobsDone();
  const id: string = checkout.body.orderId;
  if (isWanted) expect((await chooseReminder(browser, id, true)).status).toBe(200);
  const at = weeksAgo(deliveredWeeksAgo);
  const times = { paidAt: at, createdAt: at, shippedAt: at, deliveredAt: at, status: "delivered" } as const;
  await shop.database.db.update(orders).set(times).where(eq(orders.id, id));
  return { browser, email, id };
}

async function chooseReminder(browser: TestBrowser, id: string, isWanted: boolean) {
  return browser.fetch(`/api/orders/${id}/refill-reminder`, {
    method: "PUT",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ isWanted }),
  });
}

async function sendReminders(id: string): Promise<string[]> {
  await remindOfRefills(shop.ctx);
  await shop.jobsDone();
  const reminders = await shop.database.db.select().from(messages).where(eq(messages.orderId, id));
  return reminders.filter(({ kind }) => kind === "refill_reminder").map(({ text }) => text ?? "");
}

test("the refill reminder is sent once, the configured weeks after delivery", async () => {
  const earlyOrder = await buy({ deliveredWeeksAgo: 4 });
  expect(await sendReminders(earlyOrder.id)).toEqual([]);
  const { id, browser } = await buy();
  const offer = "when it may be time for a new bottle";
  expect((await browser.get(`/orders/${id}`)).body).toContain(offer);
  // A requested reminder can be turned off even after a return.
  const returned = await earlyOrder.browser.post(`/api/orders/${earlyOrder.id}/return`, {
    reason: "It leaks",
  });
  expect(returned.status).toBe(200);
  expect((await earlyOrder.browser.get(`/orders/${earlyOrder.id}`)).body).toContain(offer);
  const [text, ...otherReminders] = await sendReminders(id);
  expect(otherReminders).toEqual([]);
  expect(text).toContain("Hello Ada,");
  expect(text).toContain("/unsubscribe?token=removed");
  expect(await sendReminders(id)).toHaveLength(1);
  expect((await chooseReminder(browser, id, true)).status, "the reminder has been sent").toBe(404);
  expect(await shop.database.db.select().from(refillReminders)).toMatchObject([{ orderId: earlyOrder.id }]);
});

test("the refill reminder is not offered for a gift", async () => {
  const { browser, id } = await buy({ isWanted: false });
  const gift = { note: "For your birthday", from: "Eve Present" };
  await shop.database.db.update(orders).set({ gift }).where(eq(orders.id, id));
  expect((await chooseReminder(browser, id, true)).status).toBe(404);
});

test("the refill reminder is not sent without a request, nor after the buyer withdraws it, unsubscribes or orders again", async () => {
  const unrequested = await buy({ isWanted: false });
  const withdrawn = await buy();
  await chooseReminder(withdrawn.browser, withdrawn.id, false);
  const unsubscribed = await buy();
  await optOut(shop.database.db, unsubscribed.email, "refill_reminder");
  const reordered = await buy();
  await confirm(reordered.browser, await order(reordered.browser, { email: reordered.email, quantity: 2 }));
  await shop.jobsDone();
  for (const { id } of [unrequested, withdrawn, unsubscribed, reordered])
    expect(await sendReminders(id)).toEqual([]);
  expect(await shop.database.db.$count(refillReminders)).toBe(0);
});

test("the refill reminder waits while all its products are sold out, and is dropped if they stay so", async () => {
  const [waiting, overdue] = [await buy(), await buy({ deliveredWeeksAgo: 17 })];
  await shop.database.db.update(stock).set({ onHand: 0, reserved: 0 });
  expect(await sendReminders(waiting.id)).toEqual([]);
  expect(await shop.database.db.select().from(refillReminders)).toMatchObject([{ orderId: waiting.id }]);
  await shop.database.db.update(stock).set({ onHand: 5 });
  expect(await sendReminders(waiting.id)).toHaveLength(1);
  expect(await sendReminders(overdue.id)).toEqual([]);
});

test("reminders that wait for a sold-out product do not hold up the others", async () => {
  const { db } = shop.database;
  const waiting = await buy();
  const other = await buy();
  const [soldOut] = await db.select().from(orderLines).where(eq(orderLines.orderId, waiting.id));
  const [product] = await db.select().from(products);
  if (!soldOut || !product) throw new Error("an order has no lines");
  const { id: _, ...copy } = product;
  const [added] = await db
    .insert(products)
    .values({ ...copy, slug: "other-oil", sku: null, gtin: null })
    .returning();
  if (!added) throw new Error("the insert returned no product");
  await db.insert(stock).values({ productId: added.id, onHand: 5, reserved: 0 });
  await db.update(orderLines).set({ productId: added.id }).where(eq(orderLines.orderId, other.id));
  await db.update(stock).set({ onHand: 0 }).where(eq(stock.productId, soldOut.productId));
  // As many as one run takes, all asked for earlier.
  const [row] = await db.select().from(orders).where(eq(orders.id, waiting.id));
  if (!row) throw new Error("an order is missing");
  const earlier = Array.from({ length: 200 }, (_, index) => ({
    ...row,
    id: randomUUID(),
    number: 100_000 + index,
    idempotencyKey: null,
  }));
  await db.insert(orders).values(earlier);
  await db.insert(orderLines).values(earlier.map(({ id: orderId }) => ({ ...soldOut, orderId })));
  const askedAt = weeksAgo(9);
  await db.insert(refillReminders).values(earlier.map(({ id: orderId }) => ({ orderId, askedAt })));
  expect(await sendReminders(other.id)).toHaveLength(1);
  expect(await sendReminders(waiting.id)).toEqual([]);
  expect(await db.$count(refillReminders)).toBe(201);
});

test("only the buyer can request the refill reminder", async () => {
  const { id } = await buy({ isWanted: false });
  expect((await chooseReminder(shop.browser(), id, true)).status).toBe(404);
});
