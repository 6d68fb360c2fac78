import { customType, index, pgTable, timestamp, uuid } from "drizzle-orm/pg-core";

export const bytea = customType<{ data: Buffer }>({ dataType: () => "bytea" });

/** A browser. Its cookie holds a random token; only the token's SHA-256 is kept (decisions O6). */
export const visitors = pgTable(
  "visitors",
  {
    id: uuid().primaryKey(),
    tokenHash: bytea("token_hash").notNull().unique(),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
  },
  (t) => [index("visitors_created").on(t.createdAt)],
);
