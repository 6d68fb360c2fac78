import * as v from "valibot";
import {
  type ModeratedReview,
  moderatedReviewPageSchema,
  moderatedReviewSchema,
  type ReviewStatus,
} from "../../domain/reviews/review.ts";
import { dataOf, ok, route } from "../api-row.ts";
import type { LoggedChange } from "../platform/http/answer.ts";
import { numericId } from "../platform/http/id-params.ts";
import { pageLimit } from "../platform/http/page-limit.ts";
import { problem } from "../platform/http/problem.ts";
import { deleteReview, listForModeration, moderateReview } from "./moderation.ts";

const shared = { tag: "Reviews", access: "admin", roles: ["staff"] } as const;

const status = v.picklist(["published", "hidden", "pending"], "One of published, hidden, pending");
const text = (max: number) =>
  v.pipe(v.string("Must be text"), v.trim(), v.maxLength(max, `At most ${max} characters`));

export const moderationApi = [
  route("DELETE /api/reviews/:id", {
    ...shared,
    summary: "Delete a review permanently",
    limit: "write",
    params: v.object({ id: numericId }),
    response: dataOf(v.object({ id: v.number() })),
    answers: { 200: "Deleted", 404: "No such review" },
    handle: async (ctx, { params, log }) => {
      const deleted = await deleteReview(ctx.db, params.id);
      if (deleted === null) return notFound();
      log({
        subject: `review:${params.id}`,
        summary: `Deleted a review of ${starsText(deleted.rating)}`,
        before: deleted,
      });
      return ok({ id: params.id });
    },
  }),
  route("GET /api/admin/reviews", {
    ...shared,
    summary: "Reviews of every status, newest first",
    limit: "none",
    query: v.object({
      status: v.optional(status),
      photos: v.optional(v.picklist(["held"], "held, or nothing")),
      limit: pageLimit(50),
      cursor: v.optional(numericId),
    }),
    response: moderatedReviewPageSchema,
    answers: { 200: "`{data, nextCursor}`; each with `status`, `hiddenReason` and `orderNumber`" },
    handle: async (ctx, { query }) => {
      const { photos, ...listing } = query;
      const heldPhotos = photos === "held";
      return { status: 200, body: await listForModeration(ctx.db, { ...listing, heldPhotos }) };
    },
  }),
  route("PATCH /api/admin/reviews/:id", {
    ...shared,
    summary:
      "Publish, hide or answer a review; if a `reason` is sent for hiding 1 or 2 stars, it must not be empty",
    limit: "write",
    params: v.object({ id: numericId }),
    body: v.pipe(
      v.object({
        status: v.optional(status),
        reply: v.optional(
          v.nullable(
            v.pipe(
              text(1000),
              v.transform((reply) => reply || null),
            ),
          ),
        ),
        reason: v.optional(text(500)),
      }),
      v.check(({ status, reply }) => status !== undefined || reply !== undefined, "Send a status or a reply"),
    ),
    response: dataOf(moderatedReviewSchema),
    answers: { 200: "The review", 404: "No such review" },
    handle: async (ctx, { params, body, log }) => {
      const moderated = await moderateReview(ctx, { ...body, reviewId: params.id });
      if (moderated.ok) {
        log(moderationChange(moderated.before, moderated.review, body.reply !== undefined));
        return ok(moderated.review);
      }
      return moderated.reason === "unknown_review"
        ? notFound()
        : problem("validation_failed", "Say why this review is hidden.", {
            fields: { reason: "Hiding a review of 1 or 2 stars takes a reason" },
          });
    },
  }),
];

const statusDone = { published: "Published", hidden: "Hid", pending: "Held back" };

/** The change for the activity log, without the text of review or reply, which may name people. */
function moderationChange(
  before: { status: ReviewStatus; hasReply: boolean },
  review: ModeratedReview,
  isReply: boolean,
): LoggedChange {
  const actions = [
    ...(before.status === review.status ? [] : [statusDone[review.status]]),
    ...(isReply ? [review.reply === null ? "Removed the reply to" : "Replied to"] : []),
  ];
  const what = `a review of ${starsText(review.rating)}`;
  return {
    subject: `review:${review.id}`,
    summary: actions.length === 0 ? `Left ${what} as it was` : `${actions.join(", ")} ${what}`,
    ...(before.status === review.status
      ? {}
      : {
          before: { status: before.status },
          after: {
            status: review.status,
            ...(review.hiddenReason === null ? {} : { reason: review.hiddenReason }),
          },
        }),
  };
}

function starsText(rating: number): string {
  return `${rating} ${rating === 1 ? "star" : "stars"}`;
}

function notFound() {
  return problem("not_found", "There is no such review.");
}
