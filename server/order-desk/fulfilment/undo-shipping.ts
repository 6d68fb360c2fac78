import { eq } from "drizzle-orm";
import { statusAfterRefunds } from "../../../domain/orders/order-status.ts";
import type { ShopContext } from "../../context.ts";
import { setLastParcel } from "../../orders/commands.ts";
import { recordOrderEvent, transitionOrder } from "../../orders/transition.ts";
import { withdrawMessage } from "../../outbox/enqueue.ts";
import { type ActionResult, lockForAction, refused } from "../actions.ts";
import { shippedKey } from "../change-mail.ts";
import { shipments } from "../tables.ts";

/** Time for which a booked parcel without an e-mail can be undone. */
const undoMs = 60_000;

/** Undoes a booked parcel together with its e-mail while that is still waiting. Null: no such order. */
export async function undoShipping(
  ctx: ShopContext,
  { orderId, shipmentId }: { orderId: string; shipmentId: string },
): Promise<ActionResult | null> {
  return ctx.db.transaction(async (tx) => {
    const target = await lockForAction(ctx, tx, orderId);
    if (!target) return null;
    const { order, locked } = target;
    const parcel = order.shipments.find(({ id }) => id === shipmentId);
    // Undone by an earlier click.
    if (!parcel) return { ok: true };
    const now = ctx.now();
    const otherParcels = order.shipments.filter(({ id }) => id !== shipmentId);
    if (otherParcels.some(({ number }) => number > parcel.number)) {
      return refused(
        "Another parcel of this order has been booked since: this one can’t be undone any more.",
      );
    }
    const message = await withdrawMessage(tx, shippedKey(shipmentId));
    const isTooLate = now.getTime() - Date.parse(parcel.shippedAt) > undoMs || parcel.deliveredAt !== null;
    if (message === "gone" || isTooLate) {
      return refused(
        "It is too late to undo this: the customer has been told. Correct the tracking instead.",
      );
    }
    await tx.delete(shipments).where(eq(shipments.id, shipmentId));
    const last = otherParcels.at(-1);
    const before = { carrier: last?.carrier ?? null, trackingNumber: last?.trackingNumber ?? null };
    const note = `Parcel ${parcel.number} taken back: it was marked as shipped by mistake`;
    const status = order.status;
    const event = { orderId, actor: "owner", note, now } as const;
    if (order.fulfilment !== null) {
      const to = statusAfterRefunds({ ...locked, shippedAt: null, wasCompleted: true });
      await transitionOrder(tx, { ...event, from: status, to, set: { shippedAt: null, ...before } });
    } else {
      await recordOrderEvent(tx, { ...event, from: status, to: status });
    }
    await setLastParcel(tx, orderId, { ...before, ...(!last && { partlyShippedAt: null }) });
    return { ok: true };
  });
}
