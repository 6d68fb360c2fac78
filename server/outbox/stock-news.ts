import type { StockNews } from "../inventory/watch.ts";
import type { Db } from "../platform/database.ts";
import { enqueueMessages } from "./enqueue.ts";

/** Tells the owner that a product runs low, or that units of it have passed their date. */
export async function announceStock(tx: Db, news: StockNews): Promise<void> {
  const { productId, at } = news;
  const data: Record<string, string> =
    news.kind === "low"
      ? { news: "low", free: String(news.free) }
      : { news: "expired", batchId: String(news.batchId), units: String(news.units) };
  await enqueueMessages(tx, [
    {
      kind: "owner_low_stock",
      dedupeKey: `owner_low_stock:${news.kind}:${productId}:${at.toISOString()}:${data.batchId ?? ""}`,
      data: { ...data, productId: String(productId) },
    },
  ]);
}
