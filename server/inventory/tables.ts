import { sql } from "drizzle-orm";
import {
  bigint,
  check,
  date,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { StockReason } from "../../domain/inventory/stock.ts";
import { productRef, products } from "../catalog/tables.ts";
import { timestamptz } from "../platform/database/column-types.ts";

/** Units of a product on the shelf, and how many of those are reserved for unpaid orders. */
export const stock = pgTable(
  "stock",
  {
    productId: integer("product_id")
      .primaryKey()
      .references(() => products.id, { onDelete: "cascade" }),
    onHand: integer("on_hand").notNull(),
    reserved: integer().notNull().default(0),
    /** Units of `onHand` that belong to a batch; kept up to date by functions of the database (take_from_batches). */
    batched: integer().notNull().default(0),
    /** When the owner was alerted of low stock; reset once there is enough. */
    lowStockNotifiedAt: timestamptz("low_stock_notified_at"),
  },
  (t) => [
    check("stock_on_hand_not_negative", sql`${t.onHand} >= 0`),
    check("stock_reserved_within_on_hand", sql`${t.reserved} between 0 and ${t.onHand}`),
  ],
);

/**
 * All movements of stock. An order sells a product at most once, and once more with each of its edits; returns are limited
 * by its lines.
 */
export const stockMovements = pgTable(
  "stock_movements",
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    productId: productRef(),
    orderId: uuid("order_id"),
    kind: text().$type<"reserved" | "released" | "sold" | "returned" | "adjusted">().notNull(),
    /** Units moved, always positive except for adjustments. */
    quantity: integer().notNull(),
    at: timestamptz().notNull().defaultNow(),
    /** The owner's reason for an adjustment. */
    reason: text().$type<StockReason>(),
    batchId: bigint("batch_id", { mode: "number" }),
    note: text(),
    /** For an adjustment, the client's idempotency key; for an order edit, its id. */
    changeId: uuid("change_id"),
  },
  (t) => [
    check("stock_movements_kind", sql`${t.kind} in ('reserved','released','sold','returned','adjusted')`),
    uniqueIndex("stock_movements_one_sale")
      .on(t.orderId, t.productId, sql`coalesce(${t.changeId}, ${t.orderId})`)
      .where(sql`${t.kind} = 'sold'`),
    index("stock_movements_product").on(t.productId, t.at),
    index("stock_movements_change").on(t.changeId).where(sql`${t.changeId} is not null`),
  ],
);

/** Units received together. Units on hand beyond all batches have no batch. */
export const batches = pgTable(
  "batches",
  {
    id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    productId: productRef(),
    /** The batch code as printed on the bottle. */
    code: text().notNull(),
    bestBefore: date("best_before", { mode: "string" }).notNull(),
    receivedAt: timestamptz("received_at").notNull(),
    /** Units received, and how many of them are still on the shelf. */
    received: integer().notNull(),
    remaining: integer().notNull(),
    note: text(),
  },
  (t) => [
    uniqueIndex("batches_code").on(t.productId, sql`lower(${t.code})`),
    // Does not contain `remaining`, so that sales need no update of the index.
    index("batches_oldest_first").on(t.productId, t.bestBefore, t.id),
    check("batches_received", sql`${t.received} > 0`),
    check("batches_remaining", sql`${t.remaining} between 0 and ${t.received}`),
  ],
);

/** The batches of an order's units, for recalls. */
export const batchUnits = pgTable(
  "batch_units",
  {
    orderId: uuid("order_id").notNull(),
    productId: productRef(),
    batchId: bigint("batch_id", { mode: "number" })
      .notNull()
      .references(() => batches.id),
    quantity: integer().notNull(),
    /** How many of them were returned to the shelf. */
    returned: integer().notNull().default(0),
  },
  (t) => [
    primaryKey({ columns: [t.orderId, t.productId, t.batchId] }),
    index("batch_units_batch").on(t.batchId),
    index("batch_units_product").on(t.productId),
    check("batch_units_quantity", sql`${t.quantity} > 0 and ${t.returned} between 0 and ${t.quantity}`),
  ],
);
