import { eq, sql } from "drizzle-orm";
import { refundByLines } from "../../../domain/orders/line-refund.ts";
import type { Order } from "../../../domain/orders/order.ts";
import type { ShopContext } from "../../context.ts";
import { lockStock, releaseForEdit } from "../../inventory/commands.ts";
import { type LockedOrder, lockOrder } from "../../orders/lifecycle.ts";
import { updateShipHold } from "../../orders/ship-hold.ts";
import { type Actor, recordOrderNote } from "../../orders/transition.ts";
import { closeChangePaymentJob } from "../../payments/job-kinds.ts";
import { readRefundable } from "../../payments/refunds/refundable.ts";
import type { Db } from "../../platform/database/database.ts";
import { addJob } from "../../platform/jobs/jobs.ts";
import { lockForAction, readUnitsToShip } from "../actions.ts";
import { endExchanges } from "../exchanges/settle.ts";
import { type OrderEditRecord, orderEdits } from "../tables.ts";

/** Why the items of an order cannot be edited now; null if they can. */
export function itemsProblem(order: Order, shipHold: LockedOrder["shipHold"]): string | null {
  const { status, cancelledAt, fulfilment, erasedAt, replaces } = order;
  // A replacement's lines cost nothing, and added units would get that price.
  if (replaces !== null)
    return `This is a replacement: its items are fixed. Send another one from order #${replaces.number}.`;
  if (status === "pending" || status === "cancelled")
    return "This order has not been paid: its buyer can still change it.";
  if (cancelledAt !== null) return "This order has been cancelled.";
  if (status === "refunded") return "This order has been refunded in full.";
  if (fulfilment !== null) return "This order has been shipped: only a return is possible now.";
  if (erasedAt !== null) return "The buyer’s data of this order was deleted at their request.";
  if (shipHold === "dispute") return "The buyer’s bank disputes this order.";
  if (shipHold === "refund") return "All of this order is being refunded.";
  if (shipHold === "fraud" || shipHold === "review") return "The payment of this order may be fraud.";
  return null;
}

/**
 * The removed lines of a waiting edit as a refund by line, or a message that explains why the edit can never be applied: its
 * order was refunded, cancelled, disputed, shipped or erased, or the removed units were refunded. `hold` says why it cannot be
 * paid now; null if it can. The caller holds the order's lock.
 */
export async function currentRemoval(ctx: ShopContext, tx: Db, edit: OrderEditRecord) {
  const target = await lockForAction(ctx, tx, edit.orderId);
  if (!target) return { ok: false, reason: "The order does not exist." } as const;
  const { order, locked } = target;
  const { shipHold } = locked;
  const isHoldTemporary = shipHold !== "dispute" && shipHold !== "refund";
  const reason = itemsProblem(order, isHoldTemporary ? null : shipHold);
  if (reason !== null) return { ok: false, reason } as const;
  const removal = await readRemoval(tx, edit);
  return removal
    ? ({ ok: true, removal, hold: itemsProblem(order, shipHold) } as const)
    : ({ ok: false, reason: "The items to remove from the order have changed since." } as const);
}

/**
 * Ends an order's waiting edit and exchanges if they have become impossible, so that they cannot be paid; a job closes the edit's
 * page at the provider. Call it with the order's lock after every change that may have made them impossible. Locks stock.
 */
export async function endUnpayableEdit(ctx: ShopContext, tx: Db, orderId: string): Promise<void> {
  await endExchanges(tx, [orderId]);
  const edit = await findWaitingEdit(tx, orderId);
  if (!edit) return;
  const current = await currentRemoval(ctx, tx, edit);
  if (!current.ok) await withdrawEdit(ctx, tx, edit.id, current.reason);
}

/** Withdraws a waiting edit that cannot be applied; a job closes its page. The caller holds the order's lock. */
export async function withdrawEdit(
  { now }: Pick<ShopContext, "now">,
  tx: Db,
  editId: string,
  reason: string,
): Promise<void> {
  const [edit] = await tx.select().from(orderEdits).where(eq(orderEdits.id, editId));
  const order = edit?.status === "waiting" && (await lockOrder(tx, edit.orderId));
  if (!order) return;
  const note = `The change of items was withdrawn. ${reason}`;
  await endWaitingEdit(tx, order, edit, { status: "withdrawn", actor: "system", note, now: now() });
  await addJob(tx, closeChangePaymentJob, { changeId: editId });
}

/**
 * Ends a waiting edit without applying it, and releases its units. The caller holds the order's lock and calls this last:
 * it locks the stock of the released units together with that of the order's units, sorted, so that these can be restocked
 * afterwards.
 */
export async function endWaitingEdit(
  tx: Db,
  order: Pick<LockedOrder, "id" | "status">,
  edit: OrderEditRecord,
  { status, actor, note, now }: { status: "withdrawn" | "expired"; actor: Actor; note: string; now: Date },
): Promise<void> {
  await tx.update(orderEdits).set({ status, endedAt: now }).where(eq(orderEdits.id, edit.id));
  await recordOrderNote(tx, order, { actor, note, now });
  await updateShipHold(tx, order.id);
  await lockStock(tx, [...edit.before.lines, ...edit.added]);
  await releaseForEdit(tx, edit, edit.added);
}

/** The order's waiting edit; null if there is none. */
export async function findWaitingEdit(tx: Db, orderId: string): Promise<OrderEditRecord | null> {
  const [edit] = await tx
    .select()
    .from(orderEdits)
    .where(sql`${orderEdits.orderId} = ${orderId} and ${orderEdits.status} = 'waiting'`);
  return edit ?? null;
}

/** Withdraws the waiting edit of an order that is shipped or cancelled; a job closes its page. */
export async function dropWaitingEdit(
  ctx: ShopContext,
  tx: Parameters<typeof endWaitingEdit>[0],
  order: Parameters<typeof endWaitingEdit>[1],
  end: Pick<Parameters<typeof endWaitingEdit>[3], "actor" | "note">,
): Promise<OrderEditRecord | null> {
  const edit = await findWaitingEdit(tx, order.id);
  if (!edit) return null;
  await endWaitingEdit(tx, order, edit, { ...end, status: "withdrawn", now: ctx.now() });
  await addJob(tx, closeChangePaymentJob, { changeId: edit.id });
  return edit;
}

/** The removed lines of an edit as a refund by line; null if they no longer add up to the agreed amount. */
async function readRemoval(tx: Db, { orderId, removed, removedCents }: OrderEditRecord) {
  const refundable = await readRefundable(tx, orderId);
  if (!refundable) return null;
  const items = removed.map(({ productId, quantity }) => ({ productId, quantity }));
  const unshippedLines = (await readUnitsToShip(tx, orderId)).map((line) => ({
    ...line,
    units: line.quantity,
  }));
  const areUnitsLeft = items.every(({ productId, quantity }) =>
    [unshippedLines, refundable.lines].every(
      (lines) => (lines.find((line) => line.productId === productId)?.units ?? 0) >= quantity,
    ),
  );
  if (!areUnitsLeft) return null;
  const split = refundByLines(refundable, { items, shipping: 0 });
  return split.amount === removedCents ? split : null;
}
