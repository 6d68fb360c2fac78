import { drizzle } from "drizzle-orm/node-postgres";
import type pg from "pg";
import { endSessions } from "../admin/sessions.ts";
import { listObjectsAgain } from "../payments/events/read.ts";
import { endInvitations } from "../people/invitations.ts";
import { addJob } from "../platform/jobs/jobs.ts";
import { resetPush } from "../push/vapid.ts";
import { quoted } from "./catalog.ts";
import { afterRestoreJob } from "./job-kinds.ts";

/** At least so many numbers are left out. */
const numbersLeastLeftOut = 100;

/**
 * What keeps a restored shop from doing harm, in the transaction that restores it. Buyers have e-mails with numbers that
 * were given since the backup: none of them is given again. Whoever had the panel open then may no longer be allowed to. What
 * happened at the payment provider since is read again from its lists.
 */
export async function afterRestore(client: pg.Client, createdAt: string): Promise<void> {
  await leaveOutNumbers(client, "order_numbers", "orders", createdAt);
  await leaveOutNumbers(client, "contact_numbers", "contact_messages", createdAt);
  const tx = drizzle(client);
  await endSessions(tx, null);
  // Links of the backup may have been used or taken back since.
  await endInvitations(tx);
  await resetPush(tx);
  await listObjectsAgain(tx);
  await addJob(tx, afterRestoreJob, { createdAt }, { key: afterRestoreJob.name });
}

/** As many as were given in the two weeks before the backup: more, hopefully, than were given after it. */
async function leaveOutNumbers(
  client: pg.Client,
  sequence: string,
  table: string,
  createdAt: string,
): Promise<void> {
  await client.query(
    `select setval($1::regclass, (select last_value from ${quoted(sequence)})
      + greatest($2::bigint, (select count(*) from ${quoted(table)} where created_at > $3::timestamptz - interval '14 days')))`,
    [sequence, numbersLeastLeftOut, createdAt],
  );
}
