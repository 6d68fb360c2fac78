import * as v from "valibot";
import {
  productStockSchema,
  stockChangeSchema,
  stockReasonLabels,
  unitsText,
} from "../../domain/inventory/stock.ts";
import { dataOf, ok, route } from "../api-row.ts";
import { numericId } from "../platform/http/id-params.ts";
import { pageLimit } from "../platform/http/page-limit.ts";
import { problem } from "../platform/http/problem.ts";
import { adjustStock } from "./adjust.ts";
import { readCurrentStock } from "./queries.ts";

const shared = { tag: "Catalogue", access: "admin", limit: "none", roles: ["staff"] } as const;
const params = v.object({ id: numericId });
const response = dataOf(productStockSchema);

/** Reading and adjusting a product's stock. */
export const stockApi = [
  route("GET /api/admin/products/:id/stock", {
    ...shared,
    summary: "A product's stock, its batches, and a page of stock movements, newest first",
    params,
    query: v.object({ limit: pageLimit(25), cursor: v.optional(numericId) }),
    response,
    answers: {
      200: "`onHand`, `reserved`, `free`, `unbatched`, `batches`, `movements`, `nextCursor`",
      404: "No such product",
    },
    handle: async (ctx, { params, query: { limit, cursor = null } }) => {
      const stock = await readCurrentStock(ctx, params.id, { limit, cursor });
      return stock ? ok(stock) : noProduct();
    },
  }),
  route("POST /api/admin/products/:id/stock", {
    ...shared,
    summary: "Add or remove units (`change`), or set the number counted (`onHand`), with the reason",
    params,
    body: stockChangeSchema,
    response,
    answers: {
      200: "The stock as it is now; the same `id` again changes nothing",
      404: "No such product, or no such batch of it",
      409: "Too few units would be left for orders or in the batch, or this `id` was used for another change, with the reason",
    },
    handle: async (ctx, { params, body, log }) => {
      const { id: changeId, change = 0, onHand, ...rest } = body;
      const result = await ctx.db.transaction((tx) =>
        adjustStock(tx, {
          ...rest,
          changeId,
          productId: params.id,
          onHand: (stock) => onHand ?? stock.onHand + change,
        }),
      );
      if (result === null) return noProduct();
      if (!result.ok) return problem("invalid_state", result.reason);
      const { before, after, isRepeat } = result;
      const stock = await readCurrentStock(ctx, params.id);
      if (!stock) return noProduct();
      if (isRepeat) return ok(stock);
      log({
        subject: `product:${params.id}`,
        summary: `Stock of ${stock.product.name}: ${before} → ${unitsText(after)} (${stockReasonLabels[body.reason]})`,
        before: { onHand: before },
        after: { onHand: after, reason: body.reason, batchId: body.batchId },
      });
      return ok(stock);
    },
  }),
];

function noProduct() {
  return problem("not_found", "There is no such product, or no such batch of it.");
}
