import { and, eq, or, sql } from "drizzle-orm";
import type { Db } from "../platform/database.ts";
import { messages } from "./tables.ts";

export type Message = typeof messages.$inferSelect;

/** Who has not renewed its claim for so long is dead. */
export const claimSeconds = 15;
const renewEveryMs = 5_000;

/** Milliseconds until the claim on a message runs out, unless its holder renews it. */
const leftMs = sql<number>`
  ceil(1000 * extract(epoch from ${messages.claimedAt} + make_interval(secs => ${claimSeconds}) - now()))::int`;

/**
 * Claims a message, so that nobody else sends it meanwhile: hold it with `holdClaim` until it is settled. `done`: sent,
 * kept or failed already, or unknown. Else somebody has it, or died with it a moment ago: ask again after `busyForMs`.
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

/** Keeps a claim for as long as `work` takes, which has to end some time. */
export async function holdClaim<T>(db: Db, { id, attempts }: Message, work: () => Promise<T>): Promise<T> {
  const mine = and(eq(messages.id, id), eq(messages.status, "sending"), eq(messages.attempts, attempts));
  const renewing = setInterval(() => {
    // The database may be away for a moment; the next one comes soon enough.
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

/**
 * Only the claim's holder may say how it ended; one that was taken over has nothing to say any more, and is answered
 * false.
 */
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
