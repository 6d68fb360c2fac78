import {
  and,
  between,
  desc,
  eq,
  exists,
  inArray,
  isNotNull,
  isNull,
  like,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import {
  type AdminOrderPage,
  type AdminOrderRow,
  deliveryWord,
  type OrderFilter,
  type OrderQueues,
  paymentWord,
  queueCountMax,
} from "../../domain/admin-orders.ts";
import type { OrderStatus } from "../../domain/order-status.ts";
import { paymentFlags, payments } from "../payments/tables.ts";
import type { Database, Db } from "../platform/database.ts";
import { withFreshPlans } from "../platform/fresh-plans.ts";
import { readOrderSearch } from "./admin-search.ts";
import type { OrderRow } from "./lifecycle.ts";
import { orderLines, orderReturns, orders } from "./tables.ts";

/** Which orders, newest first. `status` null: paid ones. */
export type OrderSelection = {
  status: OrderFilter | OrderStatus | null;
  /** Part of a name or address, an order's number, the beginning of an id. */
  q: string | null;
  limit: number;
  /** The order after which to go on; null: from the newest. */
  cursor: string | null;
  /** Placed at or after the one and before the other. */
  placed?: { from: Date | null; before: Date | null };
};

export type ListedOrder = {
  order: OrderRow;
  items: { quantity: number; description: string }[];
  intentId: string | null;
  attention: boolean;
  returnAsked: boolean;
};

/** One page of the owner's list, and how much waits. */
export async function listAdminOrders(db: Database, selection: OrderSelection): Promise<AdminOrderPage> {
  return withFreshPlans(db, async (tx) => {
    const { rows, nextCursor } = await readOrderPage(tx, selection);
    return { data: rows.map(toRow), nextCursor, queues: await countQueues(tx) };
  });
}

/** The newest orders that wait to be shipped, and how many there are (up to `queueCountMax`). */
export async function firstToShip(
  db: Database,
  limit: number,
): Promise<{ count: number; orders: AdminOrderRow[] }> {
  const { data, queues } = await listAdminOrders(db, { status: "to_ship", q: null, limit, cursor: null });
  return { count: queues.to_ship, orders: data };
}

/**
 * One page of orders with what a list says about them. The cursor is the last order's id, so that orders that come in
 * meanwhile move nothing; a cursor of no order is followed by none.
 */
export async function readOrderPage(
  tx: Db,
  selection: OrderSelection,
): Promise<{ rows: ListedOrder[]; nextCursor: string | null }> {
  const { limit, cursor, placed } = selection;
  const found = await tx
    .select({
      order: orders,
      items: sql<ListedOrder["items"]>`coalesce((
        select json_agg(json_build_object('quantity', quantity, 'description', name) order by position)
        from ${orderLines} where order_id = orders.id), '[]')`,
      intentId: sql<string | null>`(
        select intent_id from ${payments} where order_id = orders.id and intent_id is not null
        order by (status = 'succeeded') desc, revision desc limit 1)`,
      attention: exists(
        tx
          .select({ one: sql`1` })
          .from(paymentFlags)
          .where(and(eq(paymentFlags.orderId, orders.id), isNull(paymentFlags.resolvedAt))),
      ).mapWith(Boolean),
      returnAsked: exists(
        tx
          .select({ one: sql`1` })
          .from(orderReturns)
          .where(and(eq(orderReturns.orderId, orders.id), isOpenReturn)),
      ).mapWith(Boolean),
    })
    .from(orders)
    .where(
      and(
        ofFilter(tx, selection.status),
        selection.q === null ? undefined : await matches(tx, selection.q),
        cursor === null
          ? undefined
          : sql`(${orders.createdAt}, ${orders.id}) < ((select created_at from orders o where o.id = ${cursor}), ${cursor}::uuid)`,
        placed?.from ? sql`${orders.createdAt} >= ${placed.from.toISOString()}` : undefined,
        placed?.before ? sql`${orders.createdAt} < ${placed.before.toISOString()}` : undefined,
      ),
    )
    .orderBy(desc(orders.createdAt), desc(orders.id))
    .limit(limit + 1);
  const rows = found.slice(0, limit);
  return { rows, nextCursor: found.length > limit ? (rows.at(-1)?.order.id ?? null) : null };
}

// Written out as in their indexes (tables.ts), which serve these conditions and no others.
const isOpenReturn = sql`${orderReturns.status} in ('requested','approved')`;
const queue = {
  to_ship: sql`${orders.status} in ('completed','partially_refunded') and ${orders.shippedAt} is null and ${orders.calledOffAt} is null`,
  shipped: sql`${orders.status} in ('shipped','partially_refunded') and ${orders.shippedAt} is not null and ${orders.deliveredAt} is null`,
};

function ofFilter(tx: Db, filter: OrderSelection["status"]): SQL | undefined {
  switch (filter) {
    case null:
      return isNotNull(orders.paidAt);
    case "all":
      return undefined;
    case "succeeded":
      return sql`${orders.status} in ('completed','shipped','delivered','partially_refunded')`;
    case "pending":
      return sql`${orders.status} = 'pending'`;
    case "canceled":
    case "cancelled":
      return sql`${orders.status} = 'cancelled'`;
    case "refunded":
      return sql`${orders.status} = 'refunded'`;
    case "completed":
    case "partially_refunded":
      return eq(orders.status, filter);
    case "to_ship":
    case "shipped":
      return queue[filter];
    case "delivered":
      return isNotNull(orders.deliveredAt);
    case "attention":
      return inArray(
        orders.id,
        tx.select({ id: paymentFlags.orderId }).from(paymentFlags).where(isNull(paymentFlags.resolvedAt)),
      );
    case "returns":
      return inArray(
        orders.id,
        tx.select({ id: orderReturns.orderId }).from(orderReturns).where(isOpenReturn),
      );
  }
}

// Written as in the index `orders_search`.
const searchedText = sql`(lower(${orders.customerName}) || ' ' || lower(${orders.email}))`;

/** Payments are looked up first: as part of the condition they would keep the indexes of the others from being used. */
async function matches(tx: Db, q: string): Promise<SQL | undefined> {
  const { textPatterns, number, orderIds, paymentPattern } = readOrderSearch(q);
  const paid =
    paymentPattern === null
      ? []
      : await tx
          .select({ orderId: payments.orderId })
          .from(payments)
          .where(like(payments.intentId, paymentPattern))
          .limit(paymentsFoundMax);
  const found = or(
    ...textPatterns.map((pattern) => like(searchedText, pattern)),
    number === null ? undefined : eq(orders.number, number),
    orderIds === null ? undefined : between(orders.id, ...orderIds),
    paid.length === 0
      ? undefined
      : inArray(
          orders.id,
          paid.map(({ orderId }) => orderId),
        ),
  );
  // "#ada" means nothing: it finds nothing rather than everything.
  return found ?? sql`false`;
}

const paymentsFoundMax = 200;

async function countQueues(tx: Db): Promise<OrderQueues> {
  const counted = (rows: SQL) =>
    sql<number>`(select count(*)::int from (${rows} limit ${queueCountMax}) as waiting)`;
  const [counts] = await tx
    .execute<OrderQueues>(sql`select
    ${counted(sql`select 1 from ${orders} where ${queue.to_ship}`)} as to_ship,
    ${counted(sql`select 1 from ${orderReturns} where ${isOpenReturn}`)} as returns,
    ${counted(sql`select distinct ${paymentFlags.orderId} from ${paymentFlags}
      where ${paymentFlags.resolvedAt} is null and ${paymentFlags.orderId} is not null`)} as attention`)
    .then(({ rows }) => rows);
  return counts ?? { to_ship: 0, returns: 0, attention: 0 };
}

function toRow({ order, intentId, items, attention, returnAsked }: ListedOrder): AdminOrderRow {
  return {
    id: intentId ?? order.id,
    orderId: order.id,
    number: order.number,
    customer:
      order.erasedAt === null ? { name: order.customerName || null, email: order.email || null } : null,
    created: Math.floor(order.createdAt.getTime() / 1000),
    items,
    amount: order.totalCents,
    currency: order.currency,
    status: paymentWord(order.status),
    orderStatus: order.status,
    delivery: deliveryWord(order),
    shippingOption: order.shippingOptionName,
    refunded: order.refundedCents,
    attention,
    returnAsked,
  };
}
