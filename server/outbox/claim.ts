import { and, eq, or, sql } from "drizzle-orm";
import type { Db } from "../platform/database/database.ts";
import { messages } from "./tables.ts";

export type Message = typeof messages.$inferSelect;

/** A claim that was not renewed for this long belongs to a dead worker. */
export const claimSeconds = 15;
const renewEveryMs = 5_000;

/** Milliseconds until the claim on a message expires, unless its holder renews it. */
const leftMs = sql<number>`
  ceil(1000 * extract(epoch from ${messages.claimedAt} + make_interval(secs => ${claimSeconds}) - now()))::int`;

/**
 * Claims a message, so that no other worker sends it: hold it with `holdClaim` until it is settled. `done`: already
 * sent, saved or failed, or unknown. Otherwise another worker has it, or died with it: ask again after `busyForMs`.
 */
export async function claimMessage(
  db: Db,
  messageId: string,
): Promise<Message | "done" | { busyForMs: number }> {
  const isAbandoned = and(eq(messages.status, "sending"), sql`${leftMs} <= 0`);
  const [claimed] = await db
    .update(messages)
    .set({ status: "sending", attempts: sql`${messages.attempts} + 1`, claimedAt: sql`now()` })
    .where(and(eq(messages.id, messageId), or(eq(messages.status, "queued"), isAbandoned)))
    .returning();
  if (claimed) return claimed;
  const [other] = await db
    .select({ status: messages.status, leftMs })
    .from(messages)
    .where(eq(messages.id, messageId));
  if (other?.status !== "sending" && other?.status !== "queued") return "done";
  return { busyForMs: Math.max(0, other.leftMs ?? 0) };
}

/** Renews a claim while `work` runs, which has to end by itself. */
export async function holdClaim<T>(db: Db, { id, attempts }: Message, work: () => Promise<T>): Promise<T> {
  const mine = and(eq(messages.id, id), eq(messages.status, "sending"), eq(messages.attempts, attempts));
  const renewing = setInterval(() => {
    // The database may be unavailable for a moment; the next renewal comes soon enough.
    db.update(messages)
      .set({ claimedAt: sql`now()` })
      .where(mine)
      .catch(() => null);
  }, renewEveryMs);
  try {
    return await work();
  } finally {
    clearInterval(renewing);
  }
}

/** Only the claim's holder may record the result; one that was taken over gets false. */
export async function settleClaim(
  db: Db,
  { id, attempts }: Message,
  outcome: Partial<typeof messages.$inferInsert> & { status: Message["status"] },
): Promise<boolean> {
  const settled = await db
    .update(messages)
    .set(outcome)
    .where(and(eq(messages.id, id), eq(messages.status, "sending"), eq(messages.attempts, attempts)))
    .returning({ id: messages.id });
  return settled.length > 0;
}
