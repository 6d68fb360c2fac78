import { and, asc, desc, eq, lte } from "drizzle-orm";
import { products } from "../catalog/tables.ts";
import { hashOf } from "../outbox/optouts.ts";
import type { Person, PersonToErase } from "../personal-data.ts";
import type { Db } from "../platform/database/database.ts";
import { stockAlerts } from "./tables.ts";

const isFor = (email: string) => eq(stockAlerts.emailHash, hashOf(email));

/** The address as its latest request spells it; null if there is none. */
export async function alertedAddress(db: Db, email: string): Promise<string | null> {
  const [latest] = await db
    .select({ email: stockAlerts.email })
    .from(stockAlerts)
    .where(isFor(email))
    .orderBy(desc(stockAlerts.askedAt))
    .limit(1);
  return latest?.email ?? null;
}

export async function exportStockAlerts(db: Db, { email }: Person, limit: number) {
  return db
    .select({
      email: stockAlerts.email,
      product: products.name,
      askedAt: stockAlerts.askedAt,
      confirmedAt: stockAlerts.confirmedAt,
      notifiedAt: stockAlerts.notifiedAt,
    })
    .from(stockAlerts)
    .innerJoin(products, eq(products.id, stockAlerts.productId))
    .where(isFor(email))
    .orderBy(asc(stockAlerts.askedAt), asc(stockAlerts.id))
    .limit(limit);
}

/** Deletes requests made until a time. */
export async function eraseStockAlerts(tx: Db, { email, until }: PersonToErase): Promise<void> {
  await tx.delete(stockAlerts).where(and(isFor(email), lte(stockAlerts.askedAt, until)));
}
