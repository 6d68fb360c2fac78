import * as v from "valibot";
import { batchChangeSchema, newBatchSchema, unitsText } from "../../domain/inventory/stock.ts";
import { type Answer, type AnyApiRow, route } from "../http/api-row.ts";
import { idText } from "../platform/id-params.ts";
import { type Problem, problem } from "../platform/problem.ts";
import { addBatch, BatchExists, changeBatch } from "./batches.ts";
import { type InventoryParts, noProduct, ofProduct, readStockNow } from "./stock-now.ts";

const tag = "Catalogue";

/** Batches, as they come in and are corrected. */
export function batchesApi(parts: InventoryParts): AnyApiRow[] {
  const { db, now } = parts;
  const answer = async (productId: number, status: 200 | 201 = 200): Promise<Answer | Problem> => {
    const data = await readStockNow(parts, productId);
    return data ? { status, body: { success: true, data } } : noProduct();
  };
  return [
    route("POST /api/admin/products/:id/batches", {
      tag,
      summary: "Write a batch down: units that came in, or (`fromUnbatched`) that stand on the shelf already",
      access: "admin",
      limit: "none",
      params: ofProduct,
      body: newBatchSchema,
      answers: {
        201: "The stock as it is now",
        404: "No such product",
        409: "The code is taken, or fewer units are in no batch",
      },
      handle: async (_ctx, { params, body, log }) => {
        if (body.bestBefore < (await parts.today())) {
          return problem("validation_failed", "This batch is past its date.", {
            fields: { bestBefore: "This date has passed: such units are not sold" },
          });
        }
        try {
          const result = await db.transaction((tx) => addBatch(tx, params.id, body, now()));
          if (result === null) return noProduct();
          if (!result.ok) return problem("invalid_state", result.reason);
          log({
            subject: `product:${params.id}`,
            summary: `Batch ${body.code}: ${unitsText(body.quantity)}, best before ${body.bestBefore}`,
            after: { batchId: result.batchId, ...body, note: undefined },
          });
        } catch (error) {
          if (error instanceof BatchExists) return problem("invalid_state", error.message);
          throw error;
        }
        return answer(params.id, 201);
      },
    }),
    route("PATCH /api/admin/products/:id/batches/:batchId", {
      tag,
      summary: "Correct a batch's best-before date or note",
      access: "admin",
      limit: "none",
      params: v.object({ id: idText, batchId: idText }),
      body: batchChangeSchema,
      answers: { 200: "The stock as it is now", 404: "No such product, or no such batch of it" },
      handle: async (_ctx, { params, body, log }) => {
        const changed = await db.transaction((tx) => changeBatch(tx, params.id, params.batchId, body));
        if (!changed) return noBatch();
        const { code, before, after } = changed;
        const isDate = before.bestBefore !== after.bestBefore;
        log({
          subject: `product:${params.id}`,
          summary: isDate
            ? `Best before of batch ${code}: ${before.bestBefore} → ${after.bestBefore}`
            : `Note on batch ${code} changed`,
          ...(isDate
            ? { before: { bestBefore: before.bestBefore }, after: { bestBefore: after.bestBefore } }
            : {}),
        });
        return answer(params.id);
      },
    }),
  ];
}

function noBatch(): Problem {
  return problem("not_found", "There is no such batch.");
}
