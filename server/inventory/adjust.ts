import { and, asc, eq, gt, inArray, sql } from "drizzle-orm";
import { maxUnits, type StockReason, unitsText } from "../../domain/inventory/stock.ts";
import type { Db } from "../platform/database/database.ts";
import { batches, stock, stockMovements } from "./tables.ts";

export type LockedStock = Pick<typeof stock.$inferSelect, "productId" | "onHand" | "reserved" | "batched">;

/** `isRepeat`: this request was processed before. `reason`: a message for the owner. Null if the product or batch does not exist. */
type AdjustResult =
  | { ok: true; before: number; after: number; isRepeat?: true }
  | { ok: false; reason: string }
  | null;

type Adjustment = {
  productId: number;
  /** The new number of units on hand, from the current stock and the units left in the batch. */
  onHand(now: LockedStock, batchLeft: number): number;
  reason: StockReason;
  note: string | null;
  /** The batch to adjust; null for units of no batch and, if those are too few, of the oldest batches. */
  batchId: number | null;
  /** Idempotency key: a repeated adjustment does nothing, and a different one under the same id is refused. */
  changeId?: string | undefined;
};

/**
 * Adjusts the units on hand, never below the reserved ones, and records the reason. Call it last in a transaction: the row
 * stays locked until that ends.
 */
export async function adjustStock(tx: Db, adjustment: Adjustment): Promise<AdjustResult> {
  const { productId, batchId, changeId } = adjustment;
  const now = await lockStock(tx, productId);
  if (!now) return null;
  const earlier = changeId === undefined ? null : await findEarlier(tx, productId, changeId);
  if (earlier) return repeat(now, earlier, adjustment);
  const batchLeft = batchId === null ? 0 : await readRemaining(tx, productId, batchId);
  if (batchLeft === null) return null;
  const target = adjustment.onHand(now, batchLeft);
  const change = target - now.onHand;
  const refusal = targetProblem(now, target);
  if (refusal !== null) return { ok: false, reason: refusal };
  if (change === 0) return { ok: true, before: now.onHand, after: target };
  if (batchId !== null) {
    if (batchLeft + change < 0) return { ok: false, reason: `This batch has ${unitsText(batchLeft)} left.` };
    await recordPart(tx, adjustment, change, batchId);
  } else {
    for (const part of await adjustmentParts(tx, now, change))
      await recordPart(tx, adjustment, part.change, part.batchId);
  }
  await tx.update(stock).set({ onHand: target }).where(eq(stock.productId, productId));
  return { ok: true, before: now.onHand, after: target };
}

/** Why the units on hand cannot become `target`, for the owner; null if they can. */
export function targetProblem({ reserved }: Pick<LockedStock, "reserved">, target: number): string | null {
  if (target < reserved) return reservedMessage(reserved);
  return target > maxUnits ? `At most ${unitsText(maxUnits)} of one product.` : null;
}

/**
 * Adjusts many products by a few statements, so that buyers wait only briefly for their rows. The caller has locked these, sorted by
 * id, and checked the sums with `targetProblem`. Parts without a batch are taken as by `adjustStock`.
 */
export async function adjustMany(
  tx: Db,
  changes: readonly { now: LockedStock; parts: readonly Part[] }[],
  { reason, note, changeId }: Pick<Adjustment, "reason" | "note" | "changeId">,
): Promise<void> {
  const isShort = ({ now, parts }: (typeof changes)[number]) =>
    parts.some(({ batchId, change }) => batchId === null && -change > now.onHand - now.batched);
  const shortIds = changes.filter(isShort).map(({ now }) => now.productId);
  const oldest = Map.groupBy(await oldestBatches(tx, shortIds), ({ productId }) => productId);
  const rows = changes.flatMap(({ now, parts }) =>
    parts
      .flatMap((part) =>
        part.batchId === null ? splitChange(now, part.change, oldest.get(now.productId) ?? []) : [part],
      )
      .map(({ change, batchId }) => ({ product_id: now.productId, change, batch_id: batchId })),
  );
  const parts = sql`json_to_recordset(${JSON.stringify(rows)}::json)
    as part(product_id int, change int, batch_id bigint)`;
  await tx.execute(sql`
    update ${batches} set remaining = remaining + part.change, received = greatest(received, remaining + part.change)
    from ${parts} where ${batches.id} = part.batch_id`);
  await tx.execute(sql`
    insert into ${stockMovements} (product_id, kind, quantity, reason, note, batch_id, change_id)
    select product_id, 'adjusted', change, ${reason}, ${note}, batch_id, ${changeId ?? null}::uuid from ${parts}`);
  await tx.execute(sql`
    update ${stock} set on_hand = on_hand + total.change
    from (select product_id, sum(change) as change from ${parts} group by product_id) as total
    where ${stock.productId} = total.product_id`);
}

type EarlierAdjustment = { change: number; reason: StockReason | null; note: string | null };

/** The adjustment recorded under an id; null if there is none yet. */
async function findEarlier(tx: Db, productId: number, changeId: string): Promise<EarlierAdjustment | null> {
  const { quantity, reason, note } = stockMovements;
  const [earlier] = await tx
    .select({ change: sql<number>`sum(${quantity})::int`, reason, note })
    .from(stockMovements)
    .where(and(eq(stockMovements.changeId, changeId), eq(stockMovements.productId, productId)))
    .groupBy(reason, note);
  return earlier ?? null;
}

function repeat(
  now: LockedStock,
  earlier: EarlierAdjustment,
  { onHand, reason, note }: Adjustment,
): AdjustResult {
  // Evaluates the adjustment against the stock before the first call.
  const before = { ...now, onHand: now.onHand - earlier.change };
  const isSame = onHand(before, 0) === now.onHand && reason === earlier.reason && note === earlier.note;
  return isSame
    ? { ok: true, before: now.onHand, after: now.onHand, isRepeat: true }
    : {
        ok: false,
        reason: "Your first attempt was saved. Check the history before you change more.",
      };
}

/** Adjusts the units on hand so that `available` units can be sold besides the reserved ones. */
export async function setAvailableUnits(tx: Db, productId: number, available: number): Promise<AdjustResult> {
  return adjustStock(tx, {
    productId,
    onHand: ({ reserved }) => reserved + available,
    reason: "counted",
    note: null,
    batchId: null,
  });
}

/** Locks a product's stock row. All changes of stock or batches start with this lock, so batches need none. */
export async function lockStock(tx: Db, productId: number): Promise<LockedStock | null> {
  const { onHand, reserved, batched } = stock;
  const [row] = await tx
    .select({ productId: stock.productId, onHand, reserved, batched })
    .from(stock)
    .where(eq(stock.productId, productId))
    .for("update");
  return row ?? null;
}

function reservedMessage(reserved: number): string {
  const those = reserved === 1 ? "1 unit is" : `${unitsText(reserved)} are`;
  return `${those} reserved for orders that are being paid, so the stock cannot be lower. Try again in half an hour, when they are paid or cancelled.`;
}

async function readRemaining(tx: Db, productId: number, batchId: number): Promise<number | null> {
  const [batch] = await tx
    .select({ remaining: batches.remaining })
    .from(batches)
    .where(and(eq(batches.id, batchId), eq(batches.productId, productId)));
  return batch?.remaining ?? null;
}

type Part = { change: number; batchId: number | null };

/** Splits an adjustment without a batch: units of no batch first, then of the oldest batches. Added units have no batch. */
async function adjustmentParts(tx: Db, now: LockedStock, change: number): Promise<Part[]> {
  const isShort = -change > now.onHand - now.batched;
  return splitChange(now, change, isShort ? await oldestBatches(tx, [now.productId]) : []);
}

type OpenBatch = { id: number; remaining: number };

function splitChange(now: LockedStock, change: number, oldest: readonly OpenBatch[]): Part[] {
  const unbatched = now.onHand - now.batched;
  if (change > 0 || -change <= unbatched) return [{ change, batchId: null }];
  const parts: Part[] = unbatched > 0 ? [{ change: -unbatched, batchId: null }] : [];
  let missing = -change - unbatched;
  for (const { id, remaining } of oldest) {
    const takenUnits = Math.min(remaining, missing);
    if (takenUnits > 0) parts.push({ change: -takenUnits, batchId: id });
    missing -= takenUnits;
  }
  return parts;
}

async function oldestBatches(
  tx: Db,
  productIds: readonly number[],
): Promise<(OpenBatch & { productId: number })[]> {
  if (productIds.length === 0) return [];
  const { id, productId, remaining, bestBefore } = batches;
  return tx
    .select({ id, productId, remaining })
    .from(batches)
    .where(and(inArray(productId, [...productIds]), gt(remaining, 0)))
    .orderBy(asc(bestBefore), asc(id));
}

async function recordPart(
  tx: Db,
  { productId, reason, note, changeId }: Adjustment,
  change: number,
  batchId: number | null,
) {
  if (batchId !== null) {
    const received = change > 0 ? sql`${batches.received} + ${change}` : batches.received;
    await tx
      .update(batches)
      .set({ remaining: sql`${batches.remaining} + ${change}`, received: sql`${received}` })
      .where(eq(batches.id, batchId));
  }
  await tx
    .insert(stockMovements)
    .values({ productId, kind: "adjusted", quantity: change, reason, note, batchId, changeId });
}
