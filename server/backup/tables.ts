import { sql } from "drizzle-orm";
import { bigint, boolean, check, index, integer, pgTable, real, text, timestamp } from "drizzle-orm/pg-core";
import type { BackupKind, BackupStatus } from "../../domain/backup/backup.ts";

/** All recorded backups, with the results of their tests. */
export const backups = pgTable(
  "backups",
  {
    id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    kind: text().$type<BackupKind>().notNull(),
    status: text().$type<BackupStatus>().notNull(),
    requestedAt: timestamp("requested_at", { withTimezone: true }).notNull().defaultNow(),
    startedAt: timestamp("started_at", { withTimezone: true }),
    endedAt: timestamp("ended_at", { withTimezone: true }),
    /** When its snapshot was taken. */
    takenAt: timestamp("taken_at", { withTimezone: true }),
    /** The server that made it, and the file's path there. */
    server: text(),
    path: text(),
    bytes: bigint({ mode: "number" }),
    rowCount: bigint("row_count", { mode: "number" }),
    orderCount: integer("order_count"),
    seconds: real(),
    isEncrypted: boolean("is_encrypted").notNull().default(false),
    /** Percent of the step in `status`. */
    progress: integer().notNull().default(0),
    problem: text(),
    testedAt: timestamp("tested_at", { withTimezone: true }),
    isTestGood: boolean("is_test_good"),
    testLines: text("test_lines").array().notNull().default(sql`'{}'`),
    /** When its file was deleted as surplus. */
    deletedAt: timestamp("deleted_at", { withTimezone: true }),
  },
  (t) => [
    check("backups_kind", sql`${t.kind} in ('nightly','manual','before_migration','by_hand')`),
    check("backups_status", sql`${t.status} in ('queued','saving','testing','done','failed')`),
    check("backups_progress", sql`${t.progress} between 0 and 100`),
    index("backups_requested").on(t.requestedAt),
  ],
);
