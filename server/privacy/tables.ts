import { bigint, index, pgTable, text, timestamp } from "drizzle-orm/pg-core";

/**
 * Requests to delete a person's data, proved by an e-mailed link. Data of an unfinished order is kept until the order is
 * finished; then the address in this table is deleted, too.
 */
export const deletionRequests = pgTable(
  "deletion_requests",
  {
    id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    /** Lower case; null once everything is done. */
    email: text(),
    requestedAt: timestamp("requested_at", { withTimezone: true }).notNull(),
    finishedAt: timestamp("finished_at", { withTimezone: true }),
  },
  (t) => [index("deletion_requests_open").on(t.email)],
);
