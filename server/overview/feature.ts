import { and, asc, desc, eq, like, or, sql } from "drizzle-orm";
import * as v from "valibot";
import { adminCountsSchema, adminStateSchema } from "../../domain/admin/admin.ts";
import { maxResultsPerKind, type SearchResults, searchResultsSchema } from "../../domain/overview/find.ts";
import { type Grain, grains, overviewSchema, periodGrain } from "../../domain/overview/overview.ts";
import { toDoSchema } from "../../domain/overview/to-do.ts";
import type { PaymentMode } from "../../domain/payments/payment-mode.ts";
import { isAllowed, nonOwnerRoles } from "../../domain/people/roles.ts";
import { dataEnvelope, ok, route } from "../api-row.ts";
import { invoices } from "../books/tables.ts";
import { products } from "../catalog/tables.ts";
import type { ShopContext } from "../context.ts";
import { readCustomerPage } from "../customers/list.ts";
import type { Feature } from "../feature.ts";
import { readOrderPage } from "../order-desk/admin/list.ts";
import type { Db } from "../platform/database/database.ts";
import { escapeLike, withCustomPlans } from "../platform/database/search.ts";
import { issuesApi } from "./issues-api.ts";
import { jobsApi } from "./jobs-api.ts";
import { readAdminCounts, readAdminState, readOverview, readToDo } from "./overview.ts";
import { periodQuery, readPeriod } from "./period.ts";
import { sourcesApi } from "./sources-api.ts";

const shared = { tag: "Admin", access: "admin" } as const;

/** The panel's first page, the counts on its tabs, and its search. */
const overviewApi = [
  route("GET /api/admin/overview", {
    ...shared,
    summary:
      "Sales of a period compared with the one before, and the owner's open work; dates in the shop's time zone, `to` included, by default the last 30 days",
    roles: ["staff", "accountant"],
    query: v.object({
      ...periodQuery,
      by: v.optional(v.picklist(grains, "One of day, week, month")),
    }),
    response: dataEnvelope(overviewSchema),
    responses: { 200: "The overview; amounts in cents" },
    async handle(ctx, { query, viewer }) {
      const period = await readPeriod(ctx, query);
      if ("problem" in period) return period;
      const grain: Grain = query.by ?? periodGrain(period);
      const overview = await readOverview(ctx, period, grain);
      // Accountants see neither messages nor where buyers come from.
      const isAccountant = viewer.admin?.role === "accountant";
      return ok(isAccountant ? { ...overview, latestMessage: null, topSources: [] } : overview);
    },
  }),
  route("GET /api/admin/counts", {
    ...shared,
    summary: "Counts of open work, shown on the panel's tabs",
    roles: nonOwnerRoles,
    response: dataEnvelope(adminCountsSchema),
    responses: {
      200: "`{ordersToShip, unreadMessages, heldReviews, heldPhotos, openQuestions, attention, failedJobs}`, each counted up to 100, and `mailIsSet`",
    },
    handle: async (ctx) => ok(await readAdminCounts(ctx)),
  }),
  route("GET /api/admin/news", {
    ...shared,
    summary: "Counts of open work, and the latest paid orders",
    roles: nonOwnerRoles,
    response: dataEnvelope(adminStateSchema),
    responses: { 200: "The counts, and `paid` `[{orderId, number}]`, newest first, 20 at most" },
    handle: async (ctx) => ok(await readAdminState(ctx)),
  }),
  route("GET /api/admin/to-do", {
    ...shared,
    summary: "Open work of the people who run the shop, and the age of the oldest item of each kind",
    roles: nonOwnerRoles,
    response: dataEnvelope(toDoSchema),
    responses: {
      200: "`{ship, returns, messages, issues, reviews, photos, questions, failedJobs}`, each `{count, oldestAt}` and counted up to 100, `ship` with `overdue`, `dueToday` and `expedited`, `held` with the `kinds` of holds; `lowStock` `[{productId, name, free}]`",
    },
    handle: async (ctx) => ok(await readToDo(ctx)),
  }),
  ...issuesApi,
  ...jobsApi,
  ...sourcesApi,
  route("GET /api/admin/find", {
    tag: "Admin",
    summary: "The first few orders, customers, products and invoices that match a search text",
    access: "admin",
    roles: ["staff", "accountant"],
    query: v.object({
      q: v.pipe(
        v.string(),
        v.trim(),
        v.minLength(1, "Is required"),
        v.maxLength(100, "At most 100 characters"),
      ),
    }),
    response: dataEnvelope(searchResultsSchema),
    responses: { 200: "`{orders, customers, products, invoices}`, as far as the role may see them" },
    handle: async (ctx, { query: { q }, viewer }) => {
      const role = viewer.admin?.role ?? "accountant";
      return ok(await search(ctx, q, { seesPeople: isAllowed(role, ["staff"]) }));
    },
  }),
];

async function search({ db, provider }: ShopContext, q: string, { seesPeople }: { seesPeople: boolean }) {
  return withCustomPlans(db, async (tx): Promise<SearchResults> => {
    const { rows } = await readOrderPage(tx, {
      status: "all",
      q,
      limit: maxResultsPerKind,
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
    const searchResult = { invoices: await findInvoices(tx, q, provider.mode) };
    if (!seesPeople) return { ...searchResult, orders, customers: [], products: [] };
    const customers = await readCustomerPage(tx, {
      sort: "last",
      kind: "all",
      tag: null,
      country: null,
      q,
      limit: maxResultsPerKind,
      cursor: null,
    });
    return {
      ...searchResult,
      orders,
      customers: customers.data.map(({ id, name, email, orders }) => ({ id, name, email, orders })),
      products: await findProducts(tx, q),
    };
  });
}

/** Invoices and credit notes by year and number, however the number begins: "INV-2026-0007", "2026-7". */
async function findInvoices(tx: Db, q: string, mode: PaymentMode): Promise<SearchResults["invoices"]> {
  const [, year, number] = /^[a-z-]*(\d{4})-(\d{1,9})$/i.exec(q) ?? [];
  if (year === undefined) return [];
  const rows = await tx
    .select({ snapshot: invoices.snapshot, orderId: invoices.orderId })
    .from(invoices)
    .where(and(eq(invoices.mode, mode), eq(invoices.year, Number(year)), eq(invoices.number, Number(number))))
    .orderBy(desc(invoices.kind));
  return rows.map(({ snapshot, orderId }) => ({
    label: snapshot.label,
    orderId,
    orderNumber: snapshot.order.number,
  }));
}

async function findProducts(tx: Db, q: string): Promise<SearchResults["products"]> {
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
    .limit(maxResultsPerKind);
}

/** The panel's first page, counts, to-do list, issues, failed jobs and search. */
export const overviewFeature = { api: overviewApi } satisfies Feature;
