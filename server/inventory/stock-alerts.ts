import { and, eq, isNotNull, isNull, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Db } from "../platform/database/database.ts";
import { stockAlerts } from "../stock-alerts/tables.ts";

/** The number of confirmed requests that wait for a product; includes addresses that have unsubscribed since. */
export async function countWaiting(db: Db, productId: number): Promise<number> {
  return db.$count(
    stockAlerts,
    and(
      eq(stockAlerts.productId, productId),
      isNull(stockAlerts.notifiedAt),
      isNotNull(stockAlerts.confirmedAt),
    ),
  );
}

/** `countWaiting` as an SQL expression for a query of products. */
export function waitingCount(productId: SQLWrapper): SQL<number> {
  return sql<number>`(select count(*)::int from ${stockAlerts} where ${stockAlerts.productId} = ${productId}
    and ${stockAlerts.notifiedAt} is null and ${stockAlerts.confirmedAt} is not null)`;
}
