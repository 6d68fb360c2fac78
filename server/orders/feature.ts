import { sql } from "drizzle-orm";
import type { ShopContext } from "../context.ts";
import type { Feature } from "../feature.ts";
import { type RecurringTask, recurring } from "../platform/jobs/jobs.ts";
import { lookupTask, purgeLookups } from "./lookup.ts";
import { orderMail } from "./mail.ts";
import { detachExpiredVisitors, ordersPersonalData, purgeUnpaidOrders } from "./personal-data.ts";
import { orderCountChanges, orderCounts } from "./tables.ts";

export const ordersFeature = {
  tasks: (ctx) => [lookupTask(ctx)],
  cron: (ctx) => [addUpOrderCounts(ctx)],
  mail: orderMail,
  personalData: ordersPersonalData,
  purges: [purgeLookups, detachExpiredVisitors, purgeUnpaidOrders],
} satisfies Feature;

/**
 * Adds the recorded changes of order counts to the totals, and deletes the changes. A busy shop writes a few thousand of them
 * between two runs, which can be read in a millisecond or two.
 */
function addUpOrderCounts({ db }: ShopContext): RecurringTask {
  const job = { name: "add_up_order_counts", lane: "upkeep", priority: 10, everySeconds: 60 } as const;
  return recurring(job, () =>
    db.execute(sql`
      with added as (
        delete from ${orderCountChanges} returning ${orderCountChanges.status}, ${orderCountChanges.change}
      )
      insert into ${orderCounts} (status, orders) select status, sum(change) from added group by status order by status
      on conflict (status) do update set orders = ${orderCounts.orders} + excluded.orders`),
  );
}
