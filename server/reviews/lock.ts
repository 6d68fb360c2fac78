import { eq, sql } from "drizzle-orm";
import type { Db } from "../platform/database.ts";
import { reviews } from "./tables.ts";

/**
 * Whoever writes reviews of a product takes turns, until the transaction ends: who has written what, what the owner hid,
 * and which order still has no review stay true while it is decided. They would wait for each other all the same, at the
 * product's counts.
 */
export async function takeTurn(tx: Db, productId: number): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('reviews'), ${productId}::int)`);
}

/** The same for the product of a review; does nothing for a review that is not there. */
export async function takeTurnOf(tx: Db, reviewId: number): Promise<void> {
  const [review] = await tx
    .select({ productId: reviews.productId })
    .from(reviews)
    .where(eq(reviews.id, reviewId));
  if (review) await takeTurn(tx, review.productId);
}
