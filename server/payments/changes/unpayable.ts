import { eq } from "drizzle-orm";
import type { ShopContext } from "../../context.ts";
import { lockForAction } from "../../order-desk/actions.ts";
import {
  type ChangeRecord,
  endWaitingChange,
  itemsProblem,
  removalOf,
  waitingChangeOf,
} from "../../order-desk/items/apply.ts";
import { orderEdits } from "../../order-desk/tables.ts";
import { lockOrder } from "../../orders/lifecycle.ts";
import type { Db } from "../../platform/database/database.ts";
import { addJob } from "../../platform/jobs/jobs.ts";
import { closeChangePaymentJob } from "../job-kinds.ts";

/**
 * What a change that waits would take out of its order, or why it can never be made, as a sentence: its order was refunded, cancelled,
 * disputed, shipped or erased, or what it takes out was refunded. An order that is only held may still be changed. The caller holds
 * the order's lock.
 */
export async function removalNow(ctx: ShopContext, tx: Db, change: ChangeRecord) {
  const found = await lockForAction(ctx, tx, change.orderId);
  if (!found) return { ok: false, why: "The order is not there." } as const;
  const { order, locked } = found;
  const { shipHold } = locked;
  const isOnlyHeld = shipHold !== "dispute" && shipHold !== "refund";
  const why = itemsProblem(order, isOnlyHeld ? null : shipHold);
  if (why !== null) return { ok: false, why } as const;
  const removal = await removalOf(tx, change);
  return removal
    ? ({ ok: true, removal, hold: itemsProblem(order, shipHold) } as const)
    : ({ ok: false, why: "What was to be taken out of the order has changed since." } as const);
}

/**
 * Ends the change that waits of an order that can no longer be changed so: nobody is to pay for what would only be paid back. Its page
 * at the provider is closed by a job. Called, with the order's lock, by whatever may have made it so; it locks stock.
 */
export async function endUnpayableChange(ctx: ShopContext, tx: Db, orderId: string): Promise<void> {
  const change = await waitingChangeOf(tx, orderId);
  if (!change) return;
  const now = await removalNow(ctx, tx, change);
  if (!now.ok) await takeBack(ctx, tx, change.id, now.why);
}

/** Ends a change, if it waits, because it cannot be made, and has its page closed. The caller holds the order's lock. */
export async function takeBack(
  { now }: Pick<ShopContext, "now">,
  tx: Db,
  changeId: string,
  why: string,
): Promise<void> {
  const [change] = await tx.select().from(orderEdits).where(eq(orderEdits.id, changeId));
  const order = change?.status === "waiting" && (await lockOrder(tx, change.orderId));
  if (!order) return;
  const note = `The change of items was taken back. ${why}`;
  await endWaitingChange(tx, order, change, { status: "withdrawn", actor: "system", note, now: now() });
  await addJob(tx, closeChangePaymentJob, { changeId });
}
