import { and, asc, eq, gt, sql } from "drizzle-orm";
import * as v from "valibot";
import { type BatchRecall, batchRecallSchema, type RecallOrder } from "../../domain/inventory/stock.ts";
import { isErasedEmail } from "../../domain/privacy/erasure.ts";
import { dateIn } from "../../domain/shared/zoned-days.ts";
import { dataEnvelope, okOrNotFound, route } from "../api-row.ts";
import { products } from "../catalog/tables.ts";
import { orderLines, orders } from "../orders/tables.ts";
import { csvBatchSize, csvHeaders, csvStream } from "../platform/csv.ts";
import type { Database, Db } from "../platform/database/database.ts";
import { cutPage, idParams, numericId, pageLimit } from "../platform/http/params.ts";
import { notFoundProblem } from "../platform/http/problem.ts";
import { ownerTimeZone } from "../settings/today.ts";
import { batchColumns, toBatch } from "./queries.ts";
import { batches, batchUnits } from "./tables.ts";

const shared = { tag: "Catalogue", access: "admin" } as const;

export const recallApi = [
  route("GET /api/admin/batches/:id/orders", {
    ...shared,
    roles: ["staff"],
    summary: "Recall: all orders that contain units of a batch",
    params: idParams,
    query: v.object({ limit: pageLimit(100, 1000), cursor: v.optional(numericId) }),
    response: dataEnvelope(batchRecallSchema),
    responses: {
      200: "`batch`, `totals`, `unshipped` (numbers), a page of `orders` and `nextCursor`",
      404: "There is no such batch",
    },
    handle: async ({ db }, { params, query: { limit, cursor = null } }) =>
      okOrNotFound("batch", await readRecall(db, params.id, { limit, cursor })),
  }),
  route("GET /api/admin/batches/:id/orders.csv", {
    ...shared,
    summary: "The orders of a recall as CSV, for a mailing",
    downloads: true,
    params: idParams,
    file: ["text/csv"],
    responses: { 200: "CSV, UTF-8", 404: "There is no such batch" },
    handle: async (ctx, { params }) => {
      const batch = await readBatch(ctx.db, params.id);
      if (!batch) return notFoundProblem("batch");
      const name = batch.code.replace(/[^\w.-]+/g, "-");
      const stream = recallFile(ctx.db, batch, await ownerTimeZone(ctx));
      return { status: 200, stream, headers: csvHeaders(`recall-${name}.csv`) };
    },
  }),
];

/** A CSV stream of a recall's orders, including those whose e-mail address was erased. Dates are in `timeZone`. */
export function recallFile(
  db: Database,
  batch: BatchRecall["batch"],
  timeZone: string,
): ReadableStream<Uint8Array> {
  const day = (at: string) => dateIn(timeZone, new Date(at));
  return csvStream(
    columnTitles,
    async (cursor) => {
      const page = await readRecallPage(db, batch, {
        limit: csvBatchSize,
        cursor: cursor === null ? null : Number(cursor),
      });
      return { rows: page.orders, nextCursor: page.nextCursor };
    },
    (order) => [
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
    ],
  );
}

const columnTitles = [
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

/** Maximum number of unshipped orders listed by number. */
const maxListedUnshipped = 50;

type RecallPage = Pick<BatchRecall, "orders" | "nextCursor">;
type PageRange = { limit: number; cursor: number | null };
/** Includes the product, because `batch_units` is indexed by order and product. */
type BatchKey = { id: number; productId: number };
const matchesBatch = ({ id, productId }: BatchKey) =>
  and(eq(batchUnits.batchId, id), eq(batchUnits.productId, productId));

/** A batch and a page of the orders with units of it; null if there is no such batch. */
async function readRecall(db: Db, batchId: number, page: PageRange): Promise<BatchRecall | null> {
  const batch = await readBatch(db, batchId);
  if (!batch) return null;
  const [totals, unshipped, ordersPage] = await Promise.all([
    readTotals(db, batchId),
    db
      .select({ number: orders.number })
      .from(batchUnits)
      .innerJoin(orders, eq(orders.id, batchUnits.orderId))
      .where(and(matchesBatch(batch), isUnshipped))
      .orderBy(asc(orders.number))
      .limit(maxListedUnshipped),
    readRecallPage(db, batch, page),
  ]);
  return { batch, totals, unshipped: unshipped.map(({ number }) => number), ...ordersPage };
}

export async function readBatch(db: Db, batchId: number): Promise<BatchRecall["batch"] | null> {
  const [row] = await db
    .select({ ...batchColumns, productId: batches.productId, productName: products.name })
    .from(batches)
    .innerJoin(products, eq(products.id, batches.productId))
    .where(eq(batches.id, batchId));
  if (!row) return null;
  const { productId, productName, ...batch } = row;
  return { ...toBatch(batch), productId, productName };
}

/** Parcels do not record batches, so all of the order's units of the product count. */
const hasUnshippedUnits = sql`exists (select from ${orderLines} as l where l.order_id = ${orders.id}
  and l.product_id = ${batchUnits.productId} and l.quantity > l.shipped_quantity + l.restocked_unshipped_quantity)`;
const isUnshipped = sql`${orders.shippedAt} is null and ${batchUnits.returned} < ${batchUnits.quantity}
  and ${hasUnshippedUnits}`;

async function readTotals(db: Db, batchId: number): Promise<BatchRecall["totals"]> {
  const [totals] = await db
    .select({
      orders: sql<number>`count(*)::int`,
      units: sql<number>`coalesce(sum(${batchUnits.quantity} - ${batchUnits.returned}), 0)::int`,
      unshipped: sql<number>`count(*) filter (where ${isUnshipped})::int`,
      erased: sql<number>`count(*) filter (where ${orders.erasedAt} is not null)::int`,
    })
    .from(batchUnits)
    .innerJoin(orders, eq(orders.id, batchUnits.orderId))
    .where(eq(batchUnits.batchId, batchId));
  if (!totals) throw new Error("an aggregate returned no row");
  return totals;
}

/** A page of the batch's orders by number, after the cursor. */
async function readRecallPage(db: Db, batch: BatchKey, { limit, cursor }: PageRange): Promise<RecallPage> {
  const rows = await db
    .select({
      orderId: orders.id,
      number: orders.number,
      date: sql<Date>`coalesce(${orders.paidAt}, ${orders.createdAt})`.mapWith(orders.createdAt),
      customerName: orders.customerName,
      email: orders.email,
      quantity: batchUnits.quantity,
      returned: batchUnits.returned,
      // All units of this product may be shipped while other lines of the order are not.
      shippedAt: sql<Date | null>`case when ${orders.shippedAt} is not null or not ${hasUnshippedUnits}
        then coalesce(${orders.shippedAt}, ${orders.partlyShippedAt}) end`.mapWith(orders.shippedAt),
    })
    .from(batchUnits)
    .innerJoin(orders, eq(orders.id, batchUnits.orderId))
    .where(and(matchesBatch(batch), cursor === null ? undefined : gt(orders.number, cursor)))
    .orderBy(asc(orders.number))
    .limit(limit + 1);
  const { page, nextCursor } = cutPage(rows, limit, ({ number }) => String(number));
  const recallOrders = page.map((order): RecallOrder => {
    const isErased = isErasedEmail(order.email);
    return {
      ...order,
      date: order.date.toISOString(),
      customerName: isErased ? null : order.customerName,
      email: isErased ? null : order.email,
      shippedAt: order.shippedAt?.toISOString() ?? null,
    };
  });
  return { orders: recallOrders, nextCursor };
}
