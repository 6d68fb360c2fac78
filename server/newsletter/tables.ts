import { sql } from "drizzle-orm";
import { bigint, check, index, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import type { ConsentPlace } from "../../domain/newsletter/newsletter.ts";
import { timestamptz } from "../platform/database/column-types.ts";
import { bytea } from "../visitors/tables.ts";

/**
 * Addresses signed up for the newsletter, with the record of consent. Unsubscribed ones also have a row in `email_optouts`.
 */
export const subscribers = pgTable(
  "subscribers",
  {
    id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    email: text().notNull(),
    /** Hash of the address, as in unsubscribe links (`hashEmail` in server/outbox/optouts.ts). */
    emailHash: bytea("email_hash").notNull(),
    askedAt: timestamptz("asked_at").notNull(),
    /** Where the sign-up form was, and the text of consent beside it; for imports, the proof of consent. */
    place: text().$type<ConsentPlace>().notNull(),
    consentText: text("consent_text").notNull(),
    /** When the address's owner confirmed on the e-mailed link's page; null if not confirmed yet. */
    confirmedAt: timestamptz("confirmed_at"),
    /** The IPv4 /24 or IPv6 /48 from which the sign-up was confirmed; many people share it. */
    confirmedNetwork: text("confirmed_network"),
    /** The discount code sent as a welcome, if the shop gave one. */
    welcomeCode: text("welcome_code"),
  },
  (t) => [
    uniqueIndex("subscribers_address").on(t.emailHash),
    index("subscribers_unconfirmed").on(t.askedAt).where(sql`${t.confirmedAt} is null`),
    check("subscribers_place", sql`${t.place} in ('footer','success','import')`),
  ],
);
