import { randomUUID } from "node:crypto";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { holdReviews, insertReviews, kindReview, postReview } from "../../test/reviews.ts";
import { openTestShop } from "../../test/shop.ts";
import { products } from "../catalog/tables.ts";
import { settings } from "../settings/tables.ts";
import { reviews } from "./tables.ts";

const shop = await openTestShop();
afterEach(async () => {
  await shop.database.db.delete(reviews);
  await shop.database.db.delete(settings);
});
afterAll(() => shop.stop());

describe("reading reviews", () => {
  test("returns an empty list in a shop without reviews", async () => {
    const { status, body } = await shop.browser().get("/api/reviews");
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      data: [],
      nextCursor: null,
      total: 0,
      summary: { count: 0, average: null, counts: [0, 0, 0, 0, 0] },
      kinds: { hair: [], skin: [], photos: 0 },
    });
  });

  test.each([
    ["newest", [4, 1, 5, 5, 4, 1, 3]],
    ["highest", [5, 5, 4, 4, 3, 1, 1]],
    ["lowest", [1, 1, 3, 4, 4, 5, 5]],
  ])("page by page in the order %s lists each review once", async (sort, expected) => {
    const ids = await insertReviews(shop, 3, 1, 4, 5, 5, 1, 4);
    for (const limit of [1, 2, 3, 6, 7]) {
      const allReviews: { id: number; rating: number }[] = [];
      let cursor: string | null = "";
      while (cursor !== null) {
        const { body } = await shop
          .browser()
          .get(`/api/reviews?limit=${limit}&sort=${sort}${cursor && `&cursor=${cursor}`}`);
        expect(body.total).toBe(7);
        allReviews.push(...body.data);
        cursor = body.nextCursor;
      }
      expect(allReviews.map(({ rating }) => rating)).toEqual(expected);
      expect(new Set(allReviews.map(({ id }) => id))).toEqual(new Set(ids));
      // Equal ratings, and lists not sorted by rating, have the newest first.
      for (const [index, next] of allReviews.slice(1).entries()) {
        const before = allReviews[index];
        if (before && (sort === "newest" || before.rating === next.rating)) {
          expect(before.id).toBeGreaterThan(next.id);
        }
      }
    }
  });

  test("with a filter by rating lists and counts the matching reviews, and returns the distribution of all", async () => {
    await insertReviews(shop, 5, 4, 5, 1);
    for (const sort of ["newest", "highest", "lowest"]) {
      const { body } = await shop.browser().get(`/api/reviews/product/1?stars=5&sort=${sort}&limit=1`);
      expect(body.data.map((review: { rating: number }) => review.rating)).toEqual([5]);
      expect(body.nextCursor).not.toBeNull();
      expect(body.total).toBe(2);
      expect(body.summary).toEqual({ count: 4, average: 3.8, counts: [1, 0, 0, 1, 2] });
    }
  });

  test("of an unknown product finds none", async () => {
    await insertReviews(shop, 5);
    const { status, body } = await shop.browser().get("/api/reviews/product/77");
    expect(status).toBe(200);
    expect(body).toMatchObject({ data: [], total: 0, nextCursor: null });
  });

  test("neither lists nor counts those of an unpublished product", async () => {
    const [hiddenProduct] = await shop.database.db
      .insert(products)
      .values({
        slug: `not-yet-${randomUUID()}`,
        name: "Not yet",
        shortDescription: "",
        description: "",
        priceCents: 100,
        size: "1 oz",
        published: false,
      })
      .returning({ id: products.id });
    if (!hiddenProduct) throw new Error("no product");
    await shop.database.db.insert(reviews).values({
      productId: hiddenProduct.id,
      rating: 1,
      comment: "Written before it left",
      status: "published",
    });
    await insertReviews(shop, 5);
    const allReviewsResponse = await shop.browser().get("/api/reviews?sort=lowest");
    expect(allReviewsResponse.body).toMatchObject({ total: 1, summary: { counts: [0, 0, 0, 0, 1] } });
    expect(allReviewsResponse.body.data).toHaveLength(1);
    const productReviews = await shop.browser().get(`/api/reviews/product/${hiddenProduct.id}`);
    expect(productReviews.body).toMatchObject({ data: [], total: 0 });
    expect(await shop.shop.ratingSummary()).toEqual(allReviewsResponse.body.summary);
  });

  test.each([
    "limit=0",
    "limit=101",
    "limit=many",
    "sort=best",
    "stars=0",
    "stars=6",
    "cursor=abc",
    "cursor=4.7",
  ])("with ?%s is refused", async (query) => {
    const { status, body } = await shop.browser().get(`/api/reviews?${query}`);
    expect(status).toBe(422);
    expect(Object.keys(body.fields)).toEqual([query.split("=")[0]]);
  });

  test("with a cursor of another sort order is refused by the API, while pages ignore the cursor", async () => {
    await insertReviews(shop, 5, 4);
    expect((await shop.browser().get("/api/reviews?sort=highest&cursor=12")).status).toBe(422);
    const page = await shop.shop.reviews({ limit: 1, sort: "highest", cursor: "12" });
    expect(page.data.map(({ rating }) => rating)).toEqual([5]);
  });

  test("ignores an older client's extra parameters", async () => {
    expect((await shop.browser().get("/api/reviews?_t=1700000000")).status).toBe(200);
  });
});

describe("writing a review", () => {
  test("publishes it immediately, unverified without a purchase", async () => {
    const { status, body } = await postReview(shop.browser(), { comment: "  Lovely \r\n oil, truly  " });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      rating: 5,
      comment: "Lovely \n oil, truly",
      customerName: "Ada O.",
      productSlug: "pure-batana-oil",
      productName: "Pure Batana Oil",
      verified: false,
      reply: null,
      status: "published",
    });
    const list = await shop.browser().get("/api/reviews");
    expect(list.body.data.map(({ id }: { id: number }) => id)).toEqual([body.data.id]);
    expect(list.body.data[0]).not.toHaveProperty("visitorId");
  });

  test.each([
    [{ rating: null }, "rating", "Please select a rating"],
    [{ rating: undefined }, "rating", "Please select a rating"],
    [{ comment: undefined }, "comment", "Comment must be at least 10 characters"],
    [{ rating: 0 }, "rating", "Please select a rating"],
    [{ rating: 6 }, "rating", "Please select a rating"],
    [{ rating: 4.5 }, "rating", "Please select a rating"],
    [{ comment: "  too short  " }, "comment", "Comment must be at least 10 characters"],
    [{ comment: "👍🏽👍🏽👍🏽" }, "comment", "Comment must be at least 10 characters"],
    [{ comment: "x".repeat(501) }, "comment", "Comment must be less than 500 characters"],
    [{ customerName: "x".repeat(81) }, "customerName", "Name must be at most 80 characters"],
    [{ comment: "Ten letters\0" }, "comment", "Contains characters that cannot be stored"],
    [{ productId: "1" }, "productId", "Must be a number"],
  ])("with %j is refused with a message", async (change, field, sentence) => {
    const { status, body } = await postReview(shop.browser(), change);
    expect(status).toBe(422);
    expect(body.fields).toEqual({ [field]: sentence });
    expect(await shop.database.db.select().from(reviews)).toEqual([]);
  });

  test.each([10, 500])("of %i characters is accepted, regardless of their bytes", async (length) => {
    const { status, body } = await postReview(shop.browser(), { comment: "👍".repeat(length) });
    expect(status).toBe(201);
    expect([...body.data.comment]).toHaveLength(length);
  });

  test("removes line breaks and invisible characters from the name", async () => {
    const { body } = await postReview(shop.browser(), { customerName: " Ada\n\tO\u202ebi\u2028 " });
    expect(body.data.customerName).toBe("Ada Obi");
  });

  test("stores no name if it is blank", async () => {
    for (const customerName of ["   ", "\u200b\u200d", "\u202e"]) {
      const { body } = await postReview(shop.browser(), { customerName });
      expect(body.data.customerName).toBeNull();
    }
    expect((await postReview(shop.browser(), { customerName: undefined })).status).toBe(201);
  });

  test("with a comment of invisible characters is refused", async () => {
    const { status, body } = await postReview(shop.browser(), { comment: "\u200b\u2060".repeat(20) });
    expect([status, Object.keys(body.fields)]).toEqual([422, ["comment"]]);
  });

  test("of an unknown product is refused", async () => {
    expect((await postReview(shop.browser(), { productId: 77 })).status).toBe(404);
  });

  test("a second time edits it", async () => {
    const browser = shop.browser();
    const first = await postReview(browser);
    const second = await postReview(browser, { rating: 2, comment: "I changed my mind about it." });
    expect(second.status).toBe(201);
    expect(second.body.data).toMatchObject({ id: first.body.data.id, rating: 2 });
    expect(second.body.data.createdAt).toBe(first.body.data.createdAt);
    expect((await shop.browser().get("/api/reviews")).body).toMatchObject({
      total: 1,
      summary: { counts: [0, 1, 0, 0, 0] },
    });
  });

  test("twice concurrently stores one review", async () => {
    const browser = shop.browser();
    await browser.post("/api/cart/clear");
    const responses = await Promise.all(Array.from({ length: 6 }, () => postReview(browser)));
    expect(responses.map(({ status }) => status)).toEqual(Array(6).fill(201));
    expect(new Set(responses.map(({ body }) => body.data.id)).size).toBe(1);
    const [row] = await shop.database.db.select().from(reviews);
    expect(row?.editedAt).toBeNull();
  });

  test("is limited per IP address", async () => {
    const address = "10.9.9.9";
    const statuses: number[] = [];
    for (let n = 0; n < 11; n++) statuses.push((await postReview(shop.browser(address))).status);
    expect(statuses).toEqual([...Array(10).fill(201), 429]);
    expect((await postReview(shop.browser(address))).headers.get("Retry-After")).toMatch(/^\d+$/);
  });

  test("is limited per visitor, across IP addresses", async () => {
    const postFrom = (address: string, cookie: string, rating: number) =>
      shop.app.request("/api/reviews", {
        method: "POST",
        body: JSON.stringify({ ...kindReview, rating }),
        headers: { "Content-Type": "application/json", "X-Forwarded-For": address, Cookie: cookie },
      });
    const first = await postFrom("10.9.10.0", "", 5);
    const cookie = (first.headers.getSetCookie()[0] ?? "").split(";")[0] ?? "";
    for (let n = 1; n < 10; n++) {
      expect((await postFrom(`10.9.10.${n}`, cookie, (n % 5) + 1)).status).toBe(201);
    }
    const refused = await postFrom("10.9.10.10", cookie, 1);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(60);
    expect(await shop.database.db.select().from(reviews)).toHaveLength(1);
  });

  test("with the honeypot filled in is held for the owner, with the usual response", async () => {
    const { status, body } = await postReview(shop.browser(), { website: "https://spam.example" });
    expect(status).toBe(201);
    expect(body.data.comment).toBe(kindReview.comment);
    const [row] = await shop.database.db.select().from(reviews);
    expect(row).toMatchObject({ status: "pending", comment: kindReview.comment });
    expect((await shop.browser().get("/api/reviews")).body.total).toBe(0);
  });

  test("ignores fields that would verify, publish or answer it", async () => {
    await holdReviews(shop);
    const { body } = await postReview(shop.browser(), {
      isAdmin: true,
      verified: true,
      status: "published",
      reply: "Thanks",
      orderId: randomUUID(),
    });
    expect(body.data).toMatchObject({ verified: false, status: "pending", reply: null });
  });
});
