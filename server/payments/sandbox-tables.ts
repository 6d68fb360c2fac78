import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  timestamp,
  uniqueIndex,
} from "drizzle-orm/pg-core";

/** The sandbox's side of the fence: what Stripe would keep. The shop reads it through the provider interface only. */
export const sandboxIntents = pgTable(
  "sandbox_intents",
  {
    id: text().primaryKey(),
    clientSecret: text("client_secret").notNull(),
    idempotencyKey: text("idempotency_key").notNull(),
    orderId: text("order_id").notNull(),
    status: text()
      .$type<"requires_payment_method" | "requires_action" | "succeeded" | "canceled">()
      .notNull(),
    amount: integer().notNull(),
    amountReceived: integer("amount_received").notNull().default(0),
    currency: text().notNull(),
    failedAttempts: integer("failed_attempts").notNull().default(0),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex("sandbox_intents_idempotency_key").on(t.idempotencyKey),
    index("sandbox_intents_created").on(t.createdAt),
    check("sandbox_intents_received", sql`${t.amountReceived} in (0, ${t.amount})`),
  ],
);

export const sandboxSessions = pgTable(
  "sandbox_sessions",
  {
    id: text().primaryKey(),
    intentId: text("intent_id")
      .notNull()
      .references(() => sandboxIntents.id),
    idempotencyKey: text("idempotency_key").notNull(),
    status: text().$type<"open" | "complete" | "expired">().notNull().default("open"),
    successUrl: text("success_url").notNull(),
    cancelUrl: text("cancel_url").notNull(),
  },
  (t) => [uniqueIndex("sandbox_sessions_idempotency_key").on(t.idempotencyKey)],
);

export const sandboxRefunds = pgTable(
  "sandbox_refunds",
  {
    id: text().primaryKey(),
    intentId: text("intent_id")
      .notNull()
      .references(() => sandboxIntents.id),
    idempotencyKey: text("idempotency_key").notNull(),
    amount: integer().notNull(),
    status: text().$type<"succeeded" | "failed">().notNull(),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex("sandbox_refunds_idempotency_key").on(t.idempotencyKey),
    index("sandbox_refunds_intent").on(t.intentId),
  ],
);

/** Events to be posted, signed, to the shop's webhook; sent again until it answers 200. */
export const sandboxEvents = pgTable(
  "sandbox_events",
  {
    id: text().primaryKey(),
    body: jsonb().notNull(),
    delivered: boolean().notNull().default(false),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
  },
  (t) => [index("sandbox_events_undelivered").on(t.createdAt).where(sql`not ${t.delivered}`)],
);
