import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { adminBrowser } from "../../test/admin.ts";
import { type ReceivedMail, startFakeSmtp } from "../../test/fake-smtp.ts";
import { insertPaidOrder } from "../../test/paid-order.ts";
import { postReview } from "../../test/reviews.ts";
import { openTestShop } from "../../test/shop.ts";
import { orderReturns } from "../order-desk/tables.ts";
import { orderEvents, orders } from "../orders/tables.ts";
import { optOut } from "../outbox/optouts.ts";
import { emailOptouts, messages } from "../outbox/tables.ts";
import { scheduleReviewRequest } from "./request.ts";
import { reviews } from "./tables.ts";

const smtp = await startFakeSmtp();
const shop = await openTestShop({ SMTP_URL: smtp.url, PUBLIC_URL: "http://shop.example" });
afterEach(async () => {
  // Delivers the e-mails of this test before the next one starts.
  await shop.jobsDone();
  await shop.database.db.delete(reviews);
  await shop.database.db.delete(emailOptouts);
  smtp.received.length = 0;
});
afterAll(async () => {
  await shop.stop();
  await smtp.close();
});

const shipment = { status: "shipped", shippedAt: new Date() } as const;
const shippedOrder = (changes: Partial<typeof orders.$inferInsert> = {}) =>
  insertPaidOrder(shop.database.db, { ...shipment, ...changes });

/** Runs the review request's job, and returns the e-mails that it sends. */
async function sendRequest(orderId: string): Promise<ReceivedMail[]> {
  const before = smtp.received.length;
  await scheduleReviewRequest(shop.database.db, { orderId, runAt: new Date() });
  await shop.jobsDone();
  return smtp.received.slice(before);
}

async function daysUntilRequest(orderId: string): Promise<number[]> {
  const { rows } = await shop.database.db.execute<{ days: number }>(sql`
    select round(extract(epoch from run_at - now()) / 86400)::int as days
    from jobs where key = ${`review_request:${orderId}`}`);
  return rows.map(({ days }) => days);
}

const urlsIn = (body: string) => [...body.matchAll(/http:\/\/shop\.example\/[^\s"<]+/g)].map(String);

describe("the review request", () => {
  test("names the order, and its link opens the review form of a verified buyer", async () => {
    const orderId = await shippedOrder();
    const [mail, ...others] = await sendRequest(orderId);
    expect(others).toEqual([]);
    expect(mail?.to).toEqual(["ada@example.com"]);
    expect(mail?.headers.get("subject")).toBe("How do you like Pure Batana Oil?");
    const [order] = await shop.database.db.select().from(orders).where(eq(orders.id, orderId));
    expect(mail?.body).toContain(`about #${order?.number}`);
    const link = urlsIn(mail?.body ?? "").find((url) => url.includes("review="));
    const url = new URL(link ?? "");
    expect(url.pathname).toBe("/product/pure-batana-oil");
    const token = url.searchParams.get("review") ?? "";
    expect(await shop.shop.reviewInvitation(token)).toMatchObject({ orderNumber: order?.number });
    expect((await postReview(shop.browser(), { token })).body.data.verified).toBe(true);
  });

  test("is not sent to the buyer of a gift", async () => {
    const gift = { note: "For your birthday", from: "Eve Present" };
    expect(await sendRequest(await shippedOrder({ gift }))).toEqual([]);
  });

  test("has the same content in HTML and text, and an unsubscribe header", async () => {
    const [mail] = await sendRequest(await shippedOrder());
    const unsubscribe = mail?.headers.get("list-unsubscribe") ?? "";
    expect(unsubscribe).toMatch(/^<http:\/\/shop\.example\/unsubscribe\?token=review_request\.\S+>$/);
    for (const words of [
      "had some time with it",
      "Verified Buyer",
      "/again?token=",
      unsubscribe.slice(1, -1),
    ]) {
      expect(mail?.body.split(words).length).toBeGreaterThan(2);
    }
  });

  test("has five star links that preset the rating without posting, since mail scanners open links", async () => {
    await sendRequest(await shippedOrder());
    const [message] = await shop.database.db
      .select()
      .from(messages)
      .where(eq(messages.kind, "review_request"))
      .orderBy(sql`${messages.createdAt} desc`)
      .limit(1);
    const starLinks = urlsIn((message?.html ?? "").replaceAll("&amp;", "&")).filter((url) =>
      url.includes("/reviews/new"),
    );
    expect(starLinks.map((url) => new URL(url).searchParams.get("rating"))).toEqual([..."12345"]);
    for (const [index, url] of starLinks.entries()) {
      const page = await shop.browser().get(url.slice("http://shop.example".length));
      expect(page.status).toBe(200);
      const checkedInputs = [...String(page.body).matchAll(/<input[^>]*type="radio"[^>]*>/g)]
        .map(String)
        .filter((input) => /\schecked/.test(input));
      expect(checkedInputs).toEqual([expect.stringContaining(`value="${index + 1}"`)]);
    }
    expect(await shop.database.db.$count(reviews)).toBe(0);
  });

  test("is sent once, even if it is scheduled repeatedly", async () => {
    const orderId = await shippedOrder();
    expect(await sendRequest(orderId)).toHaveLength(1);
    expect(await sendRequest(orderId)).toHaveLength(0);
  });

  test("is scheduled for 14 days after shipping, and rescheduled for 10 days after delivery", async () => {
    const orderId = await insertPaidOrder(shop.database.db);
    const paidEvent = {
      fromStatus: "pending",
      toStatus: "completed",
      actor: "provider",
      at: new Date(),
    } as const;
    await shop.database.db.insert(orderEvents).values({ orderId, ...paidEvent });
    const admin = await adminBrowser(shop);
    const parcel = { carrier: "UPS", trackingNumber: "1Z999AA10123456784" };
    expect((await admin.post(`/api/admin/orders/${orderId}/ship`, parcel)).status).toBe(200);
    expect(await daysUntilRequest(orderId)).toEqual([14]);
    expect((await admin.post(`/api/admin/orders/${orderId}/deliver`)).status).toBe(200);
    expect(await daysUntilRequest(orderId)).toEqual([10]);
  });

  test.each([
    ["has not shipped", { status: "completed", shippedAt: null }],
    ["was refunded", { status: "refunded", refundedCents: 3590 }],
    ["was cancelled", { status: "completed", shippedAt: null, cancelledAt: new Date() }],
    ["was erased", { erasedAt: new Date() }],
  ] as const)("is not sent if the order %s", async (_, changes) => {
    expect(await sendRequest(await shippedOrder(changes))).toEqual([]);
  });

  test("is sent for a partially refunded order", async () => {
    const orderId = await shippedOrder({ status: "partially_refunded", refundedCents: 100 });
    expect(await sendRequest(orderId)).toHaveLength(1);
  });

  test("is not sent while a return is open", async () => {
    const orderId = await shippedOrder();
    await shop.database.db
      .insert(orderReturns)
      .values({ id: randomUUID(), orderId, kind: "return", requestedAt: new Date() });
    expect(await sendRequest(orderId)).toEqual([]);
  });

  test("is not sent for an order with a review", async () => {
    const orderId = await shippedOrder();
    await shop.database.db.insert(reviews).values({
      productId: 1,
      orderId,
      verified: true,
      rating: 2,
      comment: "Not quite for me",
      status: "hidden",
    });
    expect(await sendRequest(orderId)).toEqual([]);
  });

  test("is not sent if the buyer's browser has reviewed the product", async () => {
    const orderId = await shippedOrder();
    const [order] = await shop.database.db.select().from(orders).where(eq(orders.id, orderId));
    await shop.database.db.insert(reviews).values({
      productId: 1,
      visitorId: order?.visitorId,
      rating: 4,
      comment: "Known it for years",
      status: "published",
    });
    expect(await sendRequest(orderId)).toEqual([]);
  });

  test("is not sent to an unsubscribed address, regardless of case", async () => {
    await optOut(shop.database.db, "Ada@Example.com", "review_request");
    expect(await sendRequest(await shippedOrder())).toEqual([]);
    expect(await sendRequest(await shippedOrder({ email: "ben@example.com" }))).toHaveLength(1);
  });

  test("is not sent to an address that unsubscribes while the mail server is down", async () => {
    smtp.next.push("try_later");
    const orderId = await shippedOrder();
    expect(await sendRequest(orderId)).toEqual([]);
    await optOut(shop.database.db, "ada@example.com", "review_request");
    await shop.retryNow();
    await shop.jobsDone();
    expect(smtp.received).toEqual([]);
    const [message] = await shop.database.db.select().from(messages).where(eq(messages.orderId, orderId));
    expect(message?.status).toBe("skipped");
  });
});
