import { asc, desc, type SQL, sql } from "drizzle-orm";
import { orders } from "../../orders/tables.ts";

/** A sort sequence of orders, and the conditions that select the orders before and after an order. */
export type Sequence = {
  orderBy: SQL[];
  backwards: SQL[];
  before(orderId: string): SQL;
  /** Selects nothing if the order is unknown. */
  after(orderId: string): SQL;
};

const key = sql`(${orders.createdAt}, ${orders.id})`;
const sortKey = (orderId: string) =>
  sql`((select created_at from orders o where o.id = ${orderId}), ${orderId}::uuid)`;

export const newestFirst: Sequence = {
  orderBy: [desc(orders.createdAt), desc(orders.id)],
  backwards: [asc(orders.createdAt), asc(orders.id)],
  before: (orderId) => sql`${key} > ${sortKey(orderId)}`,
  after: (orderId) => sql`${key} < ${sortKey(orderId)}`,
};

/** Orders with one of these shipping options first, then the oldest. */
export function inPackingSequence(expedited: readonly string[]): Sequence {
  const isStandard = (option: SQL) => sql`not (${option} = any(${sql.param([...expedited])}::text[]))`;
  const isStandardOrder = isStandard(sql`${orders.shippingOptionId}`);
  const key = sql`(${isStandardOrder}, ${orders.createdAt}, ${orders.id})`;
  const sortKey = (orderId: string) =>
    sql`((select ${isStandard(sql`o.shipping_option_id`)} from orders o where o.id = ${orderId}),
      (select created_at from orders o where o.id = ${orderId}), ${orderId}::uuid)`;
  return {
    orderBy: [asc(isStandardOrder), asc(orders.createdAt), asc(orders.id)],
    backwards: [desc(isStandardOrder), desc(orders.createdAt), desc(orders.id)],
    before: (orderId) => sql`${key} < ${sortKey(orderId)}`,
    after: (orderId) => sql`${key} > ${sortKey(orderId)}`,
  };
}
