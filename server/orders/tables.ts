import { sql } from "drizzle-orm";
import {
  type AnyPgColumn,
  bigint,
  boolean,
  check,
  date,
  index,
  integer,
  numeric,
  pgSequence,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { UsedBundle } from "../../domain/catalog/bundles.ts";
import type { AmountsWithTax } from "../../domain/checkout/included-tax.ts";
import type { ShipHold } from "../../domain/disputes/dispute.ts";
import type { Gift, ShippingAddress } from "../../domain/orders/order.ts";
import type { OrderStatus } from "../../domain/orders/order-status.ts";
import type { ReplacementReason } from "../../domain/orders/replacement.ts";
import type { Source } from "../../domain/orders/source.ts";
import type { PaymentMode } from "../../domain/payments/payment-mode.ts";
import { productRef } from "../catalog/tables.ts";
import { jsonb, timestamptz } from "../platform/database/column-types.ts";
import { bytea, visitors } from "../visitors/tables.ts";

const statusIn = (column: AnyPgColumn) =>
  sql`${column} in ('pending','completed','shipped','delivered','cancelled','partially_refunded','refunded')`;

/** Order numbers for people: 1001, 1002, ... */
export const orderNumbers = pgSequence("order_numbers", { startWith: 1001 });

/** Country and state as ISO codes; null if there is none or it is unknown. */
export type TaxPlace = { country: string | null; state: string | null };

/** The order that a row belongs to. */
export function orderRef() {
  return uuid("order_id")
    .notNull()
    .references(() => orders.id);
}

export const orders = pgTable(
  "orders",
  {
    id: uuid().primaryKey(),
    number: integer().notNull().unique().default(sql`nextval('order_numbers')`),
    visitorId: uuid("visitor_id")
      .notNull()
      .references(() => visitors.id),
    status: text().$type<OrderStatus>().notNull().default("pending"),
    /** Mode of the payment provider when the order was placed; null if unknown. Test and real orders are never counted together. */
    mode: text().$type<PaymentMode>(),
    currency: text().notNull(),
    email: text().notNull(),
    customerName: text("customer_name").notNull(),
    phone: text(),
    shippingAddress: text("shipping_address").notNull(),
    shipping: jsonb().$type<ShippingAddress>(),
    shippingOptionId: text("shipping_option_id").notNull(),
    shippingOptionName: text("shipping_option_name").notNull(),
    /** First promised day of arrival; null if none was promised. */
    arrivesFrom: date("arrives_from", { mode: "string" }),
    /** Last promised day of arrival. */
    arrivesUntil: date("arrives_until", { mode: "string" }),
    /**
     * Whether a wallet supplied the address. The wallet sends it to the provider, which then rejects an address from the shop.
     */
    byWallet: boolean("by_wallet").notNull().default(false),
    /** Null if the order is no gift. If it is, name, phone and address are the recipient's. */
    gift: jsonb().$type<Gift>(),
    discountCode: text("discount_code"),
    /** Where the buyer came from; null if that is unknown, or if the buyer's data was erased. */
    source: jsonb().$type<Source>(),
    subtotalCents: integer("subtotal_cents").notNull(),
    discountCents: integer("discount_cents").notNull(),
    shippingCents: integer("shipping_cents").notNull(),
    taxCents: integer("tax_cents").notNull(),
    totalCents: integer("total_cents").notNull(),
    /** Parts of the amounts above that order edits added, which are sold when the edit is applied. */
    addedGoodsCents: integer("added_goods_cents").notNull().default(0),
    addedShippingCents: integer("added_shipping_cents").notNull().default(0),
    addedTaxCents: integer("added_tax_cents").notNull().default(0),
    /** Sum of the offsets of order edits. */
    exchangedCents: integer("exchanged_cents").notNull().default(0),
    /** Sum of the payments that the buyer owes. */
    payableCents: integer("payable_cents").notNull().generatedAlwaysAs(sql`total_cents - exchanged_cents`),
    /** If prices include tax: subtotal, discount and shipping including tax. The columns above are always before tax. */
    withTax: jsonb("with_tax").$type<AmountsWithTax>(),
    /** Sum of refunds that succeeded. */
    refundedCents: integer("refunded_cents").notNull().default(0),
    /** Sum credited to the buyer, in money or in other items. */
    creditedCents: integer("credited_cents")
      .notNull()
      .generatedAlwaysAs(sql`refunded_cents + exchanged_cents`),
    /** Sum that banks withdrew in lost disputes. Refunds and this together may exceed the total. */
    chargedBackCents: integer("charged_back_cents").notNull().default(0),
    /** Hash of the caller's scope and Idempotency-Key header. */
    idempotencyKey: bytea("idempotency_key"),
    /** SHA-256 of the request, which distinguishes a repeated request from a different one with the same key. */
    requestHash: bytea("request_hash").notNull(),
    /** Whether the same visitor's identical request, without an idempotency key, returns this order. */
    reusable: boolean().notNull().default(false),
    createdAt: timestamptz("created_at").notNull().defaultNow(),
    /**
     * Network of the pending order's buyer: an IPv4 address or an IPv6 /64 (`networkPrefix`). Cleared once it is paid or cancelled.
     */
    buyerNetwork: text("buyer_network"),
    /** When an unpaid order expires and its units are released. */
    expiresAt: timestamptz("expires_at").notNull(),
    paidAt: timestamptz("paid_at"),
    carrier: text(),
    trackingNumber: text("tracking_number"),
    /** When its last parcel was shipped. */
    shippedAt: timestamptz("shipped_at"),
    /** When its first parcel was shipped, if further parcels were to follow. */
    partlyShippedAt: timestamptz("partly_shipped_at"),
    deliveredAt: timestamptz("delivered_at"),
    /** Percentage of the proceeds that is donated, copied when the order was placed. */
    givingPercent: numeric("giving_percent", { precision: 5, scale: 2, mode: "number" }).notNull(),
    /** When a paid order was cancelled before it shipped. */
    cancelledAt: timestamptz("cancelled_at"),
    /** Why it must not ship unless the owner gives a reason; set by `updateShipHold`. */
    shipHold: text("ship_hold").$type<ShipHold>(),
    /**
     * Place to which its tax is owed, if its address was changed after payment; null if that is its address. Set by a trigger.
     */
    taxedFor: jsonb("taxed_for").$type<TaxPlace>(),
    /** When the owner put it on hold; null if it is not on hold. */
    heldAt: timestamptz("held_at"),
    /** Why the owner put it on hold. */
    holdReason: text("hold_reason"),
    /** When all of its units had been restocked; an unshipped order then has no units left to ship. */
    allBackAt: timestamptz("all_back_at"),
    /** The order whose units it replaces at no charge; null if it is not a replacement. */
    replacesId: uuid("replaces_id").references((): AnyPgColumn => orders.id),
    replacementReason: text("replacement_reason").$type<ReplacementReason>(),
    /** Cost of a replacement's goods to the shop when it was sent; unknown costs count as 0. */
    replacementCostCents: integer("replacement_cost_cents").notNull().default(0),
    /** Part of the total that is paid by the units returned in an exchange (`order_exchanges`). */
    creditCents: integer("credit_cents").notNull().default(0),
    /** When personal data was erased at the buyer's request. */
    erasedAt: timestamptz("erased_at"),
  },
  (t) => [
    check("orders_giving_percent", sql`${t.givingPercent} between 0 and 100`),
    check("orders_cancelled_never_ships", sql`${t.cancelledAt} is null or ${t.shippedAt} is null`),
    check(
      "orders_cancelled_never_ships_in_part",
      sql`${t.cancelledAt} is null or ${t.partlyShippedAt} is null`,
    ),
    check("orders_status", statusIn(t.status)),
    check("orders_mode", sql`${t.mode} in ('live','test','sandbox')`),
    check(
      "orders_total_adds_up",
      sql`${t.totalCents} = ${t.subtotalCents} - ${t.discountCents} + ${t.shippingCents} + ${t.taxCents}`,
    ),
    check(
      "orders_with_tax",
      sql`${t.withTax} is null or coalesce((${t.withTax}->>'subtotal')::int - (${t.withTax}->>'discount')::int + (${t.withTax}->>'shipping')::int = ${t.totalCents} and char_length(${t.withTax}->>'name') between 1 and 40, false)`,
    ),
    check(
      "orders_amounts_not_negative",
      sql`least(${t.subtotalCents}, ${t.discountCents}, ${t.shippingCents}, ${t.taxCents}, ${t.totalCents}) >= 0 and ${t.discountCents} <= ${t.subtotalCents}`,
    ),
    check(
      "orders_added",
      sql`least(${t.addedGoodsCents}, ${t.addedShippingCents}, ${t.addedTaxCents}, ${t.exchangedCents}) >= 0`,
    ),
    check("orders_charged_back", sql`${t.chargedBackCents} >= 0`),
    check(
      "orders_gift",
      sql`jsonb_typeof(${t.gift}) = 'object' and ${t.gift} - 'from' - 'note' = '{}' and char_length(${t.gift}->>'from') between 1 and 100 and ${t.gift}->>'from' !~ '[\\u0001-\\u001f\\u007f-\\u009f]' and char_length(${t.gift}->>'note') between 1 and 300 and ${t.gift}->>'note' !~ '[\\u0001-\\u0009\\u000b-\\u001f\\u007f-\\u009f]'`,
    ),
    check(
      "orders_ship_hold_reason",
      sql`${t.shipHold} in ('dispute','refund','fraud','review','owner','change')`,
    ),
    check(
      "orders_arrival",
      sql`(${t.arrivesFrom} is null) = (${t.arrivesUntil} is null) and ${t.arrivesFrom} <= ${t.arrivesUntil}`,
    ),
    check("orders_held", sql`${t.heldAt} is not null or ${t.holdReason} is null`),
    check("orders_hold_reason", sql`char_length(${t.holdReason}) between 1 and 200`),
    check("orders_refunded_within_payable", sql`${t.refundedCents} between 0 and ${t.payableCents}`),
    check(
      "orders_paid_has_time",
      sql`${t.status} in ('pending','cancelled') or ${t.paidAt} is not null or ${t.replacesId} is not null`,
    ),
    check(
      "orders_replaces_for_nothing",
      sql`${t.replacesId} is null or ${t.totalCents} = 0 and ${t.paidAt} is null`,
    ),
    check(
      "orders_replacement_reason",
      sql`(${t.replacesId} is null) = (${t.replacementReason} is null) and ${t.replacementReason} in ('lost','damaged','wrong')`,
    ),
    check("orders_credit", sql`${t.creditCents} between 0 and ${t.totalCents}`),
    uniqueIndex("orders_one_of_key").on(t.idempotencyKey).where(sql`${t.idempotencyKey} is not null`),
    uniqueIndex("orders_one_pending_per_request")
      .on(t.visitorId, t.requestHash)
      .where(sql`${t.status} = 'pending' and ${t.reusable}`),
    index("orders_newest").on(t.createdAt, t.id),
    index("orders_paid").on(t.paidAt, t.id).where(sql`${t.paidAt} is not null`),
    // The mode is included so that test orders are skipped within the index.
    index("orders_to_ship")
      .on(t.createdAt, t.id, t.mode)
      .where(
        sql`${t.status} in ('completed','partially_refunded') and ${t.shippedAt} is null and ${t.cancelledAt} is null and ${t.allBackAt} is null and ${t.shipHold} is null`,
      ),
    // Short lists of the panel; a sale changes none of these indexes.
    index("orders_on_the_way")
      .on(t.createdAt, t.id)
      .where(
        sql`${t.status} in ('shipped','partially_refunded') and ${t.shippedAt} is not null and ${t.deliveredAt} is null`,
      ),
    index("orders_cancelled").on(t.createdAt, t.id).where(sql`${t.status} = 'cancelled'`),
    index("orders_to_erase")
      .on(t.createdAt)
      .where(sql`${t.status} = 'cancelled' and ${t.paidAt} is null and ${t.erasedAt} is null`),
    index("orders_held_back").on(t.createdAt, t.id).where(sql`${t.shipHold} is not null`),
    index("orders_cancelled_paid").on(t.createdAt, t.id).where(sql`${t.cancelledAt} is not null`),
    index("orders_refunded").on(t.createdAt, t.id).where(sql`${t.status} = 'refunded'`),
    index("orders_visitor").on(t.visitorId),
    index("orders_country").on(sql`(${t.shipping} ->> 'country')`, t.createdAt, t.id),
    index("orders_replaces").on(t.replacesId).where(sql`${t.replacesId} is not null`),
    index("orders_email").on(sql`lower(${t.email})`),
    index("orders_pending_expiry").on(t.expiresAt).where(sql`${t.status} = 'pending'`),
    index("orders_pending_network").on(t.buyerNetwork).where(sql`${t.status} = 'pending'`),
  ],
);

/** Products of orders. Name, price and quantity are copies, which later changes of the catalog do not affect. */
export const orderLines = pgTable(
  "order_lines",
  {
    orderId: orderRef(),
    position: integer().notNull(),
    productId: productRef(),
    name: text().notNull(),
    image: text(),
    quantity: integer().notNull(),
    unitPriceCents: integer("unit_price_cents").notNull(),
    /** Saving of the bundles on price times quantity, before discounts. */
    bundleSavingCents: integer("bundle_saving_cents").notNull().default(0),
    /** Bundles that the line's price was computed from. */
    bundles: jsonb().$type<UsedBundle[]>().notNull().default([]),
    discountCents: integer("discount_cents").notNull(),
    taxCents: integer("tax_cents").notNull(),
    returnedQuantity: integer("returned_quantity").notNull().default(0),
    /** Units sent in parcels; added up by triggers of `shipment_lines`. */
    shippedQuantity: integer("shipped_quantity").notNull().default(0),
    /** Units that were restocked before they were shipped, and so are not to be shipped. Counted by a trigger. */
    restockedUnshippedQuantity: integer("restocked_unshipped_quantity").notNull().default(0),
    /** Units that are not reserved while the order is pending, and leave the stock, if available, when it is paid. */
    unreservedQuantity: integer("unreserved_quantity").notNull().default(0),
  },
  (t) => [
    primaryKey({ columns: [t.orderId, t.position] }),
    uniqueIndex("order_lines_product_once").on(t.orderId, t.productId),
    index("order_lines_product").on(t.productId),
    check("order_lines_quantity", sql`${t.quantity} between 1 and 99`),
    check("order_lines_unreserved", sql`${t.unreservedQuantity} between 0 and ${t.quantity}`),
    check("order_lines_returned", sql`${t.returnedQuantity} between 0 and ${t.quantity}`),
    check(
      "order_lines_shipped",
      sql`least(${t.shippedQuantity}, ${t.restockedUnshippedQuantity}) >= 0 and ${t.shippedQuantity} + ${t.restockedUnshippedQuantity} <= ${t.quantity}`,
    ),
    check(
      "order_lines_bundle_saving",
      sql`${t.bundleSavingCents} between 0 and ${t.unitPriceCents}::bigint * ${t.quantity}`,
    ),
    check("order_lines_amounts", sql`least(${t.unitPriceCents}, ${t.discountCents}, ${t.taxCents}) >= 0`),
  ],
);

/**
 * Orders by status. A trigger records changes and a job adds them up, because a counter in one row would let only one order
 * commit at a time.
 */
export const orderCounts = pgTable("order_counts", {
  status: text().$type<OrderStatus>().primaryKey(),
  orders: bigint({ mode: "number" }).notNull(),
});
export const orderCountChanges = pgTable("order_count_changes", {
  status: text().$type<OrderStatus>().notNull(),
  change: integer().notNull(),
});

/** History of an order's states. */
export const orderEvents = pgTable(
  "order_events",
  {
    id: bigint({ mode: "number" }).generatedAlwaysAsIdentity(),
    orderId: orderRef(),
    at: timestamptz().notNull(),
    fromStatus: text("from_status").$type<OrderStatus>(),
    toStatus: text("to_status").$type<OrderStatus>().notNull(),
    actor: text().$type<"shopper" | "provider" | "owner" | "system">().notNull(),
    /** The panel user who caused it, if any. Cleared some years after the person left. */
    personId: uuid("person_id"),
    note: text(),
    /** Id in the log of the request that caused it; null if a job caused it. */
    requestId: uuid("request_id"),
  },
  (t) => [
    check("order_events_to_status", statusIn(t.toStatus)),
    check("order_events_actor", sql`${t.actor} in ('shopper','provider','owner','system')`),
    // Finds the events of an order, too.
    primaryKey({ columns: [t.orderId, t.id] }),
  ],
);

/** Visitors with access to an order: the visitor who placed it, and visitors who used an e-mailed link. */
export const orderVisitors = pgTable(
  "order_visitors",
  {
    visitorId: uuid("visitor_id")
      .notNull()
      .references(() => visitors.id, { onDelete: "cascade" }),
    orderId: orderRef(),
  },
  (t) => [primaryKey({ columns: [t.visitorId, t.orderId] }), index("order_visitors_order").on(t.orderId)],
);

/** Purpose for which an e-mailed link proves the address. */
export type LookupPurpose = "orders" | "export" | "deletion";

/** Single-use links that prove an e-mail address for an hour; the token is stored as a hash. */
export const orderLookups = pgTable(
  "order_lookups",
  {
    tokenHash: bytea("token_hash").primaryKey(),
    purpose: text().$type<LookupPurpose>().notNull().default("orders"),
    email: text().notNull(),
    expiresAt: timestamptz("expires_at").notNull(),
    usedAt: timestamptz("used_at"),
  },
  (t) => [
    index("order_lookups_email").on(sql`lower(${t.email})`, t.expiresAt),
    index("order_lookups_expires").on(t.expiresAt),
  ],
);
