import { and, asc, sql } from "drizzle-orm";
import { type Packing, type PackingQueue, packingOf } from "../../../domain/orders/packing.ts";
import type { ShopContext } from "../../context.ts";
import { orders } from "../../orders/tables.ts";
import { withCustomPlans } from "../../platform/database/search.ts";
import { readAdminOrder } from "../admin/order.ts";
import { countQueues, filterCondition } from "../admin/queues.ts";

/** An order for its packer; null: no such order. */
export async function readPacking(ctx: ShopContext, orderId: string): Promise<Packing | null> {
  const order = await readAdminOrder(ctx, orderId);
  return order && packingOf(order);
}

/** The order that has waited longest to be shipped, among those placed after the order `after`; null: among all. */
export async function nextToPack(ctx: ShopContext, after: string | null): Promise<PackingQueue> {
  const { mode } = ctx.provider;
  const { nextId, waiting } = await withCustomPlans(ctx.db, async (tx) => {
    const isLater =
      after === null
        ? undefined
        : sql`(${orders.createdAt}, ${orders.id}) > ((select created_at from orders o where o.id = ${after}), ${after}::uuid)`;
    const [next] = await tx
      .select({ id: orders.id })
      .from(orders)
      .where(and(filterCondition(tx, "to_ship", mode), isLater))
      .orderBy(asc(orders.createdAt), asc(orders.id))
      .limit(1);
    const { to_ship: count } = await countQueues(tx, mode);
    return { nextId: next?.id ?? null, waiting: count };
  });
  return { next: nextId === null ? null : await readPacking(ctx, nextId), waiting };
}
