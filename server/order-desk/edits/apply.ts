import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { divideRefund, type RefundSplit } from "../../../domain/orders/line-refund.ts";
import { editText } from "../../../domain/orders/order-edit.ts";
import { formatCents } from "../../../domain/shared/money.ts";
import type { ShopContext } from "../../context.ts";
import { lockStock, sellForEdit } from "../../inventory/commands.ts";
import { addToOrder } from "../../orders/add-lines.ts";
import type { LockedOrder } from "../../orders/lifecycle.ts";
import { recordRestock } from "../../orders/restock.ts";
import { updateShipHold } from "../../orders/ship-hold.ts";
import { orderLines } from "../../orders/tables.ts";
import { type Actor, recordOrderNote } from "../../orders/transition.ts";
import {
  reachableCents,
  readOrderMoney,
  refundSources,
  unreachableRefundText,
} from "../../payments/refunds/refundable.ts";
import { refundLockedOrder } from "../../payments/refunds/refunds.ts";
import type { Db } from "../../platform/database/database.ts";
import { today } from "../../settings/today.ts";
import { enqueueEditApplied } from "../change-mail.ts";
import { type OrderEditRecord, orderEdits } from "../tables.ts";

/** Thrown to roll back an edit that cannot be applied. The message gives the reason. */
export class EditRefused extends Error {}

/**
 * Applies an edit to its order: lines, totals, stock, the exchanged amount and the refund of the difference. The caller holds the
 * order's lock and books the payment of the difference in the same transaction, which it must roll back if this throws
 * `EditRefused`.
 */
export async function applyEdit(
  ctx: ShopContext,
  tx: Db,
  {
    order,
    edit,
    removal,
    actor,
    sendsMail,
  }: { order: LockedOrder; edit: OrderEditRecord; removal: RefundSplit; actor: Actor; sendsMail: boolean },
): Promise<void> {
  const now = ctx.now();
  const { id: orderId } = order;
  const { added, goodsCents, shippingCents, taxCents, differenceCents } = edit;
  const addedCents = goodsCents + shippingCents + taxCents;
  const [exchanged, toRefund] = divideRefund(removal, Math.min(addedCents, removal.amount));
  await tx
    .update(orderEdits)
    .set({
      status: "applied",
      endedAt: now,
      removed: removal.lines,
      exchangedGoodsCents: exchanged.goods,
      exchangedShippingCents: exchanged.shipping,
      exchangedTaxCents: exchanged.tax,
      exchangeId: exchanged.amount > 0 ? randomUUID() : null,
    })
    .where(eq(orderEdits.id, edit.id));
  await addToOrder(tx, orderId, { ...edit, exchangedCents: exchanged.amount });
  if (toRefund.amount > 0) {
    // The refund lists the removed units, unless part of their value is exchanged for the added ones.
    const split = exchanged.amount > 0 ? toRefund : removal;
    const problem = await refundDifference(ctx, tx, { order, edit, split });
    if (problem !== null) throw new EditRefused(problem);
  }
  const names = new Map(
    (await readProductNames(tx, orderId)).map(({ productId, name }) => [productId, name]),
  );
  const removed = edit.removed.map((line) => ({ ...line, name: names.get(line.productId) ?? "a product" }));
  const money =
    differenceCents > 0
      ? ` ${formatCents(differenceCents)} paid.`
      : differenceCents < 0
        ? ` ${formatCents(-differenceCents)} goes back.`
        : "";
  const note = `Items changed. ${editText({ added, removed })}${money}`;
  await recordOrderNote(tx, order, { actor, note, now });
  if (sendsMail) await enqueueEditApplied(tx, { orderId, editId: edit.id, isPaid: actor === "provider" });
  await updateShipHold(tx, orderId);
  // Last, because every other order waits for the locks on stock.
  await lockStock(tx, [...added, ...removed]);
  const units = removed.map(({ productId, quantity }) => ({ productId, quantity }));
  await recordRestock(tx, order, units, now);
  const soldLines = await sellForEdit(tx, edit, added, {
    // An expired edit has released its units.
    isReserved: edit.expiresAt !== null && edit.status === "waiting",
    today: await today(ctx, tx),
  });
  if (soldLines < added.length) throw new EditRefused("There isn’t enough in stock anymore.");
}

async function readProductNames(tx: Db, orderId: string) {
  return tx
    .select({ productId: orderLines.productId, name: orderLines.name })
    .from(orderLines)
    .where(eq(orderLines.orderId, orderId));
}

/** Requests the refund of an edit's difference. Returns null, or why that is impossible. */
async function refundDifference(
  ctx: ShopContext,
  tx: Db,
  { order, edit, split }: { order: LockedOrder; edit: OrderEditRecord; split: RefundSplit },
): Promise<string | null> {
  const result = await refundLockedOrder(ctx, tx, {
    orderId: order.id,
    amountCents: split.amount,
    reason: edit.note ?? "Removed from the order",
    actor: "owner",
    split,
    orderEditId: edit.id,
    from: "reachable",
  });
  return result.ok ? null : impossibleRefundText(result.reason === "too_much" ? result.elsewhere : null);
}

/** Why the difference of an edit cannot be refunded now; null if it can. */
export async function refundProblem(
  ctx: ShopContext,
  tx: Db,
  { orderId, cents }: { orderId: string; cents: number },
): Promise<string | null> {
  const sources = refundSources(ctx.provider, await readOrderMoney(tx, orderId));
  if (reachableCents(sources) >= cents) return null;
  return impossibleRefundText(unreachableRefundText(ctx.provider, sources));
}

function impossibleRefundText(elsewhere: string | null): string {
  return `The difference cannot be refunded: ${elsewhere ?? "a dispute holds the money."}`;
}
