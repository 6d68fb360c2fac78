import { and, eq, gt, lt, sql } from "drizzle-orm";
import type { Database, Db } from "../platform/database.ts";
import { deleteInBatches } from "../platform/in-batches.ts";
import { adminWrongTries } from "./tables.ts";

const wrongTriesMax = 5;
/** From all addresses together: whoever guesses from many is slowed down as well. */
const wrongTriesOfAllMax = 30;
const windowMs = 60_000;
/** Namespace of the advisory locks that put one caller's tries in a row. */
const tryLockClass = 7082;

/** `isFlood`: refused because of what everybody together tried. */
export type BegunTry = { ok: true; tryId: number } | { ok: false; waitS: number; isFlood: boolean };

/**
 * Writes a try at the access code down as a wrong one, before the code is looked at: looking takes a while, and tries
 * made at once would otherwise all pass before the first was counted. `waitS`: seconds until this caller may try again.
 * `isKnownBrowser`: one that had the panel unlocked before, which a flood from elsewhere must not lock out.
 */
export async function beginTry(
  db: Database,
  { caller, isKnownBrowser, now }: { caller: string; isKnownBrowser: boolean; now: Date },
): Promise<BegunTry> {
  const since = new Date(now.getTime() - windowMs);
  return db.transaction(async (tx) => {
    if (
      !isKnownBrowser &&
      (await tx.$count(adminWrongTries, gt(adminWrongTries.at, since))) >= wrongTriesOfAllMax
    ) {
      return { ok: false, waitS: windowMs / 1000, isFlood: true };
    }
    await tx.execute(sql`select pg_advisory_xact_lock(${tryLockClass}::int, hashtext(${caller}))`);
    const ofCaller = eq(adminWrongTries.caller, caller);
    await tx.delete(adminWrongTries).where(and(ofCaller, lt(adminWrongTries.at, since)));
    const tries = await tx
      .select({ at: adminWrongTries.at })
      .from(adminWrongTries)
      .where(ofCaller)
      .orderBy(adminWrongTries.at);
    const [oldest] = tries;
    if (oldest && tries.length >= wrongTriesMax) {
      const waitS = Math.ceil((oldest.at.getTime() + windowMs - now.getTime()) / 1000);
      return { ok: false, waitS: Math.max(1, waitS), isFlood: false };
    }
    const [begun] = await tx
      .insert(adminWrongTries)
      .values({ caller, at: now })
      .returning({ id: adminWrongTries.id });
    if (!begun) throw new Error("an attempt was not recorded");
    return { ok: true, tryId: begun.id };
  });
}

/** The code was right: the try does not count. */
export async function takeTryBack(db: Db, tryId: number): Promise<void> {
  await db.delete(adminWrongTries).where(eq(adminWrongTries.id, tryId));
}

/** Deletes tries of callers who never came back. */
export async function forgetTries(db: Db, now: Date): Promise<void> {
  await deleteInBatches(db, adminWrongTries, lt(adminWrongTries.at, new Date(now.getTime() - windowMs)));
}
