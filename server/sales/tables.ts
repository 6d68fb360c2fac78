import { sql } from "drizzle-orm";
import {
  bigint,
  check,
  date,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  uuid,
} from "drizzle-orm/pg-core";
import { timestamptz } from "../platform/database/column-types.ts";

const cents = (name: string) => bigint(name, { mode: "number" }).notNull();

/** Columns of sums over a period; amounts in cents. */
const sumColumns = () => ({
  startsAt: timestamptz("starts_at").notNull(),
  /**
   * Key of the payment provider and mode (`providerByMode`), which separates test payments from live ones. Empty if it is unknown
   * or there is none.
   */
  provider: text().notNull(),
  /** Orders paid in the period: their number and amounts; goods after discounts. */
  orders: integer().notNull(),
  goodsCents: cents("goods_cents"),
  /** Discounts on goods; `goodsCents` plus this is the gross amount. */
  discountCents: cents("discount_cents").default(0),
  shippingCents: cents("shipping_cents"),
  taxCents: cents("tax_cents"),
  /** Goods of these orders after refunds, and the part set aside for donations. */
  proceedsCents: cents("proceeds_cents").default(0),
  givenCents: cents("given_cents"),
  /** Orders placed in the period, paid or not. */
  checkouts: integer().notNull(),
  /** Number of these orders that have been paid, at any time. */
  placedPaid: integer("placed_paid").notNull().default(0),
  /** Refunds that succeeded in the period. */
  refunds: integer().notNull(),
  refundedCents: cents("refunded_cents"),
  /** Shipping and tax within the refunds; the rest is goods. */
  refundedShippingCents: cents("refunded_shipping_cents").default(0),
  refundedTaxCents: cents("refunded_tax_cents").default(0),
  /** Disputes lost in the period, the amounts lost, and the provider's fees for all disputes. */
  chargebacks: integer().notNull().default(0),
  chargedBackCents: cents("charged_back_cents").default(0),
  disputeFeeCents: cents("dispute_fee_cents").default(0),
  /** Visitors of product pages, each counted once an hour. */
  views: integer().notNull().default(0),
});

/**
 * Sales by quarter of an hour, because time zones differ by multiples of it. A job maintains this table, and only the rebuild of
 * `sales_days` and the overview read it.
 */
export const salesBuckets = pgTable("sales_buckets", sumColumns(), (t) => [
  primaryKey({ columns: [t.startsAt, t.provider] }),
]);

/**
 * The quarters summed by day of the owner's time zone. The overview reads these, and only the newest minutes from the orders
 * (docs/decisions/0020-sales-and-giving.md).
 */
export const salesDays = pgTable("sales_days", sumColumns(), (t) => [
  primaryKey({ columns: [t.startsAt, t.provider] }),
]);

/** The state of both tables. There is no row until they are computed for the first time. */
export const salesRollup = pgTable(
  "sales_rollup",
  {
    one: smallint().primaryKey().default(1),
    /** The tables contain the quarters before this time; later sales are read from the orders. */
    through: timestamptz().notNull(),
    /** When both tables were last rebuilt from the orders. */
    rebuiltAt: timestamptz("rebuilt_at").notNull(),
    /** Time zone of the days in `sales_days`. */
    timeZone: text("time_zone").notNull(),
    /** Meaning of the sums (`salesVersion`): tables of another version are rebuilt instead of read. */
    version: smallint().notNull().default(1),
  },
  (t) => [check("sales_rollup_one_row", sql`${t.one} = 1`)],
);

/** Donations that the owner has recorded as sent. */
export const donations = pgTable(
  "donations",
  {
    /** Chosen by the client, so that a repeated request records one donation. */
    id: uuid().primaryKey(),
    amountCents: bigint("amount_cents", { mode: "number" }).notNull(),
    sentOn: date("sent_on", { mode: "string" }).notNull(),
    /** Recipient and receipt number. */
    note: text(),
    createdAt: timestamptz("created_at").notNull(),
  },
  (t) => [
    check("donations_amount", sql`${t.amountCents} > 0`),
    check("donations_note", sql`char_length(${t.note}) between 1 and 200`),
    index("donations_newest").on(t.sentOn, t.createdAt, t.id),
  ],
);
