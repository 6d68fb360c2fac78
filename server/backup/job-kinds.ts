import * as v from "valibot";
import { defineJob } from "../platform/jobs/jobs.ts";

/** Take one backup and restore it for a test. It can wait, and takes minutes in a large shop. */
export const makeBackupJob = defineJob({
  name: "make_backup",
  payload: v.object({ backupId: v.number() }),
  lane: "long",
  priority: 0,
  maxAttempts: 3,
});

/** Begin the backup of the night, once its hour has come. */
export const nightlyBackupJob = defineJob({
  name: "nightly_backup",
  payload: v.object({}),
  lane: "upkeep",
  priority: 0,
  maxAttempts: 1,
});

/** Tell the owner of a restore and have the time since the backup compared with the payment provider. */
export const afterRestoreJob = defineJob({
  name: "after_restore",
  payload: v.object({ createdAt: v.string() }),
  lane: "upkeep",
  priority: 0,
  maxAttempts: 10,
});
