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
  timestamp,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { RefundedLine } from "../../domain/orders/line-refund.ts";
import type { PaymentMode } from "../../domain/payments/payment-mode.ts";
import type { PaymentProviderName, PaymentSource } from "../../domain/payments/providers.ts";
import { orderEdits } from "../order-desk/tables.ts";
import { orders } from "../orders/tables.ts";
import { jsonb } from "../platform/database/jsonb.ts";

export type PaymentStatus = "opening" | "requires_payment" | "processing" | "succeeded" | "canceled";

/** What was asked of the provider for an order: an intent, or a hosted session that will make one. */
export const payments = pgTable(
  "payments",
  {
    id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    orderId: uuid("order_id")
      .notNull()
      .references(() => orders.id),
    provider: text().$type<PaymentSource>().notNull(),
    /** The provider's account and mode that the payment belongs to: other keys cannot see it. Null: not known. */
    account: text(),
    mode: text().$type<PaymentMode>(),
    /** The order edit whose difference it pays; null: it pays the order itself. */
    orderEditId: uuid("order_edit_id").references(() => orderEdits.id),
    /** Counts an order's payments from 1; part of the idempotency key, so that a dead intent is never replayed. */
    revision: integer().notNull(),
    intentId: text("intent_id"),
    sessionId: text("session_id"),
    /** `opening`: the provider is being asked, and nobody but it knows yet what came of that. */
    status: text().$type<PaymentStatus>().notNull(),
    amountCents: integer("amount_cents").notNull(),
    currency: text().notNull(),
    /** How it was paid, as a receipt says it: "Visa ending in 4242"; null: not known. */
    paidWith: text("paid_with"),
    /** Asked for as a hosted page. */
    hosted: boolean().notNull().default(false),
    /** Until then one caller alone asks the provider; afterwards another one may take over. */
    openingUntil: timestamp("opening_until", { withTimezone: true }),
    /** Counts who has asked the provider for it: whoever was taken over from no longer decides about its order. */
    openingAttempts: integer("opening_attempts").notNull().default(0),
    /** Why its order was ended instead: the provider did not answer, or said no. */
    failure: text().$type<"unavailable" | "refused">(),
    /** Who had the shop end it unpaid, and the words for its order's history; null where nobody has. */
    endActor: text("end_actor").$type<"shopper" | "owner" | "system">(),
    endNote: text("end_note"),
    /** When work in the background looks at it next; null: as soon as that has a reason to. */
    nextCheckAt: timestamp("next_check_at", { withTimezone: true }),
    /** Looks that changed nothing, or were cut short: the pause after each is longer. */
    checks: integer().notNull().default(0),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
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
    // By bytes, so that it also finds ids by their beginning, whatever the database sorts texts by.
    uniqueIndex("payments_intent").on(t.intentId.op("text_pattern_ops")),
    uniqueIndex("payments_session").on(t.sessionId),
    uniqueIndex("payments_revision").on(t.orderId, t.revision),
    uniqueIndex("payments_one_payable")
      .on(t.orderId)
      .where(sql`${t.status} in ('requires_payment','processing')`),
    uniqueIndex("payments_one_opening").on(t.orderId).where(sql`${t.status} = 'opening'`),
    index("payments_opening_since").on(t.openingUntil).where(sql`${t.status} = 'opening'`),
    uniqueIndex("payments_one_paid")
      .on(t.orderId)
      .where(sql`${t.status} = 'succeeded' and ${t.orderEditId} is null`),
    uniqueIndex("payments_one_paid_of_edit").on(t.orderEditId).where(sql`${t.status} = 'succeeded'`),
    index("payments_order_edit").on(t.orderEditId).where(sql`${t.orderEditId} is not null`),
  ],
);

/**
 * Every event of the provider, once: sent to the webhook, or read from the provider's list. Only what the work needs is
 * kept, no card or address data. To be kept for more than 30 days, as long as the provider lists them: one that is listed
 * and not here is news.
 */
export const paymentEvents = pgTable(
  "payment_events",
  {
    id: text().primaryKey(),
    type: text().notNull(),
    /** The intent the event is about, where it names one. */
    intentId: text("intent_id"),
    /** The object itself: intent, charge, refund, dispute or session. */
    objectId: text("object_id").notNull(),
    /** The charge that was declined, in news of that. */
    chargeId: text("charge_id"),
    /** `metadata.orderId` as sent; a hint, never proof. */
    orderId: text("order_id"),
    livemode: boolean().notNull(),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
    /** When the shop first had it. */
    receivedAt: timestamp("received_at", { withTimezone: true }).notNull().defaultNow(),
    /** When the webhook brought it; null while only the provider's list has. */
    deliveredAt: timestamp("delivered_at", { withTimezone: true }).defaultNow(),
    handledAt: timestamp("handled_at", { withTimezone: true }),
    /** What came of it; `queued` where an event from the list could not be handled at once and has a job of its own. */
    outcome: text(),
  },
  (t) => [
    index("payment_events_intent").on(t.intentId, t.type),
    index("payment_events_received").on(t.receivedAt),
    index("payment_events_delivered").on(t.deliveredAt, t.createdAt),
    index("payment_events_unhandled").on(t.createdAt).where(sql`${t.handledAt} is null`),
  ],
);

/** How far the provider's list of events was read, for each account and mode. A pass goes from the newest event back. */
export const eventCursors = pgTable(
  "event_cursors",
  {
    provider: text().$type<PaymentProviderName>().notNull(),
    mode: text().$type<PaymentMode>().notNull(),
    /** Empty where the keys may not tell. */
    account: text().notNull(),
    /** When the newest event of the last whole pass was made, by the provider's clock: what was made before was read. */
    readUntil: timestamp("read_until", { withTimezone: true }),
    /** A pass that is not at its end: the last event it has read, and when its first, the newest, was made. */
    passAfter: text("pass_after"),
    passNewest: timestamp("pass_newest", { withTimezone: true }),
    /** When the last whole pass came to its end, and since when passes have followed each other without a long gap. */
    passedAt: timestamp("passed_at", { withTimezone: true }),
    watchedSince: timestamp("watched_since", { withTimezone: true }),
    /** When refunds and disputes were last listed. */
    objectsListedAt: timestamp("objects_listed_at", { withTimezone: true }),
    /** The pass over recent payments goes from the newest back: all made at or after this were seen. Null: none is under way. */
    paymentsListedTo: timestamp("payments_listed_to", { withTimezone: true }),
  },
  (t) => [
    primaryKey({ columns: [t.provider, t.mode, t.account] }),
    check("event_cursors_mode", sql`${t.mode} in ('live','test','sandbox')`),
    check("event_cursors_pass", sql`(${t.passAfter} is null) = (${t.passNewest} is null)`),
  ],
);

/** Cards that were declined, each once, whichever way the shop heard of it. */
export const paymentDeclines = pgTable(
  "payment_declines",
  {
    /** The charge at the provider; the event's id where no charge was made. */
    id: text().primaryKey(),
    orderId: uuid("order_id")
      .notNull()
      .references(() => orders.id),
    /** Where its buyer placed the order from: an IPv4 address, or the first 64 bits of an IPv6 one. */
    network: text(),
    declinedAt: timestamp("declined_at", { withTimezone: true }).notNull(),
  },
  (t) => [index("payment_declines_order").on(t.orderId), index("payment_declines_newest").on(t.declinedAt)],
);

export const refunds = pgTable(
  "refunds",
  {
    id: uuid().primaryKey(),
    orderId: uuid("order_id")
      .notNull()
      .references(() => orders.id),
    intentId: text("intent_id").notNull(),
    /** The order edit whose difference it gives back; null: none. */
    orderEditId: uuid("order_edit_id").references(() => orderEdits.id),
    providerRefundId: text("provider_refund_id"),
    amountCents: integer("amount_cents").notNull(),
    /**
     * What the amount gives back of goods (after discounts), of shipping and of tax; together they are the amount
     * (`domain/orders/line-refund.ts`).
     */
    goodsCents: integer("goods_cents").notNull(),
    shippingCents: integer("shipping_cents").notNull(),
    taxCents: integer("tax_cents").notNull(),
    /** The units it pays back, where it was asked for by lines. */
    lines: jsonb().$type<RefundedLine[]>().notNull().default([]),
    status: text().$type<"pending" | "succeeded" | "failed">().notNull(),
    reason: text(),
    /** Why the provider refused it, in its own words. */
    failure: text(),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
    /** When it succeeded; null while it has not, or has bounced. */
    settledAt: timestamp("settled_at", { withTimezone: true }),
    /** Where it was asked for: here, or in the provider's own dashboard. */
    origin: text().$type<"shop" | "provider">().notNull().default("shop"),
    /** Who asked for it, where the shop did; null: not known. */
    actor: text().$type<"shopper" | "owner" | "system">(),
    /** Who in the panel, as in the history of orders. */
    personId: uuid("person_id"),
    /** When its buyer was told that it succeeded. */
    notifiedAt: timestamp("notified_at", { withTimezone: true }),
    /** As those of payments. */
    nextCheckAt: timestamp("next_check_at", { withTimezone: true }),
    checks: integer().notNull().default(0),
    /** Counts the idempotency keys it was asked for under, from 1: a key may hold a failure of the provider's own. */
    revision: integer().notNull().default(1),
    /** When it was last asked for, and when the provider answered to that that it had failed on its side. */
    askedAt: timestamp("asked_at", { withTimezone: true }),
    failedAt: timestamp("failed_at", { withTimezone: true }),
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
    index("refunds_order_edit").on(t.orderEditId).where(sql`${t.orderEditId} is not null`),
    index("refunds_settled").on(t.settledAt).where(sql`${t.settledAt} is not null`),
    index("refunds_pending").on(t.createdAt).where(sql`${t.status} = 'pending'`),
  ],
);
