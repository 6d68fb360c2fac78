import { asc, like, or, sql } from "drizzle-orm";
import * as v from "valibot";
import { type Found, foundMax, foundSchema } from "../../domain/overview/find.ts";
import { isAllowed } from "../../domain/people/roles.ts";
import { dataOf, ok, route } from "../api-row.ts";
import { products } from "../catalog/tables.ts";
import type { ShopContext } from "../context.ts";
import { readCustomerPage } from "../customers/list.ts";
import { readOrderPage } from "../order-desk/admin/list.ts";
import type { Db } from "../platform/database/database.ts";
import { escapeLike, withCustomPlans } from "../platform/database/search.ts";

/** Finds orders, customers and products at once, for the panel's search. */
export const findApi = [
  route("GET /api/admin/find", {
    tag: "Admin",
    summary: "The first few orders, customers and products that fit what was typed",
    access: "admin",
    roles: ["staff", "accountant"],
    limit: "none",
    query: v.object({
      q: v.pipe(
        v.string(),
        v.trim(),
        v.minLength(1, "Is required"),
        v.maxLength(100, "At most 100 characters"),
      ),
    }),
    response: dataOf(foundSchema),
    answers: { 200: "`{orders, customers, products}`, of each what the role may see" },
    handle: async (ctx, { query: { q }, viewer }) => {
      const role = viewer.admin?.role ?? "accountant";
      return ok(await find(ctx, q, { seesPeople: isAllowed(role, ["staff"]) }));
    },
  }),
];

async function find({ db, provider }: ShopContext, q: string, { seesPeople }: { seesPeople: boolean }) {
  return withCustomPlans(db, async (tx): Promise<Found> => {
    const { rows } = await readOrderPage(tx, {
      status: "all",
      q,
      limit: foundMax,
      cursor: null,
      mode: provider.mode,
    });
    const orders = rows.map(({ order }) => ({
      id: order.id,
      number: order.number,
      customer: order.erasedAt === null ? order.customerName || order.email : null,
      status: order.status,
      createdAt: order.createdAt.toISOString(),
    }));
    if (!seesPeople) return { orders, customers: [], products: [] };
    const customers = await readCustomerPage(tx, {
      sort: "last",
      kind: "all",
      tag: null,
      country: null,
      q,
      limit: foundMax,
      cursor: null,
    });
    return {
      orders,
      customers: customers.data.map(({ id, name, email, orders }) => ({ id, name, email, orders })),
      products: await findProducts(tx, q),
    };
  });
}

async function findProducts(tx: Db, q: string): Promise<Found["products"]> {
  const text = escapeLike(q.replace(/\s+/g, " ").toLowerCase());
  return tx
    .select({ id: products.id, name: products.name, size: products.size })
    .from(products)
    .where(
      or(
        like(sql`lower(${products.name})`, `%${text}%`),
        like(products.gtin, `${text}%`),
        like(sql`lower(${products.sku})`, `${text}%`),
      ),
    )
    .orderBy(asc(products.name), asc(products.id))
    .limit(foundMax);
}
