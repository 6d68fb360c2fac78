import { sql } from "drizzle-orm";
import { afterAll, beforeEach, expect, test } from "vitest";
import { type RatingSummary, summarizeRatings } from "../../domain/reviews/review.ts";
import { adminBrowser, send } from "../../test/admin.ts";
import { createTestDatabase, patientLimits } from "../../test/database.ts";
import { insertReviews, postReview } from "../../test/reviews.ts";
import { chooseSeeds } from "../../test/seeded.ts";
import { openTestShop } from "../../test/shop.ts";
import { reviews } from "./tables.ts";

const shop = await openTestShop({}, { database: await createTestDatabase({ limits: patientLimits }) });
const admin = await adminBrowser(shop);
beforeEach(() => shop.database.db.delete(reviews));
afterAll(async () => {
  await shop.stop();
  await shop.database.drop();
});

/** The expected figures, recounted from all reviews. */
async function recount(): Promise<RatingSummary> {
  const rows = await shop.database.db.select().from(reviews);
  const published = rows.filter(({ status }) => status === "published");
  const countWithStars = (stars: number) => published.filter(({ rating }) => rating === stars).length;
  return summarizeRatings([
    countWithStars(1),
    countWithStars(2),
    countWithStars(3),
    countWithStars(4),
    countWithStars(5),
  ]);
}

/** Checks the figures of every page and response against a recount. */
async function expectRecounted() {
  const expected = await recount();
  const { body: list } = await shop.browser().get("/api/reviews?limit=100");
  expect(list.summary).toEqual(expected);
  expect(list.data).toHaveLength(expected.count);
  const readProduct = async () => (await shop.browser().get("/api/products/pure-batana-oil")).body.data;
  // The change feed delivers with a short delay.
  await expect.poll(async () => (await readProduct()).ratingCounts).toEqual(expected.counts);
  expect(await readProduct()).toMatchObject({
    averageRating: expected.average,
    reviewCount: expected.count,
  });
  expect(await shop.shop.ratingSummary()).toEqual(expected);
  return expected;
}

/** Seeded random numbers (mulberry32). */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

test.each(chooseSeeds(1, 2, 3))(
  "rating counts are right after 40 concurrent writes, edits, hidings and deletions (seed %i)",
  async (seed) => {
    const pick = randomNumbers(seed);
    const writers = Array.from({ length: 6 }, () => shop.browser());
    for (const writer of writers) await postReview(writer, { rating: 1 + pick(5) });
    const ids = (await shop.database.db.select({ id: reviews.id }).from(reviews)).map(({ id }) => id);
    const actions = Array.from({ length: 40 }, () => {
      const rating = 1 + pick(5);
      const writer = writers[pick(writers.length)] ?? shop.browser();
      const id = ids[pick(ids.length)];
      switch (pick(6)) {
        case 0:
          return () => postReview(shop.browser(), { rating });
        case 1:
          return () => send(admin, "DELETE", `/api/reviews/${id}`);
        case 2:
          return () => send(admin, "PATCH", `/api/admin/reviews/${id}`, { status: "hidden", reason: "Seen" });
        case 3:
          return () => send(admin, "PATCH", `/api/admin/reviews/${id}`, { status: "published" });
        default:
          return () => postReview(writer, { rating, comment: `Now I give it ${rating} stars` });
      }
    });
    const statuses = (await Promise.all(actions.map((run) => run()))).map(({ status }) => status);
    expect(statuses.filter((status) => ![200, 201, 404].includes(status))).toEqual([]);
    expect((await expectRecounted()).count).toBeGreaterThan(0);
    const { rows } = await shop.database.db.execute<{ twice: number }>(sql`
    select count(*)::int as twice from (
      select 1 from reviews where visitor_id is not null group by product_id, visitor_id having count(*) > 1
    ) as several`);
    expect(rows[0]?.twice).toBe(0);
  },
);

test("rating counts stay right when reviews are edited in SQL", async () => {
  const [first, second] = await insertReviews(shop, 1, 3, 5);
  expect((await expectRecounted()).counts).toEqual([1, 0, 1, 0, 1]);
  await shop.database.db.execute(sql`update reviews set rating = 4 where id = ${first}`);
  expect((await expectRecounted()).counts).toEqual([0, 0, 1, 1, 1]);
  await shop.database.db.execute(sql`update reviews set status = 'hidden' where id = ${second}`);
  expect((await expectRecounted()).counts).toEqual([0, 0, 0, 1, 1]);
  await shop.database.db.execute(sql`update reviews set rating = 1 where id = ${second}`);
  expect((await expectRecounted()).counts).toEqual([0, 0, 0, 1, 1]);
  await shop.database.db.execute(sql`update reviews set status = 'published' where id = ${second}`);
  expect((await expectRecounted()).counts).toEqual([1, 0, 0, 1, 1]);
  await shop.database.db.execute(sql`delete from reviews`);
  expect(await expectRecounted()).toEqual({ count: 0, average: null, counts: [0, 0, 0, 0, 0] });
});

test("a rolled-back review is not counted", async () => {
  await insertReviews(shop, 5);
  await expect(
    shop.database.db.transaction(async (tx) => {
      await tx.execute(sql`update reviews set rating = 1`);
      throw new Error("changed my mind");
    }),
  ).rejects.toThrow("changed my mind");
  expect((await expectRecounted()).counts).toEqual([0, 0, 0, 0, 1]);
});
