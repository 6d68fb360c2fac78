import { sql } from "drizzle-orm";
import { check, index, integer, pgSequence, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";
import type { ContactSubject, Suspicion } from "../../domain/contact/contact.ts";

/** Reference numbers for people: M-1001, M-1002, ... */
export const contactNumbers = pgSequence("contact_numbers", { startWith: 1001 });

/** Messages from the contact forms. Every one is kept, those that look like a robot's too: one may be real. */
export const contactMessages = pgTable(
  "contact_messages",
  {
    id: uuid().primaryKey(),
    number: integer().notNull().unique().default(sql`nextval('contact_numbers')`),
    name: text().notNull(),
    email: text().notNull(),
    subject: text().$type<ContactSubject>().notNull(),
    message: text().notNull(),
    /** Why it looks like a robot's: such a message gets no automatic answer, and one in the honeypot is kept apart. */
    suspicion: text().$type<Suspicion>(),
    status: text().$type<"open" | "done">().notNull().default("open"),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
    readAt: timestamp("read_at", { withTimezone: true }),
    /** When the owner last answered it from the panel. */
    answeredAt: timestamp("answered_at", { withTimezone: true }),
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

/** What the owner answered. The e-mail itself is in the outbox. */
export const contactReplies = pgTable(
  "contact_replies",
  {
    id: uuid().primaryKey(),
    messageId: uuid("message_id")
      .notNull()
      .references(() => contactMessages.id, { onDelete: "cascade" }),
    text: text().notNull(),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
  },
  (t) => [
    check("contact_replies_length", sql`char_length(${t.text}) between 1 and 10000`),
    index("contact_replies_message").on(t.messageId, t.createdAt),
  ],
);

/** Answers that the panel's people write once and use often; `{first name}` and `{order number}` are filled in then. */
export const savedReplies = pgTable(
  "saved_replies",
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    title: text().notNull(),
    text: text().notNull(),
    /** Counts the changes: whoever saves names the one they began from. */
    revision: integer().notNull().default(1),
  },
  (t) => [
    check("saved_replies_title_length", sql`char_length(${t.title}) between 1 and 80`),
    check("saved_replies_text_length", sql`char_length(${t.text}) between 1 and 5000`),
  ],
);
