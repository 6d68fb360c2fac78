import { createHash } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import type { Order } from "../../domain/orders/order.ts";
import { isParcelExpected } from "../../domain/orders/order-return.ts";
import type { ShopContext } from "../context.ts";
import type { LabelCarrier } from "../label-providers/carrier.ts";
import { readUnitsToShip } from "../order-desk/actions.ts";
import { shippingProblem } from "../order-desk/fulfilment/shipping.ts";
import { findOrder } from "../orders/queries.ts";
import { orderLines, orders } from "../orders/tables.ts";
import type { Db } from "../platform/database/database.ts";
import { notFoundProblem, type Problem, problem } from "../platform/http/problem.ts";
import { carriersFor } from "./carriers.ts";

/** An order whose parcel can get a label, with the carriers that may sell it. */
export type ParcelOfOrder = {
  order: Order;
  carriers: LabelCarrier[];
  lines: { productId: number; name: string; quantity: number }[];
  /** The return whose parcel it is; null if the parcel goes to the buyer. */
  returnId: string | null;
};

/**
 * The parcel to label, which is the order's next parcel or, with `returnId`, the buyer's return; or why it gets no label. A ship
 * hold is checked when the label is bought.
 */
export async function readOrderParcel(
  ctx: ShopContext,
  db: Db,
  orderId: string,
  returnId: string | null = null,
): Promise<ParcelOfOrder | Problem> {
  const order = await findOrder(db, orderId);
  if (!order) return notFoundProblem("order");
  const refusal = returnId === null ? shippingProblem(order) : returnProblem(order, returnId);
  if (refusal !== null) return problem("invalid_state", refusal);
  const lines = await (returnId === null ? readUnitsToShip(db, orderId) : unitsAtBuyer(db, orderId));
  if (lines.length === 0) {
    const what = returnId === null ? "left to ship" : "with its buyer";
    return problem("invalid_state", `Nothing of this order is ${what}.`);
  }
  if (order.shipping === null) {
    const message =
      "This order’s address is one line, which carriers do not take. The owner or staff must first enter its parts under “Edit details”.";
    return problem("invalid_state", message);
  }
  const [row] = await db.select({ mode: orders.mode }).from(orders).where(eq(orders.id, orderId));
  const carriers = carriersFor(ctx, row?.mode ?? null);
  if ("problem" in carriers) return carriers;
  return { order, carriers, lines, returnId };
}

/** Why a return gets no label; null if it can get one. */
export function returnProblem({ returns }: Order, returnId: string): string | null {
  const request = returns.find(({ id }) => id === returnId);
  if (!request) return "There is no such return of this order.";
  if (isParcelExpected(request)) return null;
  return request.status === "requested"
    ? "Approve this return before you send its label."
    : "This return has been settled: it needs no label.";
}

/** Units that were shipped and not returned. A return does not list its units, so all of them are expected. */
async function unitsAtBuyer(db: Db, orderId: string): Promise<ParcelOfOrder["lines"]> {
  const { productId, name, shippedQuantity, returnedQuantity, restockedUnshippedQuantity } = orderLines;
  const quantity = sql<number>`${shippedQuantity} - (${returnedQuantity} - ${restockedUnshippedQuantity})`;
  const rows = await db
    .select({ productId, name, quantity })
    .from(orderLines)
    .where(eq(orderLines.orderId, orderId))
    .orderBy(orderLines.position);
  return rows.filter((line) => line.quantity > 0);
}

/** Hash of the parcel's address and contents. */
export function parcelHash({ order: { customerName, shipping }, lines, returnId }: ParcelOfOrder): string {
  return createHash("sha256")
    .update(JSON.stringify([customerName, shipping, lines, returnId]))
    .digest("base64url");
}
