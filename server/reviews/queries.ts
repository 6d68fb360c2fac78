import { and, desc, eq, sql } from "drizzle-orm";
import type { ReviewPage } from "../../domain/review.ts";
import { products } from "../catalog/tables.ts";
import type { Db } from "../platform/database.ts";
import { reviews } from "./tables.ts";

/** Published reviews, newest first. `cursor` is a former answer's `nextCursor`; one that is not is ignored. */
export async function listReviews(
  db: Db,
  { productId, limit, cursor }: { productId?: number; limit: number; cursor?: string },
): Promise<ReviewPage> {
  const ofProduct = productId === undefined ? undefined : eq(reviews.productId, productId);
  const published = and(eq(reviews.status, "published"), ofProduct);
  const beforeId = cursor && /^\d{1,9}$/.test(cursor) ? Number(cursor) : null;
  const [rows, [counted]] = await Promise.all([
    db
      .select({ review: reviews, productName: products.name, productSlug: products.slug })
      .from(reviews)
      .innerJoin(products, eq(products.id, reviews.productId))
      .where(and(published, beforeId === null ? undefined : sql`${reviews.id} < ${beforeId}`))
      .orderBy(desc(reviews.id))
      .limit(limit + 1),
    db.select({ total: sql<number>`count(*)::int` }).from(reviews).where(published),
  ]);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    data: page.map(({ review, productName, productSlug }) => ({
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
    })),
    nextCursor: rows.length > limit && last ? String(last.review.id) : null,
    total: counted?.total ?? 0,
  };
}
