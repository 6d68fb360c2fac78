import { open } from "node:fs/promises";
import { basename } from "node:path";
import { Readable } from "node:stream";
import { and, between, desc, eq, inArray, lte, sql } from "drizzle-orm";
import * as v from "valibot";
import { backupSchema } from "../../domain/backup/backup.ts";
import { utcText } from "../../domain/backup/backup-text.ts";
import { dateIn, startOfDay } from "../../domain/shared/zoned-days.ts";
import { accepted, dataEnvelope, ok, route } from "../api-row.ts";
import { products } from "../catalog/tables.ts";
import type { ShopContext } from "../context.ts";
import type { Feature } from "../feature.ts";
import { raiseIssue } from "../issues/issues.ts";
import { startMoneyCheck } from "../money-check/start.ts";
import type { Db } from "../platform/database/database.ts";
import { idParams } from "../platform/http/params.ts";
import { problem } from "../platform/http/problem.ts";
import { recurring, task } from "../platform/jobs/jobs.ts";
import { ownerTimeZone } from "../settings/today.ts";
import { lockBackupRequests, makeBackup, raiseOverdueBackup, requestBackup } from "./commands.ts";
import { afterRestoreJob, makeBackupJob } from "./job-kinds.ts";
import { offSiteApi } from "./off-site/api.ts";
import { offSiteUpload } from "./off-site/upload.ts";
import { findBackup, lastGoodBackup, listBackups } from "./queries.ts";
import { backups } from "./tables.ts";

const shared = { tag: "Contact, notifications, admin", access: "admin" } as const;

const backupApi = [
  route("GET /api/admin/backups", {
    ...shared,
    summary: "Backups, newest first, with the results of their tests",
    response: dataEnvelope(
      v.object({ backups: v.array(backupSchema), folder: v.string(), isNightly: v.boolean() }),
    ),
    responses: { 200: "`{backups, folder, isNightly}`; `folder`: this server's folder of backups" },
    handle: async (ctx) =>
      ok({
        backups: await listBackups(ctx.db),
        folder: ctx.config.backupDir.path,
        isNightly: ctx.config.backups.runsNightly,
      }),
  }),
  route("POST /api/admin/backups", {
    ...shared,
    summary: "Make a backup now and test it by restoring it; poll the list for its progress",
    limit: "write",
    response: dataEnvelope(v.object({ id: v.number() })),
    responses: { 202: "The `id` of the queued backup, or of one already running" },
    handle: async (ctx, { log }) => {
      const id = await requestBackup(ctx, "manual");
      log({ subject: `backup:${id}`, summary: "Requested a backup" });
      return accepted({ id });
    },
  }),
  route("GET /api/admin/backups/:id/file", {
    ...shared,
    summary: "The stored file of a backup",
    downloads: true,
    confirm: "A backup is downloaded",
    params: idParams,
    file: ["application/octet-stream"],
    responses: { 200: "The file", 404: "This server has no such file" },
    handle: async (ctx, { params: { id }, log }) => {
      const backup = await findBackup(ctx.db, id);
      const file = backup?.path && backup.bytes ? await open(backup.path, "r").catch(() => null) : null;
      if (!file || !backup?.path) {
        const where = backup?.server ? ` It was made by the server ${backup.server}.` : "";
        return problem("not_found", `This server does not have that file.${where}`);
      }
      log({ subject: `backup:${id}`, summary: "Downloaded a backup" });
      return {
        status: 200,
        // Streamed, so that a slow client needs little memory.
        stream: Readable.toWeb(file.createReadStream()) as ReadableStream<Uint8Array>,
        headers: {
          "Content-Type": "application/octet-stream",
          "Content-Length": String((await file.stat()).size),
          "Content-Disposition": `attachment; filename="${basename(backup.path)}"`,
          "Cache-Control": "no-store",
        },
      };
    },
  }),
];

/** Makes a nightly backup of the whole shop in one file, tests it by a restore, and copies it to a bucket. */
export const backupFeature = {
  api: [...backupApi, ...offSiteApi],
  tasks: (ctx) => [
    task(makeBackupJob, ({ backupId }, context) => makeBackup(ctx, backupId, context)),
    task(afterRestoreJob, ({ createdAt }) => followUpRestore(ctx, createdAt)),
  ],
  cron: (ctx) => [
    recurring({ name: "nightly_backup", lane: "upkeep", priority: 0, everySeconds: 60 * 60 }, () =>
      backUpNightly(ctx),
    ),
    offSiteUpload(ctx),
  ],
} satisfies Feature;

const hourMs = 60 * 60 * 1000;
/** After the start of the nightly money check. */
const nightlyFromHour = 3;
const oldMs = 48 * hourMs;
/** Attempts per night. */
const maxTries = 4;
/** Below an hour, because the hourly job may run a little early or late. */
const retryPauseMs = 0.9 * hourMs;

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
  if (ctx.config.backups.runsNightly && now >= dueAt && since < dueAt) {
    await ctx.db.transaction(async (db) => {
      // The check is under the lock: a backup that another server requested may have failed since.
      await lockBackupRequests(db);
      if (await isBackupDue(db, dueAt, now)) await requestBackup({ ...ctx, db }, "nightly");
    });
  }
  const lastBackup = await lastGoodBackup(ctx.db);
  const isOld = now.getTime() - (lastBackup?.takenAt ?? since).getTime() > oldMs;
  // Without nightly backups, the go-live check asks the owner to confirm other ones.
  if (isOld && ctx.config.backups.runsNightly) await raiseOverdueBackup(ctx, lastBackup?.takenAt ?? null);
}

async function isBackupDue(db: Db, dueAt: Date, now: Date): Promise<boolean> {
  const dayAfter = new Date(dueAt.getTime() + 24 * hourMs);
  const tonightsBackups = await db
    .select({ status: backups.status, requestedAt: backups.requestedAt })
    .from(backups)
    // A backup of a later day was requested while the clock was ahead.
    .where(and(eq(backups.kind, "nightly"), between(backups.requestedAt, dueAt, dayAfter)))
    .orderBy(desc(backups.requestedAt));
  const retryAt = (tonightsBackups[0]?.requestedAt.getTime() ?? 0) + retryPauseMs;
  return (
    tonightsBackups.every(({ status }) => status !== "done") &&
    tonightsBackups.length < maxTries &&
    now.getTime() >= retryAt
  );
}

/** Job after a restore: checks the payments since the backup, and notifies the owner of the next steps. */
export async function followUpRestore(ctx: ShopContext, createdAt: string): Promise<void> {
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
    message: `The shop was restored from a backup of ${utcText(createdAt)}. What came since is lost, but for payments: the money check of the time since lists those whose orders are gone. Enter again what you changed since: stock, prices, parcels that were sent, deletions that were asked for. Enter the bucket of off-site copies again, if there was one: nothing is copied until then. Close this when that is done`,
  });
}
