import { and, eq, isNull, notInArray } from "drizzle-orm";
import { lockOrder } from "../orders/lifecycle.ts";
import { followShipHold } from "../orders/ship-hold.ts";
import type { Db } from "../platform/database.ts";
import type { Announce, Matter, PaymentParts } from "./parts.ts";
import { paymentFlags } from "./tables.ts";

/** Puts a matter before the owner, once: raising it again changes and sends nothing. */
export async function raiseFlag(tx: Db, announce: Announce, matter: Matter): Promise<void> {
  const { kind, subject, orderId, message } = matter;
  const { rowCount } = await tx
    .insert(paymentFlags)
    .values({ kind, subject, orderId, message })
    .onConflictDoNothing();
  if (rowCount === 1) await announce.needsAttention(tx, matter);
}

/** Closes the open matters of a kind whose cause is gone: all but those about `subjects`. */
export async function closeFlags(
  tx: Db,
  { kind, except, resolution, now }: { kind: string; except: string[]; resolution: string; now: Date },
): Promise<void> {
  await tx
    .update(paymentFlags)
    .set({ resolvedAt: now, resolution })
    .where(
      and(
        eq(paymentFlags.kind, kind),
        isNull(paymentFlags.resolvedAt),
        notInArray(paymentFlags.subject, except),
      ),
    );
}

/** Whether a matter was ever put before the owner, closed since or not. */
export async function wasRaised(
  tx: Db,
  { kind, subject }: Pick<typeof paymentFlags.$inferSelect, "kind" | "subject">,
): Promise<boolean> {
  const is = and(eq(paymentFlags.kind, kind), eq(paymentFlags.subject, subject));
  return (await tx.$count(paymentFlags, is)) > 0;
}

/** What about an order still waits for the owner; null when nothing does. */
export async function attentionOf(db: Db, orderId: string): Promise<string | null> {
  const open = await db
    .select({ message: paymentFlags.message })
    .from(paymentFlags)
    .where(and(eq(paymentFlags.orderId, orderId), isNull(paymentFlags.resolvedAt)))
    .orderBy(paymentFlags.id);
  return open.length === 0 ? null : open.map(({ message }) => message).join("; ");
}

/** A payment that names an order which the shop does not have. */
export async function flagMissingOrder(
  parts: PaymentParts,
  { intentId, orderId }: { intentId: string; orderId: string | null },
): Promise<void> {
  await parts.db.transaction((tx) =>
    raiseFlag(tx, parts.announce, {
      kind: "missing_order",
      subject: intentId,
      orderId: null,
      message: `Payment ${intentId} names order ${orderId}, which the shop does not have`,
    }),
  );
}

/**
 * Closes a matter, as the owner decides; `note` says what was done. Null: it is not there. `isNew` false: it was closed
 * before, and stays as it was.
 */
export async function resolveFlag(
  db: Db,
  { flagId, note, now }: { flagId: number; note: string | null; now: Date },
): Promise<{ kind: string; orderId: string | null; resolvedAt: Date; isNew: boolean } | null> {
  const { rowCount } = await db
    .update(paymentFlags)
    .set({ resolvedAt: now, resolution: note })
    .where(and(eq(paymentFlags.id, flagId), isNull(paymentFlags.resolvedAt)));
  const [flag] = await db.select().from(paymentFlags).where(eq(paymentFlags.id, flagId));
  if (!flag?.resolvedAt) return null;
  const { orderId } = flag;
  if (orderId !== null) {
    await db.transaction(async (tx) => {
      await lockOrder(tx, orderId);
      await followShipHold(tx, orderId);
    });
  }
  return { kind: flag.kind, orderId: flag.orderId, resolvedAt: flag.resolvedAt, isNew: rowCount === 1 };
}
