import { sql } from "drizzle-orm";
import { utcText } from "../../../domain/backup/backup-text.ts";
import type { ShopContext } from "../../context.ts";
import { syncIssues } from "../../issues/issues.ts";
import type { Db } from "../../platform/database/database.ts";
import { type Destination, type OffSiteFailure, type OffSiteState, readProgress } from "./destination.ts";

/** Time after which failing uploads are reported to the owner. */
const failingMs = 15 * 60_000;
/** Time after which slow uploads are reported to the owner. */
const behindMs = 6 * 60 * 60_000;

/** Figures for /metrics; null without a bucket. `ageSeconds`: age of the newest backup in the bucket, if there is one. */
export async function offSiteStats(
  db: Db,
  now: Date,
): Promise<{ ageSeconds: number | null; isBehind: boolean } | null> {
  const state = await readProgress(db);
  const [newest] = state?.backups ?? [];
  return (
    state && {
      ageSeconds: newest ? (now.getTime() - Date.parse(newest.takenAt)) / 1000 : null,
      isBehind: offSiteProblem(state, now) !== null,
    }
  );
}

/** Raises an issue while uploads fail or fall behind, or an accountant's file cannot be made, and closes it afterwards. */
export async function syncOffSiteIssues(
  { db, now }: ShopContext,
  current: { state: OffSiteState; destination: Destination } | null,
): Promise<void> {
  const problem = current && offSiteProblem(current.state, now());
  const uploadMessage =
    problem &&
    `Copies have not reached the bucket ${current.destination.bucket.bucket} since ${utcText(problem.since)}: ${problem.reason}. Sales and local backups go on; see Backups`;
  const booksProblem = current && lastingProblem(current.state.booksFailure, now());
  const booksMessage =
    booksProblem &&
    `${booksProblem.reason}; it was first tried on ${utcText(booksProblem.since)}. Backups are copied to the bucket all the same; see Backups`;
  const { rows } = await db.execute<{ kind: string }>(
    sql`select kind from issues where kind in ('off_site', 'off_site_books') and resolved_at is null`,
  );
  for (const { kind, subject, message, resolution } of [
    {
      kind: "off_site",
      subject: problem?.since ?? "",
      message: uploadMessage,
      resolution: "Automatically: everything is in the bucket again",
    },
    {
      kind: "off_site_books",
      subject: booksProblem?.since ?? "",
      message: booksMessage,
      resolution: "Automatically: the file was made, or is no longer needed",
    },
  ]) {
    if (!message && !rows.some((row) => row.kind === kind)) continue;
    const cases = message ? [{ subject, message }] : [];
    await db.transaction((tx) => syncIssues(tx, { kind, cases, resolution, now: now() }));
  }
}

type OffSiteProblem = { since: string; reason: string };

const hasLasted = (since: string, ms: number, now: Date) => now.getTime() - Date.parse(since) >= ms;

function lastingProblem(failure: OffSiteFailure, now: Date): OffSiteProblem | null {
  return failure && hasLasted(failure.since, failingMs, now)
    ? { since: failure.since, reason: failure.message }
    : null;
}

function offSiteProblem({ failure, waiting }: OffSiteState, now: Date): OffSiteProblem | null {
  if (failure) return lastingProblem(failure, now);
  if (waiting.since === null || !hasLasted(waiting.since, behindMs, now)) return null;
  return { since: waiting.since, reason: "they are uploaded more slowly than they are made" };
}
