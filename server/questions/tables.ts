import { sql } from "drizzle-orm";
import { boolean, check, index, integer, pgTable, text, uuid } from "drizzle-orm/pg-core";
import type { QuestionStatus } from "../../domain/questions/question.ts";
import { productRef } from "../catalog/tables.ts";
import { timestamptz } from "../platform/database/column-types.ts";
import { visitors } from "../visitors/tables.ts";

/** Shoppers' questions about products, with the owner's answers. */
export const questions = pgTable(
  "questions",
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    productId: productRef(),
    visitorId: uuid("visitor_id").references(() => visitors.id, { onDelete: "set null" }),
    question: text().notNull(),
    name: text(),
    /** Recipient of the answer; deleted a month after the answer. */
    email: text(),
    status: text().$type<QuestionStatus>().notNull().default("open"),
    answer: text(),
    answeredAt: timestamptz("answered_at"),
    isSuspicious: boolean("is_suspicious").notNull().default(false),
    createdAt: timestamptz("created_at").notNull().defaultNow(),
  },
  (t) => [
    check("questions_status", sql`${t.status} in ('open','published','hidden')`),
    check("questions_length", sql`char_length(${t.question}) between 10 and 500`),
    check("questions_answer_length", sql`char_length(${t.answer}) between 1 and 2000`),
    check("questions_published_with_answer", sql`${t.status} <> 'published' or ${t.answer} is not null`),
    check("questions_answered", sql`(${t.answer} is null) = (${t.answeredAt} is null)`),
    index("questions_of_product").on(t.productId, t.status, t.answeredAt, t.id),
    index("questions_by_status").on(t.status, t.id),
    index("questions_visitor").on(t.visitorId),
    index("questions_email").on(sql`lower(${t.email})`),
    index("questions_not_shown").on(t.createdAt).where(sql`${t.status} <> 'published'`),
    index("questions_email_kept").on(t.answeredAt).where(sql`${t.email} is not null`),
  ],
);
