import { and, asc, eq, isNull } from "drizzle-orm";
import * as v from "valibot";
import { products } from "../../catalog/tables.ts";
import { reviewLinkToken } from "../../orders/review-link.ts";
import { orderLines, orders } from "../../orders/tables.ts";
import { reviews } from "../../reviews/tables.ts";
import type { Composer } from "../composer.ts";
import { isOptedOut, unsubscribeUrl } from "../optouts.ts";

const ownerReviewData = v.object({ reviewId: v.pipe(v.string(), v.transform(Number)) });

export const reviewComposers = {
  async owner_review({ db, owner, adminUrl }, message) {
    const { reviewId } = v.parse(ownerReviewData, message.data);
    const [found] = await db
      .select({ review: reviews, productName: products.name })
      .from(reviews)
      .innerJoin(products, eq(products.id, reviews.productId))
      .where(eq(reviews.id, reviewId));
    if (!found) return "expired";
    const { rating, comment, customerName, status } = found.review;
    return {
      ...owner,
      email: {
        kind: "owner_review",
        productName: found.productName,
        rating,
        comment,
        customerName,
        isHeld: status === "pending",
        adminUrl: `${adminUrl}/reviews`,
      },
    };
  },
  /** The mail server may have been away for hours: the address and its wish are looked up again. */
  async review_request(context, message) {
    const { db, publicUrl, secret, now, toShopper } = context;
    const lines = await db
      .select({
        orderId: orders.id,
        number: orders.number,
        email: orders.email,
        productId: products.id,
        slug: products.slug,
        name: orderLines.name,
      })
      .from(orderLines)
      .innerJoin(orders, eq(orders.id, orderLines.orderId))
      .innerJoin(products, eq(products.id, orderLines.productId))
      .where(and(eq(orders.id, message.orderId ?? ""), isNull(orders.erasedAt), eq(products.published, true)))
      .orderBy(asc(orderLines.position));
    const [order] = lines;
    if (!order || (await isOptedOut(db, order.email, "review_request"))) return "expired";
    const unsubscribe = unsubscribeUrl(context, order.email, "review_request");
    return {
      email: {
        kind: "review_request",
        orderNumber: order.number,
        items: lines.map(({ name, slug, orderId, productId }) => ({
          name,
          reviewUrl: `${publicUrl}/product/${slug}?review=${reviewLinkToken(secret, { orderId, productId }, now())}`,
        })),
        unsubscribeUrl: unsubscribe,
      },
      sender: toShopper,
      recipient: order.email,
      secret: null,
      unsubscribeUrl: unsubscribe,
    };
  },
} satisfies Record<string, Composer>;
