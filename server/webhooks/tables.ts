import { sql } from "drizzle-orm";
import { bigint, boolean, check, index, pgTable, smallint, text, uuid } from "drizzle-orm/pg-core";
import type { DeliveryAttempt, WebhookEvent } from "../../domain/webhooks/webhook.ts";
import { jsonb, timestamptz } from "../platform/database/column-types.ts";

/** URLs of other programs that events are sent to. Their secrets are in `secrets`. */
export const webhooks = pgTable("webhooks", {
  id: uuid().primaryKey().defaultRandom(),
  url: text().notNull(),
  events: text().array().$type<WebhookEvent[]>().notNull(),
  isActive: boolean("is_active").notNull().default(true),
  createdAt: timestamptz("created_at").notNull(),
  /** When the shop switched the webhook off because it had failed for days; null if it did not. */
  switchedOffAt: timestamptz("switched_off_at"),
  /** Deliveries are also signed with the previous secret until this time. */
  oldSecretUntil: timestamptz("old_secret_until"),
});

/** One event for one webhook, written by triggers in the event's transaction (migration "webhooks"). */
export const webhookDeliveries = pgTable(
  "webhook_deliveries",
  {
    /** Ascends in the order of the events. */
    seq: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    /** The header `webhook-id`. */
    id: uuid().notNull().unique().defaultRandom(),
    webhookId: uuid("webhook_id")
      .notNull()
      .references(() => webhooks.id, { onDelete: "cascade" }),
    type: text().notNull(),
    /** `order:<id>`: deliveries about one subject are made one after the other. */
    subject: text().notNull(),
    /** The bytes to send. Contains ids, numbers and amounts, but no personal data. */
    body: text().notNull(),
    status: text().$type<"waiting" | "delivered" | "failed">().notNull().default("waiting"),
    createdAt: timestamptz("created_at").notNull().defaultNow(),
    /** Failed attempts since the event, or since the last replay. */
    tries: smallint().notNull().default(0),
    /** Time of the first of these attempts. */
    triedSince: timestamptz("tried_since"),
    nextTryAt: timestamptz("next_try_at").notNull().defaultNow(),
    /** The latest attempts with their results, oldest first; a replay does not reset them. */
    attempts: jsonb().$type<DeliveryAttempt[]>().notNull().default([]),
  },
  (t) => [
    check("webhook_deliveries_status", sql`${t.status} in ('waiting','delivered','failed')`),
    index("webhook_deliveries_list").on(t.webhookId, t.seq),
    index("webhook_deliveries_waiting").on(t.webhookId, t.subject, t.seq).where(sql`${t.status} = 'waiting'`),
    index("webhook_deliveries_tried")
      .on(t.webhookId, sql`(${t.attempts} -> -1 ->> 'at')`)
      .where(sql`${t.attempts} <> '[]'`),
    index("webhook_deliveries_created").on(t.createdAt),
  ],
);
