import { and, asc, desc, eq, lte } from "drizzle-orm";
import { products } from "../catalog/tables.ts";
import type { Feature } from "../feature.ts";
import { hashOf } from "../outbox/optouts.ts";
import type { Person, PersonToErase } from "../personal-data.ts";
import type { Db } from "../platform/database/database.ts";
import { stockAlertsApi } from "./api.ts";
import { purgeStockAlerts } from "./commands.ts";
import { stockAlertsMail } from "./mail.ts";
import { notifyBackInStockTask } from "./notify.ts";
import { stockAlerts } from "./tables.ts";

/** E-mails to shoppers when a sold-out product is back in stock. */
export const stockAlertsFeature = {
  api: stockAlertsApi,
  cron: (ctx) => [notifyBackInStockTask(ctx)],
  mail: stockAlertsMail,
  purges: [purgeStockAlerts],
  personalData: {
    knownAddress: alertedAddress,
    lists: { stockAlerts: exportStockAlerts },
    erase: eraseStockAlerts,
  },
} satisfies Feature;

const isFor = (email: string) => eq(stockAlerts.emailHash, hashOf(email));

/** The address as typed for its latest request; null if there is none. */
async function alertedAddress(db: Db, email: string): Promise<string | null> {
  const [latest] = await db
    .select({ email: stockAlerts.email })
    .from(stockAlerts)
    .where(isFor(email))
    .orderBy(desc(stockAlerts.askedAt))
    .limit(1);
  return latest?.email ?? null;
}

async function exportStockAlerts(db: Db, { email }: Person, limit: number) {
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
async function eraseStockAlerts(tx: Db, { email, until }: PersonToErase): Promise<void> {
  await tx.delete(stockAlerts).where(and(isFor(email), lte(stockAlerts.askedAt, until)));
}
