import { bigint, index, pgTable, text } from "drizzle-orm/pg-core";
import { timestamptz } from "../platform/database/column-types.ts";

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
    requestedAt: timestamptz("requested_at").notNull(),
    finishedAt: timestamptz("finished_at"),
  },
  (t) => [index("deletion_requests_open").on(t.email)],
);
