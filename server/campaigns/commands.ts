import { randomUUID } from "node:crypto";
import { and, eq, exists, lt, sql } from "drizzle-orm";
import type * as v from "valibot";
import {
  type CampaignContent,
  type campaignChangeSchema,
  emptyCampaign,
  type newCampaignSchema,
} from "../../domain/campaigns/campaign.ts";
import { campaignRecipientDays } from "../../domain/privacy/retention.ts";
import type { ShopContext } from "../context.ts";
import { endPersonalCodes } from "../discounts/personal-codes.ts";
import { personalCodes } from "../discounts/tables.ts";
import { closeIssuesAbout, raiseIssue } from "../issues/issues.ts";
import { enqueueMessages } from "../outbox/enqueue.ts";
import { hashEmail } from "../outbox/optouts.ts";
import type { Person, PersonToErase } from "../personal-data.ts";
import type { Db } from "../platform/database/database.ts";
import { deleteInBatches } from "../platform/database/in-batches.ts";
import { addJob } from "../platform/jobs/jobs.ts";
import { audienceQuery, countAudience } from "./audience.ts";
import { campaignJobKey, sendCampaignJob } from "./job.ts";
import { countRecipients } from "./queries.ts";
import { type CampaignCounts, campaignRecipients, campaigns } from "./tables.ts";

type Row = typeof campaigns.$inferSelect;

export async function createCampaign(
  { db, now }: ShopContext,
  content: v.InferOutput<typeof newCampaignSchema>,
): Promise<number> {
  const [row] = await db
    .insert(campaigns)
    // Removes undefined values, which JSON does not have.
    .values({ ...emptyCampaign, ...(content as Partial<CampaignContent>), createdAt: now() })
    .returning({ id: campaigns.id });
  if (!row) throw new Error("a campaign was written without its id");
  return row.id;
}

/** `conflict`: another panel user changed the draft after `revision`; `begun`: it is no longer a draft. */
export async function changeCampaign(
  { db }: ShopContext,
  id: number,
  { revision, ...content }: v.InferOutput<typeof campaignChangeSchema>,
): Promise<"changed" | "unknown" | "conflict" | "begun"> {
  return db.transaction(async (tx) => {
    const row = await lockCampaign(tx, id);
    if (!row) return "unknown";
    if (row.status !== "draft") return "begun";
    if (revision !== undefined && revision !== row.revision) return "conflict";
    await tx
      .update(campaigns)
      .set({ ...content, revision: row.revision + 1 })
      .where(eq(campaigns.id, id));
    return "changed";
  });
}

/** False if the campaign is not a draft, or does not exist. */
export async function deleteDraft({ db }: ShopContext, id: number): Promise<boolean> {
  const deletedRows = await db
    .delete(campaigns)
    .where(and(eq(campaigns.id, id), eq(campaigns.status, "draft")))
    .returning({ id: campaigns.id });
  return deletedRows.length > 0;
}

/** `done`: sending had begun or ended already. `revision`: the checked one; a newer revision is a conflict. */
export async function startOrSchedule(
  ctx: ShopContext,
  { id, at, revision }: { id: number; at: Date | null; revision: number },
): Promise<"sending" | "scheduled" | "done" | "stopped" | "conflict" | "nobody"> {
  const now = ctx.now();
  return ctx.db.transaction(async (tx) => {
    const row = await lockCampaign(tx, id);
    if (!row || row.revision !== revision) return "conflict";
    if (row.status === "stopped") return "stopped";
    if (row.status === "sending" || row.status === "sent") return "done";
    if (at !== null && at > now) {
      await tx.update(campaigns).set({ status: "scheduled", scheduledAt: at }).where(eq(campaigns.id, id));
      const runAt = new Date(Date.now() + at.getTime() - now.getTime());
      await addJob(tx, sendCampaignJob, { campaignId: id }, { key: campaignJobKey(id), runAt });
      return "scheduled";
    }
    if ((await countAudience(tx, row, now)) === 0) return "nobody";
    await startCampaign(tx, row, now);
    await addJob(tx, sendCampaignJob, { campaignId: id }, { key: campaignJobKey(id) });
    return "sending";
  });
}

/** Marks a campaign as being sent and stores its recipients. The caller has locked the campaign. */
export async function startCampaign(tx: Db, row: Row, now: Date): Promise<void> {
  await tx
    .update(campaigns)
    .set({ status: "sending", startedAt: now, scheduledAt: row.scheduledAt ?? now })
    .where(eq(campaigns.id, row.id));
  await tx.execute(sql`
    insert into ${campaignRecipients} (campaign_id, email_hash)
    select ${row.id}::bigint, ${sql.raw('"subscribers"."email_hash"')} ${audienceQuery(row, now)} on conflict do nothing`);
}

export async function lockCampaign(tx: Db, id: number): Promise<Row | null> {
  const [row] = await tx.select().from(campaigns).where(eq(campaigns.id, id)).for("update");
  return row ?? null;
}

/** Subject of the issue about a newsletter that cannot be sent now. */
export const sendProblemSubject = (id: number): string => `held up:${id}`;

/**
 * Skips all queued recipients. An e-mail that is being sent at this moment still goes out. `problem`: why the shop stops the
 * campaign automatically, reported to the owner; null if a person stops it.
 */
export async function stopCampaign(
  { db, now }: ShopContext,
  id: number,
  problem: string | null = null,
): Promise<"stopped" | "unknown" | "not_begun" | "over"> {
  return db.transaction(async (tx) => {
    const row = await lockCampaign(tx, id);
    if (!row) return "unknown";
    if (row.status === "draft") return "not_begun";
    if (row.status === "sent") return "over";
    if (row.status === "stopped") return "stopped";
    await tx
      .update(campaigns)
      .set({ status: "stopped", endedAt: now(), problem })
      .where(eq(campaigns.id, id));
    await tx
      .update(campaignRecipients)
      .set({ status: "skipped" })
      .where(and(eq(campaignRecipients.campaignId, id), eq(campaignRecipients.status, "queued")));
    const resolution = "Automatically: the newsletter was stopped";
    await closeIssuesAbout(tx, { subject: sendProblemSubject(id), resolution, now: now() });
    if (problem !== null)
      await raiseIssue(tx, {
        kind: "newsletter_stopped",
        subject: String(id),
        message: `The shop stopped the newsletter “${row.subject}”. ${problem}. Ask whoever runs the mail server what is wrong before you send another`,
        path: `/campaigns/${id}`,
      });
    return "stopped";
  });
}

/** Sends the saved newsletter to the owner, in a new e-mail each time. Returns the e-mail's id. */
export async function enqueueTest(db: Db, campaignId: number): Promise<string> {
  const id = randomUUID();
  const data = { campaignId: String(campaignId) };
  await enqueueMessages(db, [{ id, kind: "newsletter", dedupeKey: `newsletter_test:${id}`, data }]);
  return id;
}

/** Deletes the recipients of campaigns that ended long ago, and stores their counts with the campaign. */
export async function purgeCampaignRecipients({ db, now }: ShopContext): Promise<void> {
  const before = new Date(now().getTime() - campaignRecipientDays * 24 * 60 * 60 * 1000);
  const matchesCampaign = eq(campaignRecipients.campaignId, campaigns.id);
  const endedCampaigns = await db
    .select({ id: campaigns.id, counts: campaigns.counts })
    .from(campaigns)
    .where(
      and(lt(campaigns.endedAt, before), exists(db.select().from(campaignRecipients).where(matchesCampaign))),
    );
  for (const { id, counts } of endedCampaigns) {
    // Counted before any row is deleted, so that an interrupted purge does not count too few.
    if (counts === null)
      await db
        .update(campaigns)
        .set({ counts: await finalCounts(db, id) })
        .where(eq(campaigns.id, id));
    await deleteInBatches(db, campaignRecipients, eq(campaignRecipients.campaignId, id));
  }
}

async function finalCounts(db: Db, id: number): Promise<CampaignCounts | null> {
  const { waiting: _, ...counts } = (await countRecipients(db, [id])).get(id) ?? { waiting: 0 };
  return "sent" in counts ? counts : null;
}

/** Newsletters sent to the address. */
export async function exportNewsletters(db: Db, { email }: Person, limit: number) {
  return db
    .select({
      subject: campaigns.subject,
      status: campaignRecipients.status,
      at: campaignRecipients.at,
      code: personalCodes.code,
    })
    .from(campaignRecipients)
    .innerJoin(campaigns, eq(campaigns.id, campaignRecipients.campaignId))
    .leftJoin(personalCodes, eq(personalCodes.recipientId, campaignRecipients.id))
    .where(eq(campaignRecipients.emailHash, hashEmail(email)))
    .orderBy(campaignRecipients.id)
    .limit(limit);
}

/**
 * Replaces the address's hash, so that the recipient is still counted but not identifiable, and ends the recipient's unused
 * codes.
 */
export async function eraseRecipient(tx: Db, { email }: PersonToErase): Promise<void> {
  const recipients = await tx
    .update(campaignRecipients)
    .set({
      emailHash: sql`sha256(gen_random_uuid()::text::bytea)`,
      status: sql`case when ${campaignRecipients.status} = 'queued' then 'skipped' else ${campaignRecipients.status} end`,
    })
    .where(eq(campaignRecipients.emailHash, hashEmail(email)))
    .returning({ id: campaignRecipients.id });
  const ids = recipients.map(({ id }) => id);
  if (ids.length > 0) await endPersonalCodes(tx, ids);
}
