import { and, eq, isNull, lte, sql } from "drizzle-orm";
import { type MailOutage, mailOutageAfterMs } from "../../domain/outbox/mail-outage.ts";
import type { ShopContext } from "../context.ts";
import type { Db } from "../platform/database/database.ts";
import { retryJobsNow } from "../platform/jobs/jobs.ts";
import { sendMessageJob } from "./enqueue.ts";
import { hashEmail } from "./optouts.ts";
import type { MailFailed } from "./smtp.ts";
import { mailOutage, messages } from "./tables.ts";

const countLimit = 100;

type Row = typeof mailOutage.$inferSelect;

/** Records a failure to send. Refusals of one address are not an outage; refusals of two different ones in a row are. */
export async function recordMailFailure(
  { db, now }: Pick<ShopContext, "db" | "now">,
  { failure, recipient }: { failure: MailFailed; recipient: string },
): Promise<void> {
  const at = now();
  const { reason: cause, isAnswered } = failure;
  const onlyRecipientHash = failure.isAboutRecipient ? hashEmail(recipient) : null;
  await db
    .insert(mailOutage)
    .values({ since: at, lastFailedAt: at, cause, isAnswered, onlyRecipientHash })
    .onConflictDoUpdate({
      target: mailOutage.id,
      set: {
        // A stored time in the future is from a clock that was ahead, and would hide the outage.
        since: sql`least(${mailOutage.since}, excluded.since)`,
        lastFailedAt: at,
        cause,
        isAnswered,
        onlyRecipientHash: sql`case when ${mailOutage.onlyRecipientHash} = excluded.only_recipient_hash
          then excluded.only_recipient_hash end`,
      },
    });
}

/** SQL condition: an outage to report, with failures for a minute or more and no e-mail sent in the meantime. */
function isOutage(now: Date) {
  return and(
    isNull(mailOutage.onlyRecipientHash),
    lte(mailOutage.since, new Date(now.getTime() - mailOutageAfterMs)),
  );
}

export async function readMailOutage(db: Db, now: Date): Promise<MailOutage | null> {
  const [row] = await db
    .select({ since: mailOutage.since, cause: mailOutage.cause, waiting: countFailedAttempts })
    .from(mailOutage)
    .where(isOutage(now));
  return row ? { ...row, since: row.since.toISOString() } : null;
}

const isFailedAttempt = sql`${messages.channel} = 'email' and ${messages.attempts} > 0 and ${messages.status} = 'queued'`;
const countFailedAttempts = sql<number>`(select count(*)::int from (
  select 1 from ${messages} where ${isFailedAttempt} limit ${sql.raw(String(countLimit))}) as counted)`;

/** An outage by its id; null if it has ended. */
export async function findMailOutage(db: Db, outageId: string): Promise<Pick<Row, "since" | "cause"> | null> {
  const [row] = await db
    .select({ since: mailOutage.since, cause: mailOutage.cause })
    .from(mailOutage)
    .where(eq(mailOutage.outageId, outageId));
  return row ?? null;
}

/** Marks an unreported outage as reported and returns it; null if there is none. */
export async function claimUnreportedOutage(
  tx: Db,
  now: Date,
): Promise<Pick<Row, "outageId" | "cause"> | null> {
  const [row] = await tx
    .update(mailOutage)
    .set({ notifiedAt: now })
    .where(and(isOutage(now), isNull(mailOutage.notifiedAt)))
    .returning({ outageId: mailOutage.outageId, cause: mailOutage.cause });
  return row ?? null;
}

/**
 * Checks whether an outage has ended. If the server was unreachable and now accepts the sign-in (`tryServer`), the oldest waiting
 * e-mail is retried immediately, and its success ends the outage. Without a waiting e-mail the sign-in ends it.
 */
export async function probeMail(
  { db, mailer }: Pick<ShopContext, "db" | "mailer">,
  tryServer: () => Promise<boolean>,
): Promise<void> {
  const [row] = await db.select().from(mailOutage);
  if (!row) return;
  // Without a mailer, the failed server is no longer used, and mail is only saved to the folder.
  const isReached = mailer === null || (await tryServer());
  if (!isReached) return;
  if (mailer !== null && !row.isAnswered && (await retryMail(db, 1)) > 0) return;
  if (mailer !== null && (await hasFailedAttempts(db))) return;
  // The outage is not deleted if another e-mail has failed in the meantime.
  await db
    .delete(mailOutage)
    .where(and(eq(mailOutage.outageId, row.outageId), lte(mailOutage.lastFailedAt, row.lastFailedAt)));
}

async function hasFailedAttempts(db: Db): Promise<boolean> {
  const { rows } = await db.execute(sql`select 1 from ${messages} where ${isFailedAttempt} limit 1`);
  return rows.length > 0;
}

/**
 * Reschedules waiting e-mails to now, oldest first, and returns their number. The attempt that failed in the outage is not
 * counted, so that a long outage does not use up all attempts.
 */
export async function retryMail(db: Db, limit: number | null = null): Promise<number> {
  const waitingJobs = sql`
    select jobs.id from jobs join ${messages} on ${messages.id}::text = jobs.payload ->> 'messageId'
    where jobs.name = ${sendMessageJob.name} and jobs.run_at > now()
      and jobs.attempts between 1 and jobs.max_attempts - 1 and ${isFailedAttempt}
    order by ${messages.createdAt} ${limit === null ? sql`` : sql`limit ${limit}`}
    for update of jobs skip locked`;
  return retryJobsNow(db, waitingJobs);
}

/** Seconds since the first failure of an outage, for /metrics; 0 if there is none. */
export async function mailOutageSeconds(db: Db, now: Date): Promise<number> {
  const [row] = await db
    .select({ since: mailOutage.since })
    .from(mailOutage)
    .where(isNull(mailOutage.onlyRecipientHash));
  return row ? Math.max(0, (now.getTime() - row.since.getTime()) / 1_000) : 0;
}
