import { eq } from "drizzle-orm";
import * as v from "valibot";
import type { Email } from "../../domain/outbox/email.ts";
import { products } from "../catalog/tables.ts";
import type { Mail } from "../outbox/compose.ts";
import { enqueueMessages } from "../outbox/enqueue.ts";
import type { Db } from "../platform/database/database.ts";
import { batches } from "./tables.ts";

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

export const inventoryMail = {
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
