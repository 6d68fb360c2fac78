import { sql } from "drizzle-orm";
import { check, integer, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { jsonb } from "../platform/database/jsonb.ts";
import { bytea } from "../visitors/tables.ts";

/** What the owner set, one row per settings group (`shipping`, `tax`, ...); a group without a row has its default. */
export const settings = pgTable("settings", {
  key: text().primaryKey(),
  value: jsonb().notNull(),
  updatedAt: timestamp("updated_at", { withTimezone: true }).notNull().defaultNow(),
});

/** What makes this database one shop's, in its only row. */
export const installation = pgTable(
  "installation",
  {
    id: integer().primaryKey().default(1),
    /** Tells this shop's payments from another's at the same payment provider; made once. */
    shopId: uuid("shop_id").notNull().defaultRandom(),
    /** Argon2id hash of the session secret that the last server started with; null before the first did. */
    sessionSecretHash: text("session_secret_hash"),
    /** Used by servers without SESSION_SECRET; made by the first of them. */
    sessionSecret: text("session_secret"),
    /** The last backup that the shop was told of by hand (`touch DATA_DIR/last-backup`, on any server). */
    lastBackupAt: timestamp("last_backup_at", { withTimezone: true }),
  },
  (t) => [check("installation_single", sql`${t.id} = 1`)],
);

/** Keys of other services, entered in the panel or made by the shop, encrypted with a key that is not in the database. */
export const secrets = pgTable(
  "secrets",
  {
    name: text().primaryKey(),
    /** AES-256-GCM; null: taken out. */
    sealed: bytea(),
    /** Of the key it was encrypted with. */
    keyId: text("key_id"),
    /** What may be read without the key: the mode, an account's id. Nothing of a secret. */
    facts: jsonb(),
    /** One more with each change. */
    version: integer().notNull().default(1),
    updatedAt: timestamp("updated_at", { withTimezone: true }).notNull(),
    /** Who entered it; null: the shop itself, or whoever had the access code. */
    updatedBy: uuid("updated_by"),
    /** When it was last tried at its service; `tryFailure`: what came back, null where it worked. */
    triedAt: timestamp("tried_at", { withTimezone: true }),
    tryFailure: text("try_failure"),
  },
  (t) => [check("secrets_sealed", sql`(${t.sealed} is null) = (${t.keyId} is null)`)],
);
