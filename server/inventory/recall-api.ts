import * as v from "valibot";
import { type AnyApiRoute, ok, route } from "../platform/api-route.ts";
import { csvHeaders } from "../platform/csv.ts";
import type { Database } from "../platform/database.ts";
import { problem } from "../platform/problem.ts";
import { readRecall } from "./queries.ts";
import { recallFile } from "./recall-file.ts";

const tag = "Catalogue";
const params = v.object({
  id: v.pipe(v.string(), v.regex(/^\d{1,9}$/, "Must be a number"), v.transform(Number)),
});

/** Whom to write to when a batch has to come back. */
export function recallApi({ db }: { db: Database }): AnyApiRoute[] {
  return [
    route({
      method: "GET",
      path: "/api/admin/batches/:id/orders",
      tag,
      summary: "Recall: every order that units of a batch went to",
      access: "admin",
      limit: "none",
      params,
      answers: { 200: "`{batch, orders}`", 404: "No such batch" },
      handle: async ({ params }) => {
        const recall = await readRecall(db, params.id);
        return recall ? ok(recall) : noBatch();
      },
    }),
    route({
      method: "GET",
      path: "/api/admin/batches/:id/orders.csv",
      tag,
      summary: "The same as a file for a mailing",
      access: "admin",
      limit: "none",
      params,
      answers: { 200: "CSV, UTF-8", 404: "No such batch" },
      handle: async ({ params }) => {
        const recall = await readRecall(db, params.id);
        if (!recall) return noBatch();
        const name = recall.batch.code.replace(/[^\w.-]+/g, "-");
        return { status: 200, stream: recallFile(recall), headers: csvHeaders(`recall-${name}.csv`) };
      },
    }),
  ];
}

function noBatch() {
  return problem("not_found", "There is no such batch.");
}
