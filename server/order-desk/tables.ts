import { sql } from "drizzle-orm";
import {
  bigint,
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { FilteredList } from "../../domain/admin/saved-filters.ts";
import type { UsedBundle } from "../../domain/catalog/bundles.ts";
import type { Totals } from "../../domain/checkout/totals.ts";
import type { RefundedLine } from "../../domain/orders/line-refund.ts";
import type { ReturnKind, ReturnStatus } from "../../domain/orders/order-return.ts";
import { orderLines, orderRef, orders } from "../orders/tables.ts";
import { jsonb, timestamptz } from "../platform/database/column-types.ts";
import { bytea } from "../visitors/tables.ts";

/** Internal notes about an order, shown only in the panel. */
export const orderNotes = pgTable(
  "order_notes",
  {
    id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    orderId: orderRef(),
    at: timestamptz().notNull(),
    text: text().notNull(),
  },
  (t) => [
    check("order_notes_length", sql`char_length(${t.text}) between 1 and 2000`),
    index("order_notes_order").on(t.orderId, t.id),
  ],
);

/** Tags of orders, by which the list can be filtered. */
export const orderTags = pgTable(
  "order_tags",
  {
    orderId: orderRef(),
    tag: text().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.orderId, t.tag] }),
    check("order_tags_length", sql`char_length(${t.tag}) between 1 and 40`),
    index("order_tags_tag").on(t.tag, t.orderId),
  ],
);

/** Units added by an order edit, with their price after bundles and their tax in cents. */
export type AddedLine = {
  productId: number;
  name: string;
  image: string | null;
  quantity: number;
  unitPrice: number;
  bundleSaving: number;
  bundles: UsedBundle[];
  tax: number;
};

/** Lines and totals of an order before or after an edit, in cents. */
export type OrderContents = { lines: EditedLine[]; totals: Totals };
/** `unitPrice` is the order's price for an original line, and the price on the day of the edit for added units. */
type EditedLine = {
  productId: number;
  name: string;
  quantity: number;
  unitPrice: number;
  total: number;
};

/**
 * The owner's edits of the items of a paid order before it ships. If an edit makes the order cost more, it waits until the
 * difference is paid by link, and changes the order only then. Payments, refunds and invoices refer to their edit.
 */
export const orderEdits = pgTable(
  "order_edits",
  {
    id: uuid().primaryKey(),
    orderId: orderRef(),
    status: text().$type<"waiting" | "applied" | "withdrawn" | "expired">().notNull(),
    before: jsonb().$type<OrderContents>().notNull(),
    after: jsonb().$type<OrderContents>().notNull(),
    /** Added and removed lines, the latter priced as a refund by line. */
    added: jsonb().$type<AddedLine[]>().notNull().default([]),
    removed: jsonb().$type<RefundedLine[]>().notNull().default([]),
    /** Goods, shipping and tax of the added lines, and their sum. */
    goodsCents: integer("goods_cents").notNull(),
    shippingCents: integer("shipping_cents").notNull(),
    taxCents: integer("tax_cents").notNull(),
    addedCents: integer("added_cents")
      .notNull()
      .generatedAlwaysAs(sql`goods_cents + shipping_cents + tax_cents`),
    removedCents: integer("removed_cents").notNull().default(0),
    /** Price of the added less the removed lines. The buyer owes it; a negative difference is refunded. */
    differenceCents: integer("difference_cents").notNull(),
    /**
     * The offset: the part of the added lines' price that the removed lines pay for, without a payment or refund. Split like the
     * removed lines; zero until the edit is applied.
     */
    exchangedGoodsCents: integer("exchanged_goods_cents").notNull().default(0),
    exchangedShippingCents: integer("exchanged_shipping_cents").notNull().default(0),
    exchangedTaxCents: integer("exchanged_tax_cents").notNull().default(0),
    exchangedCents: integer("exchanged_cents")
      .notNull()
      .generatedAlwaysAs(sql`exchanged_goods_cents + exchanged_shipping_cents + exchanged_tax_cents`),
    /** Id of the offset in the books and CSV files, which list it among refunds. Null without an offset. */
    exchangeId: uuid("exchange_id"),
    /** The owner's message to the buyer. */
    note: text(),
    createdAt: timestamptz("created_at").notNull(),
    /** When its link was last e-mailed. */
    sentAt: timestamptz("sent_at"),
    /** Expiry of the payment link; null if there is no difference to pay by link. */
    expiresAt: timestamptz("expires_at"),
    /** When the edit was applied, withdrawn or expired. */
    endedAt: timestamptz("ended_at"),
  },
  (t) => [
    check("order_edits_status", sql`${t.status} in ('waiting','applied','withdrawn','expired')`),
    check("order_edits_ended", sql`(${t.status} = 'waiting') = (${t.endedAt} is null)`),
    check("order_edits_sums", sql`${t.addedCents} - ${t.removedCents} = ${t.differenceCents}`),
    check(
      "order_edits_exchanged",
      sql`${t.exchangedCents} = case when ${t.status} = 'applied' then least(${t.addedCents}, ${t.removedCents}) else 0 end`,
    ),
    check("order_edits_exchange", sql`(${t.exchangeId} is null) = (${t.exchangedCents} = 0)`),
    check(
      "order_edits_parts",
      sql`least(${t.exchangedGoodsCents}, ${t.exchangedShippingCents}, ${t.exchangedTaxCents}) >= 0`,
    ),
    check("order_edits_note", sql`char_length(${t.note}) between 1 and 500`),
    index("order_edits_order").on(t.orderId, t.createdAt),
    index("order_edits_ended").on(t.endedAt),
    uniqueIndex("order_edits_one_waiting").on(t.orderId).where(sql`${t.status} = 'waiting'`),
    index("order_edits_expiry").on(t.expiresAt).where(sql`${t.status} = 'waiting'`),
  ],
);

export type OrderEditRecord = typeof orderEdits.$inferSelect;

/** Returns that buyers request under the shop's policy or their right of withdrawal. */
export const orderReturns = pgTable(
  "order_returns",
  {
    id: uuid().primaryKey(),
    orderId: orderRef(),
    kind: text().$type<ReturnKind>().notNull(),
    status: text().$type<ReturnStatus>().notNull().default("requested"),
    /** The buyer's text; a withdrawal needs none. */
    reason: text(),
    requestedAt: timestamptz("requested_at").notNull(),
    decidedAt: timestamptz("decided_at"),
    answer: text(),
  },
  (t) => [
    check("order_returns_kind", sql`${t.kind} in ('return','withdrawal')`),
    check("order_returns_status", sql`${t.status} in ('requested','approved','declined','closed')`),
    uniqueIndex("order_returns_one_open").on(t.orderId).where(sql`${t.status} in ('requested','approved')`),
    index("order_returns_order").on(t.orderId),
    index("order_returns_waiting").on(t.requestedAt).where(sql`${t.status} = 'requested'`),
  ],
);

/**
 * Exchanges of units of an order, which the buyer returns, for units of a new order. The exchange's status follows from the new
 * order's (docs/decisions/0065-replacements-and-exchanges.md).
 */
export const orderExchanges = pgTable(
  "order_exchanges",
  {
    id: uuid().primaryKey(),
    orderId: orderRef(),
    newOrderId: uuid("new_order_id")
      .notNull()
      .references(() => orders.id),
    returnId: uuid("return_id")
      .notNull()
      .references(() => orderReturns.id),
    /** The units to return, priced as a refund by line, and the sums of their goods and tax. */
    returned: jsonb().$type<RefundedLine[]>().notNull(),
    goodsCents: integer("goods_cents").notNull(),
    taxCents: integer("tax_cents").notNull(),
    returnedCents: integer("returned_cents").notNull().generatedAlwaysAs(sql`goods_cents + tax_cents`),
    /** The new order's total less the value of the returned units. The buyer owes it; a negative difference is refunded. */
    differenceCents: integer("difference_cents").notNull(),
    /** SHA-256 of the request, which distinguishes a repeated request from a different one with the same key. */
    requestHash: bytea("request_hash").notNull(),
    createdAt: timestamptz("created_at").notNull(),
    receivedAt: timestamptz("received_at"),
  },
  (t) => [
    check(
      "order_exchanges_parts",
      sql`least(${t.goodsCents}, ${t.taxCents}) >= 0 and ${t.returnedCents} > 0`,
    ),
    check("order_exchanges_two_orders", sql`${t.orderId} <> ${t.newOrderId}`),
    index("order_exchanges_order").on(t.orderId),
    uniqueIndex("order_exchanges_new_order").on(t.newOrderId),
    index("order_exchanges_return").on(t.returnId),
  ],
);

export type ExchangeRecord = typeof orderExchanges.$inferSelect;

/** Parcels of orders. Once all units are shipped, `orders` has a copy of the last parcel's carrier, number and time, for lists. */
export const shipments = pgTable(
  "shipments",
  {
    id: uuid().primaryKey(),
    orderId: orderRef(),
    /** Counts from 1 within the order. */
    number: integer().notNull(),
    carrier: text().notNull(),
    /** Null if the parcel is untracked, or if the buyer's data was erased. */
    trackingNumber: text("tracking_number"),
    shippedAt: timestamptz("shipped_at").notNull(),
    deliveredAt: timestamptz("delivered_at"),
  },
  (t) => [
    check("shipments_number", sql`${t.number} > 0`),
    uniqueIndex("shipments_order_number").on(t.orderId, t.number),
    // In the form used by searches: upper case, without spaces and dashes.
    index("shipments_tracking")
      .on(sql`upper(translate(${t.trackingNumber}, ' -', ''))`)
      .where(sql`${t.trackingNumber} is not null`),
  ],
);

/** Contents of parcels. Triggers add them up in `order_lines.shipped_quantity`, which a check limits to the ordered units. */
export const shipmentLines = pgTable(
  "shipment_lines",
  {
    shipmentId: uuid("shipment_id")
      .notNull()
      .references(() => shipments.id, { onDelete: "cascade" }),
    orderId: uuid("order_id").notNull(),
    productId: integer("product_id").notNull(),
    quantity: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.shipmentId, t.productId] }),
    foreignKey({
      name: "shipment_lines_order_line",
      columns: [t.orderId, t.productId],
      foreignColumns: [orderLines.orderId, orderLines.productId],
    }),
    index("shipment_lines_order_line").on(t.orderId, t.productId),
    check("shipment_lines_quantity", sql`${t.quantity} > 0`),
  ],
);

/** Saved filters of lists: `query` is the query string of the list's URL. */
export const orderFilters = pgTable(
  "order_filters",
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    /** The list of the filter; names are unique across lists. */
    list: text().$type<FilteredList>().notNull().default("orders"),
    name: text().notNull(),
    query: text().notNull(),
  },
  (t) => [
    check("order_filters_list", sql`${t.list} in ('orders','customers')`),
    uniqueIndex("order_filters_name").on(sql`lower(${t.name})`),
    check("order_filters_name_length", sql`char_length(${t.name}) between 1 and 40`),
    check("order_filters_query_length", sql`char_length(${t.query}) between 1 and 500`),
  ],
);
