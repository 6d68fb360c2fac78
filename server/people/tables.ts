import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  date,
  index,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { Role } from "../../domain/people/roles.ts";
import { jsonb, timestamptz } from "../platform/database/column-types.ts";
import { bytea } from "../visitors/tables.ts";

/**
 * Accounts of the panel, from the invitation on; `joinedAt` is set once the link was used. An API key has one as well, so that
 * log, history and refunds name it like a person.
 */
export const people = pgTable(
  "people",
  {
    id: uuid().primaryKey().defaultRandom(),
    name: text().notNull(),
    /** Null for the account of an API key. */
    email: text(),
    role: text().$type<Role>().notNull(),
    createdAt: timestamptz("created_at").notNull(),
    joinedAt: timestamptz("joined_at"),
    /** When the person lost access; the name stays for the activity log. */
    deactivatedAt: timestamptz("deactivated_at"),
  },
  (t) => [
    check("people_role", sql`${t.role} in ('owner','staff','packer','accountant')`),
    uniqueIndex("people_email").on(sql`lower(${t.email})`),
  ],
);

/** Single-use links to sign in the first time, or after all passkeys were lost. One per person. */
export const invitations = pgTable("invitations", {
  personId: uuid("person_id")
    .primaryKey()
    .references(() => people.id, { onDelete: "cascade" }),
  tokenHash: bytea("token_hash").notNull().unique(),
  expiresAt: timestamptz("expires_at").notNull(),
});

export const passkeys = pgTable(
  "passkeys",
  {
    id: uuid().primaryKey().defaultRandom(),
    personId: uuid("person_id")
      .notNull()
      .references(() => people.id, { onDelete: "cascade" }),
    /** "My phone" */
    name: text().notNull(),
    /** Base64url, as the browser sends it. */
    credentialId: text("credential_id").notNull().unique(),
    publicKey: bytea("public_key").notNull(),
    /** Uses counted by the device, 0 if it does not count. A lower value than before suggests a copy. */
    counter: bigint({ mode: "number" }).notNull(),
    transports: jsonb().$type<string[]>().notNull(),
    /** Stored in an account of its vendor, for several devices. */
    isSynced: boolean("is_synced").notNull(),
    createdAt: timestamptz("created_at").notNull(),
    lastUsedAt: timestamptz("last_used_at"),
  },
  (t) => [index("passkeys_person").on(t.personId)],
);

/** Challenges that passkeys sign, once each. In the database, since another server may get the response. */
export const passkeyChallenges = pgTable(
  "passkey_challenges",
  {
    challenge: text().primaryKey(),
    purpose: text().$type<"add" | "confirm" | "sign_in">().notNull(),
    /** Null for signing in, where the passkey identifies the person. */
    personId: uuid("person_id").references(() => people.id, { onDelete: "cascade" }),
    expiresAt: timestamptz("expires_at").notNull(),
  },
  (t) => [
    check("passkey_challenges_purpose", sql`${t.purpose} in ('add','confirm','sign_in')`),
    index("passkey_challenges_person").on(t.personId).where(sql`${t.personId} is not null`),
    index("passkey_challenges_expiry").on(t.expiresAt),
  ],
);

/** Keys by which other programs call the API. */
export const apiKeys = pgTable("api_keys", {
  /** The key's own account, which has its name and role. */
  personId: uuid("person_id")
    .primaryKey()
    .references(() => people.id, { onDelete: "cascade" }),
  keyHash: bytea("key_hash").notNull().unique(),
  /** The last day on which the key works, in the shop's time zone; null if it does not expire. */
  expiresOn: date("expires_on"),
  lastUsedAt: timestamptz("last_used_at"),
  lastAddress: text("last_address"),
  /** Cents that the key has given away on `givenOn` (server/admin/confirmation-limit.ts). */
  givenCents: bigint("given_cents", { mode: "number" }).notNull().default(0),
  givenOn: date("given_on"),
});

/** Responses to writing calls of API keys by Idempotency-Key; a repeated call gets the stored one (idempotent-calls.ts). */
export const apiKeyAnswers = pgTable(
  "api_key_answers",
  {
    personId: uuid("person_id")
      .notNull()
      .references(() => apiKeys.personId, { onDelete: "cascade" }),
    idempotencyHash: bytea("idempotency_hash").notNull(),
    /** Hash of method, path and body. */
    requestHash: bytea("request_hash").notNull(),
    createdAt: timestamptz("created_at").notNull(),
    /** The first call may be running until then; later it counts as interrupted. */
    runsUntil: timestamptz("runs_until").notNull(),
    /** As JSON text, because jsonb would reorder its fields. Null if the first call is running or was interrupted. */
    answer: jsonb().$type<string>(),
  },
  (t) => [
    primaryKey({ columns: [t.personId, t.idempotencyHash] }),
    index("api_key_answers_created").on(t.createdAt),
  ],
);
