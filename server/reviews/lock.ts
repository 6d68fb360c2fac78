import { eq, sql } from "drizzle-orm";
import type { Db } from "../platform/database/database.ts";
import { reviews } from "./tables.ts";

/**
 * One writer at a time for the reviews of a product, until the transaction ends: who has written what, what the owner hid
 * and which order still has no review stay true while it is decided. Writers would wait for each other anyway, at the
 * product's rating counts.
 */
export async function lockReviewsOf(tx: Db, productId: number): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('reviews'), ${productId}::int)`);
}

/** The same, for the product that a review is of; does nothing for a review that does not exist. */
export async function lockReviewsAround(tx: Db, reviewId: number): Promise<void> {
  const [review] = await tx
    .select({ productId: reviews.productId })
    .from(reviews)
    .where(eq(reviews.id, reviewId));
  if (review) await lockReviewsOf(tx, review.productId);
}
