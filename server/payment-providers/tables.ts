import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { jsonb, timestamptz } from "../platform/database/column-types.ts";

/** The sandbox's data, in place of Stripe's. The shop reads it through the provider interface only. */
export const sandboxIntents = pgTable(
  "sandbox_intents",
  {
    id: text().primaryKey(),
    clientSecret: text("client_secret").notNull(),
    idempotencyKey: text("idempotency_key").notNull(),
    orderId: text("order_id").notNull(),
    orderNumber: integer("order_number").notNull(),
    status: text()
      .$type<"requires_payment_method" | "requires_action" | "succeeded" | "canceled">()
      .notNull()
      .default("requires_payment_method"),
    amount: integer().notNull(),
    amountReceived: integer("amount_received").notNull().default(0),
    amountRefunded: integer("amount_refunded").notNull().default(0),
    currency: text().notNull(),
    failedAttempts: integer("failed_attempts").notNull().default(0),
    createdAt: timestamptz("created_at").notNull().defaultNow(),
    /** The payment's hosted page, if it has one. The page is open, complete or expired according to the intent's status. */
    sessionId: text("session_id"),
    successUrl: text("success_url"),
    cancelUrl: text("cancel_url"),
    /** When the page closes; null without a page. */
    expiresAt: timestamptz("expires_at"),
  },
  (t) => [
    uniqueIndex("sandbox_intents_idempotency_key").on(t.idempotencyKey),
    uniqueIndex("sandbox_intents_one_of_session").on(t.sessionId).where(sql`${t.sessionId} is not null`),
    index("sandbox_intents_created").on(t.createdAt),
    check("sandbox_intents_received", sql`${t.amountReceived} in (0, ${t.amount})`),
    check("sandbox_intents_refunded", sql`${t.amountRefunded} between 0 and ${t.amountReceived}`),
  ],
);

/** Refunds of the sandbox, which succeed immediately. */
export const sandboxRefunds = pgTable(
  "sandbox_refunds",
  {
    id: text().primaryKey(),
    intentId: text("intent_id")
      .notNull()
      .references(() => sandboxIntents.id),
    idempotencyKey: text("idempotency_key").notNull(),
    /** The shop's id of the refund. */
    refundId: text("refund_id").notNull(),
    amount: integer().notNull(),
    createdAt: timestamptz("created_at").notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex("sandbox_refunds_idempotency_key").on(t.idempotencyKey),
    index("sandbox_refunds_intent").on(t.intentId),
    check("sandbox_refunds_amount", sql`${t.amount} > 0`),
  ],
);

/** Events to post to the shop's webhook, with a signature. Deleted once the webhook has responded with 200. */
export const sandboxEvents = pgTable(
  "sandbox_events",
  {
    id: text().primaryKey(),
    type: text().notNull(),
    /** The event's `data.object` at the time of the event. */
    object: jsonb().$type<Record<string, unknown>>().notNull(),
    createdAt: timestamptz("created_at").notNull().defaultNow(),
  },
  (t) => [index("sandbox_events_oldest").on(t.createdAt)],
);
