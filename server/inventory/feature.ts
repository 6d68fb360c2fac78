import { and, eq, gt, isNotNull, isNull, lt, sql } from "drizzle-orm";
import * as v from "valibot";
import type { Email } from "../../domain/outbox/email.ts";
import { products } from "../catalog/tables.ts";
import type { ShopContext } from "../context.ts";
import type { Feature } from "../feature.ts";
import type { Mail } from "../outbox/compose.ts";
import { enqueueMessages } from "../outbox/enqueue.ts";
import type { Db } from "../platform/database/database.ts";
import { type RecurringTask, recurring } from "../platform/jobs/jobs.ts";
import { today } from "../settings/today.ts";
import { adjustStock } from "./adjust.ts";
import { batchesApi } from "./batches-api.ts";
import { recallApi } from "./recall-api.ts";
import { stockApi } from "./stock-api.ts";
import { batches, stock } from "./tables.ts";

const number = v.pipe(v.string(), v.transform(Number), v.integer());
const alertData = v.variant("news", [
  v.object({ news: v.literal("low"), productId: number, free: number }),
  v.object({ news: v.literal("expired"), productId: number, batchId: number, units: number }),
]);
type AlertData = v.InferOutput<typeof alertData>;
type StockEmail = Extract<Email, { kind: "owner_low_stock" }>;

type StockAlert = { productId: number; at: Date } & (
  | { kind: "low"; free: number }
  | { kind: "expired"; batchId: number; units: number }
);

/** Notifies the owner that a product's stock is low, or that units have passed their best-before date. */
export async function enqueueOwnerStockAlert(tx: Db, alert: StockAlert): Promise<void> {
  const { productId, at } = alert;
  const data: Record<string, string> =
    alert.kind === "low"
      ? { news: "low", free: String(alert.free) }
      : { news: "expired", batchId: String(alert.batchId), units: String(alert.units) };
  await enqueueMessages(tx, [
    {
      kind: "owner_low_stock",
      dedupeKey: `owner_low_stock:${alert.kind}:${productId}:${at.toISOString()}:${data.batchId ?? ""}`,
      data: { ...data, productId: String(productId) },
    },
  ]);
}

const inventoryMail = {
  async owner_low_stock({ db, owner, adminUrl }, message) {
    const data = v.parse(alertData, message.data);
    const [product] = await db
      .select({ name: products.name })
      .from(products)
      .where(eq(products.id, data.productId));
    const news = await describeAlert(db, data);
    if (!product || !news) return "unneeded";
    return {
      ...owner,
      email: {
        kind: "owner_low_stock",
        productName: product.name,
        news,
        adminUrl: `${adminUrl}/products/${data.productId}/stock`,
      },
    };
  },
} satisfies Mail;

async function describeAlert(db: Db, data: AlertData): Promise<StockEmail["news"] | null> {
  if (data.news === "low") return { kind: "low", free: data.free };
  const { code, bestBefore } = batches;
  const [batch] = await db.select({ code, bestBefore }).from(batches).where(eq(batches.id, data.batchId));
  return batch
    ? { kind: "expired", units: data.units, batchCode: batch.code, bestBefore: batch.bestBefore }
    : null;
}

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
