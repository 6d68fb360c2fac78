import { and, desc, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { Restock } from "../../domain/orders/admin-order.ts";
import { canTransition } from "../../domain/orders/order-status.ts";
import { returnToStock, type Units } from "../inventory/commands.ts";
import { orderReturns, shipments } from "../order-desk/tables.ts";
import type { Db } from "../platform/database/database.ts";
import type { LockedOrder } from "./lifecycle.ts";
import { orderLines, orders } from "./tables.ts";
import { hasBeenCompleted, recordOrderNote, transitionOrder } from "./transition.ts";

/** Restockable units, or messages by path of the request's invalid fields. */
export type RestockableUnits = { ok: true; units: Units[] } | { ok: false; fields: Record<string, string> };

/**
 * The units of a restock request, if all of them were sold and have not been restocked. Changes nothing. The caller holds the
 * order's lock.
 */
export async function restockableUnits(
  tx: Db,
  order: LockedOrder,
  request: Restock,
): Promise<RestockableUnits> {
  // An order that was never completed has taken no units from stock.
  const soldUnits = (await hasBeenCompleted(tx, order.id)) ? await readRestockable(tx, order.id) : [];
  if (request === "all") return { ok: true, units: soldUnits };
  const fields: Record<string, string> = {};
  for (const [index, { productId, quantity }] of request.entries()) {
    const available = soldUnits.find((unit) => unit.productId === productId)?.quantity ?? 0;
    if (quantity > available) fields[`restock.${index}.quantity`] = tooManyText(available);
  }
  return Object.keys(fields).length > 0 ? { ok: false, fields } : { ok: true, units: [...request] };
}

/**
 * Records units from `restockableUnits` as restocked. If none is left to ship, the order is closed for shipping. The caller holds
 * the order's lock, and calls this last, because every other order waits for the locks on stock.
 */
export async function recordRestock(
  tx: Db,
  order: LockedOrder,
  units: readonly Units[],
  now: Date,
): Promise<void> {
  if (units.length === 0) return;
  const { id: orderId } = order;
  const list = sql`select "productId" as product_id, quantity
    from json_to_recordset(${JSON.stringify(units)}::json) as unit("productId" int, quantity int)`;
  await tx.execute(sql`
    update ${orderLines} set returned_quantity = returned_quantity + unit.quantity from (${list}) as unit
    where order_id = ${orderId} and ${orderLines.productId} = unit.product_id`);
  await closeWhenAllRestocked(tx, order, now);
  await closeWhenUnshippedRestocked(tx, orderId, now);
  await returnToStock(tx, orderId, list);
}

async function closeWhenAllRestocked(tx: Db, order: LockedOrder, now: Date): Promise<void> {
  const hasRestockable = sql`exists (select from ${orderLines} where order_id = orders.id and returned_quantity < quantity)`;
  const { rowCount } = await tx
    .update(orders)
    .set({ allBackAt: now })
    .where(and(eq(orders.id, order.id), isNull(orders.allBackAt), sql`not ${hasRestockable}`));
  if (rowCount === 0 || order.shippedAt !== null || order.cancelledAt !== null) return;
  const note = "Nothing is left to ship: all units were restocked";
  await recordOrderNote(tx, order, { actor: "owner", note, now });
}

/**
 * After a parcel was undone, counts restocked units as never shipped, so that they are not shipped again. Without a return, the
 * restocked units must be that parcel's; with a return, units of other parcels are assumed to have come back first. The caller
 * holds the order's lock.
 */
export async function recountRestocked(tx: Db, orderId: string, now: Date): Promise<void> {
  await tx.execute(sql`
    update ${orderLines} set restocked_unshipped_quantity = greatest(restocked_unshipped_quantity, least(quantity - shipped_quantity,
      returned_quantity - case when exists (select from ${orderReturns} as r where r.order_id = ${orderId} and r.status <> 'declined')
        then shipped_quantity else 0 end))
    where order_id = ${orderId} and returned_quantity > 0`);
  await closeWhenUnshippedRestocked(tx, orderId, now);
}

/** Marks a partly shipped order as shipped once its unshipped units are restocked. */
async function closeWhenUnshippedRestocked(tx: Db, orderId: string, now: Date): Promise<void> {
  const hasUnitsToShip = sql`exists (select from ${orderLines} where order_id = orders.id
    and quantity > shipped_quantity + restocked_unshipped_quantity)`;
  const [order] = await tx
    .select({ status: orders.status })
    .from(orders)
    .where(
      and(
        eq(orders.id, orderId),
        isNotNull(orders.partlyShippedAt),
        isNull(orders.shippedAt),
        sql`not ${hasUnitsToShip}`,
      ),
    );
  const [last] = await tx
    .select()
    .from(shipments)
    .where(eq(shipments.orderId, orderId))
    .orderBy(desc(shipments.number))
    .limit(1);
  if (!order || !last) return;
  const { carrier, trackingNumber, shippedAt } = last;
  const set = { carrier, trackingNumber, shippedAt };
  const event = { orderId, from: order.status, actor: "owner", note: "The rest was restocked", now } as const;
  if (canTransition(order.status, "shipped")) await transitionOrder(tx, { ...event, to: "shipped", set });
  else await tx.update(orders).set(set).where(eq(orders.id, orderId));
}

async function readRestockable(tx: Db, orderId: string): Promise<Units[]> {
  const lines = await tx
    .select({
      productId: orderLines.productId,
      quantity: sql<number>`${orderLines.quantity} - ${orderLines.returnedQuantity}`,
    })
    .from(orderLines)
    .where(eq(orderLines.orderId, orderId))
    .orderBy(orderLines.position);
  return lines.filter(({ quantity }) => quantity > 0);
}

function tooManyText(left: number): string {
  if (left === 0) return "All units of this product have been restocked";
  return `At most ${left} ${left === 1 ? "unit" : "units"} can be restocked`;
}
