import { and, eq, gt, isNotNull, isNull, lt, sql } from "drizzle-orm";
import { products } from "../catalog/tables.ts";
import type { ShopContext } from "../context.ts";
import type { Feature } from "../feature.ts";
import { type RecurringTask, recurring } from "../platform/jobs/jobs.ts";
import { today } from "../settings/today.ts";
import { adjustStock } from "./adjust.ts";
import { batchesApi } from "./batches-api.ts";
import { enqueueOwnerStockAlert, inventoryMail } from "./mail.ts";
import { recallApi } from "./recall-api.ts";
import { stockApi } from "./stock-api.ts";
import { batches, stock } from "./tables.ts";

export const inventoryFeature = {
  api: [...stockApi, ...batchesApi, ...recallApi],
  cron: (ctx) => [watchStockTask(ctx)],
  mail: inventoryMail,
} satisfies Feature;

function watchStockTask(ctx: ShopContext): RecurringTask {
  const job = { name: "watch_stock", lane: "upkeep", priority: 0, everySeconds: 5 * 60 } as const;
  return recurring(job, () => watchStock(ctx));
}

/** Takes expired units off sale, then alerts the owner of low stock. Safe to repeat. */
export async function watchStock(ctx: ShopContext): Promise<void> {
  await takeOffExpired(ctx);
  await alertLowStock(ctx);
}

/**
 * Removes units past their best-before date from the shelf. Reserved ones stay until their orders are paid or over.
 */
async function takeOffExpired(ctx: ShopContext): Promise<void> {
  const { db, now } = ctx;
  const at = now();
  const expired = await db
    .select({ batchId: batches.id, productId: batches.productId })
    .from(batches)
    .innerJoin(stock, eq(stock.productId, batches.productId))
    .where(
      and(
        gt(batches.remaining, 0),
        lt(batches.bestBefore, await today(ctx)),
        gt(stock.onHand, stock.reserved),
      ),
    )
    .orderBy(batches.id);
  for (const { batchId, productId } of expired) {
    await db.transaction(async (tx) => {
      const result = await adjustStock(tx, {
        productId,
        onHand: ({ onHand, reserved }, left) => onHand - Math.min(left, onHand - reserved),
        reason: "expired",
        note: null,
        batchId,
      });
      if (result?.ok && result.before > result.after) {
        await enqueueOwnerStockAlert(tx, {
          kind: "expired",
          productId,
          at,
          batchId,
          units: result.before - result.after,
        });
      }
    });
  }
}

/** Alerts once per published product, and again only after the stock has recovered. */
async function alertLowStock({ db, now, ownerSettings }: ShopContext): Promise<void> {
  const { lowStockAt: limit } = await ownerSettings();
  const at = now();
  const free = sql<number>`${stock.onHand} - ${stock.reserved}`;
  await db
    .update(stock)
    .set({ lowStockNotifiedAt: null })
    .where(and(isNotNull(stock.lowStockNotifiedAt), sql`${free} > ${limit}`));
  if (limit === 0) return;
  const needsAlert = and(isNull(stock.lowStockNotifiedAt), sql`${free} <= ${limit}`);
  const runningLow = await db
    .select({ productId: stock.productId })
    .from(stock)
    .innerJoin(products, eq(products.id, stock.productId))
    .where(and(needsAlert, eq(products.published, true)));
  // One transaction per product: locking several stock rows here could deadlock with orders.
  for (const { productId } of runningLow) {
    await db.transaction(async (tx) => {
      const [alerted] = await tx
        .update(stock)
        .set({ lowStockNotifiedAt: at })
        .where(and(eq(stock.productId, productId), needsAlert))
        .returning({ free });
      if (alerted) await enqueueOwnerStockAlert(tx, { kind: "low", productId, at, free: alerted.free });
    });
  }
}
