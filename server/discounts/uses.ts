import { createHash } from "node:crypto";
import { and, eq, inArray, sql } from "drizzle-orm";
import type { Db } from "../platform/database/database.ts";
import { hasCode } from "./queries.ts";
import { discounts, discountUses } from "./tables.ts";

export type UseResult = "taken" | "gone" | "used_up" | "used_by_customer";

/**
 * Takes a use of a discount for an order, if its limits allow. Call it inside the order's transaction, before the stock's
 * rows: the discount's row stays locked until it ends, so that buyers who come at the same time are counted one by one.
 */
export async function takeUse(
  tx: Db,
  use: { discountId: number; orderId: string; email: string; now: Date },
): Promise<UseResult> {
  const customerHash = hashCustomer(use.email);
  // Not the uses' rows: a foreign key asks for a share of the discount's row, which this lock leaves free.
  const [locked] = await tx
    .select({
      used: discounts.used,
      limitTotal: discounts.limitTotal,
      limitPerCustomer: discounts.limitPerCustomer,
    })
    .from(discounts)
    .where(and(eq(discounts.id, use.discountId), eq(discounts.active, true)))
    .for("no key update");
  if (!locked) return "gone";
  // Who had to wait for the lock is given the row as it is after the wait, and so the count of uses in it.
  const { used, limitTotal, limitPerCustomer } = locked;
  if (limitTotal !== null && used >= limitTotal) return "used_up";
  // These are counted by a statement of their own: the one above began before the wait.
  const ofCustomer = and(
    eq(discountUses.discountId, use.discountId),
    eq(discountUses.customerHash, customerHash),
  );
  if (limitPerCustomer !== null && (await tx.$count(discountUses, ofCustomer)) >= limitPerCustomer) {
    return "used_by_customer";
  }
  const { discountId, orderId, now: at } = use;
  await tx.insert(discountUses).values({ discountId, orderId, customerHash, at });
  return "taken";
}

/** Gives back the use that an order held. */
export async function releaseUse(tx: Db, orderId: string): Promise<void> {
  await tx.delete(discountUses).where(eq(discountUses.orderId, orderId));
}

/**
 * Takes a use again for an order that was cancelled and is paid all the same, above the limit if need be: what was paid
 * is the price with the discount. Nothing happens where the code is gone.
 */
export async function retakeUse(
  tx: Db,
  use: { code: string; orderId: string; email: string; now: Date },
): Promise<void> {
  const [discount] = await tx.select({ id: discounts.id }).from(discounts).where(hasCode(use.code));
  if (!discount) return;
  await tx
    .insert(discountUses)
    .values({
      discountId: discount.id,
      orderId: use.orderId,
      customerHash: hashCustomer(use.email),
      at: use.now,
    })
    .onConflictDoNothing();
}

/** Takes out what tells whose uses these orders held; the uses still count for the limit of all. */
export async function purgeCustomerHashes(tx: Db, orderIds: string[]): Promise<void> {
  await tx
    .update(discountUses)
    .set({ customerHash: sql`${discountUses.orderId}::text` })
    .where(inArray(discountUses.orderId, orderIds));
}

function hashCustomer(email: string): string {
  return createHash("sha256").update(email.toLowerCase()).digest("hex");
}
