import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { ShopContext } from "../context.ts";
import { defineJob, type Task, task } from "../platform/jobs/jobs.ts";
import { orderCountChanges, orderCounts } from "./tables.ts";

const addUpOrderCounts = defineJob({
  name: "add_up_order_counts",
  payload: v.object({}),
  lane: "upkeep",
  priority: 10,
  maxAttempts: 1,
});

/** Between two runs a busy shop writes some thousand changes, which are read in a millisecond or two. */
export const addUpEverySeconds = 60;

/** Adds the changes up, so that they stay few. */
export function orderCountsTask({ db }: ShopContext): Task {
  return task(addUpOrderCounts, async () => {
    await db.execute(sql`
      with added as (
        delete from ${orderCountChanges} returning ${orderCountChanges.status}, ${orderCountChanges.change}
      )
      insert into ${orderCounts} (status, orders) select status, sum(change) from added group by status order by status
      on conflict (status) do update set orders = ${orderCounts.orders} + excluded.orders`);
  });
}
