import * as v from "valibot";
import {
  batchChangeSchema,
  newBatchSchema,
  productStockSchema,
  unitsText,
} from "../../domain/inventory/stock.ts";
import { created, dataOf, ok, route } from "../api-row.ts";
import { idText } from "../platform/http/id-params.ts";
import { problem } from "../platform/http/problem.ts";
import { today } from "../settings/today.ts";
import { addBatch, BatchExists, changeBatch } from "./batches.ts";
import { readCurrentStock } from "./queries.ts";

const shared = { tag: "Catalogue", access: "admin", limit: "none" } as const;
const response = dataOf(productStockSchema);

/** Adding and correcting batches. */
export const batchesApi = [
  route("POST /api/admin/products/:id/batches", {
    ...shared,
    roles: ["staff"],
    summary: "Write a batch down: units that came in, or (`fromUnbatched`) that stand on the shelf already",
    params: v.object({ id: idText }),
    body: newBatchSchema,
    response,
    answers: {
      201: "The stock as it is now",
      404: "No such product",
      409: "The code is taken, or fewer units are in no batch",
    },
    handle: async (ctx, { params, body, log }) => {
      if (body.bestBefore < (await today(ctx))) {
        return problem("validation_failed", "This batch is past its date.", {
          fields: { bestBefore: "This date has passed: such units are not sold" },
        });
      }
      try {
        const result = await ctx.db.transaction((tx) => addBatch(tx, params.id, body, ctx.now()));
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
      const stock = await readCurrentStock(ctx, params.id);
      return stock ? created(stock) : noProduct();
    },
  }),
  route("PATCH /api/admin/products/:id/batches/:batchId", {
    ...shared,
    roles: ["staff"],
    summary: "Correct a batch's best-before date or note",
    params: v.object({ id: idText, batchId: idText }),
    body: batchChangeSchema,
    response,
    answers: { 200: "The stock as it is now", 404: "No such product, or no such batch of it" },
    handle: async (ctx, { params, body, log }) => {
      const changed = await ctx.db.transaction((tx) => changeBatch(tx, params.id, params.batchId, body));
      if (!changed) return problem("not_found", "There is no such batch.");
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
      const stock = await readCurrentStock(ctx, params.id);
      return stock ? ok(stock) : noProduct();
    },
  }),
];

function noProduct() {
  return problem("not_found", "There is no such product, or no such batch of it.");
}
