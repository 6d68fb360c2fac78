import { and, eq, isNotNull, lt, sql } from "drizzle-orm";
import { paymentEventDays } from "../../../domain/privacy/retention.ts";
import type { ShopContext } from "../../context.ts";
import { type EventPage, type EventPageQuery, ProviderRefused } from "../../payment-providers/provider.ts";
import type { Db } from "../../platform/database/database.ts";
import { deleteInBatches } from "../../platform/database/in-batches.ts";
import { eventCursors, paymentEvents } from "../tables.ts";
import { storeListedEvents } from "./listed-events.ts";

const dayMs = 24 * 60 * 60 * 1000;
/** Age of the oldest event that the provider lists. */
const listedMs = 30 * dayMs;
/** Events younger than this are left to the webhook, which is faster. */
const graceMs = 60 * 1000;
/** Period that the next pass reads again, because events may appear late and out of order. Stored events are skipped. */
const overlapMs = 10 * 60 * 1000;
/** Maximum number of pages, of 100 events each, read in one run. */
const maxPages = 500;
/**
 * If the pause between two passes is longer than this and than two and a half intervals, the shop was down, or its clock was
 * ahead: a gap.
 */
const gapMs = 30 * 60 * 1000;

type Cursor = typeof eventCursors.$inferSelect;
/** `pages`: number of pages read. `added`: number of events stored. `isWhole`: whether everything up to now was read. */
export type EventsRead = { pages: number; added: number; isWhole: boolean };

/** Cursor of the current keys' account; another account or mode starts from the beginning. */
export async function readCursor({ db, provider }: ShopContext): Promise<Cursor> {
  const { matches, key } = cursorKey(provider);
  await db.insert(eventCursors).values(key).onConflictDoNothing();
  const [cursor] = await db.select().from(eventCursors).where(matches);
  if (!cursor) throw new Error("the event cursor is missing after its insert");
  return cursor;
}

export async function moveCursor(
  { db, provider }: ShopContext,
  change: Parameters<ReturnType<typeof db.update<typeof eventCursors>>["set"]>[0],
): Promise<void> {
  await db.update(eventCursors).set(change).where(cursorKey(provider).matches);
}

function cursorKey({ name, mode, account }: ShopContext["provider"]) {
  const key = { provider: name, mode, account: account ?? "" };
  const matches = and(
    eq(eventCursors.provider, key.provider),
    eq(eventCursors.mode, key.mode),
    eq(eventCursors.account, key.account),
  );
  return { key, matches };
}

/**
 * Reads the provider's events since the last pass, newest first, and stores new ones; the first pass reads as far back as the
 * provider lists. Saves its position after each page, so that an interrupted pass resumes there. `readUntil` moves only at the end
 * of a pass, so that no event is missed. Concurrent passes repeat each other's work, but do no harm.
 */
export async function readEvents(
  ctx: ShopContext,
  { signal, everySeconds }: { signal: AbortSignal; everySeconds: number },
): Promise<EventsRead> {
  const cursor = await readCursor(ctx);
  const now = ctx.now().getTime();
  const readFrom = cursor.readUntil === null ? 0 : cursor.readUntil.getTime() - overlapMs;
  const period = { from: new Date(Math.max(now - listedMs, readFrom)), to: new Date(now - graceMs) };
  const result: EventsRead = { pages: 0, added: 0, isWhole: false };
  let position: { after: string; newest: Date } | null =
    cursor.passAfter === null || cursor.passNewest === null
      ? null
      : { after: cursor.passAfter, newest: cursor.passNewest };
  while (result.pages < maxPages && !signal.aborted) {
    const page = await readPageAfter(ctx, period, position?.after ?? null);
    result.pages += 1;
    if (page === null) {
      position = null;
      continue;
    }
    const newest = position?.newest ?? page.events[0]?.createdAt ?? null;
    result.added += await storeListedEvents(ctx, page.events);
    if (page.next === null || newest === null) {
      await endPass(ctx, cursor, { newest, everySeconds });
      return { ...result, isWhole: true };
    }
    position = { after: page.next, newest };
    await moveCursor(ctx, { passAfter: position.after, passNewest: newest });
  }
  return result;
}

/** Null if the event `after` no longer exists; the pass must then start again. */
async function readPageAfter(
  { provider }: ShopContext,
  period: Omit<EventPageQuery, "after">,
  after: string | null,
): Promise<EventPage | null> {
  try {
    return await provider.listEvents({ ...period, after });
  } catch (error) {
    if (after !== null && error instanceof ProviderRefused && error.code === "resource_missing") return null;
    throw error;
  }
}

async function endPass(
  ctx: ShopContext,
  { passedAt, watchedSince }: Cursor,
  { newest, everySeconds }: { newest: Date | null; everySeconds: number },
): Promise<void> {
  const now = ctx.now();
  const intervalMs = everySeconds * 1000;
  const pauseMs = passedAt === null ? Number.POSITIVE_INFINITY : Math.abs(now.getTime() - passedAt.getTime());
  const isGap = pauseMs > Math.max(gapMs, 2.5 * intervalMs);
  await moveCursor(ctx, {
    // Not the shop's own time, which may be far ahead and would exclude all events until then.
    readUntil: sql`greatest(${eventCursors.readUntil}, ${newest?.toISOString() ?? null}::timestamptz)`,
    passAfter: null,
    passNewest: null,
    passedAt: now,
    watchedSince: isGap ? now : (watchedSince ?? now),
  });
}

/** Makes the next run list refunds, disputes and recent payments again, because the database may be out of date. */
export async function resetObjectCursors(db: Db): Promise<void> {
  await db.update(eventCursors).set({ objectsListedAt: null, paymentsListedTo: null });
}

/** Deletes handled events that the provider no longer lists. */
export async function purgePaymentEvents({ db, now }: ShopContext): Promise<void> {
  const before = new Date(now().getTime() - paymentEventDays * dayMs);
  await deleteInBatches(
    db,
    paymentEvents,
    and(isNotNull(paymentEvents.handledAt), lt(paymentEvents.receivedAt, before)),
  );
}
