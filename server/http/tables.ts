import { bigint, index, integer, pgTable, text } from "drizzle-orm/pg-core";

/**
 * Calls counted across all servers. Written by rate-limiter-flexible, which requires these column names in this order.
 * Unlogged, because a count is not worth a wait for the disk or a standby: counts restart at 0 after a crash or a failover.
 */
export const rateLimits = pgTable(
  "rate_limits",
  {
    /** The limit's name and the counted caller: a network or a visitor. */
    key: text("key").primaryKey(),
    points: integer("points").notNull(),
    /** Milliseconds since 1970. */
    expire: bigint("expire", { mode: "number" }).notNull(),
  },
  (table) => [index("rate_limits_expire_idx").on(table.expire)],
);
