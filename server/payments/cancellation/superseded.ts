import { and, eq, ne, type SQL, sql } from "drizzle-orm";
import { orders } from "../../orders/tables.ts";

/** The order a shopper goes on with; null: one that is still to be written. */
export type Kept = { visitorId: string; email: string; orderId: string | null };

/**
 * Unpaid orders that a shopper left behind for another: of the same browser and address. Orders made under an
 * Idempotency-Key are a program's, which may well want several.
 */
export function isSuperseded(kept: Kept): SQL | undefined {
  return and(
    eq(orders.status, "pending"),
    eq(orders.reusable, true),
    eq(orders.visitorId, kept.visitorId),
    sql`lower(${orders.email}) = lower(${kept.email})`,
    kept.orderId === null ? undefined : ne(orders.id, kept.orderId),
  );
}
