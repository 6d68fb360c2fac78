import { sql } from "drizzle-orm";
import { bigint, boolean, check, index, pgTable, smallint, text, timestamp, uuid } from "drizzle-orm/pg-core";
import type { DeliveryAttempt, WebhookEvent } from "../../domain/webhooks/webhook.ts";
import { jsonb } from "../platform/database/column-types.ts";

/** Addresses of other programs that events are sent to. Their secrets are in `secrets`. */
export const webhooks = pgTable("webhooks", {
  id: uuid().primaryKey().defaultRandom(),
  url: text().notNull(),
  events: text().array().$type<WebhookEvent[]>().notNull(),
  isActive: boolean("is_active").notNull().default(true),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
  /** When the shop switched the webhook off because it had failed for days; null: it did not. */
  switchedOffAt: timestamp("switched_off_at", { withTimezone: true }),
  /** Until when the former secret signs as well. */
  oldSecretUntil: timestamp("old_secret_until", { withTimezone: true }),
});

/** One event for one webhook, written by triggers in the event's transaction (migration "webhooks"). */
export const webhookDeliveries = pgTable(
  "webhook_deliveries",
  {
    /** In order of the events. */
    seq: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    /** The header `webhook-id`. */
    id: uuid().notNull().unique().defaultRandom(),
    webhookId: uuid("webhook_id")
      .notNull()
      .references(() => webhooks.id, { onDelete: "cascade" }),
    type: text().notNull(),
    /** `order:<id>`: deliveries about one subject are made one after the other. */
    subject: text().notNull(),
    /** The bytes to send. Contains ids, numbers and sums, and no person's data. */
    body: text().notNull(),
    status: text().$type<"waiting" | "delivered" | "failed">().notNull().default("waiting"),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
    /** Failed tries since the beginning or the last replay. */
    tries: smallint().notNull().default(0),
    /** Time of the first of these tries. */
    triedSince: timestamp("tried_since", { withTimezone: true }),
    nextTryAt: timestamp("next_try_at", { withTimezone: true }).notNull().defaultNow(),
    attempts: jsonb().$type<DeliveryAttempt[]>().notNull().default([]),
  },
  (t) => [
    check("webhook_deliveries_status", sql`${t.status} in ('waiting','delivered','failed')`),
    index("webhook_deliveries_list").on(t.webhookId, t.seq),
    index("webhook_deliveries_waiting").on(t.webhookId, t.subject, t.seq).where(sql`${t.status} = 'waiting'`),
    index("webhook_deliveries_created").on(t.createdAt),
  ],
);
