import { drizzle } from "drizzle-orm/node-postgres";
import type pg from "pg";
import { endSessions } from "../admin/sessions.ts";
import { resetObjectCursors } from "../payments/events/read.ts";
import { endInvitations } from "../people/invitations.ts";
import { addJob, releaseJobs } from "../platform/jobs/jobs.ts";
import { resetPush } from "../push/vapid.ts";
import { quoteIdentifier } from "./catalog.ts";
import { afterRestoreJob } from "./job-kinds.ts";
import { forgetDestination } from "./off-site/destination.ts";

const minSkippedNumbers = 100;

/**
 * Adjusts a restored shop, in the transaction that restores it. Skips order numbers that may have been assigned after the
 * backup, because buyers have them in e-mails. Ends panel sessions, because their users may have lost access since. Ends off-site
 * uploads, and resets the cursors of the payment provider's lists, so that later events are read again.
 */
export async function afterRestore(client: pg.Client, createdAt: string): Promise<void> {
  await skipNumbers(client, "order_numbers", "orders", createdAt);
  await skipNumbers(client, "contact_numbers", "contact_messages", createdAt);
  const tx = drizzle(client);
  await endSessions(tx, null);
  // Invitations in the backup may have been used or revoked since.
  await endInvitations(tx);
  await resetPush(tx);
  await forgetDestination(tx);
  await resetObjectCursors(tx);
  await releaseJobs(tx);
  await addJob(tx, afterRestoreJob, { createdAt }, { key: afterRestoreJob.name });
}

/** Skips as many numbers as were assigned in the two weeks before the backup: presumably more than were assigned after it. */
async function skipNumbers(
  client: pg.Client,
  sequence: string,
  table: string,
  createdAt: string,
): Promise<void> {
  await client.query(
    `select setval($1::regclass, (select last_value from ${quoteIdentifier(sequence)})
      + greatest($2::bigint, (select count(*) from ${quoteIdentifier(table)} where created_at > $3::timestamptz - interval '14 days')))`,
    [sequence, minSkippedNumbers, createdAt],
  );
}
