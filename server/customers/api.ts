import * as v from "valibot";
import {
  customerKinds,
  customerPageSchema,
  customerSchema,
  customerSorts,
  customerTagsSchema,
  mergeSchema,
} from "../../domain/customers/customer.ts";
import { noteSchema, orderNoteSchema } from "../../domain/orders/admin-order.ts";
import { created, dataEnvelope, ok, okOrNotFound, route } from "../api-row.ts";
import type { ShopContext } from "../context.ts";
import { csvBatchSize, csvHeaders, csvStream, csvTime } from "../platform/csv.ts";
import type { Database } from "../platform/database/database.ts";
import { withCustomPlans } from "../platform/database/search.ts";
import { idParams, numericId, pageLimit } from "../platform/http/params.ts";
import { notFoundProblem, problem } from "../platform/http/problem.ts";
import { ownerTimeZone, today } from "../settings/today.ts";
import { addCustomerNote, deleteCustomerNote, mergeCustomers, setTags, undoMerge } from "./commands.ts";
import { type CustomerSelection, listCustomers, readCustomerPage } from "./list.ts";
import { readCustomer } from "./read.ts";
import { refreshCustomers } from "./refresh.ts";

const shared = { tag: "Customers", access: "admin", roles: ["staff"] } as const;
const noteParams = v.object({ ...idParams.entries, noteId: numericId });
const mergeParams = v.object({ ...idParams.entries, mergeId: numericId });
const notFound = { 404: "There is no such customer" };
const blankIsNull = v.transform((text: string) => text || null);

const selection = {
  sort: v.optional(v.picklist(customerSorts, `One of ${customerSorts.join(", ")}`), "last"),
  kind: v.optional(v.picklist(customerKinds, `One of ${customerKinds.join(", ")}`), "all"),
  tag: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(40, "At most 40 characters"), blankIsNull)),
  country: v.optional(v.pipe(v.string(), v.regex(/^[A-Z]{2}$/, "Two capital letters, such as US"))),
  q: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(100, "Use at most 100 characters"), blankIsNull)),
};

/** Customers in the panel. Every read first updates the customers whose orders have changed. */
export const customersApi = [
  route("GET /api/admin/customers", {
    ...shared,
    summary:
      "Customers, that is buyers of paid orders. `q`: part of a name, address, city or phone number, or `#1042`; `sort`: last order, value or orders",
    query: v.object({ ...selection, limit: pageLimit(50), cursor: v.optional(numericId) }),
    response: customerPageSchema,
    responses: {
      200: "`{data, nextCursor, tags, countries, isBuilding}`; `isBuilding`: orders are still being added up",
    },
    handle: async (ctx, { query }) => {
      await refreshCustomers(ctx);
      const { tag = null, country = null, q = null, cursor = null, ...rest } = query;
      return { status: 200, body: await listCustomers(ctx.db, { ...rest, tag, country, q, cursor }) };
    },
  }),
  route("GET /api/admin/customers.csv", {
    ...shared,
    roles: [],
    summary: "Customers as CSV, in the list’s order",
    downloads: true,
    query: v.object(selection),
    file: ["text/csv"],
    responses: { 200: "CSV, UTF-8, one customer per line" },
    handle: async (ctx, { query: { tag = null, country = null, q = null, ...rest } }) => {
      await refreshCustomers(ctx);
      return {
        status: 200,
        stream: customersFile(ctx.db, await ownerTimeZone(ctx), { ...rest, tag, country, q }),
        headers: csvHeaders(`customers-${await today(ctx)}.csv`),
      };
    },
  }),
  route("GET /api/admin/customers/:id", {
    ...shared,
    summary: "One customer with orders, messages, reviews, questions, consent, reminders, notes and merges",
    params: idParams,
    response: dataEnvelope(customerSchema),
    responses: {
      200: "The customer; for a merged id, the customer that it was merged into. Lists have at most 20 entries",
      ...notFound,
    },
    handle: async (ctx, { params }) => {
      await refreshCustomers(ctx);
      return respondWithCustomer(ctx, params.id);
    },
  }),
  route("PUT /api/admin/customers/:id/tags", {
    ...shared,
    summary: "Set a customer’s tags",
    params: idParams,
    body: customerTagsSchema,
    response: dataEnvelope(customerSchema),
    responses: {
      200: "The customer",
      ...notFound,
      409: "`invalid_state`: changed since the `revision` sent along; `current` has the customer",
    },
    handle: async (ctx, { params: { id }, body, log }) => {
      const result = await setTags(ctx.db, { id, ...body });
      if (result === null) return notFoundProblem("customer");
      if (result === "conflict") {
        return problem("invalid_state", "Somebody else changed this customer in the meantime.", {
          current: await readCustomer(ctx.db, id),
        });
      }
      if (result.before.join() !== result.after.join()) {
        log({ summary: `Tags of customer ${id} changed`, ...result });
      }
      return respondWithCustomer(ctx, id);
    },
  }),
  route("POST /api/admin/customers/:id/notes", {
    ...shared,
    summary: "Add a note about a customer, visible only in the panel",
    params: idParams,
    body: noteSchema,
    response: dataEnvelope(orderNoteSchema),
    responses: { 201: "The note; the same text twice in a row is one note", ...notFound },
    handle: async (ctx, { params: { id }, body, log }) => {
      const note = await addCustomerNote(ctx, { customerId: id, text: body.text });
      if (note === null) return notFoundProblem("customer");
      log(`Note added to customer ${id}`);
      return created(note);
    },
  }),
  route("DELETE /api/admin/customers/:id/notes/:noteId", {
    ...shared,
    summary: "Delete a note about a customer",
    params: noteParams,
    response: dataEnvelope(v.object({ id: v.number() })),
    responses: { 200: "Deleted", 404: "There is no such note" },
    handle: async ({ db }, { params, log }) => {
      if (!(await deleteCustomerNote(db, params))) return notFoundProblem("note");
      log(`Note deleted from customer ${params.id}`);
      return ok({ id: params.noteId });
    },
  }),
  route("POST /api/admin/customers/:id/merge", {
    ...shared,
    summary: "Merge another customer into this one, with its addresses, orders, tags and notes",
    params: idParams,
    body: mergeSchema,
    response: dataEnvelope(customerSchema),
    responses: { 200: "The customer", 404: "There is no such customer", 422: "Both are the same customer" },
    handle: async (ctx, { params: { id }, body: { otherId }, log }) => {
      const result = await mergeCustomers(ctx, { id, otherId });
      if (!result.ok) return mergeProblem(result.reason);
      log(`Customer ${otherId} merged into customer ${id}`);
      return respondWithCustomer(ctx, id);
    },
  }),
  route("DELETE /api/admin/customers/:id/merges/:mergeId", {
    ...shared,
    summary: "Undo a merge",
    params: mergeParams,
    response: dataEnvelope(v.object({ restoredId: v.number() })),
    responses: {
      200: "The id of the restored customer",
      404: "There is no such merge, or it can no longer be undone",
    },
    handle: async (ctx, { params: { id, mergeId }, log }) => {
      const result = await undoMerge(ctx, { id, mergeId });
      if (result === null) return problem("not_found", "This merge was already undone.");
      log(`Customer ${result.restoredId} separated from customer ${id}`);
      return ok(result);
    },
  }),
];

async function respondWithCustomer({ db }: ShopContext, id: number) {
  return okOrNotFound("customer", await readCustomer(db, id));
}

function mergeProblem(reason: "not_found" | "same" | "too_many_tags") {
  if (reason === "not_found") return notFoundProblem("customer");
  const message =
    reason === "same"
      ? "Choose another customer."
      : "Together they would have too many tags. Remove some first.";
  return problem("validation_failed", message, { fields: { otherId: message } });
}

const time = (iso: string | null, timeZone: string) => csvTime(iso === null ? null : new Date(iso), timeZone);

/** The list as a CSV stream; each batch is read in a separate transaction. */
function customersFile(
  db: Database,
  timeZone: string,
  selection: Omit<CustomerSelection, "limit" | "cursor">,
): ReadableStream<Uint8Array> {
  return csvStream(
    [
      "Customer",
      "Name",
      "Email",
      "Phone",
      "City",
      "Country",
      "Orders",
      "Value",
      `First order (${timeZone})`,
      `Last order (${timeZone})`,
      "Tags",
    ],
    async (cursor) => {
      const { data: rows, nextCursor } = await withCustomPlans(db, (tx) =>
        readCustomerPage(tx, {
          ...selection,
          limit: csvBatchSize,
          cursor: cursor === null ? null : Number(cursor),
        }),
      );
      return { rows, nextCursor };
    },
    (row) => [
      row.id,
      row.name,
      row.email,
      row.phone,
      row.city,
      row.country,
      row.orders,
      (row.valueCents / 100).toFixed(2),
      time(row.firstOrderAt, timeZone),
      time(row.lastOrderAt, timeZone),
      row.tags.join(", "),
    ],
  );
}
