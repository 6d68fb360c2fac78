import { and, eq } from "drizzle-orm";
import type { PostedReview, ReviewStatus } from "../../domain/reviews/review.ts";
import type { ReviewForm } from "../../domain/reviews/review-form.ts";
import { products } from "../catalog/tables.ts";
import type { ShopContext } from "../context.ts";
import type { Db } from "../platform/database/database.ts";
import type { VisitorId } from "../platform/http/viewer.ts";
import { rememberVisitor } from "../visitors/commands.ts";
import { lockProductReviews } from "./lock.ts";
import { enqueueReviewAlert } from "./mail.ts";
import { attachPhotos, choosePhotos } from "./photos/commands.ts";
import { findOwnReview, findProofs, type Reviewer, type ReviewRow } from "./proof.ts";
import { toPosted } from "./queries.ts";
import { reviews } from "./tables.ts";

type NewReview = ReviewForm &
  Omit<Reviewer, "mode"> & {
    visitorId: VisitorId;
    isHeld: boolean;
    /** Ids of uploaded photos; if missing, the review keeps its photos. */
    photos?: readonly string[] | undefined;
  };
type DatedReview = NewReview & { now: Date };

/**
 * Adds a review, or edits the writer's existing one. `isHeld`: it waits for the owner's approval. A review that the owner
 * hid stays hidden. Posting the same review again changes nothing.
 */
export async function postReview(
  { db, now, provider }: ShopContext,
  review: NewReview,
): Promise<{ ok: true; review: PostedReview } | { ok: false; reason: "unknown_product" | "lost_photo" }> {
  const input = { ...review, mode: provider.mode, now: now() };
  return db.transaction(async (tx) => {
    await lockProductReviews(tx, input.productId);
    const [product] = await tx
      .select({ name: products.name, slug: products.slug })
      .from(products)
      .where(and(eq(products.id, input.productId), eq(products.published, true)));
    if (!product) return { ok: false, reason: "unknown_product" };
    const proofs = await findProofs(tx, input);
    const ownReview = await findOwnReview(tx, input, proofs);
    const photoChoice =
      input.photos &&
      (await choosePhotos(tx, {
        reviewId: ownReview?.id ?? null,
        visitorId: input.visitorId,
        photoIds: input.photos,
      }));
    if (photoChoice === null) return { ok: false, reason: "lost_photo" };
    const orderId = ownReview?.orderId ?? proofs.find(({ isUsed }) => !isUsed)?.orderId ?? null;
    const savedReview = await (ownReview
      ? editReview(tx, ownReview, input, orderId)
      : addReview(tx, input, orderId));
    const photos = photoChoice && (await attachPhotos(tx, savedReview.id, photoChoice));
    const needsAlert =
      isNewText(ownReview, savedReview) || (savedReview.status !== "hidden" && (photos?.added ?? 0) > 0);
    if (needsAlert) await enqueueReviewAlert(tx, { id: savedReview.id, at: input.now });
    const row = { review: savedReview, productName: product.name, productSlug: product.slug };
    return { ok: true, review: await toPosted(tx, row) };
  });
}

/** Whether the review has new or edited text that the owner is notified of; false for a hidden review. */
function isNewText(before: ReviewRow | null, after: ReviewRow): boolean {
  if (after.status === "hidden") return false;
  return before === null || before.rating !== after.rating || before.comment !== after.comment;
}

async function addReview(tx: Db, input: DatedReview, orderId: string | null): Promise<ReviewRow> {
  await rememberVisitor(tx, input.visitorId, input.now);
  const [review] = await tx
    .insert(reviews)
    .values({
      productId: input.productId,
      visitorId: input.visitorId,
      ...purchaseProof(orderId),
      ...reviewText(input),
      status: input.isHeld ? "pending" : "published",
      createdAt: input.now,
    })
    .returning();
  if (!review) throw new Error("an insert returned no row");
  return review;
}

async function editReview(
  tx: Db,
  ownReview: ReviewRow,
  input: DatedReview,
  orderId: string | null,
): Promise<ReviewRow> {
  const text = reviewText(input);
  const isSameText = (Object.keys(text) as (keyof ReviewForm)[]).every(
    (field) => ownReview[field] === text[field],
  );
  if (isSameText && ownReview.orderId === orderId) return ownReview;
  const changes = isSameText
    ? purchaseProof(orderId)
    : {
        ...purchaseProof(orderId),
        ...text,
        status: editedStatus(ownReview.status, input),
        editedAt: input.now,
      };
  const [review] = await tx.update(reviews).set(changes).where(eq(reviews.id, ownReview.id)).returning();
  if (!review) throw new Error(`review ${ownReview.id} disappeared while it was edited`);
  return review;
}

function reviewText({ rating, comment, customerName, hair, skin }: ReviewForm): ReviewForm {
  return { rating, comment, customerName, hair, skin };
}

function purchaseProof(orderId: string | null): { orderId: string | null; verified: boolean } {
  return { orderId, verified: orderId !== null };
}

/** An edited text needs a new approval. */
function editedStatus(former: ReviewStatus, { isHeld }: DatedReview): ReviewStatus {
  if (former === "hidden") return "hidden";
  return isHeld ? "pending" : "published";
}
