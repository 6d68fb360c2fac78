import { rm, stat, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { and, eq, isNull } from "drizzle-orm";
import { describeJob } from "../../domain/overview/failed-jobs.ts";
import type { ShopContext } from "../context.ts";
import { syncIssues } from "../issues/issues.ts";
import { issues } from "../issues/tables.ts";
import { claimUnreportedOutage, probeMail } from "../outbox/outage.ts";
import { tryMailServer, withoutAddresses } from "../outbox/smtp.ts";
import { resolveArchiveDir } from "../platform/config.ts";
import { readArchiveStatus, readRestorablePeriod } from "../platform/embedded-postgres/archive/status.ts";
import { failingRecurringJobs, type RecurringTask, recurring } from "../platform/jobs/jobs.ts";
import { alarmOwners } from "../push/notify.ts";
import { type CheckContext, type CheckResult, ok, problem, timeText, warning } from "./check.ts";

/** Raises an issue while archiving fails, and closes it once archiving works again. */
export async function watchArchive({
  config,
  db,
  now,
}: Pick<ShopContext, "config" | "db" | "now">): Promise<void> {
  const backupDir = resolveArchiveDir(config);
  const failure = readArchiveStatus(config, now())?.failing;
  const since = failure ? await timeText({ db }, failure.since) : null;
  const message = `The database has not been archived to ${backupDir} since ${since}: ${failure?.reason}. Sales go on, but with this machine everything since then would be lost`;
  await db.transaction((tx) =>
    syncIssues(tx, {
      kind: "archive_failing",
      cases: failure ? [{ subject: failure.since.toISOString(), message }] : [],
      resolution: "Automatically: the database is archived again",
      now: now(),
    }),
  );
}

export function archiveWatch(ctx: ShopContext): RecurringTask {
  const job = { name: "watch_archive", lane: "upkeep", priority: 0, everySeconds: 5 * 60 } as const;
  return recurring(job, async () => {
    await watchDataFolder(ctx);
    await watchArchive(ctx);
  });
}

/** Raises an issue while this server cannot write to its data folder, and closes it afterwards. Each server has its own issue. */
export async function watchDataFolder({
  config: { dataDir },
  db,
  now,
}: Pick<ShopContext, "config" | "db" | "now">): Promise<void> {
  const kind = "data_folder_failing";
  const server = `${hostname()} since `;
  const reason = await writeProblem(dataDir);
  const openIssues = await db
    .select({ subject: issues.subject, message: issues.message })
    .from(issues)
    .where(and(eq(issues.kind, kind), isNull(issues.resolvedAt)));
  const cases = openIssues.filter(({ subject }) => reason !== null || !subject.startsWith(server));
  if (reason !== null && !cases.some(({ subject }) => subject.startsWith(server)))
    cases.push({
      subject: server + now().toISOString(),
      message: `The shop cannot write to its data folder ${dataDir} on ${hostname()}: ${reason}. New pictures, backups and emails that are kept as files fail until then. Make room there, or permit the shop’s account to write to it; if you cannot tell what is wrong, ask whoever runs the server`,
    });
  const resolution = "Automatically: the data folder can be written to again";
  await db.transaction((tx) => syncIssues(tx, { kind, cases, resolution, now: now() }));
}

/** Why no file can be written to the folder; null if one can. */
async function writeProblem(folder: string): Promise<string | null> {
  const path = join(folder, "is-writable");
  try {
    await writeFile(path, Buffer.alloc(4096), { mode: 0o600 });
    await rm(path, { force: true });
    return null;
  } catch (error) {
    if (!(error instanceof Error && "syscall" in error && "code" in error)) throw error;
    const { code } = error;
    if (code === "ENOSPC" || code === "EDQUOT") return "there is no room left";
    return code === "EROFS" ? "it is read-only" : error.message;
  }
}

export async function checkArchive({ config, db, now }: CheckContext): Promise<CheckResult> {
  const { dataDir, databaseUrl } = config;
  const backupDir = resolveArchiveDir(config);
  if (databaseUrl !== null) return ok("That is up to whoever runs the database of DATABASE_URL.");
  if (backupDir === null) {
    return warning(
      "Off: with this machine everything since the last backup would be lost.",
      "Set BACKUP_DIR to a folder on another disk or machine, and start the shop again.",
    );
  }
  const status = readArchiveStatus(config, now());
  if (status?.failing) {
    const { since, reason } = status.failing;
    return problem(
      `Nothing was archived to ${backupDir} since ${await timeText({ db }, since)}: ${reason}.`,
      "Please fix that. The shop then goes on automatically, with a new base backup if it needs one.",
    );
  }
  const range = status && (await readRestorablePeriod(status, now()));
  if (!range) {
    return problem(
      `There is no base backup of the last two days in ${backupDir}.`,
      "The first is made within minutes of the start. If there is none then, the log says why.",
    );
  }
  if ((await stat(backupDir)).dev === (await stat(dataDir)).dev) {
    return warning(
      `${backupDir} is on the same disk as the database, and would be lost with it.`,
      "Set BACKUP_DIR to a folder on another disk or machine, and start the shop again.",
    );
  }
  const [from, to] = await Promise.all([timeText({ db }, range.from), timeText({ db }, range.to)]);
  return ok(`Any moment from ${from} to ${to} can be restored.`);
}

/**
 * Raises an issue about recurring work that keeps failing, which only the log would show otherwise; closes it once the work
 * succeeds.
 */
export async function watchRecurring({ db, now }: Pick<ShopContext, "db" | "now">): Promise<void> {
  const cases: { subject: string; message: string }[] = [];
  for (const { kind, since, reason } of await failingRecurringJobs(db)) {
    const { title, meaning } = describeJob(kind);
    // Only the first line, because further lines of a failed query may contain personal data.
    const cause = withoutAddresses(reason.split("\n", 1)[0] ?? "").slice(0, maxReasonLength);
    cases.push({
      subject: `${kind} since ${since}`,
      message: `Background work has kept failing since ${await timeText({ db }, new Date(since))}: “${title}”. ${meaning ? `${meaning} ` : ""}The reason is: ${cause}. It is tried again automatically; if you cannot tell what is wrong, ask whoever runs the server`,
    });
  }
  const resolution = "Automatically: the work is done again";
  await db.transaction((tx) => syncIssues(tx, { kind: "work_failing", cases, resolution, now: now() }));
}

const maxReasonLength = 300;

/** Runs in another lane than most of the work that it watches. */
export function recurringWatch(ctx: ShopContext): RecurringTask {
  const job = { name: "watch_recurring", lane: "money", priority: 20, everySeconds: 5 * 60 } as const;
  return recurring(job, () => watchRecurring(ctx));
}

/** During an outage of e-mail: notifies the owners' devices once, and checks the mail server. */
export async function watchMail(ctx: ShopContext): Promise<void> {
  const { config, db, log, now } = ctx;
  const newOutage = await db.transaction(async (tx) => {
    const outage = await claimUnreportedOutage(tx, now());
    if (outage) await alarmOwners(tx, "mail_outage", outage.outageId);
    return outage;
  });
  if (newOutage) log.error({ cause: newOutage.cause }, "no email leaves");
  await probeMail(ctx, async () => {
    const { smtpUrl } = config.mail;
    return smtpUrl !== null && (await tryMailServer(smtpUrl, config.publicUrl)).ok;
  });
}

/** Runs in the lane for payments, because an outage fills the lane for mail. */
export function mailWatch(ctx: ShopContext): RecurringTask {
  return recurring({ name: "watch_mail", lane: "money", priority: 20, everySeconds: 30 }, () =>
    watchMail(ctx),
  );
}
