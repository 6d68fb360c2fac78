import * as v from "valibot";

/** Why a backup was made. `by_hand`: with `npm run backup`. */
export const backupKinds = ["nightly", "manual", "before_migration", "by_hand"] as const;
export type BackupKind = (typeof backupKinds)[number];

/** `testing`: its file is whole, and is being restored for a test. */
export const backupStatuses = ["queued", "saving", "testing", "done", "failed"] as const;
export type BackupStatus = (typeof backupStatuses)[number];

/** One backup as the panel shows it. Times ISO 8601 UTC. */
export const backupSchema = v.object({
  id: v.number(),
  kind: v.picklist(backupKinds),
  status: v.picklist(backupStatuses),
  requestedAt: v.string(),
  /** The moment of the shop that it holds. */
  takenAt: v.nullable(v.string()),
  bytes: v.nullable(v.number()),
  orders: v.nullable(v.number()),
  /** How long it took to save (s). */
  seconds: v.nullable(v.number()),
  isEncrypted: v.boolean(),
  /** Percent, of saving or of testing. */
  progress: v.number(),
  /** When it was last restored for a test, and how that went, in sentences. */
  testedAt: v.nullable(v.string()),
  isTestGood: v.nullable(v.boolean()),
  testLines: v.array(v.string()),
  /** Why it failed. */
  problem: v.nullable(v.string()),
  /** Which server has the file, and where it lies there. */
  server: v.nullable(v.string()),
  path: v.nullable(v.string()),
  /** Whether the server that was asked can reach the file. */
  isHere: v.boolean(),
});
export type Backup = v.InferOutput<typeof backupSchema>;

/** Days and weeks for which a nightly backup is kept, and how many of the others. */
export const backupsKept = { days: 7, weeks: 4, manual: 5, beforeMigration: 3 };
