import { eq } from "drizzle-orm";
import type { Db } from "../../platform/database/database.ts";
import { payments } from "../tables.ts";

/** The actor that ended an unpaid order, and the note for its history. */
export type EndReason = { actor: "shopper" | "owner" | "system"; note: string };

/**
 * Stores why a payment is about to be cancelled. Call it before calling the provider, whose event may be handled before its
 * response: the order's history must be the same in both cases.
 */
export async function recordEndReason(db: Db, paymentId: number, { actor, note }: EndReason): Promise<void> {
  await db.update(payments).set({ endActor: actor, endNote: note }).where(eq(payments.id, paymentId));
}

/** Why the shop cancelled this payment; null if the provider cancelled it. */
export function endReason(
  payment: Pick<typeof payments.$inferSelect, "endActor" | "endNote"> | undefined,
): EndReason | null {
  if (!payment?.endActor || payment.endNote === null) return null;
  return { actor: payment.endActor, note: payment.endNote };
}
