import { createHash } from "node:crypto";
import { and, eq, inArray, sql } from "drizzle-orm";
import type { Db } from "../platform/database/database.ts";
import { hasCode } from "./queries.ts";
import { discounts, discountUses } from "./tables.ts";

export type UseResult = "taken" | "gone" | "used_up" | "used_by_customer";

/**
 * Takes a use of a discount for an order if its limits allow. Call it in the order's transaction before locking stock: the
 * discount's row stays locked until the transaction ends, so concurrent buyers are counted one by one.
 */
export async function takeUse(
  tx: Db,
  use: { discountId: number; orderId: string; email: string; now: Date },
): Promise<UseResult> {
  const customerHash = hashCustomer(use.email);
  // This lock still admits the key-share locks that the foreign key of `discount_uses` takes.
  const [discount] = await tx
    .select({
      used: discounts.used,
      limitTotal: discounts.limitTotal,
      limitPerCustomer: discounts.limitPerCustomer,
    })
    .from(discounts)
    .where(and(eq(discounts.id, use.discountId), eq(discounts.active, true)))
    .for("no key update");
  if (!discount) return "gone";
  // After waiting for the lock, PostgreSQL returns the updated row, so `used` is current.
  const { used, limitTotal, limitPerCustomer } = discount;
  if (limitTotal !== null && used >= limitTotal) return "used_up";
  // A separate statement, because the snapshot of the statement above was taken before the wait.
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

/** Releases an order's use. */
export async function releaseUse(tx: Db, orderId: string): Promise<void> {
  await tx.delete(discountUses).where(eq(discountUses.orderId, orderId));
}

/**
 * Takes a use again for a cancelled order that is paid late, even above the limit, since the paid price includes the
 * discount. Does nothing if the code was deleted.
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

/** Removes the customers' hashes from these orders' uses, which still count for the total limit. */
export async function purgeCustomerHashes(tx: Db, orderIds: string[]): Promise<void> {
  await tx
    .update(discountUses)
    .set({ customerHash: sql`${discountUses.orderId}::text` })
    .where(inArray(discountUses.orderId, orderIds));
}

function hashCustomer(email: string): string {
  return createHash("sha256").update(email.toLowerCase()).digest("hex");
}
