import { and, asc, eq, gt, sql } from "drizzle-orm";
import { type StockReason, unitsMax, unitsText } from "../../domain/inventory/stock.ts";
import type { Db } from "../platform/database/database.ts";
import { batches, stock, stockMovements } from "./tables.ts";

export type LockedStock = Pick<typeof stock.$inferSelect, "productId" | "onHand" | "reserved" | "batched">;

/** `isRepeat`: it was made before. `reason` is a sentence for the owner. Null: there is no such product, or batch of it. */
export type AdjustResult =
  | { ok: true; before: number; after: number; isRepeat?: true }
  | { ok: false; reason: string }
  | null;

export type Adjustment = {
  productId: number;
  /** How many units the shelf is to hold, from what it holds and what is left of the batch, if one is named. */
  onHand(now: LockedStock, batchLeft: number): number;
  reason: StockReason;
  note: string | null;
  /** Whose units come or go; null: of no batch, and of the oldest batches where those are not enough. */
  batchId: number | null;
  /** The same one a second time changes nothing; under the id of another change it is refused. */
  changeId?: string | undefined;
};

/**
 * Changes what is on the shelf and records why. Never below what is promised to orders. Call it inside a transaction,
 * last: the row stays locked until that ends.
 */
export async function adjustStock(tx: Db, adjustment: Adjustment): Promise<AdjustResult> {
  const { productId, batchId, changeId } = adjustment;
  const now = await lockStock(tx, productId);
  if (!now) return null;
  const made = changeId === undefined ? null : await madeBefore(tx, productId, changeId);
  if (made) return repeat(now, made, adjustment);
  const left = batchId === null ? 0 : await remainingOf(tx, productId, batchId);
  if (left === null) return null;
  const target = adjustment.onHand(now, left);
  const change = target - now.onHand;
  if (target < now.reserved) return { ok: false, reason: promised(now.reserved) };
  if (target > unitsMax) return { ok: false, reason: `A shelf holds ${unitsText(unitsMax)} at most.` };
  if (change === 0) return { ok: true, before: now.onHand, after: target };
  if (batchId !== null) {
    if (left + change < 0) return { ok: false, reason: `This batch has ${unitsText(left)} left.` };
    await put(tx, adjustment, change, batchId);
  } else {
    for (const part of await partsOf(tx, now, change)) await put(tx, adjustment, part.change, part.batchId);
  }
  await tx.update(stock).set({ onHand: target }).where(eq(stock.productId, productId));
  return { ok: true, before: now.onHand, after: target };
}

type Made = { change: number; reason: StockReason | null; note: string | null };

/** What was changed under an id; null: nothing yet. */
async function madeBefore(tx: Db, productId: number, changeId: string): Promise<Made | null> {
  const { quantity, reason, note } = stockMovements;
  const [made] = await tx
    .select({ change: sql<number>`sum(${quantity})::int`, reason, note })
    .from(stockMovements)
    .where(and(eq(stockMovements.changeId, changeId), eq(stockMovements.productId, productId)))
    .groupBy(reason, note);
  return made ?? null;
}

function repeat(now: LockedStock, made: Made, { onHand, reason, note }: Adjustment): AdjustResult {
  // Against what there was before it, as the first time.
  const before = { ...now, onHand: now.onHand - made.change };
  const isSame = onHand(before, 0) === now.onHand && reason === made.reason && note === made.note;
  return isSame
    ? { ok: true, before: now.onHand, after: now.onHand, isRepeat: true }
    : {
        ok: false,
        reason: "Your first try was saved after all. Look at the history before you change more.",
      };
}

/** Sets what is on hand so that `free` units are for sale beside those that are promised. */
export async function setFree(
  tx: Db,
  productId: number,
  free: number,
  reason: StockReason,
): Promise<AdjustResult> {
  return adjustStock(tx, {
    productId,
    onHand: ({ reserved }) => reserved + free,
    reason,
    note: null,
    batchId: null,
  });
}

/** The first lock of every change of a product's stock and of its batches, which therefore need none of their own. */
export async function lockStock(tx: Db, productId: number): Promise<LockedStock | null> {
  const { onHand, reserved, batched } = stock;
  const [row] = await tx
    .select({ productId: stock.productId, onHand, reserved, batched })
    .from(stock)
    .where(eq(stock.productId, productId))
    .for("update");
  return row ?? null;
}

function promised(reserved: number): string {
  const those = reserved === 1 ? "1 unit is" : `${unitsText(reserved)} are`;
  return `${those} promised to orders that are being paid, so the shelf cannot hold fewer. Try again in half an hour, when they are paid or over.`;
}

async function remainingOf(tx: Db, productId: number, batchId: number): Promise<number | null> {
  const [batch] = await tx
    .select({ remaining: batches.remaining })
    .from(batches)
    .where(and(eq(batches.id, batchId), eq(batches.productId, productId)));
  return batch?.remaining ?? null;
}

type Part = { change: number; batchId: number | null };

/** Where a change without a batch comes from: what is added is of no batch; what goes is too, as far as there is any. */
async function partsOf(tx: Db, now: LockedStock, change: number): Promise<Part[]> {
  const loose = now.onHand - now.batched;
  if (change > 0 || -change <= loose) return [{ change, batchId: null }];
  const parts: Part[] = loose > 0 ? [{ change: -loose, batchId: null }] : [];
  let missing = -change - loose;
  const oldest = await tx
    .select({ id: batches.id, remaining: batches.remaining })
    .from(batches)
    .where(and(eq(batches.productId, now.productId), gt(batches.remaining, 0)))
    .orderBy(asc(batches.bestBefore), asc(batches.id));
  for (const { id, remaining } of oldest) {
    const taken = Math.min(remaining, missing);
    if (taken > 0) parts.push({ change: -taken, batchId: id });
    missing -= taken;
  }
  return parts;
}

async function put(
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
