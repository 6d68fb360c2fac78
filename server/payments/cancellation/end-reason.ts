import { eq } from "drizzle-orm";
import type { Db } from "../../platform/database/database.ts";
import { payments } from "../tables.ts";

/** Who had an unpaid order ended, and the words for its history. */
export type EndReason = { actor: "shopper" | "owner" | "system"; note: string };

/**
 * Writes down why a payment is about to be cancelled, before the provider hears of it: its own news of that may be booked
 * before its answer is, and the order's history must then say the same.
 */
export async function recordEndReason(db: Db, paymentId: number, { actor, note }: EndReason): Promise<void> {
  await db.update(payments).set({ endActor: actor, endNote: note }).where(eq(payments.id, paymentId));
}

/** Why the shop has had this payment cancelled; null where it was the provider alone. */
export function endReason(
  payment: Pick<typeof payments.$inferSelect, "endActor" | "endNote"> | undefined,
): EndReason | null {
  if (!payment?.endActor || payment.endNote === null) return null;
  return { actor: payment.endActor, note: payment.endNote };
}
