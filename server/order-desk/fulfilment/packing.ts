import { and } from "drizzle-orm";
import { maxQueueCount } from "../../../domain/orders/admin-orders.ts";
import { type Packing, type PackingQueue, toPacking } from "../../../domain/orders/packing.ts";
import { expeditedOptionIds } from "../../../domain/shipping/shipping-policy.ts";
import type { ShopContext } from "../../context.ts";
import { orders } from "../../orders/tables.ts";
import { withCustomPlans } from "../../platform/database/search.ts";
import { readAdminOrder } from "../admin/order.ts";
import { countQueues, filterCondition } from "../admin/queues.ts";
import { inPackingSequence } from "../admin/sequence.ts";

/** An order for its packer; null if there is no such order. */
export async function readPacking(ctx: ShopContext, orderId: string): Promise<Packing | null> {
  const order = await readAdminOrder(ctx, orderId);
  return order && toPacking(order);
}

/** The next order to pack: expedited orders first, then the oldest. `after` is the id of the order skipped last, if any. */
export async function nextToPack(ctx: ShopContext, after: string | null): Promise<PackingQueue> {
  const { mode } = ctx.provider;
  const sequence = inPackingSequence(expeditedOptionIds((await ctx.settings()).shipping));
  const { nextId, position, waiting } = await withCustomPlans(ctx.db, async (tx) => {
    const toShip = filterCondition(tx, "to_ship", mode);
    const [next] = await tx
      .select({ id: orders.id })
      .from(orders)
      .where(and(toShip, after === null ? undefined : sequence.after(after)))
      .orderBy(...sequence.orderBy)
      .limit(1);
    const before = next
      ? await tx
          .select({ id: orders.id })
          .from(orders)
          .where(and(toShip, sequence.before(next.id)))
          .limit(maxQueueCount - 1)
      : [];
    const { to_ship: count } = await countQueues(tx, mode);
    return { nextId: next?.id ?? null, position: next ? before.length + 1 : 0, waiting: count };
  });
  return { next: nextId === null ? null : await readPacking(ctx, nextId), position, waiting };
}
