import { and, eq, gt, lt, not, or, type SQL, sql } from "drizzle-orm";
import type { ShopContext } from "../context.ts";
import type { Database, Db } from "../platform/database/database.ts";
import { deleteInBatches } from "../platform/database/in-batches.ts";
import { failedCodeAttempts } from "./tables.ts";

const maxWrongAttempts = 5;
/** Limit for all IP addresses together, which slows down an attacker with many. */
const maxTotalWrongAttempts = 30;
const windowMs = 60_000;
/** Namespace of the advisory locks that serialize one caller's attempts. */
const attemptLockClass = 7082;

/** Whether an attempt no longer counts: it is too old, or dated in the future because the clock was corrected since. */
function isExpired(now: Date): SQL {
  const { at } = failedCodeAttempts;
  return sql`(${or(lt(at, new Date(now.getTime() - windowMs)), gt(at, new Date(now.getTime() + windowMs)))})`;
}

/** `isTotalLimit`: whether it was refused by the limit on wrong attempts from all addresses together. */
type AttemptStart = { ok: true; attemptId: number } | { ok: false; waitS: number; isTotalLimit: boolean };

/**
 * Records an attempt at the access code as a wrong one before the code is checked: checking takes a while, and concurrent
 * attempts would otherwise all pass before the first was counted. `waitS`: seconds until this caller may try again.
 * `isKnownBrowser`: the browser unlocked the panel before; a flood from other addresses must not lock it out.
 */
export async function beginAttempt(
  db: Database,
  { caller, isKnownBrowser, now }: { caller: string; isKnownBrowser: boolean; now: Date },
): Promise<AttemptStart> {
  return db.transaction(async (tx) => {
    if (
      !isKnownBrowser &&
      (await tx.$count(failedCodeAttempts, not(isExpired(now)))) >= maxTotalWrongAttempts
    ) {
      return { ok: false, waitS: windowMs / 1000, isTotalLimit: true };
    }
    await tx.execute(sql`select pg_advisory_xact_lock(${attemptLockClass}::int, hashtext(${caller}))`);
    const isFromCaller = eq(failedCodeAttempts.caller, caller);
    await tx.delete(failedCodeAttempts).where(and(isFromCaller, isExpired(now)));
    const attempts = await tx
      .select({ at: failedCodeAttempts.at })
      .from(failedCodeAttempts)
      .where(isFromCaller)
      .orderBy(failedCodeAttempts.at);
    const [oldest] = attempts;
    if (oldest && attempts.length >= maxWrongAttempts) {
      const waitS = Math.ceil((oldest.at.getTime() + windowMs - now.getTime()) / 1000);
      return { ok: false, waitS: Math.max(1, waitS), isTotalLimit: false };
    }
    const [inserted] = await tx
      .insert(failedCodeAttempts)
      .values({ caller, at: now })
      .returning({ id: failedCodeAttempts.id });
    if (!inserted) throw new Error("an attempt was not recorded");
    return { ok: true, attemptId: inserted.id };
  });
}

/** Removes the attempt, because the code was right. */
export async function withdrawAttempt(db: Db, attemptId: number): Promise<void> {
  await db.delete(failedCodeAttempts).where(eq(failedCodeAttempts.id, attemptId));
}

/** Deletes attempts of callers that did not return. */
export async function purgeAttempts({ db, now }: ShopContext): Promise<void> {
  await deleteInBatches(db, failedCodeAttempts, isExpired(now()));
}
