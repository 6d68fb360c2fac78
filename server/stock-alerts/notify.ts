import { and, asc, eq, gt, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import { products } from "../catalog/tables.ts";
import type { ShopContext } from "../context.ts";
import { stock } from "../inventory/tables.ts";
import { findOptedOutHashes } from "../outbox/optouts.ts";
import { type RecurringTask, recurring } from "../platform/jobs/jobs.ts";
import { enqueueStockAlerts } from "./mail.ts";
import { stockAlerts } from "./tables.ts";

const batchSize = 200;
/** Batches per run; a run starts every minute. */
const batchesMax = 25;

/** Polls the stock, so that it does not matter how units came back. */
export function notifyBackInStockTask(ctx: ShopContext): RecurringTask {
  const job = { name: "notify_back_in_stock", lane: "mail", priority: 15, everySeconds: 60 } as const;
  return recurring(job, () => notifyBackInStock(ctx));
}

/** Enqueues e-mails to addresses that wait for products now in stock, the longest waiting first. Safe to repeat. */
export async function notifyBackInStock(ctx: ShopContext): Promise<void> {
  for (let count = 0; count < batchesMax; count += 1) {
    if ((await notifyBatch(ctx)) < batchSize) return;
  }
}

/** Returns the size of the batch. Alerts are marked in the transaction that enqueues their e-mails. */
async function notifyBatch({ db, now: clock }: ShopContext): Promise<number> {
  const now = clock();
  return db.transaction(async (tx) => {
    const alerts = await tx
      .select({ id: stockAlerts.id, email: stockAlerts.email, emailHash: stockAlerts.emailHash })
      .from(stockAlerts)
      .innerJoin(products, eq(products.id, stockAlerts.productId))
      .innerJoin(stock, eq(stock.productId, stockAlerts.productId))
      .where(
        and(
          isNull(stockAlerts.notifiedAt),
          isNotNull(stockAlerts.confirmedAt),
          eq(products.published, true),
          gt(stock.onHand, sql`${stock.reserved}`),
        ),
      )
      .orderBy(asc(stockAlerts.confirmedAt))
      .limit(batchSize)
      .for("update", { of: stockAlerts, skipLocked: true });
    if (alerts.length === 0) return 0;
    const optOuts = await findOptedOutHashes(
      tx,
      alerts.map(({ emailHash }) => emailHash),
      "stock_alert",
    );
    const isOptedOut = ({ emailHash }: { emailHash: Buffer }) => optOuts.has(emailHash.toString("hex"));
    const idsOf = (rows: typeof alerts) => rows.map(({ id }) => id);
    await tx.delete(stockAlerts).where(inArray(stockAlerts.id, idsOf(alerts.filter(isOptedOut))));
    const recipients = alerts.filter((alert) => !isOptedOut(alert));
    await tx
      .update(stockAlerts)
      .set({ notifiedAt: now })
      .where(inArray(stockAlerts.id, idsOf(recipients)));
    await enqueueStockAlerts(tx, recipients, now);
    return alerts.length;
  });
}
