import { and, eq, exists, sql } from "drizzle-orm";
import * as v from "valibot";
import { dataOf, ok, route } from "../api-row.ts";
import { products } from "../catalog/tables.ts";
import type { ShopContext } from "../context.ts";
import { orderVisitors } from "../orders/tables.ts";
import { idText } from "../platform/http/id-params.ts";
import { problem } from "../platform/http/problem.ts";
import type { VisitorId } from "../platform/http/viewer.ts";
import { rememberVisitor } from "../visitors/commands.ts";
import { lockReviewsOfSameProduct } from "./lock.ts";
import { reviews, reviewVotes } from "./tables.ts";

export const votesApi = [
  route("PUT /api/reviews/:id/helpful", {
    tag: "Reviews",
    summary: "Find a published review helpful, or no longer; one vote for each visitor",
    access: "anyone",
    limit: "vote",
    params: v.object({ id: idText }),
    body: v.object({ helpful: v.boolean("true or false") }),
    response: dataOf(v.object({ helpful: v.boolean(), helpfulCount: v.number() })),
    answers: {
      200: "`{helpful, helpfulCount}`; sent again, it changes nothing",
      404: "No such review on show",
      409: "`invalid_state`: it is the visitor’s own",
    },
    async handle(ctx, { params, body: { helpful }, visitor }) {
      const visitorId = visitor();
      const waitS = await ctx.limits.take("voter", visitorId);
      if (waitS !== null) {
        return problem("rate_limited", "You have rated many reviews. Please try again later.", {
          headers: { "Retry-After": String(waitS) },
        });
      }
      const voted = await setVote(ctx, { reviewId: params.id, visitorId, helpful });
      if (voted.ok) {
        await ctx.changes.caughtUp();
        return ok({ helpful, helpfulCount: voted.helpfulCount });
      }
      return voted.reason === "own"
        ? problem("invalid_state", "This is your own review.")
        : problem("not_found", "There is no such review.");
    },
  }),
];

type Vote = { reviewId: number; visitorId: VisitorId; helpful: boolean };

/** Adds or removes a vote; a trigger counts it. */
async function setVote(
  { db, now }: ShopContext,
  { reviewId, visitorId, helpful }: Vote,
): Promise<{ ok: true; helpfulCount: number } | { ok: false; reason: "unknown_review" | "own" }> {
  return db.transaction(async (tx) => {
    await lockReviewsOfSameProduct(tx, reviewId);
    const ofVisitor = tx
      .select({ one: sql`1` })
      .from(orderVisitors)
      .where(and(eq(orderVisitors.orderId, reviews.orderId), eq(orderVisitors.visitorId, visitorId)));
    const read = () =>
      tx
        .select({
          isOwn: sql<boolean>`${reviews.visitorId} is not distinct from ${visitorId} or ${exists(ofVisitor)}`,
          helpfulCount: reviews.helpfulCount,
        })
        .from(reviews)
        .innerJoin(products, eq(products.id, reviews.productId))
        .where(and(eq(reviews.id, reviewId), eq(reviews.status, "published"), eq(products.published, true)));
    const [review] = await read();
    if (!review) return { ok: false, reason: "unknown_review" };
    if (review.isOwn) return { ok: false, reason: "own" };
    if (helpful) {
      await rememberVisitor(tx, visitorId, now());
      await tx.insert(reviewVotes).values({ reviewId, visitorId, createdAt: now() }).onConflictDoNothing();
    } else {
      await tx
        .delete(reviewVotes)
        .where(and(eq(reviewVotes.reviewId, reviewId), eq(reviewVotes.visitorId, visitorId)));
    }
    const [voted] = await read();
    if (!voted) throw new Error(`review ${reviewId} disappeared while it was voted for`);
    return { ok: true, helpfulCount: voted.helpfulCount };
  });
}
