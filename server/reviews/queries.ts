import { and, asc, desc, eq, gt, gte, inArray, lt, type SQL, sql } from "drizzle-orm";
import type { ProductImage } from "../../domain/catalog/product-picture.ts";
import {
  type PhotoStatus,
  type PostedReview,
  type RatingCounts,
  type Review,
  type ReviewFilter,
  type ReviewKindCounts,
  type ReviewListing,
  type ReviewPage,
  type ReviewSort,
  type SentPhoto,
  summarizeRatings,
} from "../../domain/reviews/review.ts";
import { hairKeys, skinKeys } from "../../domain/reviews/writer-traits.ts";
import { pick } from "../../domain/shared/pick.ts";
import { pictureSizes } from "../catalog/pictures/sizes.ts";
import { products } from "../catalog/tables.ts";
import type { ShopContext } from "../context.ts";
import type { Db } from "../platform/database/database.ts";
import { cutPage } from "../platform/http/params.ts";
import { reviewCounts, reviewPhotos, reviews } from "./tables.ts";

/**
 * Published reviews of a product, or of all published products; within a rating the newest first. Ignores a cursor of
 * another sort order. An unknown product has no reviews; all sizes of a product share theirs.
 */
export async function listReviews(
  { db, products: { sizeIds } }: Pick<ShopContext, "db" | "products">,
  { productId, ...listing }: ReviewListing,
): Promise<ReviewPage> {
  const { rating, sort = "newest", limit } = listing;
  const productIds = productId === undefined ? null : await sizeIds(productId);
  const kindCounts = await readCounts(db, productIds);
  const summary = summarizeRatings(countRatings(kindCounts));
  const after = readCursor(sort, listing.cursor ?? null);
  const rows: ReviewWithProduct[] = [];
  for (const part of listParts(sort, rating ?? null, after, summary.counts)) {
    rows.push(
      ...(await readPublished(db, { ...listing, ...part, productIds, sort }, limit + 1 - rows.length)),
    );
    if (rows.length > limit) break;
  }
  const { page, nextCursor } = cutPage(rows, limit, ({ review }) => writeCursor(sort, review));
  return {
    data: await withPhotos(db, page),
    nextCursor,
    total: sumCounts(kindCounts.filter((kind) => matchesFilter(kind, listing))),
    summary,
    kinds: countKinds(kindCounts),
  };
}

type KindCount = Omit<typeof reviewCounts.$inferSelect, "productId">;

/** Counts of reviews by kind, of some products or all published ones: a few hundred rows for any number of reviews. */
async function readCounts(db: Db, productIds: number[] | null): Promise<KindCount[]> {
  const { rating, hair, skin, hasPhotos, count } = reviewCounts;
  return db
    .select({ rating, hair, skin, hasPhotos, count })
    .from(reviewCounts)
    .innerJoin(products, eq(products.id, reviewCounts.productId))
    .where(
      and(
        gt(count, 0),
        eq(products.published, true),
        productIds === null ? undefined : inArray(products.id, productIds),
      ),
    );
}

function sumCounts(kinds: readonly KindCount[]): number {
  return kinds.reduce((sum, { count }) => sum + count, 0);
}

function matchesFilter(kind: KindCount, { rating, hair, skin, photos }: ReviewFilter): boolean {
  return (
    (rating === undefined || kind.rating === rating) &&
    (hair === undefined || kind.hair === hair) &&
    (skin === undefined || kind.skin === skin) &&
    (!photos || kind.hasPhotos)
  );
}

function countRatings(kindCounts: readonly KindCount[]): RatingCounts {
  const countReviews = (rating: number) => sumCounts(kindCounts.filter((kind) => kind.rating === rating));
  return [countReviews(1), countReviews(2), countReviews(3), countReviews(4), countReviews(5)];
}

function countKinds(kindCounts: readonly KindCount[]): ReviewKindCounts {
  const countReviews = (filter: ReviewFilter) =>
    sumCounts(kindCounts.filter((kind) => matchesFilter(kind, filter)));
  const nonZero = <T extends { count: number }>(all: T[]) => all.filter(({ count }) => count > 0);
  return {
    hair: nonZero(hairKeys.map((key) => ({ key, count: countReviews({ hair: key }) }))),
    skin: nonZero(skinKeys.map((key) => ({ key, count: countReviews({ skin: key }) }))),
    photos: countReviews({ photos: true }),
  };
}

export function isReviewCursor(sort: ReviewSort, cursor: string): boolean {
  return readCursor(sort, cursor) !== null;
}

/** The end of a page. `rank`: its last review's rating or votes, if the list is sorted by them. */
type CursorPosition = { rank: number | null; id: number };
/** A part of a list that one index can read in order; `rating` is null for all ratings. */
type ListPart = { rating: number | null; before: CursorPosition | null };

/**
 * No index sorts ratings upwards and ages downwards, so each rating is read with a separate query. Ratings without reviews are
 * skipped.
 */
function listParts(
  sort: ReviewSort,
  rating: number | null,
  after: CursorPosition | null,
  counts: RatingCounts,
): ListPart[] {
  if (sort === "newest" || sort === "helpful") return [{ rating, before: after }];
  const worstFirst = [1, 2, 3, 4, 5].filter((stars) => (counts[stars - 1] ?? 0) > 0);
  const ratings = sort === "lowest" ? worstFirst : worstFirst.reverse();
  const isAfter = (stars: number, last: number) => (sort === "lowest" ? stars >= last : stars <= last);
  return ratings
    .filter((stars) => rating === null || stars === rating)
    .filter((stars) => after === null || after.rank === null || isAfter(stars, after.rank))
    .map((stars) => ({ rating: stars, before: after?.rank === stars ? after : null }));
}

export type ReviewWithProduct = {
  review: typeof reviews.$inferSelect;
  productName: string;
  productSlug: string;
};

function readPublished(
  db: Db,
  listing: Omit<ReviewListing, "rating" | "productId"> &
    ListPart & { productIds: number[] | null; sort: ReviewSort },
  limit: number,
): Promise<ReviewWithProduct[]> {
  const { productIds, rating, hair, skin, photos, before, sort } = listing;
  const { helpfulCount, id } = reviews;
  const isByVotes = sort === "helpful";
  return db
    .select({ review: reviews, productName: products.name, productSlug: products.slug })
    .from(reviews)
    .innerJoin(products, eq(products.id, reviews.productId))
    .where(
      and(
        eq(reviews.status, "published"),
        eq(products.published, true),
        productIds === null ? undefined : inArray(reviews.productId, productIds),
        hair === undefined ? undefined : eq(reviews.hair, hair),
        skin === undefined ? undefined : eq(reviews.skin, skin),
        photos ? sql`${reviews.photosShown} > 0` : undefined,
        isByVotes && rating !== null ? eq(reviews.rating, rating) : undefined,
        isByVotes && before
          ? sql`(${helpfulCount}, ${id}) < (${before.rank}::int, ${before.id}::int)`
          : undefined,
        isByVotes || rating === null ? undefined : ofRatingBefore(rating, before?.id ?? null),
        isByVotes || rating !== null || before === null ? undefined : lt(id, before.id),
      ),
    )
    .orderBy(...(isByVotes ? [desc(helpfulCount)] : rating === null ? [] : [desc(reviews.rating)]), desc(id))
    .limit(limit);
}

/** A range of ratings: with `rating = x`, PostgreSQL may scan all the newest reviews for the few with this rating. */
function ofRatingBefore(rating: number, beforeId: number | null): SQL | undefined {
  const [endRating, endId] = beforeId === null ? [rating + 1, 0] : [rating, beforeId];
  return and(
    gte(reviews.rating, rating),
    sql`(${reviews.rating}, ${reviews.id}) < (${endRating}::int, ${endId}::int)`,
  );
}

/** `<id>`, or `<rating>.<id>` or `<votes>.<id>` for lists sorted by them. */
function readCursor(sort: ReviewSort, cursor: string | null): CursorPosition | null {
  const [, rank, id] = /^(?:(\d{1,9})\.)?(\d{1,9})$/.exec(cursor ?? "") ?? [];
  if (id === undefined || (rank === undefined) !== (sort === "newest")) return null;
  const isRating = sort === "highest" || sort === "lowest";
  if (isRating && !/^[1-5]$/.test(rank ?? "")) return null;
  return { rank: rank === undefined ? null : Number(rank), id: Number(id) };
}

function writeCursor(sort: ReviewSort, { rating, helpfulCount, id }: typeof reviews.$inferSelect): string {
  if (sort === "newest") return String(id);
  return `${sort === "helpful" ? helpfulCount : rating}.${id}`;
}

/** Public reviews with the photos that the owner approved. */
export async function withPhotos(db: Db, rows: readonly ReviewWithProduct[]): Promise<Review[]> {
  const ids = rows.filter(({ review }) => review.photosShown > 0).map(({ review }) => review.id);
  const photos = ids.length === 0 ? [] : await readPhotos(db, ids, "shown");
  return rows.map((row) => ({
    ...toReview(row),
    photos: photos
      .filter(({ reviewId }) => reviewId === row.review.id)
      .map((photo, index) => photoSizes(photo, row.review.customerName, index)),
  }));
}

/** A review of any status, for its writer. */
export async function toPosted(db: Db, row: ReviewWithProduct): Promise<PostedReview> {
  const photos = await readPhotos(db, [row.review.id]);
  const [review] = await withPhotos(db, [row]);
  if (!review) throw new Error("withPhotos returned no review");
  return { ...review, status: row.review.status, sentPhotos: photos.map(toSentPhoto) };
}

/** A photo's id is its file name without the extension. */
export function toSentPhoto({
  file,
  status,
  width,
  height,
}: Omit<typeof reviewPhotos.$inferSelect, "reviewId">): SentPhoto {
  const id = file.replace(/\.jpg$/, "");
  return { id, status, url: `/api/reviews/photos/${id}`, width, height };
}

/** Photos of these reviews, in order. */
export async function readPhotos(db: Db, reviewIds: readonly number[], status?: PhotoStatus) {
  if (reviewIds.length === 0) return [];
  return db
    .select()
    .from(reviewPhotos)
    .where(
      and(
        inArray(reviewPhotos.reviewId, [...reviewIds]),
        status === undefined ? undefined : eq(reviewPhotos.status, status),
      ),
    )
    .orderBy(asc(reviewPhotos.reviewId), asc(reviewPhotos.position), asc(reviewPhotos.file));
}

function photoSizes(
  { file, width, height }: typeof reviewPhotos.$inferSelect,
  writer: string | null,
  index: number,
): ProductImage {
  const alt = `Photo ${index + 1} by ${writer?.trim() || "a customer"}`;
  return pictureSizes({ file, alt, width, height });
}

function toReview({ review, productName, productSlug }: ReviewWithProduct): Omit<Review, "photos"> {
  return {
    ...pick(
      review,
      "id",
      "rating",
      "comment",
      "customerName",
      "productId",
      "verified",
      "reply",
      "hair",
      "skin",
      "helpfulCount",
    ),
    createdAt: review.createdAt.toISOString(),
    productName,
    productSlug,
  };
}
