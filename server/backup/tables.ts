import { sql } from "drizzle-orm";
import { bigint, boolean, check, index, integer, pgTable, real, text } from "drizzle-orm/pg-core";
import type { BackupKind, BackupStatus } from "../../domain/backup/backup.ts";
import { timestamptz } from "../platform/database/column-types.ts";

/** All recorded backups, with the results of their tests. */
export const backups = pgTable(
  "backups",
  {
    id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    kind: text().$type<BackupKind>().notNull(),
    status: text().$type<BackupStatus>().notNull(),
    requestedAt: timestamptz("requested_at").notNull().defaultNow(),
    startedAt: timestamptz("started_at"),
    endedAt: timestamptz("ended_at"),
    /** When its snapshot was taken. */
    takenAt: timestamptz("taken_at"),
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
    testedAt: timestamptz("tested_at"),
    isTestGood: boolean("is_test_good"),
    testLines: text("test_lines").array().notNull().default(sql`'{}'`),
    /** When its file was deleted as surplus. */
    deletedAt: timestamptz("deleted_at"),
  },
  (t) => [
    check("backups_kind", sql`${t.kind} in ('nightly','manual','before_migration','by_hand')`),
    check("backups_status", sql`${t.status} in ('queued','saving','testing','done','failed')`),
    check("backups_progress", sql`${t.progress} between 0 and 100`),
    index("backups_requested").on(t.requestedAt),
  ],
);
