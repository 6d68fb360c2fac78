import { sql } from "drizzle-orm";
import {
  boolean,
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
import type { CarrierName, LabelState } from "../../domain/labels/labels.ts";
import type { TrackingState } from "../../domain/orders/tracking.ts";
import type { PaymentMode } from "../../domain/payments/payment-mode.ts";
import { orderReturns } from "../order-desk/tables.ts";
import { orders } from "../orders/tables.ts";
import { jsonb, timestamptz } from "../platform/database/column-types.ts";
import { bytea } from "../visitors/tables.ts";

/** Services offered for an order's parcel, or for that of its return, at the last request. */
export const labelRates = pgTable(
  "label_rates",
  {
    orderId: uuid("order_id")
      .notNull()
      .references(() => orders.id),
    /** Identical for the same service, parcel and price. */
    rateId: text("rate_id").notNull(),
    provider: text().$type<CarrierName>().notNull(),
    mode: text().$type<PaymentMode>().notNull(),
    /** The provider's ids of the parcel and of this rate. */
    parcelRef: text("parcel_ref").notNull(),
    rateRef: text("rate_ref").notNull(),
    carrier: text().notNull(),
    service: text().notNull(),
    amountCents: integer("amount_cents").notNull(),
    arrivesOn: date("arrives_on", { mode: "string" }),
    isProposed: boolean("is_proposed").notNull(),
    /** Hash of the parcel's address and contents, for which alone the rate is valid. */
    parcelHash: text("parcel_hash").notNull(),
    /** The return whose parcel the rate is for; null for the shop's parcel. */
    returnId: uuid("return_id"),
    askedAt: timestamptz("asked_at").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.orderId, t.rateId] }),
    check("label_rates_amount", sql`${t.amountCents} >= 0`),
    index("label_rates_asked").on(t.askedAt),
  ],
);

/**
 * Labels of parcels. A row is written before the provider is called, with the provider's ids of parcel and service, by which a
 * purchase without a response is looked up. Once the parcel counts as shipped, its shipment has the same id as the label.
 */
export const labels = pgTable(
  "labels",
  {
    id: uuid().primaryKey(),
    orderId: uuid("order_id")
      .notNull()
      .references(() => orders.id),
    rateId: text("rate_id").notNull(),
    /** The return whose parcel it labels; null for the shop's parcel. */
    returnId: uuid("return_id").references(() => orderReturns.id),
    state: text().$type<LabelState>().notNull(),
    provider: text().$type<CarrierName>().notNull(),
    mode: text().$type<PaymentMode>().notNull(),
    parcelRef: text("parcel_ref").notNull(),
    rateRef: text("rate_ref").notNull(),
    carrier: text().notNull(),
    service: text().notNull(),
    amountCents: integer("amount_cents").notNull(),
    arrivesOn: date("arrives_on", { mode: "string" }),
    /** Units in the parcel. */
    lines: jsonb().$type<{ productId: number; quantity: number }[]>().notNull(),
    /** Lines of the buyer's address; like `picture`, null once the label is old or the buyer's data was erased. */
    recipient: jsonb().$type<string[]>(),
    /** The provider's label (PNG); null for a sandbox label, which is drawn when it is printed. */
    picture: bytea("picture"),
    /** Why it was bought although the order was on hold; null if the order was not. */
    forcedReason: text("forced_reason"),
    createdAt: timestamptz("created_at").notNull(),
    /**
     * End of the lease for calling the provider. For a failed purchase that may still be completed, and for a voided label
     * without a final refund: time of the next check.
     */
    askingUntil: timestamptz("asking_until"),
    /** When the purchase was last requested, with or without a response; while the label is being voided, when that began. */
    calledAt: timestamptz("called_at"),
    boughtAt: timestamptz("bought_at"),
    trackingNumber: text("tracking_number"),
    tracking: text().$type<TrackingState>().notNull().default("announced"),
    /** When the tracking state last changed. */
    trackingSince: timestamptz("tracking_since"),
    /** When the tracking state was last requested from the provider; null if it is due now. */
    trackedAt: timestamptz("tracked_at"),
    printedAt: timestamptz("printed_at"),
    /** When its parcel was marked as shipped. */
    shippedAt: timestamptz("shipped_at"),
    voidedAt: timestamptz("voided_at"),
    /** When the carrier's refusal to refund the voided label became known. */
    refundRejectedAt: timestamptz("refund_rejected_at"),
    /** Why the provider refused to sell or void it, or a note that the owner counted it as void without the provider's response. */
    failure: text(),
  },
  (t) => [
    check("labels_state", sql`${t.state} in ('buying','bought','failed','voiding','voided')`),
    check("labels_bought", sql`${t.state} not in ('bought','voiding','voided') or ${t.boughtAt} is not null`),
    check("labels_voided", sql`(${t.state} = 'voided') = (${t.voidedAt} is not null)`),
    check("labels_amount", sql`${t.amountCents} >= 0`),
    check("labels_refund", sql`${t.refundRejectedAt} is null or ${t.voidedAt} is not null`),
    index("labels_order").on(t.orderId),
    // One label at a time for the unshipped units, on all servers.
    uniqueIndex("labels_one_unshipped")
      .on(t.orderId)
      .where(
        sql`${t.state} in ('buying','bought','voiding') and ${t.shippedAt} is null and ${t.returnId} is null`,
      ),
    uniqueIndex("labels_one_of_return")
      .on(t.returnId)
      .where(sql`${t.state} in ('buying','bought','voiding') and ${t.returnId} is not null`),
    index("labels_return").on(t.returnId).where(sql`${t.returnId} is not null`),
    // Labels that a background job has to check.
    index("labels_open")
      .on(t.createdAt)
      .where(
        sql`${t.state} in ('buying','voiding') or ${t.state} = 'bought' and ${t.shippedAt} is null and ${t.returnId} is null`,
      ),
    // Failed purchases that may still be sold, and refunds that are not final.
    index("labels_looked_at_again")
      .on(t.askingUntil)
      .where(sql`${t.state} in ('failed','voided') and ${t.askingUntil} is not null`),
    index("labels_bought_at").on(t.boughtAt).where(sql`${t.boughtAt} is not null`),
    index("labels_voided_at").on(t.voidedAt).where(sql`${t.voidedAt} is not null`),
    index("labels_refund_rejected_at").on(t.refundRejectedAt).where(sql`${t.refundRejectedAt} is not null`),
    index("labels_personal").on(t.createdAt).where(sql`${t.recipient} is not null`),
  ],
);
export type LabelRow = typeof labels.$inferSelect;

/** Labels bought for several orders by one action. */
export const labelJobs = pgTable(
  "label_jobs",
  { id: uuid().primaryKey(), createdAt: timestamptz("created_at").notNull() },
  (t) => [index("label_jobs_created").on(t.createdAt)],
);

/** The orders of a label job, including ids of unknown orders. */
export const labelJobOrders = pgTable(
  "label_job_orders",
  {
    jobId: uuid("job_id")
      .notNull()
      .references(() => labelJobs.id, { onDelete: "cascade" }),
    position: integer().notNull(),
    orderId: text("order_id").notNull(),
    labelId: uuid("label_id").references(() => labels.id),
    problem: text(),
  },
  (t) => [
    primaryKey({ columns: [t.jobId, t.position] }),
    index("label_job_orders_label").on(t.labelId).where(sql`${t.labelId} is not null`),
  ],
);
