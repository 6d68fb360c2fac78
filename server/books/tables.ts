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
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { InvoiceKind, InvoiceSnapshot } from "../../domain/books/invoice.ts";
import type { PaymentMode } from "../../domain/payments/payment-mode.ts";
import type { BalanceEntryKind, PaymentProviderName } from "../../domain/payments/providers.ts";
import { orderEdits } from "../order-desk/tables.ts";
import { orderRef } from "../orders/tables.ts";
import { refunds } from "../payments/tables.ts";
import { jsonb, timestamptz } from "../platform/database/column-types.ts";

/** The last number of each series. Each mode and year has one series of invoices and one of credit notes. */
export const invoiceNumbers = pgTable(
  "invoice_numbers",
  {
    mode: text().$type<PaymentMode>().notNull(),
    kind: text().$type<InvoiceKind>().notNull(),
    year: integer().notNull(),
    last: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.mode, t.kind, t.year] }),
    check("invoice_numbers_mode", sql`${t.mode} in ('live','test','sandbox')`),
    check("invoice_numbers_kind", sql`${t.kind} in ('invoice','credit_note')`),
    check("invoice_numbers_last", sql`${t.last} > 0`),
  ],
);

/** Invoices and credit notes as issued. Rows are never deleted; only voiding changes them. */
export const invoices = pgTable(
  "invoices",
  {
    id: uuid().primaryKey(),
    mode: text().$type<PaymentMode>().notNull(),
    kind: text().$type<InvoiceKind>().notNull(),
    year: integer().notNull(),
    number: integer().notNull(),
    orderId: orderRef(),
    /** The refund that a credit note is issued for. */
    refundId: uuid("refund_id").references(() => refunds.id),
    /** The order edit whose added lines are invoiced, or whose offset is credited. */
    orderEditId: uuid("order_edit_id").references(() => orderEdits.id),
    issuedAt: timestamptz("issued_at").notNull(),
    totalCents: integer("total_cents").notNull(),
    /** The document's whole content; its PDF is made only from this. */
    snapshot: jsonb().$type<InvoiceSnapshot>().notNull(),
    voidedAt: timestamptz("voided_at"),
    voidReason: text("void_reason"),
  },
  (t) => [
    check("invoices_mode", sql`${t.mode} in ('live','test','sandbox')`),
    check("invoices_kind", sql`${t.kind} in ('invoice','credit_note')`),
    check(
      "invoices_refund",
      sql`case ${t.kind} when 'credit_note' then (${t.refundId} is null) <> (${t.orderEditId} is null) else ${t.refundId} is null end`,
    ),
    check("invoices_void", sql`(${t.voidedAt} is null) = (${t.voidReason} is null)`),
    uniqueIndex("invoices_number").on(t.mode, t.kind, t.year, t.number),
    uniqueIndex("invoices_one_of_sale")
      .on(t.orderId, sql`coalesce(${t.orderEditId}, ${t.orderId})`)
      .where(sql`${t.kind} = 'invoice' and ${t.voidedAt} is null`),
    uniqueIndex("invoices_one_of_refund").on(t.refundId).where(sql`${t.voidedAt} is null`),
    uniqueIndex("invoices_one_of_exchange")
      .on(t.orderEditId)
      .where(sql`${t.kind} = 'credit_note' and ${t.voidedAt} is null`),
    index("invoices_order").on(t.orderId),
    index("invoices_refund").on(t.refundId),
    index("invoices_order_edit").on(t.orderEditId).where(sql`${t.orderEditId} is not null`),
    index("invoices_newest").on(t.issuedAt, t.id),
  ],
);

/**
 * Movements of the shop's balance as listed by the payment provider: charges, refunds, disputes, fees and payouts to the
 * bank. Cents; outgoing amounts are negative.
 */
export const balanceEntries = pgTable(
  "balance_entries",
  {
    /** The provider's id. */
    id: text().primaryKey(),
    provider: text().$type<PaymentProviderName>().notNull(),
    mode: text().$type<PaymentMode>().notNull(),
    kind: text().$type<BalanceEntryKind>().notNull(),
    /** Gross amount; the balance changes by `amountCents - feeCents`. */
    amountCents: bigint("amount_cents", { mode: "number" }).notNull(),
    feeCents: bigint("fee_cents", { mode: "number" }).notNull(),
    currency: text().notNull(),
    /** The payment's intent id; null if it has none. */
    intentId: text("intent_id"),
    /** The charge, refund, dispute or payout at the provider. */
    sourceId: text("source_id"),
    description: text(),
    createdAt: timestamptz("created_at").notNull(),
    /** When a payout arrives at the bank. */
    arrivesOn: date("arrives_on", { mode: "string" }),
  },
  (t) => [
    check("balance_entries_mode", sql`${t.mode} in ('live','test','sandbox')`),
    check("balance_entries_kind", sql`${t.kind} in ('charge','refund','dispute','fee','payout','other')`),
    index("balance_entries_newest").on(t.createdAt, t.id),
    index("balance_entries_payouts").on(t.createdAt, t.id).where(sql`${t.kind} = 'payout'`),
    index("balance_entries_intent").on(t.intentId).where(sql`${t.intentId} is not null`),
  ],
);

/** The progress of reading the provider's balance, per account and mode. */
export const balanceCursors = pgTable(
  "balance_cursors",
  {
    provider: text().$type<PaymentProviderName>().notNull(),
    mode: text().$type<PaymentMode>().notNull(),
    /** Empty if the keys lack the permission to read it. */
    account: text().notNull(),
    readUntil: timestamptz("read_until").notNull(),
    /** When a pass was last completed. */
    readAt: timestamptz("read_at").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.provider, t.mode, t.account] }),
    check("balance_cursors_mode", sql`${t.mode} in ('live','test','sandbox')`),
  ],
);

/** Kinds of sums: sales and credits (before tax, and their tax), issued documents, costs of labels, and movements of the balance. */
export type BookSumKind = "sold" | "sold_back" | "document" | "label" | BalanceEntryKind;

/**
 * The books' sums by day of the owner's time zone, mode, kind and place of taxation. A job maintains this table
 * (`book-sums.ts`); the day that contains `book_rollup.through`, and later ones, may be incomplete and are not read.
 */
export const bookDays = pgTable(
  "book_days",
  {
    startsAt: timestamptz("starts_at").notNull(),
    /** Empty if unknown. */
    mode: text().notNull(),
    kind: text().$type<BookSumKind>().notNull(),
    /** Empty if unknown, or if the kind has no place. */
    country: text().notNull(),
    state: text().notNull(),
    entries: integer().notNull(),
    amountCents: bigint("amount_cents", { mode: "number" }).notNull(),
    taxCents: bigint("tax_cents", { mode: "number" }).notNull(),
    feeCents: bigint("fee_cents", { mode: "number" }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.startsAt, t.mode, t.kind, t.country, t.state] })],
);

/** The state of `book_days`; it has no row until the sums are first computed. */
export const bookRollup = pgTable(
  "book_rollup",
  {
    one: smallint().primaryKey().default(1),
    /**
     * Days that ended before this time are complete. Triggers move it back when a refund or a movement of the balance is added,
     * moved or removed in a summed day.
     */
    through: timestamptz().notNull(),
    /** When all days were last computed from the orders. */
    rebuiltAt: timestamptz("rebuilt_at").notNull(),
    timeZone: text("time_zone").notNull(),
    /** Meaning of the sums (`sumsVersion`): days of another version are rebuilt instead of read. */
    version: smallint().notNull(),
  },
  (t) => [check("book_rollup_one_row", sql`${t.one} = 1`)],
);
