import { and, eq, ne, type SQL, sql } from "drizzle-orm";
import { orders } from "../../orders/tables.ts";

/** The order a shopper goes on with; null: one that is still to be written. */
export type CurrentOrder = { visitorId: string; email: string; orderId: string | null };

/**
 * Superseded orders: unpaid orders of the same browser and e-mail address as the current one. Orders made with an
 * Idempotency-Key are a program's, which may want several.
 */
export function isSuperseded(current: CurrentOrder): SQL | undefined {
  return and(
    eq(orders.status, "pending"),
    eq(orders.reusable, true),
    eq(orders.visitorId, current.visitorId),
    sql`lower(${orders.email}) = lower(${current.email})`,
    current.orderId === null ? undefined : ne(orders.id, current.orderId),
  );
}
