import { eq, sql } from "drizzle-orm";
import type { Db } from "../platform/database/database.ts";
import { reviews } from "./tables.ts";

/**
 * Serializes writes to a product's reviews until the transaction ends, so that existing reviews and their proofs cannot
 * change between reading and writing. Costs no concurrency: writers wait for the product's rating counts anyway.
 */
export async function lockProductReviews(tx: Db, productId: number): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('reviews'), ${productId}::int)`);
}

/** Locks the reviews of the product that this review is about; does nothing for an unknown review. */
export async function lockReviewsOfSameProduct(tx: Db, reviewId: number): Promise<void> {
  const [review] = await tx
    .select({ productId: reviews.productId })
    .from(reviews)
    .where(eq(reviews.id, reviewId));
  if (review) await lockProductReviews(tx, review.productId);
}
