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
  timestamp,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { InvoiceKind, InvoiceSnapshot } from "../../domain/books/invoice.ts";
import type { PaymentMode } from "../../domain/payments/payment-mode.ts";
import type { BalanceEntryKind, PaymentProviderName } from "../../domain/payments/providers.ts";
import { orderEdits } from "../order-desk/tables.ts";
import { orders } from "../orders/tables.ts";
import { refunds } from "../payments/tables.ts";
import { jsonb } from "../platform/database/jsonb.ts";

/** The last number of each series: invoices and credit notes of a year, those of real money apart from tests. */
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

/** Invoices and credit notes as they were issued. A row is never deleted, and nothing of it changes but that it is void. */
export const invoices = pgTable(
  "invoices",
  {
    id: uuid().primaryKey(),
    mode: text().$type<PaymentMode>().notNull(),
    kind: text().$type<InvoiceKind>().notNull(),
    year: integer().notNull(),
    number: integer().notNull(),
    orderId: uuid("order_id")
      .notNull()
      .references(() => orders.id),
    /** Of a credit note: the refund it is for. */
    refundId: uuid("refund_id").references(() => refunds.id),
    /** Of the invoice of an edit's added lines, and of the credit note of its exchanged amount: that edit. */
    orderEditId: uuid("order_edit_id").references(() => orderEdits.id),
    issuedAt: timestamp("issued_at", { withTimezone: true }).notNull(),
    totalCents: integer("total_cents").notNull(),
    /** All that the document says: its PDF is made from this alone. */
    snapshot: jsonb().$type<InvoiceSnapshot>().notNull(),
    voidedAt: timestamp("voided_at", { withTimezone: true }),
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
 * Each movement of the shop's balance at the payment provider, as the provider lists it: charges, refunds, disputes, fees and payouts to the bank. Cents;
 * what leaves the balance is negative.
 */
export const balanceEntries = pgTable(
  "balance_entries",
  {
    /** The provider's. */
    id: text().primaryKey(),
    provider: text().$type<PaymentProviderName>().notNull(),
    mode: text().$type<PaymentMode>().notNull(),
    kind: text().$type<BalanceEntryKind>().notNull(),
    /** What moved before the fee; `amountCents - feeCents` is what the balance changed by. */
    amountCents: bigint("amount_cents", { mode: "number" }).notNull(),
    feeCents: bigint("fee_cents", { mode: "number" }).notNull(),
    currency: text().notNull(),
    /** The payment it is about; null: none. */
    intentId: text("intent_id"),
    /** The charge, refund, dispute or payout at the provider. */
    sourceId: text("source_id"),
    description: text(),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
    /** Of a payout: when the bank has it. */
    arrivesOn: date("arrives_on", { mode: "string" }),
  },
  (t) => [
    check("balance_entries_mode", sql`${t.mode} in ('live','test','sandbox')`),
    check("balance_entries_kind", sql`${t.kind} in ('charge','refund','dispute','fee','payout','other')`),
    index("balance_entries_newest").on(t.createdAt, t.id),
    index("balance_entries_intent").on(t.intentId).where(sql`${t.intentId} is not null`),
  ],
);

/** How far the provider's balance was read, for each account and mode. */
export const balanceCursors = pgTable(
  "balance_cursors",
  {
    provider: text().$type<PaymentProviderName>().notNull(),
    mode: text().$type<PaymentMode>().notNull(),
    /** Empty where the keys may not tell. */
    account: text().notNull(),
    readUntil: timestamp("read_until", { withTimezone: true }).notNull(),
    /** When a pass last came to its end. */
    readAt: timestamp("read_at", { withTimezone: true }).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.provider, t.mode, t.account] }),
    check("balance_cursors_mode", sql`${t.mode} in ('live','test','sandbox')`),
  ],
);
