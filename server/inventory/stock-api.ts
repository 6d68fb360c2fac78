import * as v from "valibot";
import { stockChangeSchema, stockReasonLabels, unitsText } from "../../domain/inventory/stock.ts";
import { type AnyApiRow, ok, route } from "../http/api-row.ts";
import { idText } from "../platform/id-params.ts";
import { pageLimit } from "../platform/page-limit.ts";
import { problem } from "../platform/problem.ts";
import { adjustStock } from "./adjust.ts";
import { type InventoryParts, noProduct, ofProduct, readStockNow } from "./stock-now.ts";

const tag = "Catalogue";

/** What is on a product's shelf, and what came and went. */
export function stockApi(parts: InventoryParts): AnyApiRow[] {
  const { db } = parts;
  return [
    route("GET /api/admin/products/:id/stock", {
      tag,
      summary: "A product's stock, its batches, and a page of what came and went, newest first",
      access: "admin",
      limit: "none",
      params: ofProduct,
      query: v.object({ limit: pageLimit(25), cursor: v.optional(idText) }),
      answers: {
        200: "`onHand`, `reserved`, `free`, `unbatched`, `batches`, `movements`, `nextCursor`",
        404: "No such product",
      },
      handle: async (_ctx, { params, query }) => {
        const data = await readStockNow(parts, params.id, {
          limit: query.limit,
          cursor: query.cursor ?? null,
        });
        return data ? ok(data) : noProduct();
      },
    }),
    route("POST /api/admin/products/:id/stock", {
      tag,
      summary: "Add or take units (`change`), or say how many were counted (`onHand`), and why",
      access: "admin",
      limit: "none",
      params: ofProduct,
      body: stockChangeSchema,
      answers: {
        200: "The stock as it is now; the same `id` again changes nothing",
        404: "No such product, or no such batch of it",
        409: "Fewer than are promised to orders, or than the batch has, or another change under this `id`, with the reason",
      },
      handle: async (_ctx, { params, body, log }) => {
        const { id: changeId, change = 0, onHand, ...rest } = body;
        const result = await db.transaction((tx) =>
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
        const data = await readStockNow(parts, params.id);
        if (!data) return noProduct();
        if (isRepeat) return ok(data);
        log({
          subject: `product:${params.id}`,
          summary: `Stock of ${data.product.name}: ${before} → ${unitsText(after)} (${stockReasonLabels[body.reason]})`,
          before: { onHand: before },
          after: { onHand: after, reason: body.reason, batchId: body.batchId },
        });
        return ok(data);
      },
    }),
  ];
}
