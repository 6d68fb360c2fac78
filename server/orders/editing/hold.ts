import { eq } from "drizzle-orm";
import type { ShopContext } from "../../context.ts";
import { type ActionResult, lockForAction, refused } from "../actions.ts";
import { updateShipHold } from "../fulfilment/ship-hold.ts";
import { orders } from "../tables.ts";
import { recordOrderEvent } from "../transition.ts";

/**
 * Holds an order back, or (`held` false) lets it go: it is not to be shipped until then. The same again only changes the
 * reason. Null: there is no such order.
 */
export async function holdOrder(
  ctx: ShopContext,
  { orderId, held, reason }: { orderId: string; held: boolean; reason: string | null },
): Promise<ActionResult | null> {
  return ctx.db.transaction(async (tx) => {
    const found = await lockForAction(ctx, tx, orderId);
    if (!found) return null;
    const { status, fulfilment, cancelledAt, erasedAt } = found.order;
    if (held && (fulfilment !== null || cancelledAt !== null || erasedAt !== null)) {
      return refused("Only an order that is still to be shipped can be put on hold.");
    }
    if (held && (status === "pending" || status === "cancelled" || status === "refunded")) {
      return refused("Only a paid order can be put on hold.");
    }
    const [before] = await tx
      .select({ heldAt: orders.heldAt, reason: orders.holdReason })
      .from(orders)
      .where(eq(orders.id, orderId));
    const isHeld = before?.heldAt !== null;
    if (held === isHeld && (!held || before?.reason === reason)) return { ok: true };
    const now = ctx.now();
    await tx
      .update(orders)
      .set(held ? { heldAt: before?.heldAt ?? now, holdReason: reason } : { heldAt: null, holdReason: null })
      .where(eq(orders.id, orderId));
    const note = held ? `Put on hold${reason === null ? "" : `: ${reason}`}` : "Taken off hold";
    await recordOrderEvent(tx, { orderId, from: status, to: status, actor: "owner", note, now });
    await updateShipHold(tx, orderId);
    return { ok: true };
  });
}
