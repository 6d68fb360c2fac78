import * as v from "valibot";

/** `by_hand`: made with `npm run backup`. */
const backupKinds = ["nightly", "manual", "before_migration", "by_hand"] as const;
export type BackupKind = (typeof backupKinds)[number];

/** `testing`: the complete file is being restored for a test. */
const backupStatuses = ["queued", "saving", "testing", "done", "failed"] as const;
export type BackupStatus = (typeof backupStatuses)[number];

/** One backup as the panel shows it. Times ISO 8601 UTC. */
export const backupSchema = v.object({
  id: v.number(),
  kind: v.picklist(backupKinds),
  status: v.picklist(backupStatuses),
  requestedAt: v.string(),
  /** The moment whose state it contains. */
  takenAt: v.nullable(v.string()),
  bytes: v.nullable(v.number()),
  orders: v.nullable(v.number()),
  /** Duration of saving (s). */
  seconds: v.nullable(v.number()),
  isEncrypted: v.boolean(),
  /** How much of saving or testing is done, in percent. */
  progress: v.number(),
  /** The last test: its time, its result, and a report in sentences. */
  testedAt: v.nullable(v.string()),
  isTestGood: v.nullable(v.boolean()),
  testLines: v.array(v.string()),
  /** Reason for the failure. */
  problem: v.nullable(v.string()),
  /** Server and path of the file. */
  server: v.nullable(v.string()),
  path: v.nullable(v.string()),
  /** Whether the server that handles the request can read the file. */
  isHere: v.boolean(),
});
export type Backup = v.InferOutput<typeof backupSchema>;

/** Days and weeks for which nightly backups are kept; number of kept backups of other kinds. */
export const backupsKept = { days: 7, weeks: 4, manual: 5, beforeMigration: 3 };
