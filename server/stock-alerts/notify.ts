import { and, asc, eq, gt, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import * as v from "valibot";
import { products } from "../catalog/tables.ts";
import type { ShopContext } from "../context.ts";
import { stock } from "../inventory/tables.ts";
import { optedOut } from "../outbox/optouts.ts";
import type { RecurringTask } from "../platform/jobs/job-workers.ts";
import { defineJob, task } from "../platform/jobs/jobs.ts";
import { enqueueStockAlerts } from "./mail.ts";
import { stockAlerts } from "./tables.ts";

const batchMost = 200;
/** Batches of one run; the next comes within a minute. */
const batchesMost = 25;

const notifyBackInStockJob = defineJob({
  name: "notify_back_in_stock",
  payload: v.object({}),
  lane: "mail",
  priority: 15,
  maxAttempts: 1,
});

/** Looks at the stock itself, so that no way in which units come back can be forgotten. */
export function notifyBackInStockTask(ctx: ShopContext): RecurringTask {
  return { task: task(notifyBackInStockJob, () => notifyBackInStock(ctx)), everySeconds: 60 };
}

/** Writes the e-mails to whoever waits for what can be bought now, who has waited longest first. Safe to repeat. */
export async function notifyBackInStock(ctx: ShopContext): Promise<void> {
  for (let count = 0; count < batchesMost; count += 1) {
    if ((await notifyBatch(ctx)) < batchMost) return;
  }
}

/** Answers how many it took. Each is marked in the transaction that enqueues its e-mail. */
async function notifyBatch({ db, now: clock }: ShopContext): Promise<number> {
  const now = clock();
  return db.transaction(async (tx) => {
    const due = await tx
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
      .limit(batchMost)
      .for("update", { of: stockAlerts, skipLocked: true });
    if (due.length === 0) return 0;
    const unwanted = await optedOut(
      tx,
      due.map(({ emailHash }) => emailHash),
      "stock_alert",
    );
    const isUnwanted = ({ emailHash }: { emailHash: Buffer }) => unwanted.has(emailHash.toString("hex"));
    const idsOf = (rows: typeof due) => rows.map(({ id }) => id);
    await tx.delete(stockAlerts).where(inArray(stockAlerts.id, idsOf(due.filter(isUnwanted))));
    const wanted = due.filter((alert) => !isUnwanted(alert));
    await tx
      .update(stockAlerts)
      .set({ notifiedAt: now })
      .where(inArray(stockAlerts.id, idsOf(wanted)));
    await enqueueStockAlerts(tx, wanted, now);
    return due.length;
  });
}
