import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { insertPaidOrder } from "../../test/paid-order.ts";
import { buyBottle, holdReviews, postReview } from "../../test/reviews.ts";
import { openTestShop, type TestBrowser } from "../../test/shop.ts";
import { reviewLinkToken } from "../orders/link-tokens.ts";
import { orders } from "../orders/tables.ts";
import { settings } from "../settings/tables.ts";
import { reviews } from "./tables.ts";

const shop = await openTestShop();
afterEach(async () => {
  await shop.database.db.delete(reviews);
  await shop.database.db.delete(settings);
});
afterAll(() => shop.stop());

const reviewLink = (id: string, now = new Date(), productId = 1) =>
  reviewLinkToken("test-session-secret", { order: { id, events: [] }, productId }, now);

const readOwnReview = async (browser: TestBrowser, token?: string) =>
  (await browser.get(`/api/reviews/mine?productId=1${token ? `&token=${token}` : ""}`)).body.data;

const readReviews = () => shop.database.db.select().from(reviews);

describe("a verified buyer", () => {
  test("has paid for the product in this browser", async () => {
    const browser = shop.browser();
    const orderId = await buyBottle(shop, browser);
    expect(await readOwnReview(browser)).toEqual({ review: null, verified: true });
    expect((await postReview(browser)).body.data.verified).toBe(true);
    expect(await readReviews()).toMatchObject([{ orderId, verified: true }]);
  });

  test("can also buy after writing the review, and is verified when editing it", async () => {
    const browser = shop.browser();
    expect((await postReview(browser)).body.data.verified).toBe(false);
    await buyBottle(shop, browser);
    expect((await postReview(browser)).body.data.verified).toBe(true);
    expect(await readReviews()).toHaveLength(1);
  });

  test.each([
    ["pending", { status: "pending", paidAt: null }],
    ["cancelled", { status: "cancelled", paidAt: null }],
    ["refunded", { status: "refunded", refundedCents: 3590 }],
    ["cancelled", { cancelledAt: new Date() }],
  ] as const)(
    "is not one whose order is %s, neither in the buyer's browser nor by its link",
    async (_, changes) => {
      const browser = shop.browser();
      const orderId = await buyBottle(shop, browser);
      await shop.database.db.update(orders).set(changes).where(eq(orders.id, orderId));
      expect((await postReview(browser)).body.data.verified).toBe(false);
      const { body } = await postReview(shop.browser(), { token: reviewLink(orderId) });
      expect(body.data.verified).toBe(false);
      expect(await shop.shop.reviewInvitation(reviewLink(orderId))).toBeNull();
    },
  );

  test("is not recognized in another browser", async () => {
    await buyBottle(shop, shop.browser());
    expect((await postReview(shop.browser())).body.data.verified).toBe(false);
  });

  test("has one verified review per order; a second order verifies a second browser's review", async () => {
    const first = await insertPaidOrder(shop.database.db);
    expect((await postReview(shop.browser(), { token: reviewLink(first) })).body.data.verified).toBe(true);
    const again = await postReview(shop.browser(), { token: reviewLink(first), rating: 1 });
    expect(again.body.data).toMatchObject({ verified: true, rating: 1 });
    expect(await readReviews()).toHaveLength(1);
    const second = await insertPaidOrder(shop.database.db);
    await postReview(shop.browser(), { token: reviewLink(second) });
    expect((await readReviews()).map(({ orderId }) => orderId)).toEqual([first, second]);
  });

  test("can edit, in the browser that bought, a review written through the link on another device", async () => {
    const browser = shop.browser();
    const orderId = await buyBottle(shop, browser);
    await postReview(shop.browser(), { token: reviewLink(orderId), comment: "Written on the phone" });
    expect((await readOwnReview(browser)).review).toMatchObject({ comment: "Written on the phone" });
    await postReview(browser, { comment: "Written on the laptop" });
    expect(await readReviews()).toMatchObject([{ orderId, comment: "Written on the laptop" }]);
  });

  test("edits this browser's review when following the link of a second order", async () => {
    const browser = shop.browser();
    const first = await insertPaidOrder(shop.database.db);
    const second = await insertPaidOrder(shop.database.db);
    await postReview(browser, { token: reviewLink(first) });
    await postReview(browser, { token: reviewLink(second), rating: 3 });
    expect(await readReviews()).toMatchObject([{ orderId: first, rating: 3, verified: true }]);
  });
});

describe("the e-mailed review link", () => {
  test("gives the page the order number and the buyer's first name and initial", async () => {
    const orderId = await insertPaidOrder(shop.database.db, { customerName: "  Ada Maria  obi " });
    const [order] = await shop.database.db.select().from(orders).where(eq(orders.id, orderId));
    expect(await shop.shop.reviewInvitation(reviewLink(orderId))).toEqual({
      orderNumber: order?.number,
      productId: 1,
      suggestedName: "Ada O.",
    });
    expect(await readOwnReview(shop.browser(), reviewLink(orderId))).toEqual({
      review: null,
      verified: true,
    });
  });

  test.each([
    ["forged", (id: string) => reviewLink(id).replace(/.$/, (c) => (c === "A" ? "B" : "A"))],
    ["over 180 days old", (id: string) => reviewLink(id, new Date(Date.now() - 181 * 86_400_000))],
    ["of another order", (id: string) => reviewLink(randomUUID()).replace(/^[^.]+/, id)],
    ["of another product", (id: string) => reviewLink(id, new Date(), 2)],
    ["no link at all", () => "'; drop table reviews; --"],
    ["empty", () => ""],
  ])("proves no purchase when it is %s, but the review is still posted", async (_, tokenFor) => {
    const token = tokenFor(await insertPaidOrder(shop.database.db));
    expect(await shop.shop.reviewInvitation(token)).toBeNull();
    const { status, body } = await postReview(shop.browser(), { token });
    expect(status).toBe(201);
    expect(body.data.verified).toBe(false);
  });
});

describe("GET /api/reviews/mine", () => {
  test("returns null to an unknown browser, and sets no cookie", async () => {
    const response = await shop.browser().get("/api/reviews/mine?productId=1");
    expect(response.body.data).toEqual({ review: null, verified: false });
    expect(response.headers.getSetCookie()).toEqual([]);
  });

  test("has the visitor's review, also while it waits for approval", async () => {
    await holdReviews(shop);
    const browser = shop.browser();
    expect((await postReview(browser)).body.data.status).toBe("pending");
    expect((await readOwnReview(browser)).review).toMatchObject({
      rating: 5,
      comment: "My hair loves this oil.",
      customerName: "Ada O.",
      status: "pending",
      sentPhotos: [],
    });
    expect((await readOwnReview(shop.browser())).review).toBeNull();
  });

  test.each(["", "?productId=x", "?productId=0", "?productId=99999999999"])(
    "refuses a missing or invalid product: “%s”",
    async (query) => {
      expect((await shop.browser().get(`/api/reviews/mine${query}`)).status).toBe(422);
    },
  );
});
