import { and, eq, exists, inArray, isNull, type SQL, sql } from "drizzle-orm";
import { activeShipHold } from "../../../domain/disputes/dispute.ts";
import {
  type AdminOrderPage,
  type AdminOrderRow,
  deliveryLabel,
  maxQueueCount,
  type OrderFilter,
  type OrderNeighbors,
  paymentLabel,
  type SameAddress,
} from "../../../domain/orders/admin-orders.ts";
import type { ShippingAddress } from "../../../domain/orders/order.ts";
import type { OrderStatus } from "../../../domain/orders/order-status.ts";
import type { FollowUp } from "../../../domain/orders/replacement.ts";
import { isTestOrder, type PaymentMode } from "../../../domain/payments/payment-mode.ts";
import { expeditedOptionIds } from "../../../domain/shipping/shipping-policy.ts";
import type { ShopContext } from "../../context.ts";
import { issues } from "../../issues/tables.ts";
import type { OrderRow } from "../../orders/lifecycle.ts";
import { excludingTestOrders } from "../../orders/mode.ts";
import { isProcessing, paymentState } from "../../orders/queries.ts";
import { orderLines, orders } from "../../orders/tables.ts";
import { payments } from "../../payments/tables.ts";
import type { Db } from "../../platform/database/database.ts";
import { withCustomPlans } from "../../platform/database/search.ts";
import { cutPage } from "../../platform/http/params.ts";
import { followUpColumn } from "../follow-up-column.ts";
import { orderReturns, orderTags } from "../tables.ts";
import { countQueues, filterCondition, isOpenReturn } from "./queues.ts";
import { readSameAddress } from "./same-address.ts";
import { hasProducts, type Searcher, searchConditions } from "./search.ts";
import { inPackingSequence, newestFirst, type Sequence } from "./sequence.ts";

/** Selection of orders. If `status` is null, paid orders are selected. */
export type OrderSelection = {
  status: OrderFilter | OrderStatus | null;
  /** Part of a name, address, city, product, phone or tracking number; an order's number, a code, the start of an id. */
  q: string | null;
  /** The searcher's role, which limits the searched fields; not limited by default. */
  by?: Searcher;
  /** Null for orders with any tag or none. */
  tag?: string | null;
  /** Destination country (ISO 3166). */
  country?: string | null;
  productId?: number | null;
  limit: number;
  /** Id of the last order on the previous page; null for the first page. */
  cursor: string | null;
  /**
   * Mode of the shop. In live mode, test orders are marked and belong to no queue; in exports for bookkeeping (`isForBooks`) they
   * are excluded.
   */
  mode: PaymentMode;
  isForBooks?: boolean;
  /** Period in which the orders were placed: `from` included, `before` excluded. */
  placed?: { from: Date | null; before: Date | null };
  /** Newest first by default. */
  sequence?: Sequence;
};

/** `isInPackingSequence`: sorted as orders are packed, instead of newest first. */
type ListSelection = Omit<OrderSelection, "sequence"> & { isInPackingSequence?: boolean };

export type ListedOrder = {
  order: OrderRow;
  items: AdminOrderRow["items"];
  intentId: string | null;
  isProcessing: boolean;
  attention: boolean;
  returnAsked: boolean;
  followUp: FollowUp | null;
  tags: string[];
};

/** One page of the panel's order list, with the number of orders in each queue. */
export async function listAdminOrders(ctx: ShopContext, selection: ListSelection): Promise<AdminOrderPage> {
  const expedited = expeditedOptionIds((await ctx.settings()).shipping);
  const { mode } = selection;
  return withCustomPlans(ctx.db, async (tx) => {
    const { rows, nextCursor } = await readOrderPage(tx, withSequence(selection, expedited));
    const ids = rows.map(({ order }) => order.id);
    const sameAddress = await readSameAddress(tx, ids, mode);
    return {
      data: rows.map((row) => toRow(row, { mode, expedited, sameAddress })),
      nextCursor,
      queues: await countQueues(tx, mode),
    };
  });
}

function withSequence(
  { isInPackingSequence = false, ...selection }: ListSelection,
  expedited: readonly string[],
): OrderSelection & { sequence: Sequence } {
  return { ...selection, sequence: isInPackingSequence ? inPackingSequence(expedited) : newestFirst };
}

/** The orders before and after an order in a list, even if that order has just left the list. */
export async function readNeighbors(
  ctx: ShopContext,
  { orderId, ...selection }: Omit<ListSelection, "limit" | "cursor"> & { orderId: string },
): Promise<OrderNeighbors> {
  const expedited = expeditedOptionIds((await ctx.settings()).shipping);
  return withCustomPlans(ctx.db, async (tx) => {
    const { sequence, ...list } = withSequence({ ...selection, limit: 0, cursor: null }, expedited);
    const { conditions, meanings } = await selectionConditions(tx, list);
    const select = async (position: SQL, orderBy: SQL[]) => {
      const all = [...conditions, position];
      return tx
        .select({ id: orders.id, number: orders.number })
        .from(orders)
        .where(
          meanings.length > 1
            ? inArray(orders.id, firstOrdersByMeaning(meanings, all, orderBy, maxQueueCount))
            : and(...all, ...meanings),
        )
        .orderBy(...orderBy)
        .limit(maxQueueCount);
    };
    const [current] = await select(eq(orders.id, orderId), sequence.orderBy);
    const before = await select(sequence.before(orderId), sequence.backwards);
    const after = await select(sequence.after(orderId), sequence.orderBy);
    const isCounted = current !== undefined && before.length < maxQueueCount && after.length < maxQueueCount;
    return {
      previous: before[0] ?? null,
      next: after[0] ?? null,
      position: isCounted ? before.length + 1 : null,
      count: isCounted ? before.length + 1 + after.length : null,
    };
  });
}

/** The newest orders to ship, and their number (up to `maxQueueCount`). */
export async function readFirstToShip(
  ctx: ShopContext,
  { limit, mode }: Pick<OrderSelection, "limit" | "mode">,
): Promise<{ count: number; orders: AdminOrderRow[] }> {
  const { data, queues } = await listAdminOrders(ctx, {
    status: "to_ship",
    q: null,
    limit,
    cursor: null,
    mode,
  });
  return { count: queues.to_ship, orders: data };
}

/**
 * One page of orders with the details that lists show. The cursor is the id of the page's last order, so that new orders do not
 * shift the pages. An unknown cursor results in an empty page.
 */
export async function readOrderPage(
  tx: Db,
  selection: OrderSelection,
): Promise<{ rows: ListedOrder[]; nextCursor: string | null }> {
  const { where, orderBy, limit } = await selectPage(tx, selection);
  const rows = await tx
    .select({
      order: orders,
      items: sql<ListedOrder["items"]>`coalesce((
        select json_agg(json_build_object('quantity', quantity, 'description', name) order by position)
        from ${orderLines} where order_id = orders.id), '[]')`,
      intentId: sql<string | null>`(
        select intent_id from ${payments} where order_id = orders.id and intent_id is not null
        order by (status = 'succeeded') desc, revision desc limit 1)`,
      isProcessing,
      attention: exists(
        tx
          .select({ one: sql`1` })
          .from(issues)
          .where(and(eq(issues.orderId, orders.id), isNull(issues.resolvedAt))),
      ).mapWith(Boolean),
      followUp: followUpColumn,
      tags: sql<string[]>`(select coalesce(json_agg(tag order by tag), '[]') from ${orderTags}
        where order_tags.order_id = orders.id)`,
      returnAsked: exists(
        tx
          .select({ one: sql`1` })
          .from(orderReturns)
          .where(and(eq(orderReturns.orderId, orders.id), isOpenReturn)),
      ).mapWith(Boolean),
    })
    .from(orders)
    .where(where)
    .orderBy(...orderBy)
    .limit(limit);
  const { page, nextCursor } = cutPage(rows, selection.limit, ({ order }) => order.id);
  return { rows: page, nextCursor };
}

/** Conditions, sequence and limit of a page's orders; one more is read to see whether a next page exists. */
export async function selectPage(
  tx: Db,
  selection: OrderSelection,
): Promise<{ where: SQL | undefined; orderBy: SQL[]; limit: number }> {
  const { cursor, sequence = newestFirst } = selection;
  const limit = selection.limit + 1;
  const { orderBy } = sequence;
  const { conditions: filters, meanings } = await selectionConditions(tx, selection);
  const conditions = cursor === null ? filters : [...filters, sequence.after(cursor)];
  const where =
    meanings.length > 1
      ? inArray(orders.id, firstOrdersByMeaning(meanings, conditions, orderBy, limit))
      : and(...conditions, ...meanings);
  return { where, orderBy, limit };
}

/**
 * The conditions of a selection. An order must meet all `conditions` and, if there is a search text, at least one of its
 * `meanings`.
 */
async function selectionConditions(
  tx: Db,
  selection: OrderSelection,
): Promise<{ conditions: (SQL | undefined)[]; meanings: SQL[] }> {
  const { placed } = selection;
  const conditions = [
    filterCondition(tx, selection.status, selection.mode),
    selection.isForBooks ? excludingTestOrders(selection.mode) : undefined,
    selection.tag
      ? inArray(
          orders.id,
          tx.select({ id: orderTags.orderId }).from(orderTags).where(eq(orderTags.tag, selection.tag)),
        )
      : undefined,
    selection.country ? eq(sql`${orders.shipping} ->> 'country'`, selection.country) : undefined,
    selection.productId ? hasProducts([selection.productId]) : undefined,
    placed?.from ? sql`${orders.createdAt} >= ${placed.from.toISOString()}` : undefined,
    placed?.before ? sql`${orders.createdAt} < ${placed.before.toISOString()}` : undefined,
  ];
  const meanings =
    selection.q === null ? [] : await searchConditions(tx, selection.q, selection.by ?? "others");
  return { conditions, meanings };
}

/** Ids of the first `limit` orders of each meaning. They include the first `limit` orders of all meanings together. */
function firstOrdersByMeaning(
  meanings: SQL[],
  conditions: (SQL | undefined)[],
  orderBy: SQL[],
  limit: number,
): SQL {
  const firstOrders = meanings.map(
    (meaning) =>
      sql`(select ${orders.id} from ${orders} where ${and(meaning, ...conditions)} order by ${sql.join(orderBy, sql`, `)} limit ${limit})`,
  );
  return sql`(${sql.join(firstOrders, sql` union all `)})`;
}

function toRow(
  { order, intentId, isProcessing, items, attention, returnAsked, followUp, tags }: ListedOrder,
  {
    mode: shopMode,
    expedited,
    sameAddress,
  }: { mode: PaymentMode; expedited: readonly string[]; sameAddress: ReadonlyMap<string, SameAddress[]> },
): AdminOrderRow {
  const shipHold = activeShipHold(order, shopMode);
  return {
    id: intentId ?? order.id,
    orderId: order.id,
    number: order.number,
    customer:
      order.erasedAt === null ? { name: order.customerName || null, email: order.email || null } : null,
    created: Math.floor(order.createdAt.getTime() / 1000),
    items: items.map(({ quantity, description }) => ({ quantity, description })),
    amount: order.payableCents,
    currency: order.currency,
    status: paymentLabel(order.status),
    payment: paymentState(order, isProcessing),
    orderStatus: order.status,
    delivery: deliveryLabel({ ...order, shipHold }),
    shipHold,
    shippingOption: order.shippingOptionName,
    isExpedited: expedited.includes(order.shippingOptionId),
    shipTo: order.erasedAt === null && order.shipping ? pickPlace(order.shipping) : null,
    sameAddress: sameAddress.get(order.id) ?? [],
    isGift: order.gift !== null,
    followUp,
    tags,
    refunded: order.refundedCents,
    chargedBack: order.chargedBackCents,
    attention,
    returnAsked,
    isTest: isTestOrder(order.mode, shopMode),
  };
}

function pickPlace({ city, state, country }: ShippingAddress): AdminOrderRow["shipTo"] {
  return { city, state, country };
}
