import { type SQLWrapper, sql } from "drizzle-orm";
import {
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
import type { OptoutReason } from "../../domain/newsletter/newsletter.ts";
import type { MessageChannel, MessageKind, MessageStatus, TextDelivery } from "../../domain/outbox/outbox.ts";
import { orders } from "../orders/tables.ts";
import { inertText, jsonb, timestamptz } from "../platform/database/column-types.ts";
import { packedHtml } from "../platform/database/packed-html.ts";
import { bytea } from "../visitors/tables.ts";

export type { MessageKind };
/** Optional kinds: each such e-mail has an unsubscribe link. */
export const optionalKinds = [
  "review_request",
  "cart_reminder",
  "stock_alert",
  "newsletter",
  "refill_reminder",
] as const;
export type OptionalKind = (typeof optionalKinds)[number];

/** The mailbox of an address in lower case, without the part after a plus sign and without the dots of Gmail addresses. */
export function mailboxSql(address: SQLWrapper) {
  const withoutSuffix = sql`regexp_replace(lower(${address}), '^([^+@]+)[+][^@]*@', '\\1@')`;
  return sql`(case when split_part(${withoutSuffix}, '@', 2) in ('gmail.com', 'googlemail.com')
    then replace(split_part(${withoutSuffix}, '@', 1), '.', '') || '@gmail.com' else ${withoutSuffix} end)`;
}

/** Excludes the two e-mails of a sale, which are the most frequent and cannot be caused by strangers. */
export function isNotSaleEmail(kind: SQLWrapper) {
  return sql`${kind} not in ('order_confirmation', 'owner_new_order')`;
}

/**
 * The outbox: every e-mail and text that the shop has sent or will send. Written in the business transaction, sent by
 * a job.
 */
export const messages = pgTable(
  "messages",
  {
    id: uuid().primaryKey(),
    kind: text().$type<MessageKind>().notNull(),
    channel: text().$type<MessageChannel>().notNull(),
    /** Prevents a second message, e.g. `order_confirmation:<order id>`. */
    dedupeKey: text("dedupe_key").notNull(),
    /** Null before sending if it is derived from the order or the configuration; saved messages may have none. */
    recipient: text(),
    orderId: uuid("order_id").references(() => orders.id),
    /** Data of the template besides the order. Erased after sending if it contains a secret, such as a token. */
    data: jsonb().$type<Record<string, string>>(),
    /** Subject, HTML and text as they were sent, with disabled secret links. */
    subject: inertText(),
    html: packedHtml(),
    text: inertText(),
    /**
     * `kept`: written to the data folder, because no mail server is configured. `skipped`: the owner has switched this kind off,
     * no service is configured to send it, or there is no longer a reason to send it.
     */
    status: text().$type<MessageStatus>().notNull().default("queued"),
    /** Number of finished attempts. During an attempt the message's job is leased. */
    attempts: integer().notNull().default(0),
    lastError: inertText("last_error"),
    createdAt: timestamptz("created_at").notNull().defaultNow(),
    sentAt: timestamptz("sent_at"),
    /** The carrier's id of a text (Twilio's SID), and the last state it reported. */
    providerId: text("provider_id"),
    delivery: text().$type<TextDelivery>(),
    /** The message that this one sends again; null if it repeats none. */
    copyOf: uuid("copy_of"),
  },
  (t) => [
    check("messages_status", sql`${t.status} in ('queued','sent','kept','failed','skipped')`),
    check("messages_channel", sql`${t.channel} in ('email','sms')`),
    check("messages_delivery", sql`${t.delivery} in ('accepted','delivered','undelivered')`),
    uniqueIndex("messages_dedupe_key").on(t.dedupeKey),
    uniqueIndex("messages_one_confirmation").on(t.orderId).where(sql`${t.kind} = 'order_confirmation'`),
    index("messages_newest").on(t.createdAt, t.id),
    index("messages_without_order").on(t.createdAt).where(sql`${t.orderId} is null`),
    index("messages_by_status").on(t.status, t.createdAt, t.id),
    index("messages_by_kind").on(t.kind, t.createdAt, t.id),
    index("messages_order").on(t.orderId),
    index("messages_contact")
      .on(sql`(${t.data} ->> 'messageId')`)
      .where(sql`(${t.data} ->> 'messageId') is not null`),
    index("messages_texts").on(t.createdAt, t.id).where(sql`${t.channel} = 'sms'`),
    index("messages_recipient").on(sql`lower(${t.recipient})`).where(sql`${t.recipient} is not null`),
    // Used by the limits of messages that strangers can cause, to stay fast with many messages.
    index("messages_mailbox").on(mailboxSql(t.recipient), t.createdAt).where(isNotSaleEmail(t.kind)),
  ],
);

/**
 * An outage of outgoing e-mail. Its only row exists from the first failure until any server sends an e-mail. Readers decide how
 * long it must last to be reported.
 */
export const mailOutage = pgTable(
  "mail_outage",
  {
    id: integer().primaryKey().default(1),
    /** Distinguishes this outage from later ones. */
    outageId: uuid("outage_id").notNull().defaultRandom(),
    since: timestamptz().notNull(),
    lastFailedAt: timestamptz("last_failed_at").notNull(),
    /** The reason, shown after a colon: "connection refused". */
    cause: text().notNull(),
    /** Hash of the recipient, if mail was refused to a single address; null otherwise. */
    onlyRecipientHash: bytea("only_recipient_hash"),
    /** Whether the server accepted the sign-in and refused the message; false if the connection or the sign-in failed. */
    isAnswered: boolean("is_answered").notNull(),
    /** When the owner's devices were notified. */
    notifiedAt: timestamptz("notified_at"),
  },
  (t) => [check("mail_outage_single", sql`${t.id} = 1`)],
);

/**
 * Addresses that unsubscribed from an optional kind of e-mail, or that must not get it for another reason; only a hash is
 * stored.
 */
export const emailOptouts = pgTable(
  "email_optouts",
  {
    emailHash: bytea("email_hash").notNull(),
    kind: text().$type<OptionalKind>().notNull(),
    at: timestamptz().notNull().defaultNow(),
    reason: text().$type<OptoutReason>().notNull().default("unsubscribed"),
  },
  (t) => [
    primaryKey({ columns: [t.emailHash, t.kind] }),
    check("email_optouts_reason", sql`${t.reason} in ('unsubscribed','bounced','complained','erased')`),
    check(
      "email_optouts_kind",
      sql`${t.kind} in ('review_request','cart_reminder','stock_alert','newsletter','refill_reminder')`,
    ),
  ],
);
