import { asc, desc, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { AdminHome } from "../../domain/admin.ts";
import { orderLines, orders } from "../orders/tables.ts";
import { paymentFlags } from "../payments/tables.ts";
import type { Db } from "../platform/database.ts";

const rowsShownMax = 50;

export async function readAdminHome(db: Db): Promise<AdminHome> {
  const [attention, paid] = await Promise.all([
    db
      .select({ flag: paymentFlags, orderNumber: orders.number })
      .from(paymentFlags)
      .leftJoin(orders, eq(orders.id, paymentFlags.orderId))
      .where(isNull(paymentFlags.resolvedAt))
      .orderBy(asc(paymentFlags.id))
      .limit(rowsShownMax),
    db
      .select({
        id: orders.id,
        number: orders.number,
        status: orders.status,
        paidAt: sql<string>`${orders.paidAt}`,
        customerName: orders.customerName,
        email: orders.email,
        totalCents: orders.totalCents,
        units: sql<number>`(select sum(${orderLines.quantity})::int from ${orderLines}
          where ${orderLines.orderId} = ${orders.id})`,
      })
      .from(orders)
      .where(isNotNull(orders.paidAt))
      .orderBy(desc(orders.createdAt), desc(orders.id))
      .limit(rowsShownMax),
  ]);
  return {
    attention: attention.map(({ flag, orderNumber }) => ({
      id: flag.id,
      message: flag.message,
      createdAt: flag.createdAt.toISOString(),
      orderId: flag.orderId,
      orderNumber,
    })),
    orders: paid.map((order) => ({ ...order, paidAt: new Date(order.paidAt).toISOString() })),
  };
}
