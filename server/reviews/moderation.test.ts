import { afterAll, afterEach, describe, expect, test } from "vitest";
import { adminBrowser, send } from "../../test/admin.ts";
import { buyBottle, holdReviews, insertReviews, kindReview, postReview } from "../../test/reviews.ts";
import { openTestShop } from "../../test/shop.ts";
import { settings } from "../settings/tables.ts";
import { reviews } from "./tables.ts";

const shop = await openTestShop();
const admin = await adminBrowser(shop);
afterEach(async () => {
  await shop.database.db.delete(reviews);
  await shop.database.db.delete(settings);
});
afterAll(() => shop.stop());

const shownIds = async () =>
  (await shop.browser().get("/api/reviews")).body.data.map(({ id }: { id: number }) => id);

describe("deleting", () => {
  test("removes a review for good", async () => {
    const [first, second] = await insertReviews(shop, 5, 1);
    expect((await send(admin, "DELETE", `/api/reviews/${second}`)).status).toBe(200);
    expect(await shownIds()).toEqual([first]);
    expect((await send(admin, "DELETE", `/api/reviews/${second}`)).status).toBe(404);
  });

  test.each(["0", "abc", "1.5", "99999999999", "mine"])(
    "returns 404 for the invalid or unknown id %s",
    async (id) => {
      expect((await send(admin, "DELETE", `/api/reviews/${id}`)).status).toBe(404);
      expect((await send(admin, "PATCH", `/api/admin/reviews/${id}`, { status: "hidden" })).status).toBe(404);
    },
  );
});

describe("moderating", () => {
  test("hides and shows a review again", async () => {
    const [id] = await insertReviews(shop, 4);
    const hideResponse = await send(admin, "PATCH", `/api/admin/reviews/${id}`, {
      status: "hidden",
      reason: "Names a neighbour",
    });
    expect(hideResponse.body.data).toMatchObject({ id, status: "hidden", hiddenReason: "Names a neighbour" });
    expect(await shownIds()).toEqual([]);
    const publication = await send(admin, "PATCH", `/api/admin/reviews/${id}`, { status: "published" });
    expect(publication.body.data).toMatchObject({ status: "published", hiddenReason: null });
    expect(await shownIds()).toEqual([id]);
  });

  test.each([1, 2])("needs a reason to hide a review of %i stars", async (rating) => {
    const [id] = await insertReviews(shop, rating);
    for (const reason of ["", "   "]) {
      const { status, body } = await send(admin, "PATCH", `/api/admin/reviews/${id}`, {
        status: "hidden",
        reason,
      });
      expect(status).toBe(422);
      expect(Object.keys(body.fields)).toEqual(["reason"]);
    }
    expect(await shownIds()).toEqual([id]);
    const { status } = await send(admin, "PATCH", `/api/admin/reviews/${id}`, {
      status: "hidden",
      reason: "Insults",
    });
    expect(status).toBe(200);
  });

  test("hides a review of 3 stars without a reason", async () => {
    const [id] = await insertReviews(shop, 3);
    const hideResponse = await send(admin, "PATCH", `/api/admin/reviews/${id}`, {
      status: "hidden",
      reason: "",
    });
    expect([hideResponse.status, hideResponse.body.data.hiddenReason]).toEqual([200, null]);
  });

  test("hides a review of any rating without a reason, if the client sends no `reason` field", async () => {
    const [id] = await insertReviews(shop, 1);
    const hideResponse = await send(admin, "PATCH", `/api/admin/reviews/${id}`, { status: "hidden" });
    expect([hideResponse.status, hideResponse.body.data.hiddenReason]).toEqual([200, null]);
  });

  test("replies to a review, and removes the reply", async () => {
    const [id] = await insertReviews(shop, 5);
    const path = `/api/admin/reviews/${id}`;
    const replyResponse = await send(admin, "PATCH", path, { reply: "  Thank you!  " });
    expect(replyResponse.body.data).toMatchObject({ reply: "Thank you!", status: "published" });
    expect(replyResponse.body.data.repliedAt).not.toBeNull();
    expect((await shop.browser().get("/api/reviews")).body.data[0].reply).toBe("Thank you!");
    const repeated = await send(admin, "PATCH", path, { status: "published" });
    expect(repeated.body.data.reply).toBe("Thank you!");
    const withoutReply = await send(admin, "PATCH", path, { reply: null });
    expect(withoutReply.body.data).toMatchObject({ reply: null, repliedAt: null });
  });

  test.each([{}, { reason: "Only why" }, { status: "gone" }, { reply: 5 }, { reply: "x".repeat(1001) }])(
    "with %j is refused",
    async (body) => {
      const [id] = await insertReviews(shop, 5);
      expect((await send(admin, "PATCH", `/api/admin/reviews/${id}`, body)).status).toBe(422);
    },
  );

  test("publishes a held review, and holds a later edit", async () => {
    await holdReviews(shop);
    const writer = shop.browser();
    const { body } = await postReview(writer);
    await postReview(writer, { rating: 4 });
    expect(await shownIds()).toEqual([]);
    await send(admin, "PATCH", `/api/admin/reviews/${body.data.id}`, { status: "published" });
    expect((await postReview(writer, { rating: 4 })).body.data.status).toBe("published");
    expect((await postReview(writer, { comment: "Buy my watches instead" })).body.data.status).toBe(
      "pending",
    );
    expect(await shownIds()).toEqual([]);
  });

  test("keeps a review hidden after an edit if the owner had hidden it", async () => {
    const writer = shop.browser();
    const { body } = await postReview(writer);
    await send(admin, "PATCH", `/api/admin/reviews/${body.data.id}`, { status: "hidden" });
    expect((await postReview(writer, { rating: 1 })).body.data).toMatchObject({
      id: body.data.id,
      status: "hidden",
    });
    expect(await shownIds()).toEqual([]);
  });

  test("lists reviews of every status with their orders, in pages", async () => {
    const writer = shop.browser();
    const orderId = await buyBottle(shop, writer);
    const { body: order } = await writer.get(`/api/orders/${orderId}`);
    const { body } = await postReview(writer);
    const spamReview = await postReview(shop.browser(), { website: "https://spam.example" });
    const firstPage = await admin.get("/api/admin/reviews?limit=1");
    expect(firstPage.body.data).toMatchObject([
      { id: spamReview.body.data.id, status: "pending", orderNumber: null },
    ]);
    const secondPage = await admin.get(`/api/admin/reviews?limit=1&cursor=${firstPage.body.nextCursor}`);
    expect(secondPage.body).toMatchObject({
      data: [{ ...kindReview, id: body.data.id, orderNumber: order.data.number, verified: true }],
      nextCursor: null,
    });
    const published = await admin.get("/api/admin/reviews?status=published");
    expect(published.body.data.map(({ id }: { id: number }) => id)).toEqual([body.data.id]);
    expect((await admin.get("/api/admin/reviews?status=lost")).status).toBe(422);
    expect((await admin.get("/api/admin/reviews?limit=101")).status).toBe(422);
  });
});
