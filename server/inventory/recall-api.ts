import * as v from "valibot";
import { type BatchRecall, batchRecallSchema, type RecallOrder } from "../../domain/inventory/stock.ts";
import { dateIn } from "../../domain/shared/zoned-days.ts";
import { dataOf, ok, route } from "../api-row.ts";
import { csvHeaders, csvLine, csvStart } from "../platform/csv.ts";
import type { Database } from "../platform/database/database.ts";
import { idText } from "../platform/http/id-params.ts";
import { pageLimit } from "../platform/http/page-limit.ts";
import { problem } from "../platform/http/problem.ts";
import { ownerTimeZone } from "../settings/today.ts";
import { readBatch, readRecall, readRecallPage } from "./recall.ts";

const shared = { tag: "Catalogue", access: "admin", limit: "none" } as const;
const params = v.object({ id: idText });

/** The buyers of a batch, for a recall. */
export const recallApi = [
  route("GET /api/admin/batches/:id/orders", {
    ...shared,
    roles: ["staff"],
    summary: "Recall: every order that units of a batch went to",
    params,
    query: v.object({ limit: pageLimit(100, 1000), cursor: v.optional(idText) }),
    response: dataOf(batchRecallSchema),
    answers: {
      200: "`batch`, `totals`, `unshipped` (numbers), a page of `orders` and `nextCursor`",
      404: "No such batch",
    },
    handle: async ({ db }, { params, query: { limit, cursor = null } }) => {
      const recall = await readRecall(db, params.id, { limit, cursor });
      return recall ? ok(recall) : noBatch();
    },
  }),
  route("GET /api/admin/batches/:id/orders.csv", {
    ...shared,
    summary: "The same as a file for a mailing",
    downloads: true,
    params,
    file: ["text/csv"],
    answers: { 200: "CSV, UTF-8", 404: "No such batch" },
    handle: async (ctx, { params }) => {
      const batch = await readBatch(ctx.db, params.id);
      if (!batch) return noBatch();
      const name = batch.code.replace(/[^\w.-]+/g, "-");
      const stream = recallFile(ctx.db, batch, await ownerTimeZone(ctx));
      return { status: 200, stream, headers: csvHeaders(`recall-${name}.csv`) };
    },
  }),
];

function noBatch() {
  return problem("not_found", "There is no such batch.");
}

/** Orders per query. */
const batchSize = 500;

/**
 * A CSV stream of a recall's orders, also of those without an address, read in batches as the client takes them. Dates are
 * in `timeZone`.
 */
export function recallFile(
  db: Database,
  batch: BatchRecall["batch"],
  timeZone: string,
): ReadableStream<Uint8Array> {
  const day = (at: string) => dateIn(timeZone, new Date(at));
  const encoder = new TextEncoder();
  let cursor: number | null = null;
  let begin = csvStart + csvLine(head);
  return new ReadableStream<Uint8Array>(
    {
      async pull(file) {
        const page = await readRecallPage(db, batch, { limit: batchSize, cursor });
        file.enqueue(encoder.encode(begin + page.orders.map((order) => lineOf(batch, order, day)).join("")));
        begin = "";
        if (page.nextCursor === null) file.close();
        else cursor = Number(page.nextCursor);
      },
    },
    { highWaterMark: 0 },
  );
}

function lineOf(batch: BatchRecall["batch"], order: RecallOrder, day: (at: string) => string): string {
  return csvLine([
    order.number,
    day(order.date),
    order.customerName,
    order.email,
    batch.productName,
    batch.code,
    batch.bestBefore,
    order.quantity,
    order.returned,
    order.shippedAt && day(order.shippedAt),
  ]);
}

const head = [
  "Order",
  "Paid on",
  "Customer",
  "Email",
  "Product",
  "Batch",
  "Best before",
  "Units",
  "Units returned",
  "Shipped on",
];
