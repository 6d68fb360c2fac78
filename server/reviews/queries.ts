import { and, desc, eq, gte, lt, type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import {
  type RatingCounts,
  type RatingSummary,
  type Review,
  type ReviewListing,
  type ReviewPage,
  type ReviewSort,
  summarizeRatings,
} from "../../domain/reviews/review.ts";
import { products } from "../catalog/tables.ts";
import type { Db } from "../platform/database/database.ts";
import { productRatings, reviews } from "./tables.ts";

/**
 * Published reviews of a product or of all on show; within a rating the newest come first. A cursor that is none of this
 * order's is ignored. An unknown product has no reviews.
 */
export async function listReviews(db: Db, listing: ReviewListing): Promise<ReviewPage> {
  const { productId, stars, sort = "newest", limit } = listing;
  const summary = await readRatingSummary(db, productId);
  const after = readCursor(sort, listing.cursor ?? null);
  const rows: ShownRow[] = [];
  for (const leg of legsOf(sort, stars ?? null, after, summary.counts)) {
    rows.push(...(await readShown(db, { productId, ...leg }, limit + 1 - rows.length)));
    if (rows.length > limit) break;
  }
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    data: page.map(toReview),
    nextCursor: rows.length > limit && last ? writeCursor(sort, last.review) : null,
    total: stars === undefined ? summary.count : (summary.counts[stars - 1] ?? 0),
    summary,
  };
}

/** Of one product, or of all on show. Read off the counts: however many reviews there are, this costs the same. */
async function readRatingSummary(db: Db, productId?: number): Promise<RatingSummary> {
  const sumOf = (column: AnyPgColumn) => sql<number>`coalesce(sum(${column}), 0)::int`;
  const [row] = await db
    .select({
      one: sumOf(productRatings.stars1),
      two: sumOf(productRatings.stars2),
      three: sumOf(productRatings.stars3),
      four: sumOf(productRatings.stars4),
      five: sumOf(productRatings.stars5),
    })
    .from(productRatings)
    .innerJoin(products, eq(products.id, productRatings.productId))
    .where(
      and(eq(products.published, true), productId === undefined ? undefined : eq(products.id, productId)),
    );
  if (!row) throw new Error("an aggregate returned no row");
  return summarizeRatings([row.one, row.two, row.three, row.four, row.five]);
}

/** Whether a text is a cursor of such a listing. */
export function isReviewCursor(sort: ReviewSort, cursor: string): boolean {
  return readCursor(sort, cursor) !== null;
}

/** A stretch of a listing that one index holds in order; `rating` null: of every rating. */
type Leg = { rating: number | null; beforeId: number | null };
type Place = { rating: number | null; id: number };

/**
 * By rating, the newest first within each: no index has this order both ways up, so each rating is read on its own, and
 * those that have no reviews are not asked for.
 */
function legsOf(sort: ReviewSort, stars: number | null, after: Place | null, counts: RatingCounts): Leg[] {
  if (sort === "newest") return [{ rating: stars, beforeId: after?.id ?? null }];
  const worstFirst = [1, 2, 3, 4, 5].filter((rating) => (counts[rating - 1] ?? 0) > 0);
  const ratings = sort === "lowest" ? worstFirst : worstFirst.reverse();
  const isToCome = (rating: number, former: number) =>
    sort === "lowest" ? rating >= former : rating <= former;
  return ratings
    .filter((rating) => stars === null || rating === stars)
    .filter((rating) => after === null || after.rating === null || isToCome(rating, after.rating))
    .map((rating) => ({ rating, beforeId: after?.rating === rating ? after.id : null }));
}

type ShownRow = { review: typeof reviews.$inferSelect; productName: string; productSlug: string };

function readShown(
  db: Db,
  { productId, rating, beforeId }: Leg & { productId?: number | undefined },
  limit: number,
): Promise<ShownRow[]> {
  return db
    .select({ review: reviews, productName: products.name, productSlug: products.slug })
    .from(reviews)
    .innerJoin(products, eq(products.id, reviews.productId))
    .where(
      and(
        eq(reviews.status, "published"),
        eq(products.published, true),
        productId === undefined ? undefined : eq(reviews.productId, productId),
        rating === null ? undefined : ofRatingBefore(rating, beforeId),
        rating !== null || beforeId === null ? undefined : lt(reviews.id, beforeId),
      ),
    )
    .orderBy(...(rating === null ? [] : [desc(reviews.rating)]), desc(reviews.id))
    .limit(limit);
}

/**
 * As a range, and sorted by rating too: told that the rating is one and the same, PostgreSQL may well read through all
 * the newest reviews for the few that have it.
 */
function ofRatingBefore(rating: number, beforeId: number | null): SQL | undefined {
  const [endRating, endId] = beforeId === null ? [rating + 1, 0] : [rating, beforeId];
  return and(
    gte(reviews.rating, rating),
    sql`(${reviews.rating}, ${reviews.id}) < (${endRating}::int, ${endId}::int)`,
  );
}

/** `<id>`, or `<rating>.<id>` where ratings come first. */
function readCursor(sort: ReviewSort, cursor: string | null): Place | null {
  const [, rating, id] = /^(?:([1-5])\.)?(\d{1,9})$/.exec(cursor ?? "") ?? [];
  if (id === undefined || (rating === undefined) !== (sort === "newest")) return null;
  return { rating: rating === undefined ? null : Number(rating), id: Number(id) };
}

function writeCursor(sort: ReviewSort, { rating, id }: typeof reviews.$inferSelect): string {
  return sort === "newest" ? String(id) : `${rating}.${id}`;
}

export function toReview({ review, productName, productSlug }: ShownRow): Review {
  return {
    id: review.id,
    rating: review.rating,
    comment: review.comment,
    createdAt: review.createdAt.toISOString(),
    customerName: review.customerName,
    productId: review.productId,
    productName,
    productSlug,
    verified: review.verified,
    reply: review.reply,
  };
}
