import * as v from "valibot";
import {
  adminOrderPageSchema,
  isVisibleToPackers,
  orderFilters,
  orderNeighborsSchema,
  orderSorts,
} from "../../../domain/orders/admin-orders.ts";
import { orderStatuses } from "../../../domain/orders/order-status.ts";
import { addDays, dateIn, isDate, startOfDay } from "../../../domain/shared/zoned-days.ts";
import { dataEnvelope, ok, route } from "../../api-row.ts";
import type { ShopContext } from "../../context.ts";
import { csvHeaders } from "../../platform/csv.ts";
import { numericId, pageLimit, uuidParams } from "../../platform/http/params.ts";
import type { Viewer } from "../../platform/http/viewer.ts";
import { ownerTimeZone } from "../../settings/today.ts";
import { listAdminOrders, readNeighbors } from "./list.ts";
import { ordersFile } from "./orders-file.ts";

const statusFilters = [...new Set([...orderFilters, ...orderStatuses])];
const day = v.optional(v.pipe(v.string(), v.check(isDate, "Must be a day, as 2026-11-20")));

/** `from` and `to`: first and last day on which the orders were placed. */
const filters = {
  status: v.optional(v.picklist(statusFilters, `One of ${statusFilters.join(", ")}`)),
  q: v.optional(
    v.pipe(
      v.string(),
      v.trim(),
      v.maxLength(100, "Use at most 100 characters"),
      v.transform((text) => text || null),
    ),
  ),
  /** In lower case, as stored. */
  tag: v.optional(
    v.pipe(v.string(), v.trim(), v.toLowerCase(), v.maxLength(40, "Use at most 40 characters")),
  ),
  country: v.optional(v.pipe(v.string(), v.regex(/^[A-Z]{2}$/, "Two capital letters, such as US"))),
  product: v.optional(numericId),
  from: day,
  to: day,
};
/** Filters and sorting of the list shown in the panel. */
const listQuery = { ...filters, sort: v.optional(v.picklist(orderSorts), "newest") };
type Days = { from?: string | undefined; to?: string | undefined };
const isValidPeriod = ({ from, to }: Days) => !from || !to || from <= to;
const periodProblem = "Must not be before the first day";

/** The owner's list of orders, page by page and as a file. */
export const orderListApi = [
  route("GET /api/orders", {
    tag: "Checkout and orders",
    summary:
      "Orders, newest first, or with `sort=packing` expedited ones first, then the oldest; without `status` paid ones. `q`: part of a name, address, city, product, phone or tracking number; a number, a code, an id",
    access: "admin",
    roles: ["staff", "packer", "accountant"],
    query: v.pipe(
      v.object({
        ...listQuery,
        limit: pageLimit(50),
        cursor: v.optional(v.pipe(v.string(), v.uuid("Is not a cursor of this list"))),
      }),
      v.forward(
        v.check((days) => isValidPeriod(days), periodProblem),
        ["to"],
      ),
    ),
    response: adminOrderPageSchema,
    responses: { 200: "`{data, nextCursor, queues}`; `queues`: number of orders in each queue of work" },
    handle: async (ctx, { query, viewer }) => {
      const { limit, cursor = null } = query;
      const selection = await resolveSelection(ctx, query, viewer);
      const page = await listAdminOrders(ctx, { ...selection, limit, cursor });
      // Packers do not see the payment's id.
      const data =
        selection.by === "packer" ? page.data.map((row) => ({ ...row, id: row.orderId })) : page.data;
      return { status: 200, body: { ...page, data } };
    },
  }),
  route("GET /api/admin/orders/:id/neighbors", {
    tag: "Contact, notifications, admin",
    summary: "The orders before and after an order in the filtered list, and the order's position there",
    access: "admin",
    roles: ["staff", "packer", "accountant"],
    params: uuidParams,
    query: v.pipe(
      v.object(listQuery),
      v.forward(
        v.check((days) => isValidPeriod(days), periodProblem),
        ["to"],
      ),
    ),
    response: dataEnvelope(orderNeighborsSchema),
    responses: {
      200: "`position` and `count` are null if the order is not (or no longer) in the list, or the list is long",
    },
    handle: async (ctx, { params, query, viewer }) =>
      ok(await readNeighbors(ctx, { ...(await resolveSelection(ctx, query, viewer)), orderId: params.id })),
  }),
  route("GET /api/admin/orders.csv", {
    tag: "Contact, notifications, admin",
    summary:
      "The same orders as CSV, without test orders if the shop takes real money; `from` and `to`: first and last day of placing",
    access: "admin",
    downloads: true,
    roles: ["accountant"],
    query: v.pipe(
      v.object(filters),
      v.forward(
        v.check((days) => isValidPeriod(days), periodProblem),
        ["to"],
      ),
    ),
    file: ["text/csv"],
    responses: { 200: "CSV, UTF-8, one order per line" },
    handle: async (ctx, { query }) => {
      const { status = null, q = null, tag = null, country = null, from = null, to = null } = query;
      const filter = { status, q, tag, country, productId: query.product ?? null };
      const timeZone = await ownerTimeZone(ctx);
      const now = ctx.now();
      const placed = placedBetween({ from, to, timeZone, now });
      return {
        status: 200,
        stream: ordersFile(ctx.db, { ...filter, placed, mode: ctx.provider.mode, timeZone }),
        headers: csvHeaders(`orders-${dateIn(timeZone, now)}.csv`),
      };
    },
  }),
];

type ListQuery = v.InferOutput<v.ObjectSchema<typeof listQuery, undefined>>;

/** The selection that a viewer may see: for packers only orders to ship and shipped ones, not all customers. */
async function resolveSelection(ctx: ShopContext, query: ListQuery, viewer: Viewer) {
  const { status: filter = null, q = null, tag = null, country = null, product = null, sort } = query;
  const isForPacker = viewer.admin?.role === "packer";
  const placed = await readPeriod(ctx, query);
  return {
    status: isForPacker && !isVisibleToPackers(filter ?? "") ? ("to_ship" as const) : filter,
    by: isForPacker ? ("packer" as const) : ("others" as const),
    q,
    tag,
    country,
    productId: product,
    mode: ctx.provider.mode,
    isInPackingSequence: sort === "packing",
    ...(placed && { placed }),
  };
}

/** The period in which the orders were placed; null if the query has neither `from` nor `to`. */
async function readPeriod(
  ctx: ShopContext,
  { from = null, to = null }: { from?: string | undefined | null; to?: string | undefined | null },
) {
  if (from === null && to === null) return null;
  return placedBetween({ from, to, timeZone: await ownerTimeZone(ctx), now: ctx.now() });
}

/**
 * The period from day `from` to day `to` (`2026-11-20`, both included) in the time zone. Ends now at the latest, so that an
 * export excludes orders placed while it is written.
 */
function placedBetween({
  from,
  to,
  timeZone,
  now,
}: {
  from: string | null;
  to: string | null;
  timeZone: string;
  now: Date;
}): { from: Date | null; before: Date } {
  const end = to === null ? now : startOfDay(timeZone, addDays(to, 1));
  return { from: from === null ? null : startOfDay(timeZone, from), before: end < now ? end : now };
}
