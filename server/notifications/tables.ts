import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, text, timestamp, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { orders } from "../orders/tables.ts";

export type MessageKind = "order_confirmation" | "owner_new_order" | "owner_attention" | "order_lookup";

/** The outbox: every e-mail the shop owes or has sent. Written inside the business transaction, sent by a job. */
export const messages = pgTable(
  "messages",
  {
    id: uuid().primaryKey(),
    kind: text().$type<MessageKind>().notNull(),
    channel: text().$type<"email">().notNull(),
    /** What must not be sent twice, e.g. `order_confirmation:<order id>`. */
    dedupeKey: text("dedupe_key").notNull(),
    /** Null: the shop's owner, looked up when it is sent. */
    recipient: text(),
    orderId: uuid("order_id").references(() => orders.id),
    /** What the template needs beyond the order; never a secret that outlives its use. */
    data: text(),
    subject: text(),
    html: text(),
    text: text(),
    /** `kept`: no mail server is configured; the message was written to the data folder instead. */
    status: text().$type<"queued" | "sending" | "sent" | "kept" | "failed">().notNull().default("queued"),
    attempts: integer().notNull().default(0),
    lastError: text("last_error"),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
    sentAt: timestamp("sent_at", { withTimezone: true }),
  },
  (t) => [
    check("messages_status", sql`${t.status} in ('queued','sending','sent','kept','failed')`),
    uniqueIndex("messages_dedupe_key").on(t.dedupeKey),
    uniqueIndex("messages_one_confirmation").on(t.orderId).where(sql`${t.kind} = 'order_confirmation'`),
    index("messages_newest").on(t.createdAt),
  ],
);
