import { and, eq, sql } from "drizzle-orm";
import { type BatchChange, type NewBatch, unitsText } from "../../domain/inventory/stock.ts";
import type { Db } from "../platform/database/database.ts";
import { lockStock } from "./adjust.ts";
import { batches, stock, stockMovements } from "./tables.ts";

/** `reason`: a sentence for the owner. Null: there is no such product. */
export type BatchResult = { ok: true; batchId: number } | { ok: false; reason: string } | null;

/** Adds a batch of received units, or (`fromUnbatched`) of units on the shelf that have no batch. */
export async function addBatch(
  tx: Db,
  productId: number,
  { code, bestBefore, quantity, note, fromUnbatched }: NewBatch,
  now: Date,
): Promise<BatchResult> {
  const shelf = await lockStock(tx, productId);
  if (!shelf) return null;
  const loose = shelf.onHand - shelf.batched;
  if (fromUnbatched && quantity > loose) {
    const left = loose === 0 ? "No unit" : loose === 1 ? "Only 1 unit" : `Only ${unitsText(loose)}`;
    return { ok: false, reason: `${left} on the shelf ${loose > 1 ? "are" : "is"} in no batch.` };
  }
  if (!fromUnbatched) {
    await tx
      .update(stock)
      .set({ onHand: sql`${stock.onHand} + ${quantity}` })
      .where(eq(stock.productId, productId));
  }
  const [batch] = await tx
    .insert(batches)
    .values({ productId, code, bestBefore, receivedAt: now, received: quantity, remaining: quantity, note })
    .onConflictDoNothing()
    .returning({ id: batches.id });
  if (!batch) throw new BatchExists(code);
  if (!fromUnbatched) {
    await tx.insert(stockMovements).values({
      productId,
      kind: "adjusted",
      quantity,
      reason: "received",
      batchId: batch.id,
    });
  }
  return { ok: true, batchId: batch.id };
}

/** The product has a batch of this code. Thrown to roll the transaction back. */
export class BatchExists extends Error {
  constructor(code: string) {
    super(
      `There is a batch ${code} already. Add more units to it with “Change stock”, or check the code on the bottles.`,
    );
  }
}

export type BatchCorrection = { code: string; before: BatchChange; after: BatchChange };

/** Corrects a batch's date or note; null: the product has no such batch. */
export async function changeBatch(
  tx: Db,
  productId: number,
  batchId: number,
  change: BatchChange,
): Promise<BatchCorrection | null> {
  const isBatch = and(eq(batches.id, batchId), eq(batches.productId, productId));
  const { code, bestBefore, note } = batches;
  const [before] = await tx.select({ code, bestBefore, note }).from(batches).where(isBatch).for("update");
  if (!before) return null;
  const after = {
    bestBefore: change.bestBefore ?? before.bestBefore,
    note: change.note === undefined ? before.note : change.note,
  };
  await tx.update(batches).set(after).where(isBatch);
  return { code: before.code, before: { bestBefore: before.bestBefore, note: before.note }, after };
}
