import { and, eq, gt, isNotNull, isNull, lt, sql } from "drizzle-orm";
import * as v from "valibot";
import {
  productStockSchema,
  stockChangeSchema,
  stockReasonLabels,
  unitsText,
} from "../../domain/inventory/stock.ts";
import type { Email } from "../../domain/outbox/email.ts";
import { dataEnvelope, ok, okOrNotFound, route } from "../api-row.ts";
import { products } from "../catalog/tables.ts";
import type { ShopContext } from "../context.ts";
import type { Feature } from "../feature.ts";
import type { Mail } from "../outbox/compose.ts";
import { enqueueMessages } from "../outbox/enqueue.ts";
import type { Db } from "../platform/database/database.ts";
import { idParams, numericId, pageLimit } from "../platform/http/params.ts";
import { notFoundProblem, problem } from "../platform/http/problem.ts";
import { recurring } from "../platform/jobs/jobs.ts";
import { today } from "../settings/today.ts";
import { adjustStock } from "./adjust.ts";
import { batchesApi } from "./batches-api.ts";
import { readCurrentStock } from "./queries.ts";
import { recallApi } from "./recall-api.ts";
import { batches, stock } from "./tables.ts";

const shared = { tag: "Catalogue", access: "admin", roles: ["staff"] } as const;
const response = dataEnvelope(productStockSchema);

/** Reading and adjusting a product's stock. */
const stockApi = [
  route("GET /api/admin/products/:id/stock", {
    ...shared,
    summary: "A product's stock, its batches, and a page of stock movements, newest first",
    params: idParams,
    query: v.object({ limit: pageLimit(25), cursor: v.optional(numericId) }),
    response,
    responses: {
      200: "`onHand`, `reserved`, `free`, `unbatched`, `batches`, `movements`, `nextCursor`",
      404: "There is no such product",
    },
    handle: async (ctx, { params, query: { limit, cursor = null } }) =>
      okOrNotFound(
        "product, or no such batch of it",
        await readCurrentStock(ctx, params.id, { limit, cursor }),
      ),
  }),
  route("POST /api/admin/products/:id/stock", {
    ...shared,
    summary: "Add or remove units (`change`), or set the number counted (`onHand`), with the reason",
    params: idParams,
    body: stockChangeSchema,
    response,
    responses: {
      200: "The stock as it is now; the same `id` again changes nothing",
      404: "There is no such product, or no such batch of it",
      409: "Too few units would be left for orders or in the batch, or this `id` was used for another change, with the reason",
    },
    handle: async (ctx, { params, body, log }) => {
      const { id: changeId, change = 0, onHand, ...rest } = body;
      const result = await ctx.db.transaction((tx) =>
        adjustStock(tx, {
          ...rest,
          changeId,
          productId: params.id,
          onHand: (stock) => onHand ?? stock.onHand + change,
        }),
      );
      if (result === null) return notFoundProblem("product, or no such batch of it");
      if (!result.ok) return problem("invalid_state", result.reason);
      const { before, after, isRepeat } = result;
      const stock = await readCurrentStock(ctx, params.id);
      if (!stock) return notFoundProblem("product, or no such batch of it");
      if (isRepeat) return ok(stock);
      log({
        summary: `Stock of ${stock.product.name}: ${before} → ${unitsText(after)} (${stockReasonLabels[body.reason]})`,
        before: { onHand: before },
        after: { onHand: after, reason: body.reason, batchId: body.batchId },
      });
      return ok(stock);
    },
  }),
];

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
    const alert = await describeAlert(db, data);
    if (!product || !alert) return "unneeded";
    return {
      ...owner,
      email: {
        kind: "owner_low_stock",
        productName: product.name,
        alert,
        adminUrl: `${adminUrl}/products/${data.productId}/stock`,
      },
    };
  },
} satisfies Mail;

async function describeAlert(db: Db, data: AlertData): Promise<StockEmail["alert"] | null> {
  if (data.news === "low") return { kind: "low", free: data.free };
  const { code, bestBefore } = batches;
  const [batch] = await db.select({ code, bestBefore }).from(batches).where(eq(batches.id, data.batchId));
  return batch
    ? { kind: "expired", units: data.units, batchCode: batch.code, bestBefore: batch.bestBefore }
    : null;
}

export const inventoryFeature = {
  api: [...stockApi, ...batchesApi, ...recallApi],
  cron: (ctx) => [
    recurring({ name: "watch_stock", lane: "upkeep", priority: 0, everySeconds: 60 }, () => watchStock(ctx)),
  ],
  mail: inventoryMail,
} satisfies Feature;

/** Takes expired units off sale, then alerts the owner of low stock. Safe to repeat. */
export async function watchStock(ctx: ShopContext): Promise<void> {
  await removeExpiredUnits(ctx);
  await alertLowStock(ctx);
}

/** Removes units past their best-before date from the shelf. Reserved ones stay until their orders are paid or cancelled. */
async function removeExpiredUnits(ctx: ShopContext): Promise<void> {
  const { db, now } = ctx;
  const at = now();
  const expiredBatches = await db
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
  for (const { batchId, productId } of expiredBatches) {
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
  // One transaction per product: locking several stock rows could deadlock with orders.
  const hasRecovered = and(isNotNull(stock.lowStockNotifiedAt), sql`${free} > ${limit}`);
  for (const { productId } of await db.select().from(stock).where(hasRecovered)) {
    await db
      .update(stock)
      .set({ lowStockNotifiedAt: null })
      .where(and(eq(stock.productId, productId), hasRecovered));
  }
  if (limit === 0) return;
  const needsAlert = and(isNull(stock.lowStockNotifiedAt), sql`${free} <= ${limit}`);
  const runningLow = await db
    .select({ productId: stock.productId })
    .from(stock)
    .innerJoin(products, eq(products.id, stock.productId))
    .where(and(needsAlert, eq(products.published, true)));
  for (const { productId } of runningLow) {
    await db.transaction(async (tx) => {
      // Edits queue their webhook before they lock stock. Without this lock, buyers would wait for an edit or import with the alert.
      await tx.select().from(products).where(eq(products.id, productId)).for("no key update");
      const [alertedRow] = await tx
        .update(stock)
        .set({ lowStockNotifiedAt: at })
        .where(and(eq(stock.productId, productId), needsAlert))
        .returning({ free });
      if (alertedRow) await enqueueOwnerStockAlert(tx, { kind: "low", productId, at, free: alertedRow.free });
    });
  }
}
