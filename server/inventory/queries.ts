import { and, asc, desc, eq, inArray, type SQL, sql } from "drizzle-orm";
import {
  type Batch,
  maxBatchOrders,
  type ProductStock,
  type StockMovement,
} from "../../domain/inventory/stock.ts";
import { pick } from "../../domain/shared/pick.ts";
import { products } from "../catalog/tables.ts";
import type { ShopContext } from "../context.ts";
import { orders } from "../orders/tables.ts";
import type { Db } from "../platform/database/database.ts";
import { cutPage } from "../platform/http/params.ts";
import { today } from "../settings/today.ts";
import { countWaiting } from "./stock-alerts.ts";
import { batches, batchUnits, stock, stockMovements } from "./tables.ts";

/** Maximum number of sold-out batches in the list, newest first. */
const maxShownSoldOut = 50;

type Page = { limit: number; cursor: number | null };

/** A product's stock and one page of its movements; null if there is no such product. */
export async function readCurrentStock(
  ctx: ShopContext,
  productId: number,
  page: Page = { limit: 25, cursor: null },
): Promise<ProductStock | null> {
  const [stock, { lowStockAt }, date] = await Promise.all([
    readStock(ctx.db, productId, page),
    ctx.ownerSettings(),
    today(ctx),
  ]);
  return stock && { ...stock, lowStockAt, today: date };
}

async function readStock(
  db: Db,
  productId: number,
  page: Page,
): Promise<Omit<ProductStock, "lowStockAt" | "today"> | null> {
  const [row] = await db
    .select({ name: products.name, stock })
    .from(products)
    .leftJoin(stock, eq(stock.productId, products.id))
    .where(eq(products.id, productId));
  if (!row) return null;
  const { onHand, reserved, batched } = row.stock ?? { onHand: 0, reserved: 0, batched: 0 };
  const { movements, nextCursor } = await listMovements(db, productId, page);
  return {
    product: { id: productId, name: row.name },
    onHand,
    reserved,
    free: onHand - reserved,
    unbatched: onHand - batched,
    waiting: await countWaiting(db, productId),
    batches: [
      ...(await listBatches(db, productId, sql`${batches.remaining} > 0`)),
      ...(await listBatches(db, productId, sql`${batches.remaining} = 0`, maxShownSoldOut)),
    ],
    movements,
    nextCursor,
  };
}

export const batchColumns = {
  ...pick(batches, "id", "code", "bestBefore", "receivedAt", "received", "remaining", "note"),
  orders: sql<number>`(select count(*)::int from (
    select from ${batchUnits} where batch_units.batch_id = batches.id limit ${maxBatchOrders + 1}) as counted)`,
};

/** Sorted by best-before date; with `maxNewest`, at most that many, the newest first. */
async function listBatches(db: Db, productId: number, condition: SQL, maxNewest?: number): Promise<Batch[]> {
  const order = maxNewest === undefined ? asc : desc;
  const rows = await db
    .select(batchColumns)
    .from(batches)
    .where(and(eq(batches.productId, productId), condition))
    .orderBy(order(batches.bestBefore), order(batches.id))
    .limit(maxNewest ?? 1_000);
  return rows.map(toBatch);
}

export function toBatch(row: Omit<Batch, "receivedAt"> & { receivedAt: Date }): Batch {
  return { ...row, receivedAt: row.receivedAt.toISOString() };
}

/** Sales, returns and adjustments, newest first; reservations are left out. */
async function listMovements(
  db: Db,
  productId: number,
  { limit, cursor }: Page,
): Promise<{ movements: StockMovement[]; nextCursor: string | null }> {
  const rows = await db
    .select({
      ...pick(stockMovements, "id", "at", "reason", "note", "orderId"),
      kind: sql<StockMovement["kind"]>`${stockMovements.kind}`,
      change: sql<number>`case ${stockMovements.kind} when 'sold' then -1 else 1 end * ${stockMovements.quantity}`,
      batchCode: batches.code,
      orderNumber: orders.number,
    })
    .from(stockMovements)
    .leftJoin(batches, eq(batches.id, stockMovements.batchId))
    .leftJoin(orders, eq(orders.id, stockMovements.orderId))
    .where(
      and(
        eq(stockMovements.productId, productId),
        inArray(stockMovements.kind, ["sold", "returned", "adjusted"]),
        cursor === null
          ? undefined
          : sql`(${stockMovements.at}, ${stockMovements.id}) < (select at, id from ${stockMovements} where id = ${cursor})`,
      ),
    )
    .orderBy(desc(stockMovements.at), desc(stockMovements.id))
    .limit(limit + 1);
  const { page, nextCursor } = cutPage(rows, limit, ({ id }) => String(id));
  const movements = page.map(({ orderId, orderNumber, ...row }) => ({
    ...row,
    at: row.at.toISOString(),
    order: orderId === null || orderNumber === null ? null : { id: orderId, number: orderNumber },
  }));
  return { movements, nextCursor };
}
