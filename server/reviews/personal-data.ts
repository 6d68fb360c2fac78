import { and, asc, inArray, isNull, lte, or, type SQL } from "drizzle-orm";
import type { Db } from "../platform/database/database.ts";
import { reviews } from "./tables.ts";

/** Whose reviews: those of these orders, and those that these browsers wrote without an order. */
export type ReviewAuthor = { orderIds: string[]; visitorIds: string[] };

export async function exportReviews(db: Db, author: ReviewAuthor, limit: number) {
  return db
    .select({
      productId: reviews.productId,
      orderId: reviews.orderId,
      rating: reviews.rating,
      comment: reviews.comment,
      customerName: reviews.customerName,
      verified: reviews.verified,
      status: reviews.status,
      hiddenReason: reviews.hiddenReason,
      reply: reviews.reply,
      repliedAt: reviews.repliedAt,
      createdAt: reviews.createdAt,
      editedAt: reviews.editedAt,
    })
    .from(reviews)
    .where(by(author))
    .orderBy(asc(reviews.id))
    .limit(limit);
}

/** Deletes the reviews written until a time, whatever state they are in, and answers their ids. */
export async function eraseReviews(tx: Db, author: ReviewAuthor, until: Date): Promise<number[]> {
  const erased = await tx
    .delete(reviews)
    .where(and(by(author), lte(reviews.createdAt, until)))
    .returning({ id: reviews.id });
  return erased.map(({ id }) => id);
}

/** A browser may be shared: what speaks for another order is another buyer's. */
function by({ orderIds, visitorIds }: ReviewAuthor): SQL | undefined {
  return or(
    inArray(reviews.orderId, orderIds),
    and(isNull(reviews.orderId), inArray(reviews.visitorId, visitorIds)),
  );
}
