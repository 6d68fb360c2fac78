import { and, asc, eq, inArray, sql } from "drizzle-orm";
import type { Refundable } from "../../../domain/orders/line-refund.ts";
import { orderLines, orders } from "../../orders/tables.ts";
import type { Db } from "../../platform/database/database.ts";
import { payments, refunds } from "../tables.ts";

/** What of an order is not refunded, nor on its way, whether it was paid or not. Null: there is no such order. */
export async function readRefundable(db: Db, orderId: string): Promise<Refundable | null> {
  const [order] = await db
    .select({
      subtotal: orders.subtotalCents,
      discount: orders.discountCents,
      shipping: orders.shippingCents,
      tax: orders.taxCents,
      withTax: orders.withTax,
    })
    .from(orders)
    .where(eq(orders.id, orderId));
  if (!order) return null;
  const given = await db
    .select({
      goods: refunds.goodsCents,
      shipping: refunds.shippingCents,
      tax: refunds.taxCents,
      lines: refunds.lines,
    })
    .from(refunds)
    .where(
      and(
        eq(refunds.orderId, orderId),
        inArray(refunds.status, ["pending", "succeeded"]),
        // A payment that came too late, and only goes back, is none of the order's money.
        sql`not exists (select from ${payments} p where p.intent_id = ${refunds.intentId} and p.status <> 'succeeded')`,
      ),
    );
  const lines = await db
    .select()
    .from(orderLines)
    .where(eq(orderLines.orderId, orderId))
    .orderBy(asc(orderLines.position));
  const left = (whole: number, gone: readonly number[]) =>
    Math.max(
      0,
      gone.reduce((rest, cents) => rest - cents, whole),
    );
  return {
    goods: left(
      order.subtotal - order.discount,
      given.map(({ goods }) => goods),
    ),
    shipping: left(
      order.shipping,
      given.map(({ shipping }) => shipping),
    ),
    tax: left(
      order.tax,
      given.map(({ tax }) => tax),
    ),
    lines: lines.map(({ productId, quantity, ...line }) => {
      const gone = given.flatMap(({ lines }) => lines).filter((each) => each.productId === productId);
      return {
        productId,
        units: left(
          quantity,
          gone.map((each) => each.quantity),
        ),
        goods: left(
          quantity * line.unitPriceCents -
            line.bundleSavingCents -
            line.discountCents -
            (order.withTax ? line.taxCents : 0),
          gone.map(({ goodsCents }) => goodsCents),
        ),
        tax: left(
          line.taxCents,
          gone.map(({ taxCents }) => taxCents),
        ),
      };
    }),
    ...(order.withTax && { taxIncluded: order.withTax.name }),
  };
}
