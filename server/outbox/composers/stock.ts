import { eq } from "drizzle-orm";
import * as v from "valibot";
import type { Email } from "../../../domain/outbox/email.ts";
import { products } from "../../catalog/tables.ts";
import { batches } from "../../inventory/tables.ts";
import type { Db } from "../../platform/database.ts";
import type { Composer } from "../composer.ts";

const number = v.pipe(v.string(), v.transform(Number), v.integer());
const newsData = v.variant("news", [
  v.object({ news: v.literal("low"), productId: number, free: number }),
  v.object({ news: v.literal("expired"), productId: number, batchId: number, units: number }),
]);
type NewsData = v.InferOutput<typeof newsData>;
type StockEmail = Extract<Email, { kind: "owner_low_stock" }>;

export const stockComposers = {
  async owner_low_stock({ db, owner, adminUrl }, message) {
    const data = v.parse(newsData, message.data);
    const [product] = await db
      .select({ name: products.name })
      .from(products)
      .where(eq(products.id, data.productId));
    const news = await newsOf(db, data);
    if (!product || !news) return "expired";
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
} satisfies Record<string, Composer>;

async function newsOf(db: Db, data: NewsData): Promise<StockEmail["news"] | null> {
  if (data.news === "low") return { kind: "low", free: data.free };
  const { code, bestBefore } = batches;
  const [batch] = await db.select({ code, bestBefore }).from(batches).where(eq(batches.id, data.batchId));
  return batch
    ? { kind: "expired", units: data.units, batchCode: batch.code, bestBefore: batch.bestBefore }
    : null;
}
