import { sql } from "drizzle-orm";
import { check, index, integer, pgSequence, pgTable, text, uuid } from "drizzle-orm/pg-core";
import type { ContactSubject, Suspicion } from "../../domain/contact/contact.ts";
import { timestamptz } from "../platform/database/column-types.ts";

/** Reference numbers for people: M-1001, M-1002, ... */
export const contactNumbers = pgSequence("contact_numbers", { startWith: 1001 });

/** Messages from the contact form. Suspicious ones are stored too, since they may be real. */
export const contactMessages = pgTable(
  "contact_messages",
  {
    id: uuid().primaryKey(),
    number: integer().notNull().unique().default(sql`nextval('contact_numbers')`),
    name: text().notNull(),
    email: text().notNull(),
    subject: text().$type<ContactSubject>().notNull(),
    message: text().notNull(),
    /** Why the message looks automatic. Suspicious ones get no receipt; `honeypot` ones are listed separately. */
    suspicion: text().$type<Suspicion>(),
    status: text().$type<"open" | "done">().notNull().default("open"),
    createdAt: timestamptz("created_at").notNull().defaultNow(),
    readAt: timestamptz("read_at"),
    /** When the owner last answered it from the panel. */
    answeredAt: timestamptz("answered_at"),
  },
  (t) => [
    check("contact_messages_status", sql`${t.status} in ('open','done')`),
    check("contact_messages_suspicion", sql`${t.suspicion} in ('honeypot','too_fast')`),
    check("contact_messages_length", sql`char_length(${t.message}) between 1 and 5000`),
    index("contact_messages_open").on(t.number).where(sql`${t.status} = 'open'`),
    index("contact_messages_done").on(t.createdAt).where(sql`${t.status} = 'done'`),
    index("contact_messages_honeypot").on(t.createdAt).where(sql`${t.suspicion} = 'honeypot'`),
    index("contact_messages_unread").on(t.number).where(sql`${t.readAt} is null`),
    index("contact_messages_email").on(sql`lower(${t.email})`),
  ],
);

/** The owner's replies. Their e-mails are in the outbox. */
export const contactReplies = pgTable(
  "contact_replies",
  {
    id: uuid().primaryKey(),
    messageId: uuid("message_id")
      .notNull()
      .references(() => contactMessages.id, { onDelete: "cascade" }),
    text: text().notNull(),
    createdAt: timestamptz("created_at").notNull(),
  },
  (t) => [
    check("contact_replies_length", sql`char_length(${t.text}) between 1 and 10000`),
    index("contact_replies_message").on(t.messageId, t.createdAt),
  ],
);

/** Reusable replies; `{first name}` and `{order number}` are filled in when one is used. */
export const savedReplies = pgTable(
  "saved_replies",
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    title: text().notNull(),
    text: text().notNull(),
    /** Counts edits; an edit that started from an older revision is refused. */
    revision: integer().notNull().default(1),
  },
  (t) => [
    check("saved_replies_title_length", sql`char_length(${t.title}) between 1 and 80`),
    check("saved_replies_text_length", sql`char_length(${t.text}) between 1 and 5000`),
  ],
);
