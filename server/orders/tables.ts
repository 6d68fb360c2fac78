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
  timestamp,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { UsedBundle } from "../../domain/catalog/bundles.ts";
import type { AmountsWithTax } from "../../domain/checkout/included-tax.ts";
import type { ShipHold } from "../../domain/disputes/dispute.ts";
import type { Gift, ShippingAddress } from "../../domain/orders/order.ts";
import type { OrderStatus } from "../../domain/orders/order-status.ts";
import type { PaymentMode } from "../../domain/payments/payment-mode.ts";
import { products } from "../catalog/tables.ts";
import { jsonb } from "../platform/database/jsonb.ts";
import { bytea, visitors } from "../visitors/tables.ts";

const statusIn = (column: AnyPgColumn) =>
  sql`${column} in ('pending','completed','shipped','delivered','cancelled','partially_refunded','refunded')`;

/** Numbers for people: 1001, 1002, ... */
export const orderNumbers = pgSequence("order_numbers", { startWith: 1001 });

/** Country and state, as ISO codes; null: none, or not known. */
export type TaxPlace = { country: string | null; state: string | null };

export const orders = pgTable(
  "orders",
  {
    id: uuid().primaryKey(),
    number: integer().notNull().unique().default(sql`nextval('order_numbers')`),
    visitorId: uuid("visitor_id")
      .notNull()
      .references(() => visitors.id),
    status: text().$type<OrderStatus>().notNull().default("pending"),
    /** Of the payment provider when it was placed; null: not known. What is no real money never counts beside what is. */
    mode: text().$type<PaymentMode>(),
    currency: text().notNull(),
    email: text().notNull(),
    customerName: text("customer_name").notNull(),
    phone: text(),
    shippingAddress: text("shipping_address").notNull(),
    shipping: jsonb().$type<ShippingAddress>(),
    shippingOptionId: text("shipping_option_id").notNull(),
    shippingOptionName: text("shipping_option_name").notNull(),
    /** First and last day on which it was promised to come when it was placed; null: nothing was. */
    arrivesFrom: date("arrives_from", { mode: "string" }),
    arrivesUntil: date("arrives_until", { mode: "string" }),
    /** Whether a wallet's sheet gave the address. It tells the payment provider by itself, and nobody else may then. */
    byWallet: boolean("by_wallet").notNull().default(false),
    /** Null: no gift. Of a gift, name, phone and address are the recipient's. */
    gift: jsonb().$type<Gift>(),
    discountCode: text("discount_code"),
    subtotalCents: integer("subtotal_cents").notNull(),
    discountCents: integer("discount_cents").notNull(),
    shippingCents: integer("shipping_cents").notNull(),
    taxCents: integer("tax_cents").notNull(),
    totalCents: integer("total_cents").notNull(),
    /** Of these sums, goods, shipping and tax that order edits have added: each was sold when its edit was applied. */
    addedGoodsCents: integer("added_goods_cents").notNull().default(0),
    addedShippingCents: integer("added_shipping_cents").notNull().default(0),
    addedTaxCents: integer("added_tax_cents").notNull().default(0),
    /** Sum of what its edits have exchanged: removed items that paid for added ones, without any money moving. */
    exchangedCents: integer("exchanged_cents").notNull().default(0),
    /** What its buyer is to pay in all: the sum of its payments, once it is paid. */
    payableCents: integer("payable_cents").notNull().generatedAlwaysAs(sql`total_cents - exchanged_cents`),
    /**
     * Where prices include the tax: subtotal, discount and shipping as they were shown, with the tax in them. The columns above
     * are before tax, and add up, wherever an order goes.
     */
    withTax: jsonb("with_tax").$type<AmountsWithTax>(),
    /** Sum of refunds that succeeded. */
    refundedCents: integer("refunded_cents").notNull().default(0),
    /** What its buyer was credited in all, in money or in other items. */
    creditedCents: integer("credited_cents")
      .notNull()
      .generatedAlwaysAs(sql`refunded_cents + exchanged_cents`),
    /** What banks took back for good in lost disputes; more than the total where it had been refunded, too. */
    chargedBackCents: integer("charged_back_cents").notNull().default(0),
    /** Set with an Idempotency-Key header; holds the caller's scope and key, hashed. */
    idempotencyKey: bytea("idempotency_key"),
    /** SHA-256 of the request body, to tell a replay from a reused key. */
    requestHash: bytea("request_hash").notNull(),
    /** Whether a second call without a key by the same visitor with the same request means this order. */
    reusable: boolean().notNull().default(false),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
    /**
     * Where its buyer called from while it waits for payment: an IPv4 address or an IPv6 /64 (`networkOf`). Forgotten once
     * it is paid or cancelled.
     */
    buyerNetwork: text("buyer_network"),
    /** When an unpaid order expires and its units are released. */
    expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
    paidAt: timestamp("paid_at", { withTimezone: true }),
    carrier: text(),
    trackingNumber: text("tracking_number"),
    /** When all that was to be shipped had left. */
    shippedAt: timestamp("shipped_at", { withTimezone: true }),
    /** When its first parcel left while others were still to follow. */
    partlyShippedAt: timestamp("partly_shipped_at", { withTimezone: true }),
    deliveredAt: timestamp("delivered_at", { withTimezone: true }),
    /** Share of the proceeds given away, in percent, as it was when the order was placed. */
    givingPercent: numeric("giving_percent", { precision: 5, scale: 2, mode: "number" }).notNull(),
    /** When a paid order was cancelled before it shipped: it must not ship, and its refund is on its way. */
    cancelledAt: timestamp("cancelled_at", { withTimezone: true }),
    /** Why it must not ship unless the owner gives a reason; set by `updateShipHold`. */
    shipHold: text("ship_hold").$type<ShipHold>(),
    /**
     * Where its tax is owed, once it was sent elsewhere than it was paid for. Null: where its address is. Written by a trigger alone.
     */
    taxedFor: jsonb("taxed_for").$type<TaxPlace>(),
    /** Since when the owner holds it back, until the hold is taken off, and why. */
    heldAt: timestamp("held_at", { withTimezone: true }),
    holdReason: text("hold_reason"),
    /** When the last of its units was restocked: if it has not shipped, nothing is left to ship. */
    allBackAt: timestamp("all_back_at", { withTimezone: true }),
    /** When what the law does not require was taken out at the buyer's request. */
    erasedAt: timestamp("erased_at", { withTimezone: true }),
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
    check("orders_paid_has_time", sql`${t.status} in ('pending','cancelled') or ${t.paidAt} is not null`),
    uniqueIndex("orders_idempotency_key").on(t.idempotencyKey),
    uniqueIndex("orders_one_pending_per_request")
      .on(t.visitorId, t.requestHash)
      .where(sql`${t.status} = 'pending' and ${t.reusable}`),
    index("orders_newest").on(t.createdAt, t.id),
    index("orders_paid").on(t.paidAt, t.id).where(sql`${t.paidAt} is not null`),
    // With the mode, so that what was once placed for tests is passed over within the index.
    index("orders_to_ship")
      .on(t.createdAt, t.id, t.mode)
      .where(
        sql`${t.status} in ('completed','partially_refunded') and ${t.shippedAt} is null and ${t.cancelledAt} is null and ${t.allBackAt} is null and ${t.shipHold} is null`,
      ),
    // The lists of the owner's that may be short although there are many orders; none of them is touched by a sale.
    index("orders_on_the_way")
      .on(t.createdAt, t.id)
      .where(
        sql`${t.status} in ('shipped','partially_refunded') and ${t.shippedAt} is not null and ${t.deliveredAt} is null`,
      ),
    index("orders_cancelled").on(t.createdAt, t.id).where(sql`${t.status} = 'cancelled'`),
    index("orders_held_back").on(t.createdAt, t.id).where(sql`${t.shipHold} is not null`),
    index("orders_cancelled_paid").on(t.createdAt, t.id).where(sql`${t.cancelledAt} is not null`),
    index("orders_refunded").on(t.createdAt, t.id).where(sql`${t.status} = 'refunded'`),
    index("orders_visitor").on(t.visitorId),
    index("orders_country").on(sql`(${t.shipping} ->> 'country')`, t.createdAt, t.id),
    index("orders_email").on(sql`lower(${t.email})`),
    index("orders_pending_expiry").on(t.expiresAt).where(sql`${t.status} = 'pending'`),
    index("orders_pending_network").on(t.buyerNetwork).where(sql`${t.status} = 'pending'`),
  ],
);

/** Name, price and quantity are copies: history never follows the catalogue. */
export const orderLines = pgTable(
  "order_lines",
  {
    orderId: uuid("order_id")
      .notNull()
      .references(() => orders.id),
    position: integer().notNull(),
    productId: integer("product_id")
      .notNull()
      .references(() => products.id),
    name: text().notNull(),
    image: text(),
    quantity: integer().notNull(),
    unitPriceCents: integer("unit_price_cents").notNull(),
    /** What bundles took off price times quantity, before any discount. */
    bundleSavingCents: integer("bundle_saving_cents").notNull().default(0),
    /** The bundles that it was priced by. */
    bundles: jsonb().$type<UsedBundle[]>().notNull().default([]),
    discountCents: integer("discount_cents").notNull(),
    taxCents: integer("tax_cents").notNull(),
    /** Units that were restocked. */
    returnedQuantity: integer("returned_quantity").notNull().default(0),
    /** Units that have left in parcels; added up by triggers of `shipment_lines`. */
    shippedQuantity: integer("shipped_quantity").notNull().default(0),
    /** Of the restocked units, those that had not left: they are not to be shipped. Counted by a trigger. */
    keptQuantity: integer("kept_quantity").notNull().default(0),
    /** Units that are not reserved while the order waits for payment: they are taken when it is paid, if still there. */
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
      sql`least(${t.shippedQuantity}, ${t.keptQuantity}) >= 0 and ${t.shippedQuantity} + ${t.keptQuantity} <= ${t.quantity}`,
    ),
    check(
      "order_lines_bundle_saving",
      sql`${t.bundleSavingCents} between 0 and ${t.unitPriceCents}::bigint * ${t.quantity}`,
    ),
    check("order_lines_amounts", sql`least(${t.unitPriceCents}, ${t.discountCents}, ${t.taxCents}) >= 0`),
  ],
);

/**
 * How many orders there are of each status: a trigger writes down what changes, a job adds it up. Counting in one row would
 * let one order commit at a time.
 */
export const orderCounts = pgTable("order_counts", {
  status: text().$type<OrderStatus>().primaryKey(),
  orders: bigint({ mode: "number" }).notNull(),
});
export const orderCountChanges = pgTable("order_count_changes", {
  id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
  status: text().$type<OrderStatus>().notNull(),
  change: integer().notNull(),
});

/** Every change of an order's state: when, from, to, by whom, why. */
export const orderEvents = pgTable(
  "order_events",
  {
    id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    orderId: uuid("order_id")
      .notNull()
      .references(() => orders.id),
    at: timestamp({ withTimezone: true }).notNull(),
    fromStatus: text("from_status").$type<OrderStatus>(),
    toStatus: text("to_status").$type<OrderStatus>().notNull(),
    actor: text().$type<"shopper" | "provider" | "owner" | "system">().notNull(),
    /** Who it was in the panel; null: nobody with a name. People are forgotten some years after they left. */
    personId: uuid("person_id"),
    note: text(),
    /** Of the request that caused it, as the log has it; null: none did, but a job. */
    requestId: uuid("request_id"),
  },
  (t) => [
    check("order_events_to_status", statusIn(t.toStatus)),
    check("order_events_actor", sql`${t.actor} in ('shopper','provider','owner','system')`),
    index("order_events_order").on(t.orderId, t.id),
  ],
);

/** Which browsers may see an order: the one that placed it, and those an e-mailed link let in. */
export const orderVisitors = pgTable(
  "order_visitors",
  {
    visitorId: uuid("visitor_id")
      .notNull()
      .references(() => visitors.id, { onDelete: "cascade" }),
    orderId: uuid("order_id")
      .notNull()
      .references(() => orders.id),
  },
  (t) => [primaryKey({ columns: [t.visitorId, t.orderId] }), index("order_visitors_order").on(t.orderId)],
);

/** What an e-mailed link proves that its bearer owns the address for. */
export type LookupPurpose = "orders" | "export" | "deletion";

/** Links that prove an e-mail address: single use, one hour; only the token's hash is kept. */
export const orderLookups = pgTable(
  "order_lookups",
  {
    tokenHash: bytea("token_hash").primaryKey(),
    purpose: text().$type<LookupPurpose>().notNull().default("orders"),
    email: text().notNull(),
    expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
    usedAt: timestamp("used_at", { withTimezone: true }),
  },
  (t) => [
    index("order_lookups_email").on(sql`lower(${t.email})`, t.expiresAt),
    index("order_lookups_expires").on(t.expiresAt),
  ],
);
