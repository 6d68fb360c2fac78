import { randomUUID } from "node:crypto";
import { and, eq, inArray, isNotNull, ne, or } from "drizzle-orm";
import {
  activeShipHold,
  nothingShipped,
  type ShipHold,
  shipHoldText,
} from "../../../domain/disputes/dispute.ts";
import type { Shipment, ShipResult } from "../../../domain/orders/admin-order.ts";
import { countUnits, type Order } from "../../../domain/orders/order.ts";
import type { OrderStatus } from "../../../domain/orders/order-status.ts";
import type { ShopContext } from "../../context.ts";
import { removeFromIssues } from "../../issues/issues.ts";
import { labels } from "../../labels/tables.ts";
import { setLastParcel } from "../../orders/commands.ts";
import { recordOrderNote, transitionOrder } from "../../orders/transition.ts";
import { type Db, isLockTimeout } from "../../platform/database/database.ts";
import { scheduleReviewRequest } from "../../reviews/request.ts";
import { type ActionResult, lockForAction, readUnitsToShip, refuse, withLockedOrder } from "../actions.ts";
import { enqueueDelivered, enqueueShipped } from "../change-mail.ts";
import { dropWaitingEdit } from "../edits/waiting-edit.ts";
import { readOrderNumbers } from "../exchanges/settle.ts";
import { shipmentLines, shipments } from "../tables.ts";

/** `shipHold`: why the order was on hold, even if it was shipped with `force`. `shipmentId`: id of the new parcel. */
type ShipOutcome = ActionResult & { shipHold?: ShipHold; shipmentId?: string };

type Units = Awaited<ReturnType<typeof readUnitsToShip>>[number];

/** Delay of the buyer's e-mail while the parcel can still be undone. */
const undoSeconds = 10;

/**
 * Marks a parcel of a paid order as shipped, and e-mails the buyer. Without `lines`, the parcel contains all unshipped units. An
 * order that is on hold or a test ships only with `force` and a reason; a cancelled order never ships. Shipping withdraws a
 * waiting edit. A call with a `shipmentId` that was used before changes nothing.
 */
export async function shipOrder(
  ctx: ShopContext,
  { orderId, ...parcel }: Shipment & { orderId: string },
): Promise<ShipOutcome | null> {
  return ctx.db.transaction((tx) => shipInTransaction(ctx, tx, { orderId, ...parcel }));
}

/** `shipOrder` in the caller's transaction. */
export async function shipInTransaction(
  ctx: ShopContext,
  tx: Db,
  { orderId, ...parcel }: Shipment & { orderId: string },
): Promise<ShipOutcome | null> {
  const target = await lockForAction(ctx, tx, orderId);
  if (!target) return null;
  const { order } = target;
  const { shipmentId } = parcel;
  if (order.shipments.some(({ id }) => id === shipmentId)) return { ok: true, shipmentId: shipmentId ?? "" };
  if (shipmentId !== undefined && (await isUsedElsewhere(tx, { orderId, shipmentId })))
    return refuse("This `shipmentId` names a parcel or label of another order, or the label of a return.");
  const shipHold = activeShipHold(target.locked, ctx.provider.mode);
  const problem = shippingProblem(order);
  if (problem !== null) return refuse(problem);
  if (shipHold && !(parcel.force && parcel.reason)) {
    return { ok: false, reason: `${shipHoldText[shipHold]} To ship it anyway, give a reason.`, shipHold };
  }
  const unshippedLines = await readUnitsToShip(tx, orderId);
  const units = parcel.lines
    ? chosenUnits(unshippedLines, parcel.lines)
    : { ok: true as const, units: unshippedLines };
  if (!units.ok) return units;
  const id = await storeParcel(ctx, tx, { order, unshippedLines, units: units.units, parcel });
  const note = "The change of items was withdrawn: the order was shipped without it";
  await dropWaitingEdit(ctx, tx, { id: orderId, status: order.status }, { actor: "owner", note });
  return { ok: true, shipmentId: id, ...(shipHold && { shipHold }) };
}

/**
 * Whether the id belongs to a parcel, or to a label that is not for a parcel of this order (a parcel has the id of its label).
 * The caller has already looked for the id among the order's own parcels.
 */
async function isUsedElsewhere(
  tx: Db,
  { orderId, shipmentId }: { orderId: string; shipmentId: string },
): Promise<boolean> {
  const isOther = or(ne(labels.orderId, orderId), isNotNull(labels.returnId));
  return (
    (await tx.$count(shipments, eq(shipments.id, shipmentId))) > 0 ||
    (await tx.$count(labels, and(eq(labels.id, shipmentId), isOther))) > 0
  );
}

/** Why the order cannot be shipped now; null if it can. */
export function shippingProblem({ status, fulfilment, cancelledAt, allBackAt }: Order): string | null {
  if (cancelledAt !== null) return "This order has been cancelled: it must not be shipped.";
  if (fulfilment !== null) return "This order has been shipped already.";
  if (status !== "completed" && status !== "partially_refunded") return statusProblems[status];
  return allBackAt === null ? null : "All units of this order are back in stock.";
}

function chosenUnits(
  unshippedLines: readonly Units[],
  lines: NonNullable<Shipment["lines"]>,
): { ok: true; units: Units[] } | { ok: false; reason: string } {
  const units: Units[] = [];
  for (const { productId, quantity } of lines) {
    const line = unshippedLines.find((item) => item.productId === productId);
    if (!line)
      return refuse("One of these products has been shipped already, or does not belong to this order.");
    if (quantity > line.quantity) {
      return refuse(`Only ${line.quantity} × ${line.name} of this order can still be shipped.`);
    }
    units.push({ ...line, quantity });
  }
  return { ok: true, units };
}

/** Returns the parcel's id. The caller holds the order's lock. */
async function storeParcel(
  ctx: ShopContext,
  tx: Db,
  {
    order,
    unshippedLines,
    units,
    parcel,
  }: { order: Order; unshippedLines: readonly Units[]; units: readonly Units[]; parcel: Shipment },
): Promise<string> {
  const { id: orderId, status } = order;
  const { carrier, trackingNumber } = parcel;
  const id = parcel.shipmentId ?? randomUUID();
  const now = ctx.now();
  const number = (order.shipments.at(-1)?.number ?? 0) + 1;
  await tx.insert(shipments).values({ id, orderId, number, carrier, trackingNumber, shippedAt: now });
  await tx
    .insert(shipmentLines)
    .values(units.map(({ productId, quantity }) => ({ shipmentId: id, orderId, productId, quantity })));
  await removeFromIssues(tx, { kind: "dispute", orderId, text: nothingShipped });
  const isLast = countUnits(units) === countUnits(unshippedLines);
  const tracking = [carrier, trackingNumber].filter(Boolean).join(" ");
  if (isLast) {
    await transitionOrder(tx, {
      orderId,
      from: status,
      to: "shipped",
      actor: "owner",
      note: tracking,
      now,
      set: { carrier, trackingNumber, shippedAt: now },
    });
    const { reviews } = await ctx.settings(tx);
    await scheduleReviewRequest(tx, { orderId, runAt: daysAfter(now, reviews.requestAfterShippedDays) });
  } else {
    await setLastParcel(tx, orderId, { carrier, trackingNumber, partlyShippedAt: now });
    const contents = units.map(({ name, quantity }) => `${quantity} × ${name}`).join(", ");
    const note = `Parcel ${number} shipped: ${contents}. ${tracking}`;
    await recordOrderNote(tx, order, { actor: "owner", note, now });
  }
  if (parcel.email) {
    const sendAt = parcel.canUndo ? new Date(now.getTime() + undoSeconds * 1000) : null;
    await enqueueShipped(tx, { orderId, shipmentId: id, sendAt });
  }
  return id;
}

/**
 * Ships several orders, each in its own transaction, so that one failure does not stop the rest. The results are in the same
 * sequence as the request.
 */
export async function shipOrders(
  ctx: ShopContext,
  parcels: readonly (Shipment & { id: string })[],
): Promise<ShipResult[]> {
  const ids = parcels.map(({ id }) => id);
  const numbers = await readOrderNumbers(ctx.db, ids);
  const results: ShipResult[] = [];
  for (const { id, ...parcel } of parcels) {
    const number = numbers.get(id) ?? null;
    const result = await shipOrder(ctx, { orderId: id, ...parcel }).catch((error: unknown) => {
      if (!isLockTimeout(error)) throw error;
      return refuse("The shop is busy with this order right now. Please try again in a moment.");
    });
    if (result === null || number === null) {
      results.push({ id, ok: false, number, reason: "There is no such order." });
    } else {
      results.push({ id, number, ...result });
    }
  }
  return results;
}

/**
 * Marks a parcel as delivered, or without `shipmentId` all parcels. With the last one the order is delivered: the buyer gets an
 * e-mail, and the return period starts.
 */
export async function deliverOrder(
  ctx: ShopContext,
  { orderId, shipmentId }: { orderId: string; shipmentId?: string },
): Promise<ActionResult | null> {
  return withLockedOrder(ctx, orderId, async (tx, { order }) => {
    const { status, fulfilment, shipments: parcels } = order;
    const isOneParcel = shipmentId !== undefined;
    if (fulfilment === null && !isOneParcel) return refuse(notShippedText(parcels.length));
    const open = parcels.filter(
      ({ id, deliveredAt }) => deliveredAt === null && (!isOneParcel || id === shipmentId),
    );
    if (fulfilment?.deliveredAt || (isOneParcel && open.length === 0)) {
      return refuse(
        isOneParcel ? "This parcel has been delivered already." : "This order has been delivered already.",
      );
    }
    if (fulfilment !== null && status !== "shipped" && status !== "partially_refunded") {
      return refuse(statusProblems[status]);
    }
    const now = ctx.now();
    const ids = open.map(({ id }) => id);
    if (ids.length > 0)
      await tx.update(shipments).set({ deliveredAt: now }).where(inArray(shipments.id, ids));
    const isLast = parcels.every(({ id, deliveredAt }) => deliveredAt !== null || ids.includes(id));
    if (fulfilment === null || !isLast) {
      const note = `Parcel ${open[0]?.number ?? 1} delivered`;
      await recordOrderNote(tx, order, { actor: "owner", note, now });
      return { ok: true };
    }
    await transitionOrder(tx, {
      orderId,
      from: status,
      to: "delivered",
      actor: "owner",
      note: null,
      now,
      set: { deliveredAt: now },
    });
    await enqueueDelivered(tx, orderId);
    const { reviews } = await ctx.settings(tx);
    await scheduleReviewRequest(tx, { orderId, runAt: daysAfter(now, reviews.requestAfterDeliveredDays) });
    return { ok: true };
  });
}

function notShippedText(parcels: number): string {
  return parcels === 0
    ? "This order has not been shipped."
    : "Some units of this order are not shipped yet. Mark a parcel as delivered instead.";
}

const statusProblems: Record<OrderStatus, string> = {
  pending: "This order has not been paid.",
  cancelled: "This order was cancelled.",
  refunded: "This order has been refunded in full.",
  completed: "This order has not been shipped.",
  partially_refunded: "This order has not been shipped.",
  shipped: "This order has been shipped already.",
  delivered: "This order has been delivered already.",
};

function daysAfter(at: Date, days: number): Date {
  return new Date(at.getTime() + days * 24 * 60 * 60 * 1000);
}
