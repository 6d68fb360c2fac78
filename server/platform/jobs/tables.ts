import { sql } from "drizzle-orm";
import { bigint, boolean, check, index, integer, pgTable, smallint, text, unique } from "drizzle-orm/pg-core";
import { jsonb, timestamptz } from "../database/column-types.ts";

/** The queue of background work. A finished job is deleted; one that failed its last attempt stays for the owner. */
export const jobs = pgTable(
  "jobs",
  {
    id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    name: text().notNull(),
    lane: text().$type<"money" | "mail" | "letters" | "webhooks" | "upkeep" | "long">().notNull(),
    payload: jsonb().notNull(),
    priority: smallint().notNull().default(0),
    /** Earliest start of the next attempt. */
    runAt: timestamptz("run_at").notNull().defaultNow(),
    attempts: smallint().notNull().default(0),
    maxAttempts: smallint("max_attempts").notNull(),
    /** In the indexes instead of `attempts`, so that taking a job, which counts an attempt, writes no index entry. */
    hasAttempts: boolean("has_attempts").notNull().generatedAlwaysAs(sql`attempts < max_attempts`),
    lastError: text("last_error"),
    /** A job with the same key replaces this one. */
    key: text(),
    /** A random number that stands for the latest lease: only its holder may finish or renew the job. */
    leaseToken: integer("leases").notNull().default(0),
    /** When other servers may take over a running job, unless its server renews the lease. */
    leasedUntil: timestamptz("leased_until"),
    createdAt: timestamptz("created_at").notNull().defaultNow(),
    updatedAt: timestamptz("updated_at").notNull().defaultNow(),
  },
  (t) => [
    check("jobs_lane", sql`${t.lane} in ('money','mail','letters','webhooks','upkeep','long')`),
    unique("jobs_key").on(t.key),
    index("jobs_to_run").on(t.lane, t.runAt).where(sql`${t.hasAttempts}`),
    index("jobs_given_up").on(t.updatedAt).where(sql`not ${t.hasAttempts}`),
  ],
);
