import { rm } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { and, eq, inArray, sql } from "drizzle-orm";
import type { BackupKind } from "../../domain/backup/backup.ts";
import { dateIn } from "../../domain/shared/zoned-days.ts";
import type { ShopContext, WritingContext } from "../context.ts";
import { closeIssues, raiseIssue } from "../issues/issues.ts";
import type { Config } from "../platform/config.ts";
import { type Db, openDatabase } from "../platform/database/database.ts";
import { addJob, type JobContext } from "../platform/jobs/jobs.ts";
import { StartProblem } from "../platform/process/start-problem.ts";
import { ownerTimeZone } from "../settings/today.ts";
import { checkBackup } from "./check.ts";
import { makeBackupJob } from "./job-kinds.ts";
import { checkRestoredMoney } from "./money.ts";
import { backupStats, findBackup } from "./queries.ts";
import { deleteOldBackups } from "./retention.ts";
import { backups } from "./tables.ts";
import { type BackupResult, backupName, takeBackup } from "./take.ts";

/** Length of the pauses of a backup, as a multiple of its working time, so that the shop stays fast. */
const pauseRatio = 3;
/** A backup unfinished after this time belongs to a crashed server. */
const staleHours = 3;
const issueKind = "backup";

const isUnfinished = inArray(backups.status, ["queued", "saving", "testing"]);
const isStale = sql`${backups.requestedAt} <= now() - make_interval(hours => ${staleHours})`;

/** Keeps all servers from requesting another backup until the transaction ends. */
export async function lockBackupRequests(tx: Db): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('backups'))`);
}

/** Queues a backup for any server; returns the id of a running one instead, if there is one. */
export async function requestBackup(ctx: WritingContext, kind: BackupKind): Promise<number> {
  return ctx.db.transaction(async (tx) => {
    await lockBackupRequests(tx);
    await tx
      .update(backups)
      .set({
        status: "failed",
        endedAt: ctx.now(),
        problem: "The server stopped before the backup was finished.",
      })
      .where(and(isUnfinished, isStale));
    const [unfinished] = await tx.select({ id: backups.id }).from(backups).where(isUnfinished).limit(1);
    if (unfinished) return unfinished.id;
    const [inserted] = await tx
      .insert(backups)
      .values({ kind, status: "queued", requestedAt: ctx.now() })
      .returning({ id: backups.id });
    if (!inserted) throw new Error("the insert returned no backup");
    await addJob(tx, makeBackupJob, { backupId: inserted.id });
    return inserted.id;
  });
}

/**
 * Job: makes a backup, tests it by a restore, and deletes old ones. An interrupted backup is started again. A failure raises
 * an issue for the owner, which the next good backup resolves.
 */
export async function makeBackup(
  ctx: ShopContext,
  backupId: number,
  { signal, isLastAttempt }: Pick<JobContext, "signal" | "isLastAttempt">,
): Promise<void> {
  const row = await findBackup(ctx.db, backupId);
  if (!row || row.status === "done" || row.status === "failed") return;
  try {
    // Deletes the untested file of a killed process, because the row will refer to a new file.
    if (row.path !== null && row.server === hostname()) await rm(row.path, { force: true });
    const path = join(ctx.config.backupDir.path, backupName(row.kind, ctx.now()));
    await save(ctx, backupId, path, signal);
    signal.throwIfAborted();
    const problem = await test(ctx, backupId, path);
    if (problem === null) await succeed(ctx, backupId);
    else await fail(ctx, backupId, `The backup was made, but its test failed: ${problem}`);
    await deleteOldBackups(ctx);
  } catch (error) {
    if (!(error instanceof StartProblem) && !isLastAttempt) throw error;
    ctx.log.error({ err: error, backupId }, "a backup could not be made");
    await fail(
      ctx,
      backupId,
      error instanceof StartProblem ? error.message : "An internal error; the log has the details.",
    );
  }
}

async function save(ctx: ShopContext, backupId: number, path: string, signal: AbortSignal): Promise<void> {
  const { db, config } = ctx;
  const { passphrase } = config.backups;
  const isEncrypted = passphrase !== null;
  await update(db, backupId, {
    status: "saving",
    startedAt: ctx.now(),
    server: hostname(),
    path,
    isEncrypted,
    progress: 0,
  });
  const { lastBytes } = await backupStats(db, ctx.now());
  const startedAt = performance.now();
  const backup = await takeBackup({
    url: ctx.directDatabaseUrl,
    path,
    passphrase,
    pauseRatio,
    expectedBytes: lastBytes,
    onProgress: progressSaver(db, backupId),
    signal,
  });
  await update(db, backupId, {
    ...backupColumns(backup),
    seconds: Math.round((performance.now() - startedAt) / 100) / 10,
    status: "testing",
    progress: 0,
  });
}

/** Returns the reason if the test failed, or null. */
async function test(ctx: ShopContext, backupId: number, path: string): Promise<string | null> {
  const { db, config, log } = ctx;
  const verdict = await checkBackup({
    path,
    passphrase: config.backups.passphrase,
    // The restored database is unencrypted, so it must not be in the folder of encrypted backups.
    folder: config.backups.passphrase === null ? config.backupDir.path : config.dataDir,
    shopDatabaseUrl: ctx.directDatabaseUrl,
    log,
    onProgress: progressSaver(db, backupId),
    async checkMoney(url, takenAt) {
      const restored = openDatabase(url, log);
      try {
        return await checkRestoredMoney(ctx, restored.db, takenAt);
      } finally {
        await restored.end();
      }
    },
  });
  const { isGood, lines } = verdict;
  await update(db, backupId, { testedAt: ctx.now(), isTestGood: isGood, testLines: lines });
  return isGood ? null : (lines[0] ?? "no reason was given");
}

async function succeed({ db, now }: ShopContext, backupId: number): Promise<void> {
  await db.transaction(async (tx) => {
    await update(tx, backupId, { status: "done", endedAt: now(), progress: 100, problem: null });
    await closeIssues(tx, {
      kind: issueKind,
      except: [],
      resolution: "Automatically: a backup was made and tested",
      now: now(),
    });
  });
}

async function fail({ db, now }: ShopContext, backupId: number, problem: string): Promise<void> {
  await db.transaction(async (tx) => {
    await update(tx, backupId, { status: "failed", endedAt: now(), problem });
    // One issue a day, regardless of retries.
    const subject = `failed ${now().toISOString().slice(0, 10)}`;
    const message = `A backup failed. ${problem}`;
    await raiseIssue(tx, { kind: issueKind, subject, message });
  });
}

/** Raises an issue for the owner that there has been no good backup for days. */
export async function raiseOverdueBackup(ctx: ShopContext, lastAt: Date | null): Promise<void> {
  const day = lastAt?.toISOString().slice(0, 10) ?? null;
  await raiseIssue(ctx.db, {
    kind: issueKind,
    subject: `old ${day}`,
    message:
      lastAt === null
        ? "There is no backup of the shop that can be relied on: see Backups"
        : `The last good backup is from ${dateIn(await ownerTimeZone(ctx), lastAt)}: see Backups for what is wrong`,
  });
}

/** Records a backup made by a command or at a start. */
export async function recordBackup(
  db: Db,
  backup: { kind: BackupKind; path: string; isEncrypted: boolean; seconds: number; result: BackupResult },
): Promise<void> {
  const { kind, path, isEncrypted, seconds, result } = backup;
  await db.insert(backups).values({
    kind,
    status: "done",
    startedAt: result.createdAt,
    endedAt: sql`now()`,
    server: hostname(),
    path,
    isEncrypted,
    seconds,
    progress: 100,
    ...backupColumns(result),
  });
}

/**
 * Records a successful test of a backup by a command, on any copy of the file; returns whether the backup is in the list. Failed
 * tests are not recorded, because other copies may be intact; a file that the shop's own test found damaged stays damaged.
 */
export async function recordGoodTest(db: Db, takenAt: Date, testLines: string[]): Promise<boolean> {
  const isUntestedOrGood = sql`${backups.isTestGood} is distinct from false`;
  const { rowCount } = await db
    .update(backups)
    .set({ testedAt: sql`now()`, isTestGood: true, testLines })
    .where(and(eq(backups.takenAt, takenAt), eq(backups.status, "done"), isUntestedOrGood));
  return (rowCount ?? 0) > 0;
}

function backupColumns({ createdAt, bytes, rows, sums }: BackupResult) {
  return { takenAt: createdAt, bytes, rowCount: rows, orderCount: sums.orders };
}

async function update(db: Db, backupId: number, change: Partial<typeof backups.$inferInsert>): Promise<void> {
  await db.update(backups).set(change).where(eq(backups.id, backupId));
}

const progressEveryMs = 1_000;

/** Saves the progress in percent, in order and at most once a second. */
function progressSaver(db: Db, backupId: number): (fraction: number) => void {
  let savedAt = 0;
  return (fraction) => {
    if (performance.now() - savedAt < progressEveryMs) return;
    savedAt = performance.now();
    // A failure is harmless: the next update follows soon.
    update(db, backupId, { progress: Math.min(99, Math.floor(fraction * 100)) }).catch(() => null);
  };
}

/**
 * Makes a backup before the database is migrated. Returns a function that records it once the tables are migrated. Throws
 * StartProblem if the backup fails, so that the migration does not start.
 */
export async function backUpBeforeMigration(
  url: string,
  { backupDir, backups }: Pick<Config, "backupDir" | "backups">,
): Promise<(db: Db) => Promise<void>> {
  const { passphrase } = backups;
  const path = join(backupDir.path, backupName("before_migration", new Date()));
  const startedAt = performance.now();
  // Pauses, because other servers may be serving the shop.
  const backup = await takeBackup({ url, path, passphrase, pauseRatio: 1 }).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartProblem(
      `The database was not migrated, because no backup of it could be made before: ${reason} Put that right and start again, or set BACKUP_BEFORE_MIGRATION=0 to migrate without one.`,
    );
  });
  const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
  return (db) =>
    recordBackup(db, {
      kind: "before_migration",
      path,
      isEncrypted: passphrase !== null,
      seconds,
      result: backup,
    });
}
