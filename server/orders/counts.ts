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

/** A busy shop writes a few thousand rows between two runs, which take a millisecond or two to read. */
export const addUpEverySeconds = 60;

/** Adds recorded changes to the totals and deletes them. */
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
