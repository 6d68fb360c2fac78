import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { RefundedLine } from "../../domain/orders/line-refund.ts";
import type { PaymentMode } from "../../domain/payments/payment-mode.ts";
import type { PaymentProviderName, PaymentSource } from "../../domain/payments/providers.ts";
import { orderEdits, orderExchanges } from "../order-desk/tables.ts";
import { orderRef } from "../orders/tables.ts";
import { jsonb, timestamptz } from "../platform/database/column-types.ts";

export type PaymentStatus = "opening" | "requires_payment" | "processing" | "succeeded" | "canceled";

/** A payment requested from the provider for an order: an intent, or a hosted session that will create one. */
export const payments = pgTable(
  "payments",
  {
    id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    orderId: orderRef(),
    provider: text().$type<PaymentSource>().notNull(),
    /** Account and mode at the provider; the payment can be read only with their keys. Null if unknown. */
    account: text(),
    mode: text().$type<PaymentMode>(),
    /** The order edit whose difference it pays; null if it pays the order itself. */
    orderEditId: uuid("order_edit_id").references(() => orderEdits.id),
    /** For a payment by exchange: the exchange whose returned units pay it. */
    exchangeId: uuid("exchange_id").references(() => orderExchanges.id),
    /** For a payment by exchange: the payment at the provider that holds the money. */
    sourceIntentId: text("source_intent_id"),
    /** Counts an order's payments from 1. Part of the idempotency key, so that a new payment never gets a cancelled intent. */
    revision: integer().notNull(),
    intentId: text("intent_id"),
    sessionId: text("session_id"),
    /** `opening`: requested from the provider, without a response yet. */
    status: text().$type<PaymentStatus>().notNull(),
    amountCents: integer("amount_cents").notNull(),
    currency: text().notNull(),
    /** Payment method as on a receipt, such as "Visa ending in 4242"; null if unknown. */
    paidWith: text("paid_with"),
    /** Whether it was requested as a hosted page. */
    hosted: boolean().notNull().default(false),
    /** End of the lease of the caller that requests it from the provider; another caller may take over afterwards. */
    openingUntil: timestamptz("opening_until"),
    /** Number of callers that requested it. Only the latest caller may end the order. */
    openingAttempts: integer("opening_attempts").notNull().default(0),
    /** Why it could not be opened. */
    failure: text().$type<"unavailable" | "refused">(),
    /** The actor on whose behalf the shop ended it unpaid; null if the shop did not end it. */
    endActor: text("end_actor").$type<"shopper" | "owner" | "system">(),
    /** The note about its end for the order's history. */
    endNote: text("end_note"),
    /** When background jobs check it next; null for as soon as possible. */
    nextCheckAt: timestamptz("next_check_at"),
    /** Number of checks since its last change; the pause grows with each. */
    checks: integer().notNull().default(0),
    createdAt: timestamptz("created_at").notNull().defaultNow(),
  },
  (t) => [
    check("payments_end_actor", sql`${t.endActor} in ('shopper','owner','system')`),
    check("payments_end_whole", sql`(${t.endActor} is null) = (${t.endNote} is null)`),
    check("payments_mode", sql`${t.mode} in ('live','test','sandbox')`),
    check(
      "payments_status",
      sql`${t.status} in ('opening','requires_payment','processing','succeeded','canceled')`,
    ),
    check("payments_failure", sql`${t.failure} in ('unavailable','refused')`),
    check("payments_opening", sql`${t.status} <> 'opening' or ${t.openingUntil} is not null`),
    check(
      "payments_has_object",
      sql`${t.intentId} is not null or ${t.sessionId} is not null or ${t.status} in ('opening','canceled')`,
    ),
    // In byte order, so that it also finds ids by prefix under any collation.
    uniqueIndex("payments_intent").on(t.intentId.op("text_pattern_ops")),
    uniqueIndex("payments_one_of_session").on(t.sessionId).where(sql`${t.sessionId} is not null`),
    uniqueIndex("payments_revision").on(t.orderId, t.revision),
    uniqueIndex("payments_one_payable")
      .on(t.orderId)
      .where(sql`${t.status} in ('requires_payment','processing')`),
    uniqueIndex("payments_one_opening").on(t.orderId).where(sql`${t.status} = 'opening'`),
    index("payments_opening_since").on(t.openingUntil).where(sql`${t.status} = 'opening'`),
    uniqueIndex("payments_one_paid")
      .on(t.orderId)
      .where(sql`${t.status} = 'succeeded' and ${t.orderEditId} is null and ${t.exchangeId} is null`),
    uniqueIndex("payments_one_paid_per_edit")
      .on(t.orderEditId)
      .where(sql`${t.status} = 'succeeded' and ${t.orderEditId} is not null`),
    index("payments_exchange").on(t.exchangeId).where(sql`${t.exchangeId} is not null`),
    index("payments_source").on(t.sourceIntentId).where(sql`${t.sourceIntentId} is not null`),
    check(
      "payments_of_exchange",
      sql`(${t.exchangeId} is null) = (${t.provider} <> 'exchange') and (${t.exchangeId} is null) = (${t.sourceIntentId} is null)`,
    ),
    index("payments_order_edit").on(t.orderEditId).where(sql`${t.orderEditId} is not null`),
  ],
);

/**
 * Events of the provider, each once, from the webhook or the provider's list. Contains no card or address data. Kept longer
 * than the 30 days for which the provider lists events, because a listed event that is missing here counts as new.
 */
export const paymentEvents = pgTable(
  "payment_events",
  {
    id: text().primaryKey(),
    type: text().notNull(),
    /** The event's intent, if it names one. */
    intentId: text("intent_id"),
    /** Id of the object that changed: intent, charge, refund, dispute or session. */
    objectId: text("object_id").notNull(),
    /** The declined charge, in events of declines. */
    chargeId: text("charge_id"),
    /** `metadata.orderId` as received: a hint, never proof. */
    orderId: text("order_id"),
    livemode: boolean().notNull(),
    createdAt: timestamptz("created_at").notNull(),
    /** When the shop first stored it. */
    receivedAt: timestamptz("received_at").notNull().defaultNow(),
    /** When the webhook delivered it; null while it is only known from the provider's list. */
    deliveredAt: timestamptz("delivered_at").defaultNow(),
    handledAt: timestamptz("handled_at"),
    /** Result of handling it; `queued`: it waits for its job. */
    outcome: text(),
  },
  (t) => [
    index("payment_events_intent").on(t.intentId, t.type),
    index("payment_events_received").using("brin", t.receivedAt),
    index("payment_events_delivered").on(t.deliveredAt, t.createdAt),
    index("payment_events_unhandled").on(t.createdAt).where(sql`${t.handledAt} is null`),
  ],
);

/** Progress of reading the provider's event list, for each account and mode. A pass reads from the newest event to the oldest. */
export const eventCursors = pgTable(
  "event_cursors",
  {
    provider: text().$type<PaymentProviderName>().notNull(),
    mode: text().$type<PaymentMode>().notNull(),
    /** Empty if the keys are not allowed to read it. */
    account: text().notNull(),
    /** Creation time, by the provider's clock, of the newest event of the last complete pass; all older events were read. */
    readUntil: timestamptz("read_until"),
    /** Id of the last event read by an unfinished pass. */
    passAfter: text("pass_after"),
    /** Creation time of the newest event of an unfinished pass. */
    passNewest: timestamptz("pass_newest"),
    /** When the last complete pass ended. */
    passedAt: timestamptz("passed_at"),
    /** Start of the period in which passes have run without a long gap. */
    watchedSince: timestamptz("watched_since"),
    /** When refunds and disputes were last listed. */
    objectsListedAt: timestamptz("objects_listed_at"),
    /**
     * Progress of an unfinished pass over recent payments, newest first: payments created at or after this time were checked. Null
     * if no pass is unfinished.
     */
    paymentsListedTo: timestamptz("payments_listed_to"),
  },
  (t) => [
    primaryKey({ columns: [t.provider, t.mode, t.account] }),
    check("event_cursors_mode", sql`${t.mode} in ('live','test','sandbox')`),
    check("event_cursors_pass", sql`(${t.passAfter} is null) = (${t.passNewest} is null)`),
  ],
);

/** Declined cards, each once, from events and responses of the provider. */
export const paymentDeclines = pgTable(
  "payment_declines",
  {
    /** Id of the charge at the provider; the event's id if no charge was made. */
    id: text().primaryKey(),
    orderId: orderRef(),
    /** Network from which the order was placed: an IPv4 address, or the first 64 bits of an IPv6 address. */
    network: text(),
    declinedAt: timestamptz("declined_at").notNull(),
  },
  (t) => [index("payment_declines_order").on(t.orderId), index("payment_declines_newest").on(t.declinedAt)],
);

export const refunds = pgTable(
  "refunds",
  {
    id: uuid().primaryKey(),
    orderId: orderRef(),
    intentId: text("intent_id").notNull(),
    /** The order edit whose difference it refunds; null if there is none. */
    orderEditId: uuid("order_edit_id").references(() => orderEdits.id),
    /** The exchange in which it pays another order, if any: no money moves then, and the provider does not have this refund. */
    exchangeId: uuid("exchange_id").references(() => orderExchanges.id),
    providerRefundId: text("provider_refund_id"),
    amountCents: integer("amount_cents").notNull(),
    /**
     * Parts of the amount: goods (after discounts), shipping and tax; their sum is the amount (`domain/orders/line-refund.ts`).
     */
    goodsCents: integer("goods_cents").notNull(),
    shippingCents: integer("shipping_cents").notNull(),
    taxCents: integer("tax_cents").notNull(),
    /** The units refunded, for a refund by lines. */
    lines: jsonb().$type<RefundedLine[]>().notNull().default([]),
    status: text().$type<"pending" | "succeeded" | "failed">().notNull(),
    reason: text(),
    /** The provider's message if it refused the refund. */
    failure: text(),
    createdAt: timestamptz("created_at").notNull().defaultNow(),
    /** When it succeeded; null before that, and after it bounced. */
    settledAt: timestamptz("settled_at"),
    /** `provider` if it was made in the provider's dashboard. */
    origin: text().$type<"shop" | "provider">().notNull().default("shop"),
    /** The actor that requested it from the shop; null if unknown. */
    actor: text().$type<"shopper" | "owner" | "system">(),
    /** The panel user who requested it. */
    personId: uuid("person_id"),
    /** When the buyer got the e-mail about its success. */
    notifiedAt: timestamptz("notified_at"),
    /** As in `payments`. */
    nextCheckAt: timestamptz("next_check_at"),
    checks: integer().notNull().default(0),
    /** Counts its idempotency keys from 1. A failure needs a new key, because the provider repeats the failure for the old one. */
    revision: integer().notNull().default(1),
    /** When it was last requested from the provider. */
    requestedAt: timestamptz("requested_at"),
    /** When the last request failed; null while there is no failed request. */
    failedAt: timestamptz("failed_at"),
  },
  (t) => [
    check("refunds_revision", sql`${t.revision} > 0`),
    check("refunds_amount_positive", sql`${t.amountCents} > 0`),
    check("refunds_split", sql`${t.goodsCents} + ${t.shippingCents} + ${t.taxCents} = ${t.amountCents}`),
    check("refunds_settled_when_succeeded", sql`${t.settledAt} is null or ${t.status} = 'succeeded'`),
    check("refunds_parts", sql`least(${t.goodsCents}, ${t.shippingCents}, ${t.taxCents}) >= 0`),
    check("refunds_status", sql`${t.status} in ('pending','succeeded','failed')`),
    check("refunds_origin", sql`${t.origin} in ('shop','provider')`),
    uniqueIndex("refunds_provider_refund").on(t.providerRefundId),
    index("refunds_order").on(t.orderId),
    index("refunds_intent").on(t.intentId),
    index("refunds_exchange").on(t.exchangeId).where(sql`${t.exchangeId} is not null`),
    check("refunds_of_exchange", sql`${t.exchangeId} is null or ${t.providerRefundId} is null`),
    index("refunds_order_edit").on(t.orderEditId).where(sql`${t.orderEditId} is not null`),
    index("refunds_settled").on(t.settledAt).where(sql`${t.settledAt} is not null`),
    index("refunds_pending").on(t.createdAt).where(sql`${t.status} = 'pending'`),
  ],
);
