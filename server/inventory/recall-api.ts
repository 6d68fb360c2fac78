import * as v from "valibot";
import { type AnyApiRow, ok, route } from "../http/api-row.ts";
import { csvHeaders } from "../platform/csv.ts";
import type { Database } from "../platform/database.ts";
import { idText } from "../platform/id-params.ts";
import { pageLimit } from "../platform/page-limit.ts";
import { problem } from "../platform/problem.ts";
import { readBatch, readRecall } from "./recall.ts";
import { recallFile } from "./recall-file.ts";

const tag = "Catalogue";
const params = v.object({ id: idText });
const limit = pageLimit(100, 1000);

/** Whom to write to when a batch has to come back. `timeZone`: the owner's, whose days the file writes. */
export function recallApi({ db, timeZone }: { db: Database; timeZone(): Promise<string> }): AnyApiRow[] {
  return [
    route("GET /api/admin/batches/:id/orders", {
      tag,
      summary: "Recall: every order that units of a batch went to",
      access: "admin",
      limit: "none",
      params,
      query: v.object({ limit, cursor: v.optional(idText) }),
      answers: {
        200: "`batch`, `totals`, `unshipped` (numbers), a page of `orders` and `nextCursor`",
        404: "No such batch",
      },
      handle: async (_ctx, { params, query }) => {
        const recall = await readRecall(db, params.id, { limit: query.limit, cursor: query.cursor ?? null });
        return recall ? ok(recall) : noBatch();
      },
    }),
    route("GET /api/admin/batches/:id/orders.csv", {
      tag,
      summary: "The same as a file for a mailing",
      access: "admin",
      limit: "none",
      params,
      answers: { 200: "CSV, UTF-8", 404: "No such batch" },
      handle: async (_ctx, { params }) => {
        const batch = await readBatch(db, params.id);
        if (!batch) return noBatch();
        const name = batch.code.replace(/[^\w.-]+/g, "-");
        const stream = recallFile(db, batch, await timeZone());
        return { status: 200, stream, headers: csvHeaders(`recall-${name}.csv`) };
      },
    }),
  ];
}

function noBatch() {
  return problem("not_found", "There is no such batch.");
}
