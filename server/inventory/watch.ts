import { and, eq, gt, isNotNull, isNull, lt, sql } from "drizzle-orm";
import { products } from "../catalog/tables.ts";
import type { Database, Db } from "../platform/database.ts";
import { adjustStock } from "./adjust.ts";
import { batches, stock } from "./tables.ts";

/** What the owner is told of a product's stock, inside the transaction that makes it so. */
export type StockNews = { productId: number; at: Date } & (
  | { kind: "low"; free: number }
  | { kind: "expired"; batchId: number; units: number }
);

export type WatchParts = {
  db: Database;
  now(): Date;
  /** The date where the owner is. */
  today(): Promise<string>;
  /** 0: the owner does not want to know. */
  lowStockAt(): Promise<number>;
  announce(tx: Db, news: StockNews): Promise<void>;
};

/** Job: takes what is past its date off sale, then tells the owner what runs low. Safe to repeat. */
export async function watchStock(parts: WatchParts): Promise<void> {
  await takeOffExpired(parts);
  await tellLow(parts);
}

/**
 * Units past their best-before date are no longer sold. Those promised to orders that are being paid stay until these are
 * paid or over.
 */
async function takeOffExpired({ db, now, today, announce }: WatchParts): Promise<void> {
  const at = now();
  const over = await db
    .select({ batchId: batches.id, productId: batches.productId })
    .from(batches)
    .innerJoin(stock, eq(stock.productId, batches.productId))
    .where(
      and(gt(batches.remaining, 0), lt(batches.bestBefore, await today()), gt(stock.onHand, stock.reserved)),
    )
    .orderBy(batches.id);
  for (const { batchId, productId } of over) {
    await db.transaction(async (tx) => {
      const result = await adjustStock(tx, {
        productId,
        onHand: ({ onHand, reserved }, left) => onHand - Math.min(left, onHand - reserved),
        reason: "expired",
        note: null,
        batchId,
      });
      if (result?.ok && result.before > result.after) {
        await announce(tx, { kind: "expired", productId, at, batchId, units: result.before - result.after });
      }
    });
  }
}

/** Once per product on show, and again only after there was enough in between. */
async function tellLow({ db, now, lowStockAt, announce }: WatchParts): Promise<void> {
  const limit = await lowStockAt();
  const at = now();
  const free = sql<number>`${stock.onHand} - ${stock.reserved}`;
  await db
    .update(stock)
    .set({ lowToldAt: null })
    .where(and(isNotNull(stock.lowToldAt), sql`${free} > ${limit}`));
  if (limit === 0) return;
  const isNews = and(isNull(stock.lowToldAt), sql`${free} <= ${limit}`);
  const low = await db
    .select({ productId: stock.productId })
    .from(stock)
    .innerJoin(products, eq(products.id, stock.productId))
    .where(and(isNews, eq(products.published, true)));
  // One by one: orders lock several of these rows in an order of their own.
  for (const { productId } of low) {
    await db.transaction(async (tx) => {
      const [told] = await tx
        .update(stock)
        .set({ lowToldAt: at })
        .where(and(eq(stock.productId, productId), isNews))
        .returning({ free });
      if (told) await announce(tx, { kind: "low", productId, at, free: told.free });
    });
  }
}
