import { and, eq, lt, or, sql } from "drizzle-orm";
import type { Db } from "../platform/database.ts";
import { messages } from "./tables.ts";

export type Message = typeof messages.$inferSelect;

/** Longer than any sending takes, its time-outs included: who has claimed for longer is dead. */
const claimSeconds = 120;

/**
 * Takes a message on, so that nobody else sends it meanwhile. `done`: sent, kept or given up already, or unknown;
 * `busy`: somebody has it, or died with it a moment ago.
 */
export async function claimMessage(db: Db, messageId: string): Promise<Message | "done" | "busy"> {
  const isAbandoned = and(
    eq(messages.status, "sending"),
    lt(messages.claimedAt, sql`now() - make_interval(secs => ${claimSeconds})`),
  );
  const [claimed] = await db
    .update(messages)
    .set({ status: "sending", attempts: sql`${messages.attempts} + 1`, claimedAt: sql`now()` })
    .where(and(eq(messages.id, messageId), or(eq(messages.status, "queued"), isAbandoned)))
    .returning();
  if (claimed) return claimed;
  const [other] = await db
    .select({ status: messages.status })
    .from(messages)
    .where(eq(messages.id, messageId));
  return other?.status === "sending" || other?.status === "queued" ? "busy" : "done";
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
