import { and, asc, eq } from "drizzle-orm";
import { buyerName } from "../../domain/orders/first-name.ts";
import type { PaymentMode } from "../../domain/payments/payment-mode.ts";
import type { PostedReview, ReviewInvitation } from "../../domain/reviews/review.ts";
import { products } from "../catalog/tables.ts";
import { claimedOrder, isReviewLinkValid, linkedOrder } from "../orders/link-tokens.ts";
import { orderLines, orders } from "../orders/tables.ts";
import type { Db } from "../platform/database/database.ts";
import { findOwnReview, findProofs, provesPurchase, type Reviewer } from "./proof.ts";
import { toPosted } from "./queries.ts";

/** The order and product of an e-mailed review link; null if it is invalid or expired, or its order was refunded. */
export async function findInvitation(
  { db, secret, now, mode }: { db: Db; secret: string; now: Date; mode: PaymentMode },
  token: string,
): Promise<ReviewInvitation | null> {
  const orderId = claimedOrder(token);
  if (orderId === null) return null;
  const lines = await db
    .select({
      productId: orderLines.productId,
      orderNumber: orders.number,
      customerName: orders.customerName,
      gift: orders.gift,
    })
    .from(orderLines)
    .innerJoin(orders, eq(orders.id, orderLines.orderId))
    .where(and(eq(orders.id, orderId), provesPurchase(mode)))
    .orderBy(asc(orderLines.position));
  const order = await linkedOrder(db, orderId);
  const line = lines.find(({ productId }) => isReviewLinkValid(secret, { order, productId }, token, now));
  if (!line) return null;
  const { orderNumber, productId } = line;
  return { orderNumber, productId, suggestedName: publicName(buyerName(line)) };
}

/** The review that posting would edit, and whether a purchase is proved. */
export async function findPosted(
  db: Db,
  reviewer: Reviewer,
): Promise<{ review: PostedReview | null; verified: boolean }> {
  const proofs = await findProofs(db, reviewer);
  const ownReview = await findOwnReview(db, reviewer, proofs);
  const verified = ownReview?.verified === true || proofs.some(({ isUsed }) => !isUsed);
  if (!ownReview) return { review: null, verified };
  const [product] = await db
    .select({ productName: products.name, productSlug: products.slug })
    .from(products)
    .where(eq(products.id, ownReview.productId));
  return { review: product ? await toPosted(db, { review: ownReview, ...product }) : null, verified };
}

/** "Ada Maria Obi" -> "Ada O.": suggested public name. */
function publicName(name: string): string {
  const [first = "", ...others] = name.trim().split(/\s+/);
  const initial = [...(others.at(-1) ?? "")][0];
  return initial === undefined ? first : `${first} ${initial.toUpperCase()}.`;
}
