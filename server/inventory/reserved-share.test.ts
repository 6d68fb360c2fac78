import { eq, sql } from "drizzle-orm";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { confirm, order } from "../../test/checkout.ts";
import { numbersFrom } from "../../test/seeded.ts";
import { openTestShop } from "../../test/shop.ts";
import { issues } from "../issues/tables.ts";
import { orderLines, orders } from "../orders/tables.ts";
import { expireOrders } from "../payments/cancellation/close.ts";
import { stock } from "./tables.ts";

const shop = await openTestShop();
afterAll(() => shop.stop());

/** Lets all unpaid orders expire, and sets the stock to 100 units. */
beforeEach(async () => {
  shop.travel(60 * 60 * 1000);
  await expireOrders(shop.ctx);
  await shop.jobsDone();
  await setOnHand(100);
});

describe("unpaid orders of one network address", () => {
  test("leave a tenth of the units to others, even if they come from many visitors", async () => {
    const bigOrder = await order(shop.browser("203.0.113.7"), { quantity: 99 });
    const nextOrder = await order(shop.browser("203.0.113.7"), { quantity: 1 });
    expect([bigOrder.status, nextOrder.status]).toEqual([201, 201]);
    expect(await readStock()).toEqual({ onHand: 100, reserved: 90 });

    const refused = await order(shop.browser("203.0.113.7"));
    expect([refused.status, refused.body.error, refused.body.available]).toEqual([
      409,
      "out_of_stock",
      { "1": 0 },
    ]);
    expect((await shop.browser().get("/api/products/pure-batana-oil")).body.data.inStock).toBe(true);
    expect((await order(shop.browser("198.51.100.9"), { quantity: 10 })).status).toBe(201);
  });

  test("count together within one IPv6 /64, in any notation", async () => {
    await order(shop.browser("2001:db8:1:2::1"), { quantity: 90 });
    await order(shop.browser("2001:0DB8:1:2:ffff::9"), { quantity: 9 });
    expect((await readStock()).reserved).toBe(90);
    await order(shop.browser("2001:db8:1:3::1"), { quantity: 5 });
    expect((await readStock()).reserved).toBe(95);
  });

  test("count together even if they are concurrent", async () => {
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        order(shop.browser("203.0.113.8"), { quantity: 40 + index, email: `twin${index}@example.com` }),
      ),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(2);
    expect((await readStock()).reserved).toBeLessThanOrEqual(90);
  });
});

describe("a network address that reserves as many units as it can while another has an open checkout", () => {
  test("leaves a tenth of the remaining units", async () => {
    await setOnHand(10);
    expect((await order(shop.browser("198.51.100.30"))).status).toBe(201);
    const maximal = await order(shop.browser("203.0.113.30"), { quantity: 9 });
    expect(maximal.status).toBe(201);
    expect(await readUnreserved(maximal.body.orderId)).toBe(1);
    expect(await readStock()).toEqual({ onHand: 10, reserved: 9 });
    expect((await shop.browser().get("/api/products/pure-batana-oil")).body.data.inStock).toBe(true);
    expect((await order(shop.browser("198.51.100.31"))).status).toBe(201);
  });

  test.each([1, 2, 3, 4])(
    "never causes the product to sell out, whatever the sequence of calls (seed %i)",
    async (seed) => {
      const randomNumber = numbersFrom(seed * 900_000_001);
      const randomInteger = (min: number, max: number) => min + Math.floor(randomNumber() * (max - min + 1));
      const onHand = randomInteger(5, 40);
      await setOnHand(onHand);
      const honestOrder = { quantity: Math.ceil(onHand / 10), beforeCall: randomInteger(0, 3) };
      for (let call = 0; call < 10; call += 1) {
        if (call === honestOrder.beforeCall) {
          const { status } = await order(shop.browser(`198.51.100.${40 + seed}`), {
            quantity: honestOrder.quantity,
          });
          expect(status).toBe(201);
        }
        const reserve = (quantity: number) =>
          order(shop.browser(`203.0.113.${40 + seed}`), { quantity, email: `taker${call}@example.com` });
        const { body } = await reserve(randomInteger(1, onHand));
        if (body.available?.["1"] > 0) await reserve(body.available["1"]);
        const { reserved } = await readStock();
        expect(onHand - reserved, JSON.stringify({ seed, onHand, honestOrder, call })).toBeGreaterThan(0);
      }
      expect((await order(shop.browser(`192.0.2.${40 + seed}`))).status).toBe(201);
    },
  );
});

test("unpaid orders of one visitor leave a tenth of the units to others, even from several network addresses", async () => {
  const visitor = shop.browser("203.0.113.10");
  await order(visitor, { quantity: 60 });
  const otherNetwork = { "X-Forwarded-For": "198.51.100.20" };
  const secondOrder = await order(visitor, { quantity: 35, email: "other@example.com" }, otherNetwork);
  expect(secondOrder.status).toBe(201);
  expect((await readStock()).reserved).toBe(90);
});

describe("an order of more units than one buyer may reserve", () => {
  test("takes its unreserved units from the stock when it is paid", async () => {
    const buyer = shop.browser();
    const started = await order(buyer, { quantity: 99 });
    expect(await readUnreserved(started.body.orderId)).toBe(9);
    await confirm(buyer, started);
    await shop.jobsDone();
    expect(await readOrderStatus(started.body.orderId)).toBe("completed");
    expect(await readStock()).toEqual({ onHand: 1, reserved: 0 });
  });

  test("is refunded in full if its unreserved units sell out first, and the owner is alerted", async () => {
    const bigBuyer = shop.browser();
    const started = await order(bigBuyer, { quantity: 99 });
    const otherBuyer = shop.browser();
    const faster = await order(otherBuyer, { quantity: 10 });
    await confirm(otherBuyer, faster);
    await confirm(bigBuyer, started);
    await shop.jobsDone();
    expect(await readOrderStatus(faster.body.orderId)).toBe("completed");
    expect(await readOrderStatus(started.body.orderId)).toBe("refunded");
    expect(await readStock()).toEqual({ onHand: 90, reserved: 0 });
    const raisedIssues = await shop.database.db
      .select({ kind: issues.kind, message: issues.message })
      .from(issues)
      .where(eq(issues.orderId, started.body.orderId));
    expect(raisedIssues).toEqual([
      {
        kind: "late_payment_refunded",
        message: "Paid for more units than were still there; the payment is being refunded",
      },
    ]);
  });

  test("releases exactly its reservation when it ends unpaid", async () => {
    const started = await order(shop.browser(), { quantity: 99 });
    await order(shop.browser(), { quantity: 3 });
    expect((await readStock()).reserved).toBe(93);
    await shop.database.db
      .update(orders)
      .set({ expiresAt: sql`now() - interval '1 minute'` })
      .where(eq(orders.id, started.body.orderId));
    await expireOrders(shop.ctx);
    expect(await readOrderStatus(started.body.orderId)).toBe("cancelled");
    expect((await readStock()).reserved).toBe(3);
  });
});

test("the last unit is never reserved: the first buyer to pay gets it", async () => {
  await setOnHand(1);
  const [first, second] = [shop.browser(), shop.browser()];
  const [slow, fast] = [await order(first), await order(second)];
  expect([slow.status, fast.status]).toEqual([201, 201]);
  await confirm(second, fast);
  await shop.jobsDone();
  await confirm(first, slow);
  await shop.jobsDone();
  expect([await readOrderStatus(slow.body.orderId), await readOrderStatus(fast.body.orderId)]).toEqual([
    "refunded",
    "completed",
  ]);
});

test("the buyer's network address is deleted once the order is paid or cancelled", async () => {
  const buyer = shop.browser("203.0.113.77");
  const paid = await order(buyer);
  expect(await readOrderNetwork(paid.body.orderId)).toBe("203.0.113.77");
  await confirm(buyer, paid);
  await shop.jobsDone();
  expect(await readOrderNetwork(paid.body.orderId)).toBeNull();
});

async function setOnHand(onHand: number): Promise<void> {
  await shop.database.db.update(stock).set({ onHand }).where(eq(stock.productId, 1));
}

async function readStock(): Promise<{ onHand: number; reserved: number }> {
  const [row] = await shop.database.db
    .select({ onHand: stock.onHand, reserved: stock.reserved })
    .from(stock)
    .where(eq(stock.productId, 1));
  if (!row) throw new Error("no stock");
  return row;
}

async function readOrderStatus(orderId: string): Promise<string | undefined> {
  const [row] = await shop.database.db
    .select({ status: orders.status })
    .from(orders)
    .where(eq(orders.id, orderId));
  return row?.status;
}

async function readUnreserved(orderId: string): Promise<number | undefined> {
  const [row] = await shop.database.db
    .select({ units: orderLines.unreservedQuantity })
    .from(orderLines)
    .where(eq(orderLines.orderId, orderId));
  return row?.units;
}

async function readOrderNetwork(orderId: string): Promise<string | null | undefined> {
  const [row] = await shop.database.db
    .select({ network: orders.buyerNetwork })
    .from(orders)
    .where(eq(orders.id, orderId));
  return row?.network;
}
