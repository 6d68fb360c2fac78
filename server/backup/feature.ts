import { and, desc, eq, gte, inArray, lte, sql } from "drizzle-orm";
import { dateIn, startOfDay } from "../../domain/shared/zoned-days.ts";
import { products } from "../catalog/tables.ts";
import type { ShopContext } from "../context.ts";
import type { Feature } from "../feature.ts";
import { raiseIssue } from "../issues/issues.ts";
import { startMoneyCheck } from "../money-check/start.ts";
import { type RecurringTask, recurring, task } from "../platform/jobs/jobs.ts";
import { ownerTimeZone } from "../settings/today.ts";
import { backupApi } from "./api.ts";
import { makeBackup, raiseOldBackup, requestBackup } from "./commands.ts";
import { afterRestoreJob, makeBackupJob } from "./job-kinds.ts";
import { offSiteApi } from "./off-site/api.ts";
import { offSiteUpload } from "./off-site/upload.ts";
import { lastGoodBackup } from "./queries.ts";
import { backups } from "./tables.ts";

/** Backups of the whole shop in one file: made nightly, tested and restored, and copied to a bucket. */
export const backupFeature = {
  api: [...backupApi, ...offSiteApi],
  tasks: (ctx) => [
    task(makeBackupJob, ({ backupId }, context) => makeBackup(ctx, backupId, context)),
    task(afterRestoreJob, ({ createdAt }) => lookAfterRestore(ctx, createdAt)),
  ],
  cron: (ctx) => [nightlyBackup(ctx), offSiteUpload(ctx)],
} satisfies Feature;

const hourMs = 60 * 60 * 1000;
/** After the start of the nightly money check. */
const nightlyFromHour = 3;
const oldMs = 48 * hourMs;
/** Attempts per night, an hour apart. */
const triesMax = 4;

/**
 * Queues a backup once a night in the owner's time zone, on any server. A failed one is retried after an hour. Raises
 * an issue if the last good one is older than two days.
 */
export async function backUpNightly(ctx: ShopContext): Promise<void> {
  const now = ctx.now();
  const timeZone = await ownerTimeZone(ctx);
  const dueAt = new Date(startOfDay(timeZone, dateIn(timeZone, now)).getTime() + nightlyFromHour * hourMs);
  const [shop] = await ctx.db.select({ since: sql<Date | null>`min(${products.createdAt})` }).from(products);
  const since = shop?.since ? new Date(shop.since) : now;
  if (ctx.config.backups.isNightly && now >= dueAt && since < dueAt && (await isMissing(ctx, dueAt))) {
    await requestBackup(ctx, "nightly");
  }
  const good = await lastGoodBackup(ctx.db);
  const isOld = now.getTime() - (good?.takenAt ?? since).getTime() > oldMs;
  // Without nightly backups, the go-live check asks the owner to confirm other ones.
  if (isOld && ctx.config.backups.isNightly) await raiseOldBackup(ctx, good?.takenAt ?? null);
}

async function isMissing({ db }: ShopContext, dueAt: Date): Promise<boolean> {
  const tonight = await db
    .select({ status: backups.status })
    .from(backups)
    .where(and(eq(backups.kind, "nightly"), gte(backups.requestedAt, dueAt)))
    .orderBy(desc(backups.requestedAt));
  return tonight.every(({ status }) => status !== "done") && tonight.length < triesMax;
}

function nightlyBackup(ctx: ShopContext): RecurringTask {
  const job = { name: "nightly_backup", lane: "upkeep", priority: 0, everySeconds: 60 * 60 } as const;
  return recurring(job, () => backUpNightly(ctx));
}

/** Job after a restore: checks the payments since the backup, and notifies the owner of the next steps. */
export async function lookAfterRestore(ctx: ShopContext, createdAt: string): Promise<void> {
  const { db } = ctx;
  const at = new Date(createdAt);
  // The restored backup contains its own row as unfinished.
  await db
    .delete(backups)
    .where(and(inArray(backups.status, ["queued", "saving", "testing"]), lte(backups.requestedAt, at)));
  const now = ctx.now();
  if (at < now) await startMoneyCheck(ctx, { from: at, to: now, requestedBy: "owner" });
  await raiseIssue(db, {
    kind: "restored",
    subject: createdAt,
    orderId: null,
    message: `The shop was restored from a backup of ${createdAt.slice(0, 16).replace("T", " ")} UTC. What came since is lost, but for payments: the money check of the time since lists those whose orders are gone. Enter again what you changed since: stock, prices, parcels that were sent, deletions that were asked for. Enter the bucket of off-site copies again, if there was one: nothing is copied until then. Close this when that is done`,
  });
}
