import { sql } from "drizzle-orm";
import { customType, index, pgTable, timestamp, uuid } from "drizzle-orm/pg-core";

export const bytea = customType<{ data: Buffer }>({ dataType: () => "bytea" });

/**
 * A browser that the shop has to remember something about. Its id is a hash of the random token in its cookie, so that a
 * browser can be a visitor without a row; `commands.ts` inserts the row with the first thing to remember.
 */
export const visitors = pgTable(
  "visitors",
  {
    id: uuid().primaryKey(),
    /** SHA-256 of the cookie's token, where the id is older than fingerprints and says nothing of it. */
    tokenHash: bytea("token_hash").unique(),
    /** Keyed hash of the network that a visitor with nothing but a cart came from; such visitors are limited by it. */
    network: bytea(),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
    /** When something was last remembered of it, to the hour. */
    seenAt: timestamp("seen_at", { withTimezone: true }).notNull().defaultNow(),
  },
  (t) => [
    index("visitors_seen").on(t.seenAt, t.id),
    index("visitors_network").on(t.network, t.seenAt).where(sql`${t.network} is not null`),
  ],
);
