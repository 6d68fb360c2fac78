import { asc, eq, sql } from "drizzle-orm";
import * as v from "valibot";
import {
  type FilteredList,
  maxSavedFilters,
  newFilterSchema,
  type OrderFilterChoices,
  orderFilterChoicesSchema,
  type SavedFilter,
  savedFilterSchema,
  savedFiltersSchema,
} from "../../../domain/admin/saved-filters.ts";
import { created, dataEnvelope, ok, route } from "../../api-row.ts";
import { products } from "../../catalog/tables.ts";
import { orders } from "../../orders/tables.ts";
import type { Db } from "../../platform/database/database.ts";
import { distinctValues } from "../../platform/database/search.ts";
import { idParams } from "../../platform/http/params.ts";
import { notFoundProblem, problem } from "../../platform/http/problem.ts";
import { orderFilters, orderTags } from "../tables.ts";

const shared = { tag: "Checkout and orders", access: "admin" } as const;
const maxChoices = 200;

/** Filter choices and saved filters of the order and customer lists. */
export const orderFiltersApi = [
  route("GET /api/admin/order-filters", {
    ...shared,
    roles: ["staff", "accountant"],
    summary: "Saved filters of the list of orders, and the countries, products and tags to choose from",
    response: dataEnvelope(orderFilterChoicesSchema),
    responses: { 200: "`{saved, countries, products, tags}`; `query`: the list's query string" },
    handle: async ({ db }) => ok(await readChoices(db)),
  }),
  route("GET /api/admin/customer-filters", {
    ...shared,
    roles: ["staff"],
    summary: "Saved filters of the list of customers",
    response: dataEnvelope(savedFiltersSchema),
    responses: { 200: "`{saved}`; `query`: the list's query string" },
    handle: async ({ db }) => ok({ saved: await readSaved(db, "customers") }),
  }),
  route("POST /api/admin/order-filters", {
    ...shared,
    roles: ["staff"],
    summary:
      "Save a filter of the list of orders, or customers, under a name; replaces an older one of the same name",
    body: newFilterSchema,
    response: dataEnvelope(savedFilterSchema),
    responses: {
      201: "The filter",
      409: "There are 30 filters already, or one of the other list has this name",
    },
    handle: async ({ db }, { body, log }) => {
      const filter = await saveFilter(db, body);
      if (filter === "full") {
        return problem("invalid_state", "There are 30 saved filters already. Delete one first.");
      }
      if (filter === "taken") {
        const other = body.list === "orders" ? "customers" : "orders";
        return problem("invalid_state", `A filter of ${other} has this name. Choose another one.`);
      }
      log({ subject: `order_filter:${filter.id}`, summary: `Filter of ${body.list} “${filter.name}” saved` });
      return created(filter);
    },
  }),
  route("DELETE /api/admin/order-filters/:id", {
    ...shared,
    roles: ["staff"],
    summary: "Delete a saved filter",
    params: idParams,
    response: dataEnvelope(v.object({ id: v.number() })),
    responses: { 200: "Deleted", 404: "There is no such filter" },
    handle: async ({ db }, { params: { id }, log }) => {
      const [deleted] = await db.delete(orderFilters).where(eq(orderFilters.id, id)).returning();
      if (!deleted) return notFoundProblem("filter");
      log({
        summary: `Filter of ${deleted.list} “${deleted.name}” deleted`,
        before: deleted,
      });
      return ok({ id });
    },
  }),
];

async function readChoices(db: Db): Promise<OrderFilterChoices> {
  const [saved, countries, productChoices, tags] = await Promise.all([
    readSaved(db, "orders"),
    distinctValues(db, sql`shipping ->> 'country'`, sql`${orders}`, maxChoices),
    db
      .select({ id: products.id, name: products.name })
      .from(products)
      .orderBy(asc(products.name), asc(products.id))
      .limit(maxChoices),
    distinctValues(db, sql`tag`, sql`${orderTags}`, maxChoices),
  ]);
  return { saved, countries, products: productChoices, tags };
}

const { id, name, query } = orderFilters;

function readSaved(db: Db, list: FilteredList): Promise<SavedFilter[]> {
  return db
    .select({ id, name, query })
    .from(orderFilters)
    .where(eq(orderFilters.list, list))
    .orderBy(asc(sql`lower(${name})`));
}

/** `full`: too many filters; `taken`: a filter of the other list has this name. */
async function saveFilter(db: Db, filter: { list: FilteredList; name: string; query: string }) {
  return db.transaction(async (tx) => {
    await tx.execute(sql`lock table ${orderFilters} in share row exclusive mode`);
    const all = await tx.select().from(orderFilters);
    const existing = all.find((other) => other.name.toLowerCase() === filter.name.toLowerCase());
    if (existing && existing.list !== filter.list) return "taken";
    if (!existing && all.filter(({ list }) => list === filter.list).length >= maxSavedFilters) return "full";
    const [saved] = existing
      ? await tx
          .update(orderFilters)
          .set(filter)
          .where(eq(orderFilters.id, existing.id))
          .returning({ id, name, query })
      : await tx.insert(orderFilters).values(filter).returning({ id, name, query });
    if (!saved) throw new Error("a filter was not saved");
    return saved;
  });
}
