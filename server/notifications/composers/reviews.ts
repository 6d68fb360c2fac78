import { and, asc, eq, isNull } from "drizzle-orm";
import { products } from "../../catalog/tables.ts";
import { reviewLinkToken } from "../../orders/review-link.ts";
import { orderLines, orders } from "../../orders/tables.ts";
import type { Composer } from "../composer.ts";
import { isOptedOut, unsubscribeUrl } from "../optouts.ts";

export const reviewComposers = {
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
