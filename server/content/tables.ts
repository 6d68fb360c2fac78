import { sql } from "drizzle-orm";
import { index, integer, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { people } from "../people/tables.ts";
import { jsonb, timestamptz } from "../platform/database/column-types.ts";

/**
 * Texts of the owner, one row per version. The published version with the highest id is shown; without one, the default
 * text of `content/`, so that improved defaults of a release reach every shop that has not published its own.
 */
export const contentVersions = pgTable(
  "content_versions",
  {
    /** Also serves as the revision that an edit is based on: saving a draft writes a new row, so ids are never reused. */
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    key: text().notNull(),
    /** Null for the default text of `content/`. */
    text: jsonb(),
    /** Hash of the default text at that time, to detect later changes. */
    defaultHash: text("default_hash").notNull(),
    createdAt: timestamptz("created_at").notNull(),
    /** Null for a session begun with the access code, or a person whose account was deleted. */
    personId: uuid("person_id").references(() => people.id, { onDelete: "set null" }),
    /** Null for a draft; each text has at most one. */
    publishedAt: timestamptz("published_at"),
  },
  (t) => [
    index("content_versions_published").on(t.key, t.id).where(sql`${t.publishedAt} is not null`),
    uniqueIndex("content_versions_draft").on(t.key).where(sql`${t.publishedAt} is null`),
    index("content_versions_person").on(t.personId).where(sql`${t.personId} is not null`),
  ],
);
