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
  onHand(current: LockedStock, batchLeft: number): number;
  reason: StockReason;
  note: string | null;
  /** The batch to adjust; null for units of no batch and, if those are too few, of the oldest batches. */
  batchId: number | null;
  /** Idempotency key: a repeated adjustment does nothing, and a different one under the same id is refused. */
  changeId?: string | undefined;
};

/**
 * Adjusts the units on hand, never below the reserved ones, and records the reason. Call it last in a transaction: the row
 * stays locked until the transaction ends.
 */
export async function adjustStock(tx: Db, adjustment: Adjustment): Promise<AdjustResult> {
  const { productId, batchId, changeId } = adjustment;
  const current = await lockStock(tx, productId);
  if (!current) return null;
  const earlierAdjustment =
    changeId === undefined ? null : await findEarlierAdjustment(tx, productId, changeId);
  if (earlierAdjustment) return repeat(current, earlierAdjustment, adjustment);
  const batchLeft = batchId === null ? 0 : await readRemaining(tx, productId, batchId);
  if (batchLeft === null) return null;
  const target = adjustment.onHand(current, batchLeft);
  const change = target - current.onHand;
  const refusal = targetProblem(current, target);
  if (refusal !== null) return { ok: false, reason: refusal };
  if (change === 0) return { ok: true, before: current.onHand, after: target };
  if (batchId !== null) {
    if (batchLeft + change < 0) return { ok: false, reason: `This batch has ${unitsText(batchLeft)} left.` };
    await recordPart(tx, adjustment, change, batchId);
  } else {
    for (const part of await adjustmentParts(tx, current, change))
      await recordPart(tx, adjustment, part.change, part.batchId);
  }
  await tx.update(stock).set({ onHand: target }).where(eq(stock.productId, productId));
  return { ok: true, before: current.onHand, after: target };
}

/** Why the units on hand cannot become `target`, for the owner; null if they can. */
export function targetProblem({ reserved }: Pick<LockedStock, "reserved">, target: number): string | null {
  if (target < reserved) return reservedMessage(reserved);
  return target > maxUnits ? `At most ${unitsText(maxUnits)} of one product.` : null;
}

/**
 * Adjusts many products by a few statements, so that buyers wait only briefly for their rows. The caller has locked the rows,
 * sorted by id, and checked the sums with `targetProblem`. Parts without a batch are split as by `adjustStock`.
 */
export async function adjustMany(
  tx: Db,
  changes: readonly { current: LockedStock; parts: readonly Part[] }[],
  { reason, note, changeId }: Pick<Adjustment, "reason" | "note" | "changeId">,
): Promise<void> {
  const isShort = ({ current, parts }: (typeof changes)[number]) =>
    parts.some(({ batchId, change }) => batchId === null && -change > current.onHand - current.batched);
  const shortIds = changes.filter(isShort).map(({ current }) => current.productId);
  const oldestBatches = Map.groupBy(await readOldestBatches(tx, shortIds), ({ productId }) => productId);
  const rows = changes.flatMap(({ current, parts }) =>
    parts
      .flatMap((part) =>
        part.batchId === null
          ? splitChange(current, part.change, oldestBatches.get(current.productId) ?? [])
          : [part],
      )
      .map(({ change, batchId }) => ({ product_id: current.productId, change, batch_id: batchId })),
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
async function findEarlierAdjustment(
  tx: Db,
  productId: number,
  changeId: string,
): Promise<EarlierAdjustment | null> {
  const { quantity, reason, note } = stockMovements;
  const [earlierAdjustment] = await tx
    .select({ change: sql<number>`sum(${quantity})::int`, reason, note })
    .from(stockMovements)
    .where(and(eq(stockMovements.changeId, changeId), eq(stockMovements.productId, productId)))
    .groupBy(reason, note);
  return earlierAdjustment ?? null;
}

function repeat(
  current: LockedStock,
  earlierAdjustment: EarlierAdjustment,
  { onHand, reason, note }: Adjustment,
): AdjustResult {
  // Evaluates the adjustment against the stock before the first call.
  const before = { ...current, onHand: current.onHand - earlierAdjustment.change };
  const isSame =
    onHand(before, 0) === current.onHand &&
    reason === earlierAdjustment.reason &&
    note === earlierAdjustment.note;
  return isSame
    ? { ok: true, before: current.onHand, after: current.onHand, isRepeat: true }
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
  const unitsPhrase = reserved === 1 ? "1 unit is" : `${unitsText(reserved)} are`;
  return `${unitsPhrase} reserved for orders that are being paid, so the stock cannot be lower. Try again in half an hour, when they are paid or cancelled.`;
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
async function adjustmentParts(tx: Db, current: LockedStock, change: number): Promise<Part[]> {
  const isShort = -change > current.onHand - current.batched;
  return splitChange(current, change, isShort ? await readOldestBatches(tx, [current.productId]) : []);
}

type OpenBatch = { id: number; remaining: number };

function splitChange(current: LockedStock, change: number, oldestBatches: readonly OpenBatch[]): Part[] {
  const unbatched = current.onHand - current.batched;
  if (change > 0 || -change <= unbatched) return [{ change, batchId: null }];
  const parts: Part[] = unbatched > 0 ? [{ change: -unbatched, batchId: null }] : [];
  let missingUnits = -change - unbatched;
  for (const { id, remaining } of oldestBatches) {
    const takenUnits = Math.min(remaining, missingUnits);
    if (takenUnits > 0) parts.push({ change: -takenUnits, batchId: id });
    missingUnits -= takenUnits;
  }
  return parts;
}

async function readOldestBatches(
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
