import { and, asc, eq, isNull } from "drizzle-orm";
import * as v from "valibot";
import { buyerName, firstName } from "../../domain/orders/first-name.ts";
import { pick } from "../../domain/shared/pick.ts";
import { mailPicture } from "../catalog/pictures/sizes.ts";
import { products } from "../catalog/tables.ts";
import { reviewLinkToken } from "../orders/link-tokens.ts";
import { buyAgainUrl, readMailOrder } from "../orders/mail.ts";
import { orderLines, orders } from "../orders/tables.ts";
import type { Mail } from "../outbox/compose.ts";
import { isOptedOut, unsubscribeUrl } from "../outbox/optouts.ts";
import { enqueueOwnerAlert } from "../outbox/owner-mail.ts";
import type { Db } from "../platform/database/database.ts";
import { reviewPhotos, reviews } from "./tables.ts";

const ownerReviewData = v.object({ reviewId: v.pipe(v.string(), v.transform(Number)) });

/** Notifies the owner of a new or edited review: at most once a day per review, and with a summary if there are many. */
export async function enqueueReviewAlert(tx: Db, review: { id: number; at: Date }): Promise<void> {
  const dedupeKey = `owner_review:${review.id}:${review.at.toISOString().slice(0, 10)}`;
  const alert = { kind: "owner_review", dedupeKey, data: { reviewId: String(review.id) } } as const;
  await enqueueOwnerAlert(tx, alert, review.at);
}

export const reviewsMail = {
  async owner_review({ db, owner, adminUrl }, message) {
    const { reviewId } = v.parse(ownerReviewData, message.data);
    const [row] = await db
      .select({ review: reviews, productName: products.name })
      .from(reviews)
      .innerJoin(products, eq(products.id, reviews.productId))
      .where(eq(reviews.id, reviewId));
    if (!row) return "unneeded";
    const { rating, comment, customerName, status } = row.review;
    return {
      ...owner,
      email: {
        kind: "owner_review",
        productName: row.productName,
        rating,
        comment,
        customerName,
        isHeld: status === "pending",
        heldPhotos: await db.$count(
          reviewPhotos,
          and(eq(reviewPhotos.reviewId, reviewId), eq(reviewPhotos.status, "held")),
        ),
        adminUrl: `${adminUrl}/reviews`,
      },
    };
  },
  /** The message may have waited for hours, so the address and its opt-out are read again. */
  async review_request(context, message) {
    const { db, publicUrl, secret, now } = context;
    const lines = await db
      .select({
        ...pick(orders, "number", "email", "customerName", "gift"),
        productId: products.id,
        slug: products.slug,
        name: orderLines.name,
        image: orderLines.image,
      })
      .from(orderLines)
      .innerJoin(orders, eq(orders.id, orderLines.orderId))
      .innerJoin(products, eq(products.id, orderLines.productId))
      .where(and(eq(orders.id, message.orderId ?? ""), isNull(orders.erasedAt), eq(products.published, true)))
      .orderBy(asc(orderLines.position));
    const [order] = lines;
    if (!order || (await isOptedOut(db, order.email, "review_request"))) return "unneeded";
    const mailOrder = await readMailOrder(db, message);
    const unsubscribe = unsubscribeUrl(context, order.email, "review_request");
    return {
      email: {
        kind: "review_request",
        orderNumber: order.number,
        firstName: firstName(buyerName(order)),
        items: lines.map(({ name, slug, productId, image }) => {
          const token = reviewLinkToken(secret, { order: mailOrder, productId }, now());
          return {
            name,
            image: image && mailPicture(image),
            reviewUrl: `${publicUrl}/product/${slug}?review=${token}`,
            rateUrl: `${publicUrl}/reviews/new?product=${slug}&review=${token}`,
          };
        }),
        buyAgainUrl: buyAgainUrl(context, mailOrder),
        unsubscribeUrl: unsubscribe,
      },
      recipient: order.email,
      secret: null,
      unsubscribeUrl: unsubscribe,
    };
  },
} satisfies Mail;
