import { sql } from "drizzle-orm";
import { customType, index, pgTable, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { timestamptz } from "../platform/database/column-types.ts";

export const bytea = customType<{ data: Buffer }>({ dataType: () => "bytea" });

/**
 * Browsers for which something is stored. The id is a hash of the random token in the cookie, so a browser can be a visitor
 * without a row; `commands.ts` inserts the row when something is first stored for it.
 */
export const visitors = pgTable(
  "visitors",
  {
    id: uuid().primaryKey(),
    /** SHA-256 of the cookie's token, for old visitors whose id is not derived from it. */
    tokenHash: bytea("token_hash"),
    /** Keyed hash of the network of a visitor with only a cart, for the limit of such visitors per network. */
    network: bytea(),
    createdAt: timestamptz("created_at").notNull().defaultNow(),
    /** When something was last stored for the visitor, to the hour. */
    seenAt: timestamptz("seen_at").notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex("visitors_one_of_token").on(t.tokenHash).where(sql`${t.tokenHash} is not null`),
    index("visitors_seen").on(t.seenAt, t.id),
    index("visitors_network").on(t.network, t.seenAt).where(sql`${t.network} is not null`),
  ],
);
