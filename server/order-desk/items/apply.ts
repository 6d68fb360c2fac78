import { randomUUID } from "node:crypto";
import { eq, max, sql } from "drizzle-orm";
import type { UsedBundle } from "../../../domain/catalog/bundles.ts";
import type { AmountsWithTax } from "../../../domain/checkout/included-tax.ts";
import { changeText } from "../../../domain/orders/change-items.ts";
import { divideRefund, type RefundSplit, refundByLines } from "../../../domain/orders/line-refund.ts";
import type { Order } from "../../../domain/orders/order.ts";
import { formatCents } from "../../../domain/shared/money.ts";
import type { ShopContext } from "../../context.ts";
import { lockStock, releaseForChange, sellForChange } from "../../inventory/commands.ts";
import type { LockedOrder } from "../../orders/lifecycle.ts";
import { bookRestock } from "../../orders/restock.ts";
import { updateShipHold } from "../../orders/ship-hold.ts";
import { orderLines, orders } from "../../orders/tables.ts";
import { type Actor, recordOrderEvent } from "../../orders/transition.ts";
import { refundOfChange } from "../../payments/changes/book.ts";
import { readRefundable } from "../../payments/refunds/refundable.ts";
import type { Db } from "../../platform/database/database.ts";
import { today } from "../../settings/today.ts";
import { enqueueItemsChanged } from "../change-mail.ts";
import { type AddedLine, orderEdits } from "../tables.ts";

export type ChangeRecord = typeof orderEdits.$inferSelect;

/** Thrown to roll back a change that cannot be made whole: why, as a sentence. */
export class ChangeRefused extends Error {}

/** Why the items of an order cannot be changed now, as a sentence; null: they can. */
export function itemsProblem(order: Order, shipHold: LockedOrder["shipHold"]): string | null {
  const { status, cancelledAt, fulfilment, erasedAt } = order;
  if (status === "pending" || status === "cancelled")
    return "This order has not been paid: its buyer can still change it.";
  if (cancelledAt !== null) return "This order has been cancelled.";
  if (status === "refunded") return "This order has been paid back in full.";
  if (fulfilment !== null) return "This order has been shipped: what comes back is a return.";
  if (erasedAt !== null) return "The buyer’s data of this order was deleted at their request.";
  if (shipHold === "dispute") return "The buyer’s bank disputes this order.";
  if (shipHold === "refund") return "All of this order is being refunded.";
  if (shipHold === "fraud" || shipHold === "review") return "The payment of this order may be fraud.";
  return null;
}

/** What a change takes out, if it still comes to the same as when it was agreed; null where it does not. */
export async function removalOf(tx: Db, { orderId, removed, removedCents }: ChangeRecord) {
  const refundable = await readRefundable(tx, orderId);
  if (!refundable) return null;
  const items = removed.map(({ productId, quantity }) => ({ productId, quantity }));
  const waiting = await tx
    .select({
      productId: orderLines.productId,
      units: sql<number>`${orderLines.quantity} - ${orderLines.shippedQuantity} - ${orderLines.keptQuantity}`,
    })
    .from(orderLines)
    .where(eq(orderLines.orderId, orderId));
  const isThere = items.every(({ productId, quantity }) =>
    [waiting, refundable.lines].every(
      (lines) => (lines.find((line) => line.productId === productId)?.units ?? 0) >= quantity,
    ),
  );
  if (!isThere) return null;
  const split = refundByLines(refundable, { items, shipping: 0 });
  return split.amount === removedCents ? split : null;
}

/**
 * Makes a change part of its order: lines, totals, stock, and the money that goes no way but from one item to the other, or back to
 * its buyer. What it brought is booked by the caller, in the same transaction, which holds the order's lock. Throws
 * `ChangeRefused`, and is then to be rolled back.
 */
export async function applyChange(
  ctx: ShopContext,
  tx: Db,
  {
    order,
    change,
    removal,
    actor,
    tell,
  }: { order: LockedOrder; change: ChangeRecord; removal: RefundSplit; actor: Actor; tell: boolean },
): Promise<void> {
  const now = ctx.now();
  const { id: orderId } = order;
  const { added, goodsCents, shippingCents, taxCents, differenceCents } = change;
  const addedCents = goodsCents + shippingCents + taxCents;
  const [exchanged, rest] = divideRefund(removal, Math.min(addedCents, removal.amount));
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
    .where(eq(orderEdits.id, change.id));
  await addLines(tx, orderId, added);
  const [shown] = await tx.select({ withTax: orders.withTax }).from(orders).where(eq(orders.id, orderId));
  await tx
    .update(orders)
    .set({
      subtotalCents: sql`${orders.subtotalCents} + ${goodsCents}`,
      shippingCents: sql`${orders.shippingCents} + ${shippingCents}`,
      taxCents: sql`${orders.taxCents} + ${taxCents}`,
      totalCents: sql`${orders.totalCents} + ${addedCents}`,
      addedGoodsCents: sql`${orders.addedGoodsCents} + ${goodsCents}`,
      addedShippingCents: sql`${orders.addedShippingCents} + ${shippingCents}`,
      addedTaxCents: sql`${orders.addedTaxCents} + ${taxCents}`,
      exchangedCents: sql`${orders.exchangedCents} + ${exchanged.amount}`,
      ...(added.length > 0 && { allBackAt: null }),
      ...(shown?.withTax && { withTax: moreWithTax(shown.withTax, change) }),
    })
    .where(eq(orders.id, orderId));
  if (rest.amount > 0) {
    // The units of a removal that nothing is exchanged for are refunded with the money.
    const split = exchanged.amount > 0 ? rest : removal;
    const problem = await refundOfChange(ctx, tx, { order, change, split });
    if (problem !== null) throw new ChangeRefused(problem);
  }
  const names = new Map((await namesOf(tx, orderId)).map(({ productId, name }) => [productId, name]));
  const removed = change.removed.map((line) => ({ ...line, name: names.get(line.productId) ?? "a product" }));
  const money =
    differenceCents > 0
      ? ` ${formatCents(differenceCents)} paid.`
      : differenceCents < 0
        ? ` ${formatCents(-differenceCents)} goes back.`
        : "";
  await recordOrderEvent(tx, {
    ...{ orderId, from: order.status, to: order.status, actor, now },
    note: `Items changed. ${changeText({ added, removed })}${money}`,
  });
  if (tell) await enqueueItemsChanged(tx, { orderId, changeId: change.id, isPaid: actor === "provider" });
  await updateShipHold(tx, orderId);
  // Last, because it locks the stock, which every other order waits for.
  await lockStock(
    tx,
    [...added, ...removed].map(({ productId }) => productId),
  );
  const units = removed.map(({ productId, quantity }) => ({ productId, quantity }));
  await bookRestock(tx, order, units, now);
  const sold = await sellForChange(tx, change, added, {
    isReserved: change.expiresAt !== null,
    today: await today(ctx, tx),
  });
  if (sold < added.length) throw new ChangeRefused("There isn’t enough in stock any more.");
}

/** What a shopper sees of an order whose prices include the tax, after a change. */
function moreWithTax(
  shown: AmountsWithTax,
  { added, shippingCents, taxCents }: ChangeRecord,
): AmountsWithTax {
  const inShipping = added.reduce((left, { tax }) => left - tax, taxCents);
  return {
    ...shown,
    subtotal: added.reduce(
      (sum, { quantity, unitPrice, bundleSaving }) => sum + quantity * unitPrice - bundleSaving,
      shown.subtotal,
    ),
    shipping: shown.shipping + shippingCents + inShipping,
  };
}

/**
 * Ends a change that waits without any of it; its units are free again. The caller holds the order's lock, and calls it last: it locks
 * the stock of what is freed and of what the order has, in one order, so that these units can be put back after it.
 */
export async function endWaitingChange(
  tx: Db,
  order: Pick<LockedOrder, "id" | "status">,
  change: ChangeRecord,
  { status, actor, note, now }: { status: "withdrawn" | "expired"; actor: Actor; note: string; now: Date },
): Promise<void> {
  const { id: orderId } = order;
  await tx.update(orderEdits).set({ status, endedAt: now }).where(eq(orderEdits.id, change.id));
  await recordOrderEvent(tx, { orderId, from: order.status, to: order.status, actor, note, now });
  await updateShipHold(tx, orderId);
  await lockStock(
    tx,
    [...change.before.lines, ...change.added].map(({ productId }) => productId),
  );
  await releaseForChange(tx, change, change.added);
}

/** The change of an order that waits to be paid; null: none does. */
export async function waitingChangeOf(tx: Db, orderId: string): Promise<ChangeRecord | null> {
  const [change] = await tx
    .select()
    .from(orderEdits)
    .where(sql`${orderEdits.orderId} = ${orderId} and ${orderEdits.status} = 'waiting'`);
  return change ?? null;
}

async function namesOf(tx: Db, orderId: string) {
  return tx
    .select({ productId: orderLines.productId, name: orderLines.name })
    .from(orderLines)
    .where(eq(orderLines.orderId, orderId));
}

/**
 * More of a product joins its line, as lines are known by their product everywhere; what the new units cost less is added to what its
 * bundles save.
 */
async function addLines(tx: Db, orderId: string, added: readonly AddedLine[]): Promise<void> {
  if (added.length === 0) return;
  const before = await tx.select().from(orderLines).where(eq(orderLines.orderId, orderId));
  const [last] = await tx
    .select({ position: max(orderLines.position) })
    .from(orderLines)
    .where(eq(orderLines.orderId, orderId));
  let position = (last?.position ?? -1) + 1;
  for (const { productId, name, image, quantity, unitPrice, bundleSaving, bundles, tax } of added) {
    const own = before.find((line) => line.productId === productId);
    if (own) {
      await tx
        .update(orderLines)
        .set({
          quantity: own.quantity + quantity,
          bundleSavingCents: own.bundleSavingCents + bundleSaving,
          bundles: joined(own.bundles, bundles),
          taxCents: own.taxCents + tax,
        })
        .where(sql`${orderLines.orderId} = ${orderId} and ${orderLines.productId} = ${productId}`);
      continue;
    }
    await tx.insert(orderLines).values({
      ...{ orderId, position, productId, name, image, quantity, bundles },
      ...{ unitPriceCents: unitPrice, bundleSavingCents: bundleSaving, discountCents: 0, taxCents: tax },
    });
    position += 1;
  }
}

function joined(own: readonly UsedBundle[], more: readonly UsedBundle[]): UsedBundle[] {
  const all = own.map((bundle) => ({ ...bundle }));
  for (const bundle of more) {
    const same = all.find(({ quantity, price }) => quantity === bundle.quantity && price === bundle.price);
    if (same) same.count += bundle.count;
    else all.push(bundle);
  }
  return all;
}
