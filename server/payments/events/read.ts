import { and, eq, sql } from "drizzle-orm";
import type { ShopContext } from "../../context.ts";
import { type EventPage, type EventsWanted, ProviderRefused } from "../../payment-providers/provider.ts";
import type { Db } from "../../platform/database/database.ts";
import { eventCursors } from "../tables.ts";
import { recordListed } from "./listed.ts";

/** How far back the provider lists its events. */
const listedMs = 30 * 24 * 60 * 60 * 1000;
/** An event this young is left to its webhook, which is quicker. */
const graceMs = 60 * 1000;
/** Read again each time: events become visible late, and out of order. Those that are known cost nothing. */
const overlapMs = 10 * 60 * 1000;
/** Pages of 100 events read in one run. */
const pagesMax = 500;
/** Passes that follow each other within this time, or within two turns and a half, leave no gap: the shop was running. */
const gapMs = 30 * 60 * 1000;

export type Cursor = typeof eventCursors.$inferSelect;
/** `pages`: calls to the provider. `isWhole`: everything up to now was read. */
export type EventsRead = { pages: number; news: number; isWhole: boolean };

/** The cursor of the account behind the present keys; another account or mode begins anew. */
export async function cursorOf({ db, provider }: ShopContext): Promise<Cursor> {
  const { isIt, key } = cursorKey(provider);
  await db.insert(eventCursors).values(key).onConflictDoNothing();
  const [cursor] = await db.select().from(eventCursors).where(isIt);
  if (!cursor) throw new Error("the event cursor is missing after its insert");
  return cursor;
}

export async function moveCursor(
  { db, provider }: ShopContext,
  change: Parameters<ReturnType<typeof db.update<typeof eventCursors>>["set"]>[0],
): Promise<void> {
  await db.update(eventCursors).set(change).where(cursorKey(provider).isIt);
}

function cursorKey({ name, mode, account }: ShopContext["provider"]) {
  const key = { provider: name, mode, account: account ?? "" };
  const isIt = and(
    eq(eventCursors.provider, key.provider),
    eq(eventCursors.mode, key.mode),
    eq(eventCursors.account, key.account),
  );
  return { key, isIt };
}

/**
 * Reads the provider's events since the last pass, the newest first, and writes down those that are new; without a pass
 * before, as far back as the provider has them. After each page it is noted where to go on, so that a pass that is cut
 * short is taken up where it was, and only its end moves the cursor: no gap is left behind. Two at once do the same work
 * twice, and nothing else.
 */
export async function readEvents(
  ctx: ShopContext,
  { signal, everySeconds }: { signal: AbortSignal; everySeconds: number },
): Promise<EventsRead> {
  const cursor = await cursorOf(ctx);
  const now = ctx.now().getTime();
  const read = cursor.readUntil === null ? 0 : cursor.readUntil.getTime() - overlapMs;
  const wanted = { from: new Date(Math.max(now - listedMs, read)), to: new Date(now - graceMs) };
  const result: EventsRead = { pages: 0, news: 0, isWhole: false };
  let place: { after: string; newest: Date } | null =
    cursor.passAfter === null || cursor.passNewest === null
      ? null
      : { after: cursor.passAfter, newest: cursor.passNewest };
  while (result.pages < pagesMax && !signal.aborted) {
    const page = await pageAfter(ctx, wanted, place?.after ?? null);
    result.pages += 1;
    if (page === null) {
      place = null;
      continue;
    }
    const newest: Date = place?.newest ?? page.events[0]?.createdAt ?? wanted.from;
    result.news += await recordListed(ctx, page.events);
    if (page.next === null) {
      await endPass(ctx, cursor, { newest, everySeconds });
      return { ...result, isWhole: true };
    }
    place = { after: page.next, newest };
    await moveCursor(ctx, { passAfter: place.after, passNewest: newest });
  }
  return result;
}

/** Null where the event to go on after is gone: the pass has to begin again. */
async function pageAfter(
  { provider }: ShopContext,
  wanted: Omit<EventsWanted, "after">,
  after: string | null,
): Promise<EventPage | null> {
  try {
    return await provider.listEvents({ ...wanted, after });
  } catch (error) {
    if (after !== null && error instanceof ProviderRefused && error.code === "resource_missing") return null;
    throw error;
  }
}

async function endPass(
  ctx: ShopContext,
  { passedAt, watchedSince }: Cursor,
  { newest, everySeconds }: { newest: Date; everySeconds: number },
): Promise<void> {
  const now = ctx.now();
  const turnMs = everySeconds * 1000;
  const isGap = passedAt === null || now.getTime() - passedAt.getTime() > Math.max(gapMs, 2.5 * turnMs);
  await moveCursor(ctx, {
    readUntil: sql`greatest(${eventCursors.readUntil}, ${newest.toISOString()}::timestamptz)`,
    passAfter: null,
    passNewest: null,
    passedAt: now,
    watchedSince: isGap ? now : (watchedSince ?? now),
  });
}

/** Has refunds, disputes and recent payments listed anew with the next run: what is known of them may be old. */
export async function listObjectsAgain(db: Db): Promise<void> {
  await db.update(eventCursors).set({ objectsListedAt: null, paymentsListedTo: null });
}
