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
  timestamp,
  uuid,
} from "drizzle-orm/pg-core";

const cents = (name: string) => bigint(name, { mode: "number" }).notNull();

/** What happened in a stretch of time, in cents. */
const sold = () => ({
  startsAt: timestamp("starts_at", { withTimezone: true }).notNull(),
  /** Whom the orders were paid through (`providerOf`): what was only a test was never earned. Empty: not known, or nobody's. */
  provider: text().notNull(),
  /** Orders paid in it: how many, and what they came to; goods after discounts. */
  orders: integer().notNull(),
  goodsCents: cents("goods_cents"),
  /** What discounts took off the goods: with it, `goodsCents` is the gross. */
  discountCents: cents("discount_cents").default(0),
  shippingCents: cents("shipping_cents"),
  taxCents: cents("tax_cents"),
  /** What is left of their goods, as their refunds stand, and what of that is given away. */
  proceedsCents: cents("proceeds_cents").default(0),
  givenCents: cents("given_cents"),
  /** Orders placed in it, paid or not. */
  checkouts: integer().notNull(),
  /** Of these, how many were paid by now, whenever that was. */
  placedPaid: integer("placed_paid").notNull().default(0),
  /** Refunds that went through in it. */
  refunds: integer().notNull(),
  refundedCents: cents("refunded_cents"),
  /** Of that, shipping and tax; the rest is goods. */
  refundedShippingCents: cents("refunded_shipping_cents").default(0),
  refundedTaxCents: cents("refunded_tax_cents").default(0),
  /** Disputes lost in it, what they took for good, and what the provider took for disputes, won or lost. */
  chargebacks: integer().notNull().default(0),
  chargedBackCents: cents("charged_back_cents").default(0),
  disputeFeeCents: cents("dispute_fee_cents").default(0),
  /** Visitors of the pages on which a purchase can begin, each once an hour. */
  views: integer().notNull().default(0),
});

/**
 * Sales of each quarter of an hour: time zones differ by multiples of it. A job maintains this table, and nothing else depends
 * on it.
 */
export const salesBuckets = pgTable("sales_buckets", sold(), (t) => [
  primaryKey({ columns: [t.startsAt, t.provider] }),
]);

/**
 * The quarters added up by the days of the owner's time zone: an overview is read from here, and only the newest minutes
 * from the orders themselves (see docs/decisions/0020-sales-and-giving.md).
 */
export const salesDays = pgTable("sales_days", sold(), (t) => [
  primaryKey({ columns: [t.startsAt, t.provider] }),
]);

/** How far both reach; no row: they have not been made yet. */
export const salesRollup = pgTable(
  "sales_rollup",
  {
    one: smallint().primaryKey().default(1),
    /** Quarters that begin before are in the tables; from here on the orders themselves are counted. */
    through: timestamp({ withTimezone: true }).notNull(),
    /** When both tables were last rebuilt from the orders. */
    rebuiltAt: timestamp("rebuilt_at", { withTimezone: true }).notNull(),
    /** Whose days `sales_days` holds. */
    timeZone: text("time_zone").notNull(),
    /** Of what is summed up (`salesVersion`): tables of another version are not read, but made anew. */
    version: smallint().notNull().default(1),
  },
  (t) => [check("sales_rollup_one_row", sql`${t.one} = 1`)],
);

/** What the owner has sent of what the shop gives away. Written down by hand: no money moves by it. */
export const donations = pgTable(
  "donations",
  {
    /** Made by whoever writes it down: the same one sent twice is one donation. */
    id: uuid().primaryKey(),
    amountCents: bigint("amount_cents", { mode: "number" }).notNull(),
    sentOn: date("sent_on", { mode: "string" }).notNull(),
    /** To whom, a receipt's number. */
    note: text(),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
  },
  (t) => [
    check("donations_amount", sql`${t.amountCents} > 0`),
    check("donations_note", sql`char_length(${t.note}) between 1 and 200`),
    index("donations_newest").on(t.sentOn, t.createdAt, t.id),
  ],
);
