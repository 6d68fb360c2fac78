import * as v from "valibot";
import {
  batchChangeSchema,
  newBatchSchema,
  type ProductStock,
  stockChangeSchema,
  stockReasonLabels,
  unitsText,
} from "../../domain/stock.ts";
import { type Answer, type AnyApiRoute, ok, route } from "../platform/api-route.ts";
import type { Database } from "../platform/database.ts";
import { pageLimit } from "../platform/page-limit.ts";
import { type Problem, problem } from "../platform/problem.ts";
import { adjustStock } from "./adjust.ts";
import { addBatch, BatchExists, changeBatch } from "./batches.ts";
import { readStock } from "./queries.ts";

const tag = "Catalogue";
const id = v.pipe(v.string(), v.regex(/^\d{1,9}$/, "Must be a number"), v.transform(Number));
const ofProduct = v.object({ id });
const limit = pageLimit(25);

export type InventoryParts = {
  db: Database;
  now(): Date;
  /** The date where the owner is: batches are past theirs by it. */
  today(): Promise<string>;
  /** Units free at or under which the owner is told. */
  lowStockAt(): Promise<number>;
};

/** What the owner does with the shelf: stock with its history, and batches. */
export function inventoryApi(parts: InventoryParts): AnyApiRoute[] {
  const { db, now } = parts;
  const firstPage = { limit: 25, cursor: null };
  async function stockNow(productId: number, page: { limit: number; cursor: number | null } = firstPage) {
    const [stock, lowStockAt, today] = await Promise.all([
      readStock(db, productId, page),
      parts.lowStockAt(),
      parts.today(),
    ]);
    return stock && ({ ...stock, lowStockAt, today } satisfies ProductStock);
  }
  const answer = async (productId: number, status: 200 | 201 = 200): Promise<Answer | Problem> => {
    const data = await stockNow(productId);
    return data ? { status, body: { success: true, data } } : noProduct();
  };
  return [
    route({
      method: "GET",
      path: "/api/admin/products/:id/stock",
      tag,
      summary: "A product's stock, its batches, and a page of what came and went, newest first",
      access: "admin",
      limit: "none",
      params: ofProduct,
      query: v.object({ limit, cursor: v.optional(id) }),
      answers: {
        200: "`onHand`, `reserved`, `free`, `unbatched`, `batches`, `movements`, `nextCursor`",
        404: "No such product",
      },
      handle: async ({ params, query }) => {
        const data = await stockNow(params.id, { limit: query.limit, cursor: query.cursor ?? null });
        return data ? ok(data) : noProduct();
      },
    }),
    route({
      method: "POST",
      path: "/api/admin/products/:id/stock",
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
      handle: async ({ params, body, log }) => {
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
        const data = await stockNow(params.id);
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
    route({
      method: "POST",
      path: "/api/admin/products/:id/batches",
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
      handle: async ({ params, body, log }) => {
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
    route({
      method: "PATCH",
      path: "/api/admin/products/:id/batches/:batchId",
      tag,
      summary: "Correct a batch's best-before date or note",
      access: "admin",
      limit: "none",
      params: v.object({ id, batchId: id }),
      body: batchChangeSchema,
      answers: { 200: "The stock as it is now", 404: "No such product, or no such batch of it" },
      handle: async ({ params, body, log }) => {
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

function noProduct(): Problem {
  return problem("not_found", "There is no such product, or no such batch of it.");
}

function noBatch(): Problem {
  return problem("not_found", "There is no such batch.");
}
