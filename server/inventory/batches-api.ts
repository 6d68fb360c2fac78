import { and, eq, sql } from "drizzle-orm";
import * as v from "valibot";
import {
  type BatchChange,
  batchChangeSchema,
  type NewBatch,
  newBatchSchema,
  productStockSchema,
  unitsText,
} from "../../domain/inventory/stock.ts";
import { formatDay } from "../../domain/orders/order-text.ts";
import { created, dataEnvelope, okOrNotFound, route } from "../api-row.ts";
import type { Db } from "../platform/database/database.ts";
import { idParams, numericId } from "../platform/http/params.ts";
import { notFoundProblem, problem } from "../platform/http/problem.ts";
import { today } from "../settings/today.ts";
import { lockStock } from "./adjust.ts";
import { readCurrentStock } from "./queries.ts";
import { batches, stock, stockMovements } from "./tables.ts";

const shared = { tag: "Catalogue", access: "admin", roles: ["staff"] } as const;
const response = dataEnvelope(productStockSchema);

/** Calls that add and correct batches. */
export const batchesApi = [
  route("POST /api/admin/products/:id/batches", {
    ...shared,
    summary: "Record a batch: of received units, or (`fromUnbatched`) of units in stock that have no batch",
    params: idParams,
    body: newBatchSchema,
    response,
    responses: {
      201: "The stock as it is now",
      404: "There is no such product",
      409: "The code is taken, or fewer units are without a batch",
    },
    handle: async (ctx, { params, body, log }) => {
      if (body.bestBefore < (await today(ctx))) {
        return problem("validation_failed", "This batch is past its best-before date.", {
          fields: { bestBefore: "This date has passed: such units are not sold" },
        });
      }
      try {
        const result = await ctx.db.transaction((tx) => addBatch(tx, params.id, body, ctx.now()));
        if (result === null) return notFoundProblem("product, or no such batch of it");
        if (!result.ok) return problem("invalid_state", result.reason);
        log({
          summary: `Batch ${body.code}: ${unitsText(body.quantity)}, best before ${formatDay(body.bestBefore, "UTC")}`,
          after: { batchId: result.batchId, ...body, note: undefined },
        });
      } catch (error) {
        if (error instanceof BatchExists) return problem("invalid_state", error.message);
        throw error;
      }
      const stock = await readCurrentStock(ctx, params.id);
      return stock ? created(stock) : notFoundProblem("product, or no such batch of it");
    },
  }),
  route("PATCH /api/admin/products/:id/batches/:batchId", {
    ...shared,
    summary: "Correct a batch's best-before date or note",
    params: v.object({ id: numericId, batchId: numericId }),
    body: batchChangeSchema,
    response,
    responses: { 200: "The stock as it is now", 404: "There is no such product, or no such batch of it" },
    handle: async (ctx, { params, body, log }) => {
      const correction = await ctx.db.transaction((tx) => changeBatch(tx, params.id, params.batchId, body));
      if (!correction) return notFoundProblem("batch");
      const { code, before, after } = correction;
      const isDateChange = before.bestBefore !== after.bestBefore;
      log({
        summary: isDateChange
          ? `Best before of batch ${code}: ${before.bestBefore} → ${after.bestBefore}`
          : `Note on batch ${code} changed`,
        ...(isDateChange
          ? { before: { bestBefore: before.bestBefore }, after: { bestBefore: after.bestBefore } }
          : {}),
      });
      return okOrNotFound("product, or no such batch of it", await readCurrentStock(ctx, params.id));
    },
  }),
];

/** `reason`: a message for the owner. Null if there is no such product. */
type BatchResult = { ok: true; batchId: number } | { ok: false; reason: string } | null;

/** Adds a batch of received units, or (`fromUnbatched`) of units on the shelf that have no batch. */
async function addBatch(
  tx: Db,
  productId: number,
  { code, bestBefore, quantity, note, fromUnbatched }: NewBatch,
  now: Date,
): Promise<BatchResult> {
  const current = await lockStock(tx, productId);
  if (!current) return null;
  const unbatched = current.onHand - current.batched;
  if (fromUnbatched && quantity > unbatched) {
    const reason =
      unbatched === 0
        ? "All units on the shelf are in batches already."
        : `Only ${unitsText(unbatched)} on the shelf ${unbatched > 1 ? "are" : "is"} not in a batch.`;
    return { ok: false, reason };
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

/** Thrown to roll the transaction back if the product already has a batch of this code. */
class BatchExists extends Error {
  constructor(code: string) {
    super(
      `Batch ${code} already exists. Add more units to it with “Change stock”, or check the code on the bottles.`,
    );
  }
}

type BatchCorrection = { code: string; before: BatchChange; after: BatchChange };

/** Corrects a batch's date or note; null if the product has no such batch. */
async function changeBatch(
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
