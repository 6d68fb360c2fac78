import { and, eq, sql } from "drizzle-orm";
import type { Db } from "../platform/database.ts";
import { stock, stockMovements } from "./tables.ts";

export type Units = { productId: number; quantity: number };

/**
 * Promises units to an order, all or none. Call it inside the order's transaction, last: the rows stay locked until it
 * ends. On a shortage the caller rolls back.
 */
export async function reserveStock(db: Db, orderId: string, lines: readonly Units[]): Promise<boolean> {
  for (const { productId, quantity } of inLockOrder(lines)) {
    const { rowCount } = await db
      .update(stock)
      .set({ reserved: sql`${stock.reserved} + ${quantity}` })
      .where(and(eq(stock.productId, productId), sql`${stock.onHand} - ${stock.reserved} >= ${quantity}`));
    if (rowCount !== 1) return false;
  }
  await recordMovements(db, orderId, "reserved", lines);
  return true;
}

/** Gives back what a pending order had reserved. */
export async function releaseStock(db: Db, orderId: string, lines: readonly Units[]): Promise<void> {
  await recordMovements(db, orderId, "released", lines);
  for (const { productId, quantity } of inLockOrder(lines)) {
    await db
      .update(stock)
      .set({ reserved: sql`${stock.reserved} - ${quantity}` })
      .where(eq(stock.productId, productId));
  }
}

/** Turns an order's reservation into a sale. A second sale of the same order is refused by the database. */
export async function sellReserved(db: Db, orderId: string, lines: readonly Units[]): Promise<void> {
  await recordMovements(db, orderId, "sold", lines);
  for (const { productId, quantity } of inLockOrder(lines)) {
    await db
      .update(stock)
      .set({ onHand: sql`${stock.onHand} - ${quantity}`, reserved: sql`${stock.reserved} - ${quantity}` })
      .where(eq(stock.productId, productId));
  }
}

/** Sells units that are no longer reserved (a late payment), all or none; on a shortage the caller rolls back. */
export async function sellUnreserved(db: Db, orderId: string, lines: readonly Units[]): Promise<boolean> {
  for (const { productId, quantity } of inLockOrder(lines)) {
    const { rowCount } = await db
      .update(stock)
      .set({ onHand: sql`${stock.onHand} - ${quantity}` })
      .where(and(eq(stock.productId, productId), sql`${stock.onHand} - ${stock.reserved} >= ${quantity}`));
    if (rowCount !== 1) return false;
  }
  await recordMovements(db, orderId, "sold", lines);
  return true;
}

/** Puts a new product on the shelf. */
export async function addToShelf(db: Db, productId: number, onHand: number): Promise<void> {
  await db.insert(stock).values({ productId, onHand });
}

/** Rows are always locked in the same order, so that two orders of the same products cannot block each other. */
function inLockOrder(lines: readonly Units[]): Units[] {
  return lines.toSorted((a, b) => a.productId - b.productId);
}

async function recordMovements(
  db: Db,
  orderId: string,
  kind: "reserved" | "released" | "sold",
  lines: readonly Units[],
): Promise<void> {
  await db
    .insert(stockMovements)
    .values(lines.map(({ productId, quantity }) => ({ productId, orderId, kind, quantity })));
}
