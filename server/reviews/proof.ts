import { and, desc, eq, exists, inArray, isNull, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { PaymentMode } from "../../domain/payments/payment-mode.ts";
import { products } from "../catalog/tables.ts";
import { excludingTestOrders } from "../orders/mode.ts";
import { orderLines, orders, orderVisitors } from "../orders/tables.ts";
import type { Db } from "../platform/database/database.ts";
import type { VisitorId } from "../platform/http/viewer.ts";
import { reviews } from "./tables.ts";

/** A writer and a product. `invitedOrderId`: the order of the e-mailed review link, if the writer followed one. */
export type Reviewer = {
  visitorId: VisitorId | null;
  productId: number;
  invitedOrderId: string | null;
  mode: PaymentMode;
};

/** The number of orders examined as proof of a purchase. */
const maxProofs = 20;

/**
 * SQL condition: the order verifies its buyer, as it is paid (with real money in a live shop) and neither cancelled nor refunded
 * in full.
 */
export function provesPurchase(shop: PaymentMode): SQL | undefined {
  return and(
    inArray(orders.status, ["completed", "shipped", "delivered", "partially_refunded"]),
    isNull(orders.cancelledAt),
    isNull(orders.erasedAt),
    excludingTestOrders(shop),
  );
}

/**
 * The reviewer's orders of the product in any size, the invited one first, then the newest. `isUsed`: the order has a review of
 * it.
 */
export async function findProofs(
  db: Db,
  { visitorId, productId, invitedOrderId, mode }: Reviewer,
): Promise<{ orderId: string; isUsed: boolean }[]> {
  const isOwn = visitorId === null ? undefined : exists(ownershipBy(db, visitorId));
  const isInvited = invitedOrderId === null ? undefined : eq(orders.id, invitedOrderId);
  if (!isOwn && !isInvited) return [];
  return db
    .select({
      orderId: orders.id,
      isUsed: sql<boolean>`exists (select 1 from ${reviews}
        where reviews.order_id = orders.id and reviews.product_id = ${productId})`,
    })
    .from(orders)
    .where(and(or(isOwn, isInvited), exists(boughtLines(db, productId)), provesPurchase(mode)))
    .orderBy(sql`${orders.id} = ${invitedOrderId}::uuid desc nulls last`, desc(orders.number))
    .limit(maxProofs);
}

/** The order's lines with the product in any of its sizes, which all share their reviews. */
function boughtLines(db: Db, productId: number) {
  const boughtProduct = alias(products, "bought");
  return db
    .select({ one: sql`1` })
    .from(orderLines)
    .innerJoin(boughtProduct, eq(boughtProduct.id, orderLines.productId))
    .where(
      and(
        eq(orderLines.orderId, orders.id),
        or(
          eq(boughtProduct.id, productId),
          eq(boughtProduct.familyId, sql`(select family_id from products where id = ${productId})`),
        ),
      ),
    );
}

function ownershipBy(db: Db, visitorId: VisitorId) {
  return db
    .select({ one: sql`1` })
    .from(orderVisitors)
    .where(and(eq(orderVisitors.orderId, orders.id), eq(orderVisitors.visitorId, visitorId)));
}

export type ReviewRow = typeof reviews.$inferSelect;

/**
 * The review that posting would edit: of the invited order, otherwise of this visitor, otherwise of one of the visitor's orders
 * (written on another device).
 */
export async function findOwnReview(
  db: Db,
  { visitorId, productId, invitedOrderId }: Reviewer,
  proofs: readonly { orderId: string }[],
): Promise<ReviewRow | null> {
  const orderIds = proofs.map(({ orderId }) => orderId);
  const isBy = visitorId === null ? undefined : eq(reviews.visitorId, visitorId);
  const isFromOwnOrder = orderIds.length === 0 ? undefined : inArray(reviews.orderId, orderIds);
  if (!isBy && !isFromOwnOrder) return null;
  const rows = await db
    .select()
    .from(reviews)
    .where(and(eq(reviews.productId, productId), or(isBy, isFromOwnOrder)))
    .orderBy(desc(reviews.id));
  return (
    rows.find(({ orderId }) => orderId !== null && orderId === invitedOrderId) ??
    rows.find((row) => row.visitorId === visitorId) ??
    rows[0] ??
    null
  );
}
