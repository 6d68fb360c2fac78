import {
  and,
  asc,
  desc,
  eq,
  exists,
  inArray,
  isNotNull,
  isNull,
  or,
  type Placeholder,
  type SQL,
  sql,
} from "drizzle-orm";
import { shownTotals } from "../../domain/checkout/included-tax.ts";
import type {
  Order,
  OrderEvent,
  OrderItem,
  OrderShipment,
  OrderSummary,
  PaymentState,
  Refund,
} from "../../domain/orders/order.ts";
import type { OrderReturn } from "../../domain/orders/order-return.ts";
import { trackingUrl } from "../../domain/orders/tracking.ts";
import { centsToDollars } from "../../domain/shared/money.ts";
import { pick } from "../../domain/shared/pick.ts";
import { labels } from "../labels/tables.ts";
import { orderEdits, orderExchanges, orderReturns, shipmentLines, shipments } from "../order-desk/tables.ts";
import { payments, refunds } from "../payments/tables.ts";
import { compiledStatement, selectAll } from "../platform/database/compiled-statement.ts";
import type { Db } from "../platform/database/database.ts";
import type { VisitorId } from "../platform/http/viewer.ts";
import { orderEntries } from "./entries.ts";
import type { OrderRow } from "./lifecycle.ts";
import { orderCountChanges, orderCounts, orderEvents, orderLines, orders, orderVisitors } from "./tables.ts";

/** Maximum number of orders shown in "My Orders". */
const maxShownOrders = 100;

/** Replacements and new orders of exchanges, which the shop writes. They may have no payment. */
const isFollowUp = sql`(${orders.replacesId} is not null or ${orders.creditCents} > 0)`;

/** The same condition as `isExchanged` in domain/orders/order.ts. */
const isExchanged = sql<boolean>`(${orders.status} = 'refunded' and ${orders.payableCents} = (
  select sum(amount_cents) from ${refunds} where order_id = ${orders.id} and exchange_id is not null)) is true`;

/** A visitor's orders, newest first, except orders whose payment could not be opened. */
export async function listVisitorOrders(db: Db, visitorId: VisitorId): Promise<OrderSummary[]> {
  const existsAtProvider = or(isNotNull(payments.intentId), isNotNull(payments.sessionId));
  const isPaymentOpened = exists(
    db
      .select({ one: sql`1` })
      .from(payments)
      .where(and(eq(payments.orderId, orders.id), isNull(payments.failure), existsAtProvider)),
  );
  const rows = await db
    .select({ order: orders, isProcessing, isExchanged, toPay })
    .from(orders)
    .innerJoin(orderVisitors, eq(orderVisitors.orderId, orders.id))
    .where(and(eq(orderVisitors.visitorId, visitorId), or(isPaymentOpened, isFollowUp)))
    .orderBy(desc(orders.createdAt), desc(orders.number))
    .limit(maxShownOrders);
  const lines = await readOrderLines(
    db,
    rows.map(({ order }) => order.id),
  );
  return rows.map(({ order, isProcessing, isExchanged, toPay }) => ({
    id: order.id,
    number: order.number,
    status: order.status,
    payment: paymentState(order, isProcessing),
    createdAt: order.createdAt.toISOString(),
    cancelledAt: order.cancelledAt?.toISOString() ?? null,
    isExchanged,
    total: centsToDollars(order.payableCents),
    toPay,
    items: (lines.get(order.id) ?? []).map((line) => ({
      ...pick(line, "productId", "name", "quantity", "image"),
      price: line.unitPriceCents,
    })),
  }));
}

/** Reads an order. The caller must check access to it. */
export async function findOrder(db: Db, orderId: string): Promise<Order | null> {
  const [order] = await readOrders(db, { ids: [orderId], visitorId: null });
  return order ?? null;
}

/** Reads several orders, in the sequence of the ids. */
export async function findOrders(db: Db, orderIds: readonly string[]): Promise<(Order | null)[]> {
  const rows = await readOrders(db, { ids: orderIds, visitorId: null });
  const byId = new Map(rows.map((order) => [order.id, order]));
  return orderIds.map((id) => byId.get(id) ?? null);
}

export async function findVisitorOrder(db: Db, visitorId: VisitorId, orderId: string): Promise<Order | null> {
  const [order] = await readOrders(db, { ids: [orderId], visitorId });
  return order ?? null;
}

/** The payment of a visitor's order, by intent or session id. */
export async function findOrderByPayment(
  db: Db,
  visitorId: VisitorId,
  providerId: string,
): Promise<typeof payments.$inferSelect | null> {
  // The id comes from the address bar, and PostgreSQL rejects some characters that no id contains.
  if (!/^\w{1,255}$/.test(providerId)) return null;
  const [row] = await db
    .select({ payment: payments })
    .from(payments)
    .innerJoin(orders, eq(orders.id, payments.orderId))
    .where(
      and(or(eq(payments.intentId, providerId), eq(payments.sessionId, providerId)), isVisibleTo(visitorId)),
    );
  return row?.payment ?? null;
}

/** Orders with these idempotency keys. `isOwn`: whether the visitor may see the order. */
export async function findOrdersByKey(
  db: Db,
  idempotencyKeys: Buffer[],
  visitorId: VisitorId,
): Promise<{ order: OrderRow; isOwn: boolean }[]> {
  return db
    .select({ order: orders, isOwn: sql<boolean>`${isVisibleTo(visitorId)}` })
    .from(orders)
    .where(inArray(orders.idempotencyKey, idempotencyKeys));
}

/** The visitor's pending order from an identical request without an idempotency key. */
export async function findPendingRepeat(
  db: Db,
  visitorId: VisitorId,
  requestHash: Buffer,
): Promise<OrderRow | null> {
  const [order] = await db
    .select()
    .from(orders)
    .where(
      and(
        eq(orders.visitorId, visitorId),
        eq(orders.requestHash, requestHash),
        eq(orders.status, "pending"),
        eq(orders.reusable, true),
      ),
    );
  return order ?? null;
}

/** Whether a bank is processing a payment of the order. */
export const isProcessing = sql<boolean>`exists (
  select from ${payments} where payments.order_id = orders.id and payments.status = 'processing')`;

/** Cents to pay for an order edit that waits for its payment; null if there is none. */
const toPay = sql<number | null>`(
  select e.difference_cents from ${orderEdits} e where e.order_id = orders.id and e.status = 'waiting'
    and not exists (select from ${payments} p where p.order_edit_id = e.id and p.status in ('processing', 'succeeded')))`;

/** Whether a refund returns a payment that was never booked, because its order edit or exchange had ended when it arrived. */
const isForLatePayment = sql<boolean>`exists (
  select from ${payments} p where p.intent_id = refunds.intent_id and p.status = 'canceled'
    and (p.order_edit_id is not null or orders.credit_cents > 0))`;

/** A cancelled order that is paid afterwards is "paid", even once that payment is refunded. */
export function paymentState(
  { status, paidAt, replacesId }: Pick<OrderRow, "status" | "paidAt" | "replacesId">,
  isProcessing: boolean,
): PaymentState {
  if (replacesId !== null) return "none";
  if (paidAt !== null) return "paid";
  return status === "pending" && isProcessing ? "processing" : "unpaid";
}

function isVisibleTo(visitorId: VisitorId | Placeholder): SQL {
  return sql`exists (select from ${orderVisitors} where order_id = orders.id and visitor_id = ${visitorId})`;
}

async function readOrderLines(
  db: Db,
  orderIds: string[],
): Promise<Map<string, (typeof orderLines.$inferSelect)[]>> {
  if (orderIds.length === 0) return new Map();
  const rows = await db
    .select()
    .from(orderLines)
    .where(inArray(orderLines.orderId, orderIds))
    .orderBy(asc(orderLines.position));
  return Map.groupBy(rows, ({ orderId }) => orderId);
}

/**
 * JSON of an exchange `x` with its new order `made`. The exchange's status follows from the new order: if that has ended without
 * ever being completed, the exchange has ended, too.
 */
const exchangeJson = sql`jsonb_build_object('id', x.id, 'orderId', made.id, 'number', made.number,
  'difference', x.difference_cents, 'value', x.returned_cents, 'returnId', x.return_id,
  'isCancelled', made.cancelled_at is not null,
  'receivedAt', to_char(x.received_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
  'status', case when made.status = 'pending' then
      case when x.difference_cents > 0 then 'waits_for_payment' else 'waits_for_return' end
    when made.paid_at is null or not exists (
      select from ${orderEvents} where order_id = made.id and to_status = 'completed') then 'ended' else 'settled' end,
  'returned', (select jsonb_agg(jsonb_build_object('productId', l.product_id, 'name', l.name, 'quantity', u.quantity)
      order by l.position)
    from jsonb_to_recordset(x.returned) as u("productId" int, quantity int)
    join ${orderLines} as l on l.order_id = x.order_id and l.product_id = u."productId"))`;

const wholeOrder = selectAll(orders);
type OrderParts = {
  isProcessing: boolean;
  paidWith: string | null;
  items: Omit<OrderItem, "total" | "listTotal">[];
  events: OrderEvent[];
  refunds: (Omit<Refund, "tooLate" | "isCredit"> & { tooLate: boolean; isCredit: boolean })[];
  shipments: Omit<OrderShipment, "trackingUrl">[];
  returns: OrderReturn[];
} & Pick<Order, "replaces" | "replacements" | "exchanges" | "exchangeOf">;

/**
 * Reads everything in one statement, because each page, call and e-mail about an order needs it. Leaves out orders that the
 * visitor may not see; if `visitorId` is null, access is not checked.
 */
const orderRows = compiledStatement<
  { ids: readonly string[]; visitorId: VisitorId | null },
  OrderParts & Record<string, unknown>
>(
  ({ ids, visitorId }) => sql`
  select ${wholeOrder.columns}, ${isProcessing} as "isProcessing",
    (
      select paid_with from ${payments} where payments.order_id = orders.id and payments.status = 'succeeded'
        and payments.order_edit_id is null order by payments.exchange_id is not null limit 1) as "paidWith",
    coalesce((
      select json_agg(json_build_object('productId', product_id, 'name', name, 'quantity', quantity,
        'price', unit_price_cents, 'bundleSaving', bundle_saving_cents, 'bundles', bundles, 'image', image)
        order by position)
      from ${orderLines} where order_id = orders.id), '[]') as "items",
    coalesce((
      select json_agg(json_build_object('at', at, 'from', from_status, 'to', to_status, 'actor', actor, 'note', note)
        order by id)
      from ${orderEvents} where order_id = orders.id), '[]') as "events",
    coalesce((
      select json_agg(json_build_object('id', id, 'amount', amount_cents, 'status', status, 'reason', reason,
        'createdAt', created_at, 'tooLate', ${isForLatePayment}, 'isCredit', exchange_id is not null)
        order by created_at)
      from ${refunds} where order_id = orders.id), '[]') as "refunds",
    coalesce((
      select json_agg(json_build_object('id', s.id, 'number', s.number, 'carrier', s.carrier,
        'trackingNumber', s.tracking_number, 'shippedAt', s.shipped_at, 'deliveredAt', s.delivered_at,
        'tracking', (
          select json_build_object('state', t.tracking, 'since', coalesce(t.tracking_since, s.shipped_at))
          from ${labels} as t where t.id = s.id and t.tracking in ('on_the_way', 'exception')
            and t.tracking_number = s.tracking_number and s.delivered_at is null),
        'items', (
          select coalesce(json_agg(json_build_object('productId', l.product_id, 'name', l.name, 'quantity', u.quantity)
            order by l.position), '[]')
          from ${shipmentLines} as u join ${orderLines} as l using (order_id, product_id) where u.shipment_id = s.id))
        order by s.number)
      from ${shipments} as s where s.order_id = orders.id), '[]') as "shipments",
    coalesce((
      select json_agg(json_build_object('id', id, 'kind', kind, 'status', status, 'reason', reason,
        'requestedAt', requested_at, 'decidedAt', decided_at, 'answer', answer, 'hasLabel', exists (
          select from ${labels} as t where t.return_id = r.id and t.state = 'bought' and t.recipient is not null))
        order by requested_at, id)
      from ${orderReturns} as r where order_id = orders.id), '[]') as "returns",
    (
      select json_build_object('id', first.id, 'number', first.number, 'reason', orders.replacement_reason)
      from ${orders} as first where first.id = orders.replaces_id) as "replaces",
    coalesce((
      select json_agg(json_build_object('id', later.id, 'number', later.number) order by later.number)
      from ${orders} as later where later.replaces_id = orders.id), '[]') as "replacements",
    coalesce((
      select json_agg(${exchangeJson} order by x.created_at, x.id)
      from ${orderExchanges} as x join ${orders} as made on made.id = x.new_order_id
      where x.order_id = orders.id), '[]') as "exchanges",
    (
      select ${exchangeJson} || jsonb_build_object('of', jsonb_build_object('id', first.id, 'number', first.number))
      from ${orderExchanges} as x join ${orders} as made on made.id = x.new_order_id
        join ${orders} as first on first.id = x.order_id
      where x.new_order_id = orders.id) as "exchangeOf"
  from ${orders}
  where ${orders.id} = any(array(select unnest(${ids}::uuid[]))) and (
    ${visitorId}::uuid is null or ${isVisibleTo(visitorId)})`,
);

async function readOrders(
  db: Db,
  input: { ids: readonly string[]; visitorId: VisitorId | null },
): Promise<Order[]> {
  const rows = await orderRows(db, input);
  return rows.map((row) => {
    const order = wholeOrder.read(row);
    const { isProcessing, paidWith, items, events, refunds, shipments, returns } = row;
    const { replaces, replacements, exchanges, exchangeOf } = row;
    return {
      replaces,
      replacements,
      exchanges,
      exchangeOf,
      ...pick(order, "id", "number", "status", "currency", "discountCode", "givingPercent"),
      payment: paymentState(order, isProcessing),
      createdAt: order.createdAt.toISOString(),
      paidAt: order.paidAt?.toISOString() ?? null,
      paidWith,
      ...orderEntries(order),
      shippingOption: { id: order.shippingOptionId, name: order.shippingOptionName },
      arrival:
        order.arrivesFrom !== null && order.arrivesUntil !== null
          ? { earliest: order.arrivesFrom, latest: order.arrivesUntil }
          : null,
      items: items.map((item) => {
        const listTotal = item.price * item.quantity;
        return { ...item, listTotal, total: listTotal - item.bundleSaving };
      }),
      totals: {
        ...shownTotals(order),
        refunded: order.creditedCents,
        chargedBack: order.chargedBackCents,
        ...(order.exchangedCents > 0 && { exchanged: order.exchangedCents }),
      },
      events: events.map((event) => ({ ...event, at: new Date(event.at).toISOString() })),
      fulfilment:
        order.shippedAt === null
          ? null
          : {
              carrier: order.carrier ?? "",
              trackingNumber: order.trackingNumber,
              trackingUrl: trackingUrl(order.carrier ?? "", order.trackingNumber ?? ""),
              shippedAt: order.shippedAt.toISOString(),
              deliveredAt: order.deliveredAt?.toISOString() ?? null,
            },
      shipments: shipments.map((parcel) => ({
        ...parcel,
        trackingUrl: trackingUrl(parcel.carrier, parcel.trackingNumber ?? ""),
        shippedAt: new Date(parcel.shippedAt).toISOString(),
        deliveredAt: parcel.deliveredAt && new Date(parcel.deliveredAt).toISOString(),
        tracking: parcel.tracking && {
          ...parcel.tracking,
          since: new Date(parcel.tracking.since).toISOString(),
        },
      })),
      refunds: refunds.map(({ tooLate, isCredit, ...refund }) => ({
        ...refund,
        ...(tooLate && { tooLate }),
        ...(isCredit && { isCredit }),
        createdAt: new Date(refund.createdAt).toISOString(),
      })),
      returns: returns.map((request) => ({
        ...request,
        requestedAt: new Date(request.requestedAt).toISOString(),
        decidedAt: request.decidedAt && new Date(request.decidedAt).toISOString(),
      })),
      cancelledAt: order.cancelledAt?.toISOString() ?? null,
      allBackAt: order.allBackAt?.toISOString() ?? null,
      erasedAt: order.erasedAt?.toISOString() ?? null,
    };
  });
}

/** Number of orders by status, for the metrics. Does not read the orders themselves. */
export async function countOrders(db: Db): Promise<Record<string, number>> {
  const { rows } = await db.execute<{ status: string; orders: number }>(sql`
    select status, sum(orders)::float as orders from (
      select ${orderCounts.status}, ${orderCounts.orders} from ${orderCounts}
      union all
      select ${orderCountChanges.status}, ${orderCountChanges.change} from ${orderCountChanges}
    ) as counted
    group by status`);
  return Object.fromEntries(rows.map(({ status, orders }) => [status, orders]));
}

/** The e-mail address `email` (in lower case) as spelled in its latest order; null if it has no orders. */
export async function buyerAddress(db: Db, email: string): Promise<string | null> {
  const [latest] = await db
    .select({ email: orders.email })
    .from(orders)
    .where(eq(sql`lower(${orders.email})`, email))
    .orderBy(desc(orders.createdAt))
    .limit(1);
  return latest?.email ?? null;
}
