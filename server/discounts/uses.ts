import { createHash } from "node:crypto";
import { and, count, eq, inArray, isNull, not, or, type SQL, sql } from "drizzle-orm";
import { countedModes, type PaymentMode } from "../../domain/payments/payment-mode.ts";
import { pick } from "../../domain/shared/pick.ts";
import { orders } from "../orders/tables.ts";
import type { Db } from "../platform/database/database.ts";
import type { VisitorId } from "../platform/http/viewer.ts";
import { belongsTo, isOwnReplaceable, isOwnUnpaid, type RunningAutomaticDiscount } from "./queries.ts";
import { discounts, discountUses, personalCodes } from "./tables.ts";

export type UseResult = "taken" | "gone" | "used_up" | "used_by_customer" | "not_first_order";

/**
 * Takes a use of a discount for an order if its limits allow. Call it in the order's transaction before locking stock: the
 * discount's row stays locked until the transaction ends, so concurrent buyers are counted one by one.
 */
export async function takeUse(
  tx: Db,
  use: {
    discountId: number;
    personalCode: string | null;
    orderId: string;
    email: string;
    mode: PaymentMode;
    now: Date;
  },
): Promise<UseResult> {
  const customerHash = hashCustomer(use.email);
  // This lock still admits the key-share locks that the foreign key of `discount_uses` takes.
  const [discount] = await tx
    .select(pick(discounts, "used", "limitTotal", "limitPerCustomer", "firstOrderOnly"))
    .from(discounts)
    .where(and(eq(discounts.id, use.discountId), eq(discounts.active, true)))
    .for("no key update");
  if (!discount) return "gone";
  // After waiting for the lock, PostgreSQL returns the updated row, so `used` is current.
  const { used, limitTotal, limitPerCustomer, firstOrderOnly } = discount;
  if (limitTotal !== null && used >= limitTotal) return "used_up";
  // A separate statement, because the snapshot of the statement above was taken before the wait.
  const isByCustomer = and(
    eq(discountUses.discountId, use.discountId),
    eq(discountUses.customerHash, customerHash),
  );
  if (limitPerCustomer !== null && (await tx.$count(discountUses, isByCustomer)) >= limitPerCustomer) {
    return "used_by_customer";
  }
  if (firstOrderOnly && !(await isFirstOrder(tx, { ...use, customerHash }))) return "not_first_order";
  const { discountId, personalCode, orderId, now: at } = use;
  await tx.insert(discountUses).values({ discountId, orderId, customerHash, at });
  return personalCode === null || (await takePersonalCode(tx, personalCode, orderId)) ? "taken" : "used_up";
}

/** False if another order uses it, or its recipient was erased. Deleting the use (`releaseUse`) frees it through the foreign key. */
async function takePersonalCode(tx: Db, code: string, orderId: string): Promise<boolean> {
  const isFree = and(eq(personalCodes.code, code.toUpperCase()), isNull(personalCodes.orderId));
  const { rowCount } = await tx.update(personalCodes).set({ orderId }).where(isFree);
  return rowCount === 1;
}

/**
 * Whether the address has neither paid for an order, nor placed one with a code for first orders. Cancelled orders, and those
 * fully refunded before they shipped, do not count. Concurrent orders of one address wait for each other, whatever their codes.
 */
async function isFirstOrder(tx: Db, customer: Customer): Promise<boolean> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${customer.customerHash}, 0))`);
  return hasNoOrder(tx, customer);
}

/** `ignored`: uses that do not count. */
type Customer = { email: string; mode: PaymentMode; customerHash: string; ignored?: SQL };

async function hasNoOrder(
  db: Db,
  { email, mode, customerHash, ignored = sql`false` }: Customer,
): Promise<boolean> {
  const isCounted = or(isNull(orders.mode), inArray(orders.mode, countedModes[mode]));
  const { rows } = await db.execute<{ isFirst: boolean }>(sql`
    select not exists (
      select from ${orders} where lower(${orders.email}) = lower(${email}) and ${orders.paidAt} is not null
        and ${orders.cancelledAt} is null and ${orders.status} <> 'cancelled'
        and (${orders.status} <> 'refunded' or ${orders.shippedAt} is not null) and ${isCounted}
    ) and not exists (
      select from ${discountUses} join ${discounts} on ${discounts.id} = ${discountUses.discountId}
      where ${discountUses.customerHash} = ${customerHash} and ${discounts.firstOrderOnly}
        and not ${ignored}
    ) as "isFirst"`);
  return rows[0]?.isFirst ?? false;
}

/**
 * The automatic discounts that an e-mail address may use, by their limits per customer and for first orders. Uses by unpaid
 * orders of this visitor do not count. `takeUse` checks them again under the lock.
 */
export async function allowedAutomaticDiscounts(
  db: Db,
  automatic: readonly RunningAutomaticDiscount[],
  { email, mode, visitorId }: { email: string; mode: PaymentMode; visitorId: VisitorId | null },
): Promise<readonly RunningAutomaticDiscount[]> {
  if (automatic.every(({ limitPerCustomer, firstOrderOnly }) => !(limitPerCustomer || firstOrderOnly))) {
    return automatic;
  }
  const customerHash = hashCustomer(email);
  const isOwn = isOwnUnpaid(discountUses.orderId, visitorId);
  const isFirst = automatic.some(({ firstOrderOnly }) => firstOrderOnly)
    ? await hasNoOrder(db, { email, mode, customerHash, ignored: isOwn })
    : true;
  const isAutomaticUse = inArray(
    discountUses.discountId,
    automatic.map(({ id }) => id),
  );
  const uses = await db
    .select({ id: discountUses.discountId, count: count() })
    .from(discountUses)
    .where(and(isAutomaticUse, eq(discountUses.customerHash, customerHash), not(isOwn)))
    .groupBy(discountUses.discountId);
  return automatic.filter(({ id, limitPerCustomer, firstOrderOnly }) => {
    const useCount = uses.find((use) => use.id === id)?.count ?? 0;
    return (isFirst || !firstOrderOnly) && (limitPerCustomer === null || useCount < limitPerCustomer);
  });
}

/** The browser's unpaid order that uses the personal code; the next order takes the code over. */
export async function findReplaceableHolder(
  db: Db,
  code: string,
  visitorId: VisitorId,
): Promise<string | null> {
  const isOwn = isOwnReplaceable(personalCodes.orderId, visitorId);
  const { orderId } = personalCodes;
  const [row] = await db
    .select({ orderId })
    .from(personalCodes)
    .where(and(eq(personalCodes.code, code), isOwn));
  return row?.orderId ?? null;
}

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
  const [discount] = await tx.select({ id: discounts.id }).from(discounts).where(belongsTo(use.code));
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
  await takePersonalCode(tx, use.code, use.orderId);
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
