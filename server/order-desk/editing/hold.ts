import type { Order } from "../../../domain/orders/order.ts";
import type { ShopContext } from "../../context.ts";
import { raiseIssue } from "../../issues/issues.ts";
import { readOwnerHold, setOwnerHold } from "../../orders/commands.ts";
import { updateShipHold } from "../../orders/ship-hold.ts";
import { recordOrderEvent } from "../../orders/transition.ts";
import { closeSettledIssues } from "../../payments/close-issues.ts";
import { type ActionResult, lockForAction, refused } from "../actions.ts";

/**
 * Puts an order on hold, so that it is not shipped, or (`held` false) takes it off hold. A repeat only changes the reason.
 * Null: no such order.
 */
export async function holdOrder(
  ctx: ShopContext,
  { orderId, held, reason }: { orderId: string; held: boolean; reason: string | null },
): Promise<ActionResult | null> {
  return ctx.db.transaction(async (tx) => {
    const target = await lockForAction(ctx, tx, orderId);
    if (!target) return null;
    const { status } = target.order;
    const problem = held ? holdProblem(target.order) : null;
    if (problem !== null) return refused(problem);
    const { heldAt, holdReason } = await readOwnerHold(tx, orderId);
    if (held === (heldAt !== null) && (!held || holdReason === reason)) return { ok: true };
    const now = ctx.now();
    const hold = held ? { heldAt: heldAt ?? now, holdReason: reason } : { heldAt: null, holdReason: null };
    await setOwnerHold(tx, orderId, hold);
    const note = held ? `Put on hold${reason === null ? "" : `: ${reason}`}` : "Taken off hold";
    await recordOrderEvent(tx, { orderId, from: status, to: status, actor: "owner", note, now });
    await updateShipHold(tx, orderId);
    if (!held) await closeSettledIssues(tx, { orderId, now });
    return { ok: true };
  });
}

/**
 * Puts an order on hold for a problem found while packing, and raises an issue until it is taken off hold. An order already on
 * hold keeps its reason. `by`: the reporter; null: unnamed. Repeats change nothing. Null: no such order.
 */
export async function reportPackingProblem(
  ctx: ShopContext,
  { orderId, reason, by }: { orderId: string; reason: string; by: string | null },
): Promise<ActionResult | null> {
  return ctx.db.transaction(async (tx) => {
    const target = await lockForAction(ctx, tx, orderId);
    if (!target) return null;
    const { status, number } = target.order;
    const problem = holdProblem(target.order);
    if (problem !== null) return refused(problem);
    const { heldAt, holdReason } = await readOwnerHold(tx, orderId);
    if (heldAt !== null && holdReason === reason) return { ok: true };
    const now = ctx.now();
    if (heldAt === null) await setOwnerHold(tx, orderId, { heldAt: now, holdReason: reason });
    const note = `Something is wrong: ${reason}`;
    await recordOrderEvent(tx, { orderId, from: status, to: status, actor: "owner", note, now });
    await updateShipHold(tx, orderId);
    await raiseIssue(tx, {
      kind: "packing_problem",
      subject: `${orderId}:${now.getTime()}`,
      orderId,
      message: `${by ?? "Somebody"}, packing order #${number}, says that something is wrong: “${reason}”. It is on hold until you take it off`,
    });
    return { ok: true };
  });
}

function holdProblem({ status, fulfilment, cancelledAt, erasedAt }: Order): string | null {
  if (fulfilment !== null || cancelledAt !== null || erasedAt !== null) {
    return "Only an order that is still to be shipped can be put on hold.";
  }
  const isPaid = status !== "pending" && status !== "cancelled" && status !== "refunded";
  return isPaid ? null : "Only a paid order can be put on hold.";
}
