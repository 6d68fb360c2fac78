import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { DiscrepancyKind } from "../../domain/money-check/money-check.ts";
import { orders } from "../orders/tables.ts";
import { timestamptz } from "../platform/database/column-types.ts";

/** Runs of the money check, which compares the provider's payments of a period with the orders. Amounts are in cents. */
export const moneyChecks = pgTable(
  "money_checks",
  {
    id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    /** Payments made at or after `periodFrom` and before `periodTo`. */
    periodFrom: timestamptz("period_from").notNull(),
    periodTo: timestamptz("period_to").notNull(),
    requestedBy: text("requested_by").$type<"night" | "owner">().notNull().default("owner"),
    status: text().$type<"running" | "done" | "failed">().notNull(),
    /** Why it failed. */
    problem: text(),
    /** Number of payments compared so far. */
    checkedPayments: integer("checked_payments").notNull().default(0),
    /** Number of these payments that agree with the orders. */
    matched: integer().notNull().default(0),
    /** Payments left out of the sums below, because another program made them, or they were fully refunded and never booked. */
    ignoredPayments: integer("ignored_payments").notNull().default(0),
    ignoredCents: bigint("ignored_cents", { mode: "number" }).notNull().default(0),
    providerInCents: bigint("provider_in_cents", { mode: "number" }).notNull().default(0),
    providerRefundedCents: bigint("provider_refunded_cents", { mode: "number" }).notNull().default(0),
    bookedInCents: bigint("booked_in_cents", { mode: "number" }).notNull().default(0),
    bookedRefundedCents: bigint("booked_refunded_cents", { mode: "number" }).notNull().default(0),
    providerChargedBackCents: bigint("provider_charged_back_cents", { mode: "number" }).notNull().default(0),
    bookedChargedBackCents: bigint("booked_charged_back_cents", { mode: "number" }).notNull().default(0),
    providerFeeCents: bigint("provider_fee_cents", { mode: "number" }).notNull().default(0),
    bookedFeeCents: bigint("booked_fee_cents", { mode: "number" }).notNull().default(0),
    /** Amount withheld by the provider until disputes are decided. It is no difference, and in no other sum. */
    heldCents: bigint("held_cents", { mode: "number" }).notNull().default(0),
    startedAt: timestamptz("started_at").notNull(),
    finishedAt: timestamptz("finished_at"),
  },
  (t) => [
    check("money_checks_requested_by", sql`${t.requestedBy} in ('night','owner')`),
    check("money_checks_status", sql`${t.status} in ('running','done','failed')`),
    check("money_checks_period", sql`${t.periodFrom} < ${t.periodTo}`),
  ],
);

/** Payments whose amounts at the provider and in the books differ. */
export const discrepancies = pgTable(
  "discrepancies",
  {
    id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    checkId: bigint("check_id", { mode: "number" })
      .notNull()
      .references(() => moneyChecks.id, { onDelete: "cascade" }),
    kind: text().$type<DiscrepancyKind>().notNull(),
    /** `#1001` for an order booked as paid without a payment. */
    intentId: text("intent_id").notNull(),
    orderId: uuid("order_id").references(() => orders.id),
    providerCents: integer("provider_cents").notNull(),
    bookedCents: integer("booked_cents").notNull(),
    /** When both sides agreed again. */
    repairedAt: timestamptz("repaired_at"),
    /** Whether a later run found that they agree again, without a repair. */
    byItself: boolean("by_itself").notNull().default(false),
    /** Why the last repair failed. */
    repairFailure: text("repair_failure"),
  },
  (t) => [
    check(
      "discrepancies_kind",
      sql`${t.kind} in ('missing_order','missing_payment','amount_differs','refund_differs','dispute_differs')`,
    ),
    uniqueIndex("discrepancies_once").on(t.checkId, t.kind, t.intentId),
    index("discrepancies_intent").on(t.intentId),
    index("discrepancies_order").on(t.orderId).where(sql`${t.orderId} is not null`),
  ],
);
