import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { and, desc, eq, inArray, sql } from "drizzle-orm";
import type { ShopContext } from "../context.ts";
import { refreshCustomers } from "../customers/refresh.ts";
import { givePersonalCode } from "../discounts/personal-codes.ts";
import { closeIssuesAbout, raiseIssue, updateIssue } from "../issues/issues.ts";
import { subscribers } from "../newsletter/tables.ts";
import { optOut } from "../outbox/optouts.ts";
import { sendBulk } from "../outbox/send.ts";
import { MailFailed, MailRefused } from "../outbox/smtp.ts";
import type { Db } from "../platform/database/database.ts";
import { addJobs, jobRequest, type RecurringTask, recurring } from "../platform/jobs/jobs.ts";
import { isSubscribed } from "./audience.ts";
import { lockCampaign, sendProblemSubject, startCampaign, stopCampaign } from "./commands.ts";
import { campaignJobKey, sendCampaignJob } from "./job.ts";
import { renderNewsletter } from "./newsletter-email.ts";
import { campaignRecipients, campaigns, type RecipientStatus } from "./tables.ts";

/** Longest run (ms), so that campaigns take turns. */
const runTimeoutMs = 5 * 60_000;
/** Pause (s) after the mail server refused everything, and before a recipient that it deferred is tried again. */
const pauseS = 60;
/** Attempts for one recipient. */
const maxAttempts = 5;
/** Time (ms) after the newsletter's start at which recipients whom the mail server defers count as failed. */
const deferredMs = 3 * 24 * 60 * 60 * 1_000;
/** Number of permanent refusals or missing responses in a row that indicate a problem of the mail server or sender. */
const maxRefusalsInRow = 20;

type Recipient = {
  id: number;
  attempts: number;
  email: string | null;
  isSubscribed: boolean;
  personalCode: string | null;
};

/**
 * Sends a campaign until all recipients have it, it is stopped, or the mail server fails. Each recipient is marked before the
 * e-mail is sent and updated afterwards: one still marked after a crash may have got the e-mail, so it is not sent again.
 */
export async function sendCampaign(ctx: ShopContext, id: number, signal: AbortSignal): Promise<void> {
  const { db, log } = ctx;
  const campaign = await beginRun(ctx, id);
  if (campaign === null) return;
  if (campaign === "waits") return scheduleRun(ctx, id, pauseS);
  const { runId } = campaign;
  const newsletter = await renderNewsletter(ctx, campaign);
  if (newsletter.rendered === null) {
    const [cause = ""] = Object.values(newsletter.problems);
    await reportSendProblem(ctx, id, `The newsletter can no longer be sent: ${cause}`);
    return scheduleRun(ctx, id, pauseS);
  }
  const resolution = "Automatically: the newsletter can be sent again";
  await closeIssuesAbout(db, { subject: sendProblemSubject(id), resolution, now: ctx.now() });
  const intervalMs = ctx.mailer === null ? 0 : 60_000 / ctx.config.mail.newslettersPerMinute;
  const endsAt = performance.now() + runTimeoutMs;
  let count = 0;
  let refusalsInRow = await countRefusalsInRow(ctx, id);
  while (!signal.aborted) {
    if (performance.now() > endsAt) return scheduleRun(ctx, id, 0);
    const startedAt = performance.now();
    const recipient = await claimRecipient(ctx, { id, runId, discountId: newsletter.discountId });
    if (recipient === null) break;
    // The next run determines why the discount can no longer be used.
    if (recipient === "no_code") return scheduleRun(ctx, id, 0);
    const isLate = ctx.now().getTime() - (campaign.startedAt ?? ctx.now()).getTime() > deferredMs;
    const { status, problem, refusal } = await sendTo(ctx, newsletter, { campaignId: id, recipient, isLate });
    await db
      .update(campaignRecipients)
      .set({
        // A recipient is not tried again once its campaign was stopped.
        status:
          status === "queued" ? sql`case when ${isBeingSent(id)} then 'queued' else 'skipped' end` : status,
        attempts: recipient.attempts + 1,
        at: ctx.now(),
      })
      // A provider may have reported a bounce in the meantime.
      .where(
        and(
          eq(campaignRecipients.id, recipient.id),
          inArray(campaignRecipients.status, ["sending", "unknown"]),
        ),
      );
    if (status !== "skipped") refusalsInRow = refusal === undefined ? 0 : refusalsInRow + 1;
    if (refusalsInRow === maxRefusalsInRow) {
      const what = status === "unknown" ? "may not have got theirs" : "were refused";
      await stopCampaign(ctx, id, `${refusalsInRow} recipients in a row ${what}: ${refusal}`);
      return;
    }
    if (problem !== undefined) {
      await setProblem(ctx, id, problem);
      return scheduleRun(ctx, id, pauseS);
    }
    if (campaign.problem !== null) {
      await setProblem(ctx, id, null);
      campaign.problem = null;
    }
    count += 1;
    if (status !== "skipped")
      await wait(Math.max(0, startedAt + intervalMs - performance.now()), null, { signal }).catch(() => null);
  }
  log.info({ campaignId: id, count }, "newsletters sent");
  if (signal.aborted) return scheduleRun(ctx, id, 0);
  if (!(await endRun(ctx, id, runId))) await scheduleRun(ctx, id, pauseS);
}

/**
 * Takes the campaign over from earlier runs, and starts it if it is due. Null if there is nothing to send; `waits`: an earlier
 * campaign is being sent, and both together would exceed the rate.
 */
async function beginRun(ctx: ShopContext, id: number) {
  const now = ctx.now();
  // The recipients of a scheduled newsletter are chosen when its sending begins.
  await refreshCustomers(ctx);
  return ctx.db.transaction(async (tx) => {
    const row = await lockCampaign(tx, id);
    if (!row) return null;
    const isDue = row.status === "scheduled" && row.scheduledAt !== null && row.scheduledAt <= now;
    if (isDue) await startCampaign(tx, row, now);
    else if (row.status !== "sending") {
      // A campaign that was stopped after a crash may also have recipients whose e-mail was interrupted.
      await markInterrupted(tx, id, now);
      return null;
    }
    const isEarlier = sql`${campaigns.status} = 'sending' and ${campaigns.problem} is null and ${campaigns.id} < ${id}`;
    if ((await tx.$count(campaigns, isEarlier)) > 0) return "waits";
    const runId = randomUUID();
    // A time in the future was stored while the clock was ahead; it is set to now.
    const startedAt = sql`least(${campaigns.startedAt}, ${now.toISOString()}::timestamptz)`;
    const [updatedRow] = await tx
      .update(campaigns)
      .set({ runId, startedAt })
      .where(eq(campaigns.id, id))
      .returning({ startedAt: campaigns.startedAt });
    await markInterrupted(tx, id, now);
    return { ...row, ...updatedRow, runId };
  });
}

async function markInterrupted(tx: Db, id: number, now: Date): Promise<void> {
  await tx
    .update(campaignRecipients)
    .set({
      status: "unknown",
      at: sql`coalesce(${campaignRecipients.at}, ${now.toISOString()}::timestamptz)`,
    })
    .where(and(eq(campaignRecipients.campaignId, id), eq(campaignRecipients.status, "sending")));
}

/** Refusals and missing responses since the last accepted e-mail, in earlier runs; at most one fewer than stop the campaign. */
async function countRefusalsInRow({ db }: ShopContext, id: number): Promise<number> {
  const wasTried = inArray(campaignRecipients.status, ["sent", "complained", "unknown", "bounced", "failed"]);
  const latestRecipients = await db
    .select({ status: campaignRecipients.status })
    .from(campaignRecipients)
    .where(and(eq(campaignRecipients.campaignId, id), wasTried))
    .orderBy(desc(campaignRecipients.at), desc(campaignRecipients.id))
    .limit(maxRefusalsInRow - 1);
  const firstAcceptedIndex = latestRecipients.findIndex(
    ({ status }) => status === "sent" || status === "complained",
  );
  return firstAcceptedIndex === -1 ? latestRecipients.length : firstAcceptedIndex;
}

type Run = { id: number; runId: string; discountId: number | null };

/**
 * Marks the next recipient, and creates their code in the same transaction if needed. Null if no recipient is due now, the campaign
 * was stopped, or another run has taken over. `no_code`: the discount can no longer be used, and no recipient was marked.
 */
async function claimRecipient(ctx: ShopContext, run: Run): Promise<Recipient | "no_code" | null> {
  const { id: campaignId, discountId } = run;
  if (discountId === null) return markRecipient(ctx.db, run, ctx.now());
  try {
    return await ctx.db.transaction(async (tx) => {
      const now = ctx.now();
      const recipient = await markRecipient(tx, run, now);
      if (!recipient?.isSubscribed) return recipient;
      const target = { discountId, campaignId, recipientId: recipient.id, now };
      const personalCode = await givePersonalCode(tx, target);
      if (personalCode === null) throw new NoCode();
      return { ...recipient, personalCode };
    });
  } catch (error) {
    if (error instanceof NoCode) return "no_code";
    throw error;
  }
}

/** Thrown to roll back the mark; caught in this file. */
class NoCode extends Error {}

/** Locks the campaign, so that it is stopped before or after the caller's statement. */
const isBeingSent = (id: number, condition = sql``) => sql`exists (
  select from ${campaigns} where ${campaigns.id} = ${id} and ${campaigns.status} = 'sending' ${condition} for share)`;

async function markRecipient(db: Db, { id, runId }: Run, now: Date): Promise<Recipient | null> {
  const secondsFromNow = (seconds: number) => new Date(now.getTime() + seconds * 1_000).toISOString();
  const { rows } = await db.execute<Recipient>(sql`
    with taken as (
      update ${campaignRecipients} set status = 'sending', at = ${now.toISOString()}::timestamptz
      where id = (
        select id from ${campaignRecipients} where campaign_id = ${id} and status = 'queued'
          -- A time after the pause was stored while the clock was ahead.
          and (attempts = 0 or at not between ${secondsFromNow(-pauseS)}::timestamptz and ${secondsFromNow(pauseS)}::timestamptz)
        order by attempts, id limit 1 for update skip locked
      ) and ${isBeingSent(id, sql`and ${campaigns.runId} = ${runId}`)}
      returning id, attempts, email_hash
    )
    select taken.id::int as id, taken.attempts, ${subscribers.email}, coalesce(${isSubscribed}, false) as "isSubscribed",
      null as "personalCode"
    from taken left join ${subscribers} on ${subscribers.emailHash} = taken.email_hash`);
  return rows[0] ?? null;
}

/** `problem`: why nothing can be sent now. `refusal`: why this recipient does not get the e-mail, or may not have got it. */
type Outcome = { status: RecipientStatus; problem?: string; refusal?: string };

async function sendTo(
  ctx: ShopContext,
  newsletter: Awaited<ReturnType<typeof renderNewsletter>>,
  {
    campaignId,
    recipient: { id, email, attempts, isSubscribed, personalCode },
    isLate,
  }: { campaignId: number; recipient: Recipient; isLate: boolean },
): Promise<Outcome> {
  // The recipient was unsubscribed, removed or erased after the campaign began.
  if (email === null || !isSubscribed) return { status: "skipped" };
  try {
    const key = `newsletter:${campaignId}:${id}`;
    const mail = { id: randomUUID(), key, kind: "newsletter", to: email, sender: newsletter.sender } as const;
    await sendBulk(ctx, { ...mail, ...newsletter.forRecipient(email, personalCode) });
    return { status: "sent" };
  } catch (error) {
    if (error instanceof MailRefused) {
      await optOut(ctx.db, email, "newsletter", "bounced");
      return { status: "bounced", refusal: error.reason };
    }
    if (!(error instanceof MailFailed)) throw error;
    ctx.log.warn({ campaignId, reason: error.reason }, "newsletter not sent");
    // `problem` makes the run pause, because recipients whose e-mail is lost in this way are not tried again.
    if (error.mayHaveArrived) return { status: "unknown", problem: error.reason, refusal: error.reason };
    const isGivenUp = error.isAnswered && isLate;
    if (!error.isAboutRecipient && !isGivenUp) return { status: "queued", problem: error.reason };
    if (error.isPermanent || isGivenUp) return { status: "failed", refusal: error.reason };
    return { status: attempts + 1 >= maxAttempts ? "failed" : "queued" };
  }
}

/** Ends the campaign. Returns false if some recipients must be tried again later. */
async function endRun({ db, mailer, now }: ShopContext, id: number, runId: string): Promise<boolean> {
  const problem = mailer === null ? "It was kept, because no mail server was set" : null;
  await db.execute(sql`
    update ${campaigns} set status = 'sent', ended_at = ${now().toISOString()}::timestamptz, problem = ${problem}
    where ${campaigns.id} = ${id} and ${campaigns.status} = 'sending' and ${campaigns.runId} = ${runId} and not exists (
      select from ${campaignRecipients} where campaign_id = ${id} and ${campaignRecipients.status} = 'queued')`);
  const [row] = await db
    .select({ status: campaigns.status, runId: campaigns.runId })
    .from(campaigns)
    .where(eq(campaigns.id, id));
  return row?.status !== "sending" || row.runId !== runId;
}

/** Stores why a newsletter cannot be sent now, and raises an issue, because the owner must correct or stop it. */
async function reportSendProblem({ db }: ShopContext, id: number, problem: string): Promise<void> {
  await db.transaction(async (tx) => {
    const row = await lockCampaign(tx, id);
    if (row?.status !== "sending" || row.problem === problem) return;
    await tx.update(campaigns).set({ problem }).where(eq(campaigns.id, id));
    const issue = {
      kind: "newsletter_held_up",
      subject: sendProblemSubject(id),
      message: `The newsletter “${row.subject}” is waiting. ${problem}. It continues automatically once this is fixed; it can be stopped on its page`,
      path: `/campaigns/${id}`,
    };
    if (!(await raiseIssue(tx, issue))) await updateIssue(tx, { ...issue, isReopened: true });
  });
}

async function setProblem({ db }: ShopContext, id: number, problem: string | null): Promise<void> {
  await db.update(campaigns).set({ problem }).where(eq(campaigns.id, id));
}

async function scheduleRun({ db }: ShopContext, campaignId: number, afterS: number): Promise<void> {
  const options = { key: campaignJobKey(campaignId), runAt: new Date(Date.now() + afterS * 1_000) };
  await addJobs(db, [jobRequest(sendCampaignJob, { campaignId }, options)]);
}

/** Queues a job for campaigns that are due or whose job was lost. A campaign that has a job keeps it. */
export async function resumeCampaigns({ db, now }: ShopContext): Promise<void> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select ${campaigns.id} as id from ${campaigns}
    where (${campaigns.status} = 'sending' or ${campaigns.status} = 'scheduled' and ${campaigns.scheduledAt} <= ${now().toISOString()}::timestamptz)
      and not exists (select from jobs where jobs.key = 'campaign:' || ${campaigns.id}
        and (jobs.leased_until is not null or jobs.run_at <= now() + make_interval(secs => ${pauseS})))`);
  await addJobs(
    db,
    rows.map(({ id }) =>
      jobRequest(sendCampaignJob, { campaignId: Number(id) }, { key: campaignJobKey(Number(id)) }),
    ),
  );
}

export function resumeCampaignsTask(ctx: ShopContext): RecurringTask {
  const job = { name: "resume_campaigns", lane: "mail", priority: 20, everySeconds: 60 } as const;
  return recurring(job, () => resumeCampaigns(ctx));
}
