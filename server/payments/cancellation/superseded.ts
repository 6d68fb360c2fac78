import { and, eq, ne, type SQL, sql } from "drizzle-orm";
import { orders } from "../../orders/tables.ts";

/** The order a shopper goes on with; null: one that is still to be written. */
export type CurrentOrder = { visitorId: string; email: string; orderId: string | null };

/**
 * Unpaid orders that a shopper left behind for another: of the same browser and address. Orders made under an
 * Idempotency-Key are a program's, which may well want several.
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
