import { and, type Column, eq, ne, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { orders } from "../../orders/tables.ts";

/** The order that replaces a shopper's earlier orders. `orderId` is null if it is not stored yet. */
export type CurrentOrder = { visitorId: string; email: string; orderId: string | null };

/**
 * Selects unpaid orders of the same browser and e-mail address as the current one. Orders with an Idempotency-Key are left out:
 * they come from programs, which may want several unpaid orders.
 */
export function isSuperseded(current: CurrentOrder): SQL | undefined {
  return isSupersededBy(orders, current);
}

const other = alias(orders, "other");
/** Subquery: the orders superseded by the order of the outer query. */
export const supersededByThis = sql`select from ${orders} as other where ${isSupersededBy(other, {
  visitorId: orders.visitorId,
  email: orders.email,
  orderId: orders.id,
})}`;

function isSupersededBy(
  table: typeof orders | typeof other,
  current: { [Name in keyof CurrentOrder]: CurrentOrder[Name] | Column },
): SQL | undefined {
  return and(
    eq(table.status, "pending"),
    eq(table.reusable, true),
    eq(table.visitorId, current.visitorId),
    sql`lower(${table.email}) = lower(${current.email})`,
    current.orderId === null ? undefined : ne(table.id, current.orderId),
  );
}
