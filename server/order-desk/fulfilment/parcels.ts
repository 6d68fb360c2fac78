import { and, desc, eq, inArray, sql } from "drizzle-orm";
import { nothingShipped } from "../../../domain/disputes/dispute.ts";
import type { Parcel, UsedTracking } from "../../../domain/orders/admin-order.ts";
import type { Order } from "../../../domain/orders/order.ts";
import { statusAfterRefunds } from "../../../domain/orders/order-status.ts";
import { compactTracking } from "../../../domain/orders/tracking.ts";
import type { ShopContext } from "../../context.ts";
import { disputes } from "../../disputes/tables.ts";
import { addToIssues } from "../../issues/issues.ts";
import { labels } from "../../labels/tables.ts";
import { setLastParcel } from "../../orders/commands.ts";
import type { LockedOrder } from "../../orders/lifecycle.ts";
import { recountRestocked } from "../../orders/restock.ts";
import { orders } from "../../orders/tables.ts";
import { recordOrderEvent, recordOrderNote, transitionOrder } from "../../orders/transition.ts";
import { withdrawMessage } from "../../outbox/enqueue.ts";
import type { Db } from "../../platform/database/database.ts";
import { type ActionResult, refuse, withLockedOrder } from "../actions.ts";
import { enqueueParcelCorrected, shippedKey } from "../change-mail.ts";
import { shipments } from "../tables.ts";
import { holdWithdrawn } from "./returns.ts";

/**
 * Corrects the carrier and tracking number of a parcel, the last one if there is no `shipmentId`. E-mails the buyer unless the
 * parcel has arrived.
 */
export async function correctParcel(
  ctx: ShopContext,
  { orderId, shipmentId, ...parcel }: Parcel & { orderId: string; shipmentId?: string },
): Promise<ActionResult | null> {
  return withLockedOrder(ctx, orderId, async (tx, { order }) => {
    const shipment = findShipment(order, shipmentId);
    if (!shipment) return refuse("This order has not been shipped.");
    if (order.erasedAt !== null)
      return refuse("The buyer’s data of this order was deleted at their request.");
    const { carrier, trackingNumber } = parcel;
    if (shipment.carrier === carrier && shipment.trackingNumber === trackingNumber) return { ok: true };
    await tx.update(shipments).set(parcel).where(eq(shipments.id, shipment.id));
    if (order.fulfilment !== null && shipment.id === order.shipments.at(-1)?.id) {
      await setLastParcel(tx, orderId, parcel);
    }
    const note = `Tracking corrected: ${[carrier, trackingNumber].filter(Boolean).join(" ")}`;
    await recordOrderNote(tx, order, { actor: "owner", note, now: ctx.now() });
    if (shipment.deliveredAt === null) await enqueueParcelCorrected(tx, { orderId, shipmentId: shipment.id });
    return { ok: true };
  });
}

function findShipment({ shipments: parcels }: Order, id: string | undefined) {
  return id === undefined ? parcels.at(-1) : parcels.find((parcel) => parcel.id === id);
}

/** Time after shipping during which a parcel can be undone if its e-mail has not been sent. */
const undoMs = 60_000;

/** Undoes a shipped parcel and withdraws its e-mail, unless that has been sent. Null if there is no such order. */
export async function undoShipping(
  ctx: ShopContext,
  { orderId, shipmentId }: { orderId: string; shipmentId: string },
): Promise<ActionResult | null> {
  return withLockedOrder(ctx, orderId, async (tx, target) => {
    const { order } = target;
    const parcel = order.shipments.find(({ id }) => id === shipmentId);
    // It was undone by an earlier call.
    if (!parcel) return { ok: true };
    const now = ctx.now();
    const otherParcels = order.shipments.filter(({ id }) => id !== shipmentId);
    if (otherParcels.some(({ number }) => number > parcel.number)) {
      return refuse("Another parcel of this order has been shipped since: this one can’t be undone anymore.");
    }
    if ((await tx.$count(labels, eq(labels.id, shipmentId))) > 0) {
      return refuse("This parcel has a label. Void the label instead: that also undoes the parcel.");
    }
    const message = await withdrawMessage(tx, shippedKey(shipmentId));
    const isTooLate = now.getTime() - Date.parse(parcel.shippedAt) > undoMs || parcel.deliveredAt !== null;
    if (message === "gone" || isTooLate) {
      return refuse("It is too late to undo this: the customer has been told. Correct the tracking instead.");
    }
    const note = `Parcel ${parcel.number} undone: it was marked as shipped by mistake`;
    await removeParcel(ctx, tx, target, { shipmentId, note });
    return { ok: true };
  });
}

/** Removes a shipped parcel, so that its units must be shipped again. The caller holds the order's lock. */
export async function removeParcel(
  ctx: ShopContext,
  tx: Db,
  { order, locked }: { order: Order; locked: LockedOrder },
  { shipmentId, note }: { shipmentId: string; note: string },
): Promise<void> {
  const orderId = order.id;
  await tx.delete(shipments).where(eq(shipments.id, shipmentId));
  const last = order.shipments.filter(({ id }) => id !== shipmentId).at(-1);
  const before = { carrier: last?.carrier ?? null, trackingNumber: last?.trackingNumber ?? null };
  const status = order.status;
  const event = { orderId, actor: "owner", note, now: ctx.now() } as const;
  // A replacement has nothing to pay and counts as paid.
  const unshippedStatus =
    locked.payableCents === 0
      ? "completed"
      : statusAfterRefunds({ ...locked, shippedAt: null, wasCompleted: true });
  const to = order.fulfilment === null ? status : unshippedStatus;
  if (to !== status) await transitionOrder(tx, { ...event, from: status, to });
  else await recordOrderEvent(tx, { ...event, from: status, to });
  await setLastParcel(tx, orderId, {
    ...before,
    ...(order.fulfilment !== null && { shippedAt: null }),
    ...(!last && { partlyShippedAt: null }),
  });
  if (!last) await addNothingShipped(tx, orderId);
  await recountRestocked(tx, orderId, event.now);
  await holdWithdrawn(tx, { id: orderId, status: to }, event.now);
}

/** Adds the sentence "nothing has shipped", which shipping had removed, to the issues of disputes that are not answered yet. */
async function addNothingShipped(tx: Db, orderId: string): Promise<void> {
  const waiting = await tx
    .select({ id: disputes.id })
    .from(disputes)
    .where(and(eq(disputes.orderId, orderId), eq(disputes.status, "needs_response")));
  await addToIssues(tx, { kind: "dispute", subjects: waiting.map(({ id }) => id), text: nothingShipped });
}

/** The tracking numbers that are already in use, each with the order of its latest parcel. */
export async function findUsedTracking(db: Db, numbers: readonly string[]): Promise<UsedTracking[]> {
  const uniqueNumbers = [...new Set(numbers.map(compactTracking))].filter(Boolean);
  if (uniqueNumbers.length === 0) return [];
  // The same expression as in the index (tables.ts), so that PostgreSQL uses it.
  const compact = sql<string>`upper(translate(${shipments.trackingNumber}, ' -', ''))`;
  const rows = await db
    .selectDistinctOn([compact], { compact, orderId: orders.id, number: orders.number })
    .from(shipments)
    .innerJoin(orders, eq(orders.id, shipments.orderId))
    .where(inArray(compact, uniqueNumbers))
    .orderBy(compact, desc(shipments.shippedAt));
  const used = new Map(rows.map((row) => [row.compact, row]));
  return numbers.flatMap((trackingNumber) => {
    const row = used.get(compactTracking(trackingNumber));
    return row ? [{ trackingNumber, orderId: row.orderId, number: row.number }] : [];
  });
}
