import { sql } from "drizzle-orm";
import { bigint, boolean, check, index, integer, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { people } from "../people/tables.ts";
import { jsonb, timestamptz } from "../platform/database/column-types.ts";
import { bytea } from "../visitors/tables.ts";

/** The one access code, as an argon2id hash. */
export const adminAccess = pgTable(
  "admin_access",
  {
    id: integer().primaryKey().default(1),
    codeHash: text("code_hash").notNull(),
    /** Whether the code is still the one that was generated and printed at the first start. */
    isGenerated: boolean("is_generated").notNull().default(false),
    updatedAt: timestamptz("updated_at").notNull().defaultNow(),
  },
  (t) => [check("admin_access_single", sql`${t.id} = 1`)],
);

export const adminSessions = pgTable(
  "admin_sessions",
  {
    tokenHash: bytea("token_hash").primaryKey(),
    /** For lists and the activity log; independent of the token. */
    id: uuid().notNull().unique().defaultRandom(),
    /** The person signed in; null if the session was begun with the access code. */
    personId: uuid("person_id").references(() => people.id, { onDelete: "cascade" }),
    /** The `User-Agent` header of the request that unlocked the panel. */
    userAgent: text("user_agent"),
    /** The network address of its last use; null if an older version of the shop recorded that use. */
    lastAddress: text("last_address"),
    lastSeenAt: timestamptz("last_seen_at").notNull().defaultNow(),
    createdAt: timestamptz("created_at").notNull().defaultNow(),
    /** When the user last confirmed their identity; null if never since the session began. */
    confirmedAt: timestamptz("confirmed_at"),
    /** Cents that the person has given away in all sessions since `confirmedAt` (server/admin/confirmation-limit.ts). */
    givenCents: bigint("given_cents", { mode: "number" }).notNull().default(0),
    expiresAt: timestamptz("expires_at").notNull(),
  },
  (t) => [index("admin_sessions_person").on(t.personId).where(sql`${t.personId} is not null`)],
);

/** Wrong access codes of the last minute, by caller; in the database, where all servers see them. */
export const failedCodeAttempts = pgTable(
  "failed_code_attempts",
  {
    id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    caller: text().notNull(),
    at: timestamptz().notNull(),
  },
  (t) => [index("failed_code_attempts_caller").on(t.caller, t.at), index("failed_code_attempts_at").on(t.at)],
);

/** Every changing call of the panel: inserted before it runs and completed after it, so that a crash hides none. */
export const activity = pgTable(
  "activity",
  {
    id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    at: timestamptz().notNull(),
    /** The calling admin session; null if there was none (an access code attempt, a shell command). */
    sessionId: uuid("session_id"),
    /** The session's person, if it had one. People with logged activity are never deleted. */
    personId: uuid("person_id"),
    /** The call: `PUT /api/products/:id/price`. */
    action: text().notNull(),
    /** The affected record, `product:1` or `order:<id>`; null if it has no id. */
    subject: text(),
    /** Description for people: "Price of Pure Batana Oil: $29.95 -> $31.95". */
    summary: text().notNull(),
    before: jsonb(),
    after: jsonb(),
    /** `begun`: the call is running, or the process crashed during it. */
    outcome: text().$type<"begun" | "done" | "refused" | "failed">().notNull().default("begun"),
  },
  (t) => [
    check("activity_outcome", sql`${t.outcome} in ('begun','done','refused','failed')`),
    index("activity_at").on(t.at),
    index("activity_wrong_codes").on(t.at).where(sql`${t.sessionId} is null and ${t.outcome} = 'refused'`),
    index("activity_subject").on(t.subject, t.id),
    index("activity_person").on(t.personId, t.id).where(sql`${t.personId} is not null`),
  ],
);
