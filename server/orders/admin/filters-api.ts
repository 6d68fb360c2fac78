import { asc, eq, sql } from "drizzle-orm";
import * as v from "valibot";
import {
  newFilterSchema,
  type OrderFilterChoices,
  orderFilterChoicesSchema,
  savedFilterAnswer,
  savedFiltersMax,
} from "../../../domain/orders/order-filters.ts";
import { products } from "../../catalog/tables.ts";
import { created, dataOf, ok, route } from "../../http/api-row.ts";
import type { Db } from "../../platform/database/database.ts";
import { idText } from "../../platform/http/id-params.ts";
import { problem } from "../../platform/http/problem.ts";
import { orderFilters, orders, orderTags } from "../tables.ts";

const shared = { tag: "Checkout and orders", access: "admin", limit: "none" } as const;
const choicesMax = 200;

/** What the owner's list of orders can be narrowed by, and selections of it that were given a name. */
export const orderFiltersApi = [
  route("GET /api/admin/order-filters", {
    ...shared,
    roles: ["staff", "accountant"],
    summary: "Saved filters of the list of orders, and the countries, products and tags to choose from",
    response: dataOf(orderFilterChoicesSchema),
    answers: { 200: "`{saved, countries, products, tags}`; `query` of a saved one is that of the list" },
    handle: async ({ db }) => ok(await readChoices(db)),
  }),
  route("POST /api/admin/order-filters", {
    ...shared,
    roles: ["staff"],
    summary: "Save a filter of the list of orders under a name; an old one of this name is replaced",
    body: newFilterSchema,
    response: dataOf(savedFilterAnswer),
    answers: { 201: "The filter", 409: "There are 30 already" },
    handle: async ({ db }, { body, log }) => {
      const filter = await saveFilter(db, body);
      if (filter === null) {
        return problem("invalid_state", "There are 30 saved filters already. Delete one first.");
      }
      log({ subject: `order_filter:${filter.id}`, summary: `Filter of orders “${filter.name}” saved` });
      return created(filter);
    },
  }),
  route("DELETE /api/admin/order-filters/:id", {
    ...shared,
    roles: ["staff"],
    summary: "Delete a saved filter",
    params: v.object({ id: idText }),
    response: dataOf(v.object({ id: v.number() })),
    answers: { 200: "It is gone", 404: "There is no such filter" },
    handle: async ({ db }, { params: { id }, log }) => {
      const [gone] = await db.delete(orderFilters).where(eq(orderFilters.id, id)).returning();
      if (!gone) return problem("not_found", "There is no such filter.");
      log({
        subject: `order_filter:${id}`,
        summary: `Filter of orders “${gone.name}” deleted`,
        before: gone,
      });
      return ok({ id });
    },
  }),
];

async function readChoices(db: Db): Promise<OrderFilterChoices> {
  const [saved, countries, sold, tags] = await Promise.all([
    db
      .select()
      .from(orderFilters)
      .orderBy(asc(sql`lower(${orderFilters.name})`)),
    distinct(db, sql`shipping ->> 'country'`, sql`${orders}`),
    db
      .select({ id: products.id, name: products.name })
      .from(products)
      .orderBy(asc(products.name), asc(products.id))
      .limit(choicesMax),
    distinct(db, sql`tag`, sql`${orderTags}`),
  ]);
  return { saved, countries, products: sold, tags };
}

/** The values of an index's first column, each found by a step through the index: few among very many rows. */
async function distinct(
  db: Db,
  column: ReturnType<typeof sql>,
  table: ReturnType<typeof sql>,
): Promise<string[]> {
  const { rows } = await db.execute<{ value: string }>(sql`
    with recursive found as (
      (select ${column} as value from ${table} where ${column} is not null order by 1 limit 1)
      union all
      select (select ${column} from ${table} where ${column} > found.value order by 1 limit 1)
      from found where found.value is not null)
    select value from found where value is not null limit ${choicesMax}`);
  return rows.map(({ value }) => value);
}

/** Null: there are too many. */
async function saveFilter(db: Db, { name, query }: { name: string; query: string }) {
  return db.transaction(async (tx) => {
    await tx.execute(sql`lock table ${orderFilters} in share row exclusive mode`);
    const all = await tx.select().from(orderFilters);
    const old = all.find((filter) => filter.name.toLowerCase() === name.toLowerCase());
    if (!old && all.length >= savedFiltersMax) return null;
    const [saved] = old
      ? await tx.update(orderFilters).set({ name, query }).where(eq(orderFilters.id, old.id)).returning()
      : await tx.insert(orderFilters).values({ name, query }).returning();
    if (!saved) throw new Error("a filter was not saved");
    return saved;
  });
}
