import { desc, eq, inArray, sql } from "drizzle-orm";
import type { UsedTracking } from "../../../domain/orders/admin-order.ts";
import { compactTracking } from "../../../domain/orders/tracking.ts";
import { orders } from "../../orders/tables.ts";
import type { Db } from "../../platform/database/database.ts";
import { shipments } from "../tables.ts";

/** Tracking numbers among these that parcels have, each once, with the order of the latest parcel. */
export async function findUsedTracking(db: Db, numbers: readonly string[]): Promise<UsedTracking[]> {
  const uniqueNumbers = [...new Set(numbers.map(compactTracking))].filter(Boolean);
  if (uniqueNumbers.length === 0) return [];
  // Written as in its index (tables.ts).
  const compact = sql<string>`upper(translate(${shipments.trackingNumber}, ' -', ''))`;
  const rows = await db
    .selectDistinctOn([compact], { compact, orderId: orders.id, number: orders.number })
    .from(shipments)
    .innerJoin(orders, eq(orders.id, shipments.orderId))
    .where(inArray(compact, uniqueNumbers))
    .orderBy(compact, desc(shipments.shippedAt));
  const used = new Map(rows.map((row) => [row.compact, row]));
  return numbers.flatMap((trackingNumber) => {
    const row = used.get(compactTracking(trackingNumber));
    return row ? [{ trackingNumber, orderId: row.orderId, number: row.number }] : [];
  });
}
