import { sql } from "drizzle-orm";
import { deliveryLabel, paymentLabel } from "../../../domain/orders/admin-orders.ts";
import type { OrderStatus } from "../../../domain/orders/order-status.ts";
import { pick } from "../../../domain/shared/pick.ts";
import { products } from "../../catalog/tables.ts";
import { disputes } from "../../disputes/tables.ts";
import { orderLines, orders } from "../../orders/tables.ts";
import { payments } from "../../payments/tables.ts";
import { csvBatchSize, csvStream, csvTime } from "../../platform/csv.ts";
import { type RawRow, selectList } from "../../platform/database/compiled-statement.ts";
import type { Database, Db } from "../../platform/database/database.ts";
import { withCustomPlans } from "../../platform/database/search.ts";
import { cutPage } from "../../platform/http/params.ts";
import { orderExchanges } from "../tables.ts";
import { type OrderSelection, selectPage } from "./list.ts";

/** Orders per query after the first; many, because planning a query takes as long as reading about 100 orders. */
const batchRows = 1_000;

/**
 * CSV of a selection, one order per line, newest first, with times in `timeZone`; test orders are excluded if the shop takes
 * real money. Each batch is read in a separate transaction.
 */
export function ordersFile(
  db: Database,
  { timeZone, ...selection }: Omit<OrderSelection, "limit" | "cursor"> & { timeZone: string },
): ReadableStream<Uint8Array> {
  return csvStream(
    columns.map(([title]) => title.replace(zonePlaceholder, ` (${timeZone})`)),
    (cursor) =>
      withCustomPlans(db, (tx) =>
        readLines(tx, { ...selection, isForBooks: true, limit: cursor ? batchRows : csvBatchSize, cursor }),
      ),
    (line) => columns.map(([, cell]) => cell(line, timeZone)),
  );
}

/** Columns of the order itself. The panel's list reads more columns, but of fewer orders. */
const orderColumns = {
  ...pick(
    orders,
    "id",
    "number",
    "status",
    "currency",
    "createdAt",
    "paidAt",
    "shippedAt",
    "deliveredAt",
    "partlyShippedAt",
    "cancelledAt",
    "allBackAt",
    "shipHold",
    "erasedAt",
    "discountCode",
    "customerName",
    "email",
    "phone",
    "shippingAddress",
    "trackingNumber",
    "carrier",
    "subtotalCents",
    "discountCents",
    "shippingCents",
    "taxCents",
    "totalCents",
    "creditedCents",
    "chargedBackCents",
    "shippingOptionName",
  ),
  city: sql<string | null>`${orders.shipping} ->> 'city'`,
  state: sql<string | null>`${orders.shipping} ->> 'state'`,
  postalCode: sql<string | null>`${orders.shipping} ->> 'postalCode'`,
  country: sql<string | null>`${orders.shipping} ->> 'country'`,
  isGift: sql<boolean>`${orders.gift} is not null`,
  giftFrom: sql<string | null>`${orders.gift} ->> 'from'`,
  giftNote: sql<string | null>`${orders.gift} ->> 'note'`,
  referrer: sql<string | null>`${orders.source} ->> 'referrer'`,
  utmSource: sql<string | null>`${orders.source} ->> 'utmSource'`,
  utmMedium: sql<string | null>`${orders.source} ->> 'utmMedium'`,
  utmCampaign: sql<string | null>`${orders.source} ->> 'utmCampaign'`,
  replaces: sql<
    number | null
  >`(select first.number from ${orders} as first where first.id = orders.replaces_id)`,
};

/** Columns from tables that refer to the order. The SKUs are the products' current ones. */
const partColumns = {
  id: sql<string>`page_orders.id`,
  items: sql<string | null>`lines.items`,
  skuList: sql<string | null>`lines.sku_list`,
  units: sql<number>`coalesce(lines.units, 0)`,
  bundleSavingCents: sql<number>`coalesce(lines.saving, 0)`,
  intentId: sql<string | null>`payment.intent_id`,
  disputeFeeCents: sql<number>`coalesce(dispute.fee_cents, 0)`,
  exchangeOf: sql<number | null>`exchange.number`,
};
type OrderColumns = RawRow<typeof orderColumns>;
type Line = { order: OrderColumns; parts: RawRow<typeof partColumns> };
const orderList = selectList(orderColumns);
const partList = selectList(partColumns);

/** Reads `partColumns` for all orders of the page at once: one lookup per order and table takes twice as long. */
async function readLines(
  tx: Db,
  selection: OrderSelection,
): Promise<{ rows: Line[]; nextCursor: string | null }> {
  const { where, orderBy, limit } = await selectPage(tx, selection);
  const selected = await tx.execute<RawRow<typeof orderColumns>>(sql`
    select ${orderList} from ${orders} where ${where} order by ${sql.join(orderBy, sql`, `)} limit ${limit}`);
  const { page, nextCursor } = cutPage(selected.rows, selection.limit, ({ id }) => id);
  const ids = sql`${`{${page.map(({ id }) => id).join(",")}}`}::uuid[]`;
  const partRows = await tx.execute<RawRow<typeof partColumns>>(sql`
    select ${partList} from unnest(${ids}) as page_orders (id)
      left join (
        select order_id, string_agg(quantity || ' × ' || order_lines.name, '; ' order by position) as items,
          string_agg(quantity || ' × ' || coalesce(sku, '-'), '; ' order by position) as sku_list,
          sum(quantity)::int as units, sum(bundle_saving_cents)::int as saving
        from ${orderLines} join ${products} on products.id = product_id where order_id = any(${ids}) group by order_id
      ) as lines on lines.order_id = page_orders.id
      left join (
        select distinct on (order_id) order_id, intent_id from ${payments}
        where order_id = any(${ids}) and intent_id is not null
        order by order_id, (status = 'succeeded') desc, revision desc
      ) as payment on payment.order_id = page_orders.id
      left join (
        select order_id, sum(fee_cents)::int as fee_cents from ${disputes} where order_id = any(${ids}) group by order_id
      ) as dispute on dispute.order_id = page_orders.id
      left join (
        select new_order_id, number from ${orderExchanges} join ${orders} on orders.id = order_exchanges.order_id
        where new_order_id = any(${ids})
      ) as exchange on exchange.new_order_id = page_orders.id`);
  const partsByOrder = new Map(partRows.rows.map((row) => [row.id, row]));
  const rows = page.map((order) => {
    const parts = partsByOrder.get(order.id);
    if (!parts) throw new Error(`the part columns of order ${order.id} were not read`);
    return { order, parts };
  });
  return { rows, nextCursor };
}

type Cell = (line: Line, timeZone: string) => string | number | null;

/** 3590 -> 35.90, which spreadsheets read as a number; the currency has a separate column. */
const money =
  (cents: (order: OrderColumns, parts: Line["parts"]) => number): Cell =>
  ({ order, parts }) =>
    (cents(order, parts) / 100).toFixed(2);

const time =
  (at: (order: OrderColumns) => string | null): Cell =>
  ({ order }, timeZone) => {
    const text = at(order);
    return text === null ? null : csvTime(new Date(text), timeZone);
  };

/** Empty after the buyer's data was erased. */
const personal =
  (text: (order: OrderColumns) => string | null): Cell =>
  ({ order }) =>
    order.erasedAt === null ? text(order) : null;

/** Placeholder in column titles for the name of the shop's time zone. */
const zonePlaceholder = / \(zone\)$/;
/** The panel's label of an order that ended unpaid. An order cancelled after payment is labeled "cancelled". */
const neverPaid = "never paid";
const statusLabel = (status: OrderStatus): string => (status === "cancelled" ? neverPaid : status);

const columns: [title: string, cell: Cell][] = [
  ["Order", ({ order }) => order.number],
  ["Placed (zone)", time(({ createdAt }) => createdAt)],
  ["Paid (zone)", time(({ paidAt }) => paidAt)],
  ["Status", ({ order }) => (order.cancelledAt === null ? statusLabel(order.status) : "cancelled")],
  ["Payment", ({ order }) => (order.status === "cancelled" ? neverPaid : paymentLabel(order.status))],
  ["Delivery", ({ order }) => deliveryLabel(order)],
  ["Customer", personal(({ customerName }) => customerName)],
  ["Email", personal(({ email }) => email)],
  ["Phone", personal(({ phone }) => phone)],
  ["Address", personal(({ shippingAddress }) => shippingAddress)],
  ["City", personal(({ city }) => city)],
  ["State", ({ order }) => order.state],
  ["Postal code", personal(({ postalCode }) => postalCode)],
  ["Country", ({ order }) => order.country],
  ["Items", ({ parts }) => parts.items],
  ["Units", ({ parts }) => parts.units],
  ["Currency", ({ order }) => order.currency],
  // Before tax even if prices include it, so that columns add up.
  ["Subtotal", money(({ subtotalCents }) => subtotalCents)],
  ["Discount", money(({ discountCents }) => discountCents)],
  ["Discount code", ({ order }) => order.discountCode],
  ["Shipping", money(({ shippingCents }) => shippingCents)],
  ["Tax", money(({ taxCents }) => taxCents)],
  ["Total", money(({ totalCents }) => totalCents)],
  ["Refunded", money(({ creditedCents }) => creditedCents)],
  ["Shipping option", ({ order }) => order.shippingOptionName],
  ["Carrier", ({ order }) => order.carrier],
  ["Tracking number", personal(({ trackingNumber }) => trackingNumber)],
  ["Shipped (zone)", time(({ shippedAt }) => shippedAt)],
  ["Delivered (zone)", time(({ deliveredAt }) => deliveredAt)],
  ["Charged back", money(({ chargedBackCents }) => chargedBackCents)],
  ["Dispute fees", money((_, { disputeFeeCents }) => disputeFeeCents)],
  ["Bundle saving", money((_, { bundleSavingCents }) => bundleSavingCents)],
  ["Gift", ({ order }) => (order.isGift ? "yes" : "no")],
  ["Gift from", personal(({ giftFrom }) => giftFrom)],
  ["Gift note", personal(({ giftNote }) => giftNote)],
  ["Order id", ({ order }) => order.id],
  ["Payment id", ({ parts }) => parts.intentId],
  ["SKUs", ({ parts }) => parts.skuList],
  ["Replaces", ({ order }) => order.replaces],
  ["Exchange of", ({ order, parts }) => (order.replaces === null ? parts.exchangeOf : null)],
  ["Referrer", ({ order }) => order.referrer],
  ["utm_source", ({ order }) => order.utmSource],
  ["utm_medium", ({ order }) => order.utmMedium],
  ["utm_campaign", ({ order }) => order.utmCampaign],
];
