import { sql } from "drizzle-orm";
import type { ShopContext } from "../../context.ts";
import { syncIssues } from "../../issues/issues.ts";
import type { Db } from "../../platform/database/database.ts";
import { type Destination, type OffSiteState, readProgress } from "./destination.ts";

/** After this time, uploads that fail are reported to the owner. */
const failingMs = 15 * 60_000;
/** After this time, uploads that are merely slow are reported, too. */
const behindMs = 6 * 60 * 60_000;

/** For /metrics. `ageSeconds`: of the newest backup in the bucket, null: there is none. Null: there is no bucket. */
export async function offSiteStats(
  db: Db,
  now: Date,
): Promise<{ ageSeconds: number | null; isBehind: boolean } | null> {
  const state = await readProgress(db);
  const [newest] = state?.backups ?? [];
  return (
    state && {
      ageSeconds: newest ? (now.getTime() - Date.parse(newest.takenAt)) / 1000 : null,
      isBehind: problemOf(state, now) !== null,
    }
  );
}

/** Raises an issue while uploads fail or fall behind, and closes it afterwards. */
export async function report(
  { db, now }: ShopContext,
  current: { state: OffSiteState; destination: Destination } | null,
): Promise<void> {
  const problem = current && problemOf(current.state, now());
  const message =
    problem &&
    `Copies have not reached the bucket ${current.destination.bucket.bucket} since ${problem.since.slice(0, 16).replace("T", " ")} UTC: ${problem.reason}. Sales and local backups go on; see Backups`;
  const subject = problem?.since ?? "";
  const { rows } = await db.execute(
    sql`select 1 from issues where kind = 'off_site' and resolved_at is null limit 1`,
  );
  if (!message && rows.length === 0) return;
  await db.transaction((tx) =>
    syncIssues(tx, {
      kind: "off_site",
      cases: message ? [{ subject, message }] : [],
      resolution: "By itself: everything is in the bucket again",
      now: now(),
    }),
  );
}

function problemOf({ failure, waiting }: OffSiteState, now: Date): { since: string; reason: string } | null {
  const isOver = (since: string, ms: number) => now.getTime() - Date.parse(since) >= ms;
  if (failure)
    return isOver(failure.since, failingMs) ? { since: failure.since, reason: failure.message } : null;
  if (waiting.since === null || !isOver(waiting.since, behindMs)) return null;
  return { since: waiting.since, reason: "they are uploaded more slowly than they are made" };
}
