import { and, eq, ne, type SQL, sql } from "drizzle-orm";
import { orders } from "../../orders/tables.ts";

/** The order a shopper continues with. `orderId` null: not written yet. */
export type CurrentOrder = { visitorId: string; email: string; orderId: string | null };

/**
 * Selects unpaid orders of the same browser and e-mail address as the current one. Orders with an Idempotency-Key come from
 * programs, which may want several, and are left out.
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
