import { and, eq, inArray, isNotNull, isNull, or, type SQL, sql } from "drizzle-orm";
import { maxQueueCount, type OrderFilter, type OrderQueues } from "../../../domain/orders/admin-orders.ts";
import type { OrderStatus } from "../../../domain/orders/order-status.ts";
import type { PaymentMode } from "../../../domain/payments/payment-mode.ts";
import { disputes } from "../../disputes/tables.ts";
import { issues } from "../../issues/tables.ts";
import { excludingTestOrders } from "../../orders/mode.ts";
import { orders } from "../../orders/tables.ts";
import type { Db } from "../../platform/database/database.ts";
import { orderReturns } from "../tables.ts";

// Written exactly as in the partial indexes (tables.ts), so that PostgreSQL uses them.
export const isOpenReturn = sql`${orderReturns.status} in ('requested','approved')`;
const isUnsent = sql`${orders.status} in ('completed','partially_refunded') and ${orders.shippedAt} is null and ${orders.cancelledAt} is null and ${orders.allBackAt} is null`;
/** Conditions of the parcel queues. `waiting`: held while an order edit waits for the buyer's payment. */
export const queue = {
  to_ship: sql`${orders.status} in ('completed','partially_refunded') and ${orders.shippedAt} is null and ${orders.cancelledAt} is null and ${orders.allBackAt} is null and ${orders.shipHold} is null`,
  on_hold: sql`${isUnsent} and ${orders.shipHold} is not null and ${orders.shipHold} <> 'change'`,
  waiting: sql`${isUnsent} and ${orders.shipHold} is not null and ${orders.shipHold} = 'change'`,
  shipped: sql`${orders.status} in ('shipped','partially_refunded') and ${orders.shippedAt} is not null and ${orders.deliveredAt} is null`,
};

/** SQL condition of a filter of the order list; `null` selects paid orders. Returns undefined if all orders match. */
export function filterCondition(
  tx: Db,
  filter: OrderFilter | OrderStatus | null,
  /** In live mode, the queues of parcels and returns exclude test orders. */
  shopMode: PaymentMode,
): SQL | undefined {
  switch (filter) {
    case null:
      return or(isNotNull(orders.paidAt), isNotNull(orders.replacesId));
    case "all":
      return undefined;
    case "succeeded":
      return sql`${orders.status} in ('completed','shipped','delivered','partially_refunded')`;
    case "pending":
      return sql`${orders.status} = 'pending'`;
    case "canceled":
    case "cancelled":
      return sql`${orders.status} = 'cancelled'`;
    case "cancelled_paid":
      return sql`${orders.cancelledAt} is not null`;
    case "refunded":
      return sql`${orders.status} = 'refunded'`;
    case "completed":
    case "partially_refunded":
      return eq(orders.status, filter);
    case "to_ship":
    case "on_hold":
    case "waiting":
    case "shipped":
      return and(queue[filter], excludingTestOrders(shopMode));
    case "delivered":
      return isNotNull(orders.deliveredAt);
    case "attention":
      return inArray(
        orders.id,
        tx.select({ id: issues.orderId }).from(issues).where(isNull(issues.resolvedAt)),
      );
    case "disputed":
      return inArray(orders.id, tx.select({ id: disputes.orderId }).from(disputes));
    case "problems":
      // A union of ids, because PostgreSQL would check conditions joined by `or` for every order.
      return sql`${orders.id} in (${sql.join(
        (["on_hold", "attention", "returns"] as const).map(
          (part) => sql`select ${orders.id} from ${orders} where ${filterCondition(tx, part, shopMode)}`,
        ),
        sql` union `,
      )})`;
    case "returns":
      return and(
        inArray(orders.id, tx.select({ id: orderReturns.orderId }).from(orderReturns).where(isOpenReturn)),
        excludingTestOrders(shopMode),
      );
  }
}

/** Lengths of the queues, each up to `maxQueueCount`. */
export async function countQueues(tx: Db, shopMode: PaymentMode): Promise<OrderQueues> {
  const rowCount = (rows: SQL) =>
    sql<number>`(select count(*)::int from (${rows} limit ${maxQueueCount}) as waiting)`;
  const parcelCount = (queueName: keyof typeof queue) =>
    rowCount(sql`select 1 from ${orders} where ${and(queue[queueName], excludingTestOrders(shopMode))}`);
  const [counts] = await tx
    .execute<OrderQueues>(sql`select
    ${parcelCount("to_ship")} as to_ship, ${parcelCount("shipped")} as shipped, ${parcelCount("on_hold")} as on_hold, ${parcelCount("waiting")} as waiting,
    ${rowCount(sql`select 1 from ${orderReturns} join ${orders} on ${orders.id} = ${orderReturns.orderId}
      where ${and(isOpenReturn, excludingTestOrders(shopMode))}`)} as returns,
    ${rowCount(sql`select distinct ${issues.orderId} from ${issues}
      where ${issues.resolvedAt} is null and ${issues.orderId} is not null`)} as attention,
    ${rowCount(sql`select 1 from ${orders} where ${filterCondition(tx, "problems", shopMode)}`)} as problems`)
    .then(({ rows }) => rows);
  return counts ?? { to_ship: 0, shipped: 0, on_hold: 0, waiting: 0, returns: 0, attention: 0, problems: 0 };
}
