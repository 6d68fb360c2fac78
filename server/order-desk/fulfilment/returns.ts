import { randomUUID } from "node:crypto";
import { and, eq, inArray, isNotNull, isNull, ne, or } from "drizzle-orm";
import { countUnits } from "../../../domain/orders/order.ts";
import {
  isOpen,
  type ReturnDecision,
  type ReturnKind,
  type ReturnStatus,
} from "../../../domain/orders/order-return.ts";
import type { ShopContext } from "../../context.ts";
import type { Units } from "../../inventory/commands.ts";
import { setOwnerHold } from "../../orders/commands.ts";
import { type LockedOrder, lockOrder } from "../../orders/lifecycle.ts";
import { recordRestock, restockableUnits } from "../../orders/restock.ts";
import { updateShipHold } from "../../orders/ship-hold.ts";
import { orders } from "../../orders/tables.ts";
import { recordOrderEvent } from "../../orders/transition.ts";
import type { Db } from "../../platform/database/database.ts";
import { type ActionResult, orderNotFound, refuse, withLockedOrder } from "../actions.ts";
import { isOpenReturn } from "../admin/queues.ts";
import { enqueueReturnAnswered, enqueueReturnDecided, enqueueReturnRequested } from "../change-mail.ts";
import { ExchangeRefused, endExchanges, lockNewOrders, receiveReturn } from "../exchanges/settle.ts";
import { orderExchanges, orderReturns } from "../tables.ts";

/** Stores a buyer's return request and notifies buyer and owner. Idempotent. */
export async function requestReturn(
  ctx: ShopContext,
  { orderId, reason }: { orderId: string; reason: string },
): Promise<ActionResult> {
  const result = await withLockedOrder<ActionResult>(ctx, orderId, async (tx, { order, may }) => {
    const open = order.returns.find(isOpen);
    if (open?.kind === "return" && open.reason === reason) return { ok: true };
    if (open) return refuse("A return of this order has already been requested.");
    if (may.returnUntil === null) {
      return refuse(
        order.fulfilment === null
          ? "This order has not been shipped yet."
          : "This order can no longer be returned: the period is over, or it has been refunded.",
      );
    }
    const returnId = await writeReturn(tx, { orderId, kind: "return", reason, requestedAt: ctx.now() });
    await enqueueReturnRequested(tx, { orderId, returnId });
    return { ok: true };
  });
  return result ?? orderNotFound;
}

/** Returns the id of the new row. The caller holds the order's lock. */
export async function writeReturn(
  tx: Db,
  entry: Pick<
    typeof orderReturns.$inferInsert,
    "orderId" | "kind" | "status" | "reason" | "requestedAt" | "decidedAt" | "answer"
  >,
): Promise<string> {
  const id = randomUUID();
  await tx.insert(orderReturns).values({ id, ...entry });
  return id;
}

/** Closes open returns, which a withdrawal replaces. The caller holds the order's lock. */
export async function closeOpenReturns(tx: Db, orderId: string, now: Date): Promise<void> {
  await tx
    .update(orderReturns)
    .set({ status: "closed", decidedAt: now, answer: "Replaced by the withdrawal from the contract." })
    .where(and(eq(orderReturns.orderId, orderId), inArray(orderReturns.status, ["requested", "approved"])));
  await endExchanges(tx, [orderId]);
}

/** Puts the unshipped units of an order on hold if its buyer has withdrawn from it. The caller holds the order's lock. */
export async function holdWithdrawn(
  tx: Db,
  { id: orderId, status }: Pick<LockedOrder, "id" | "status">,
  now: Date,
): Promise<void> {
  const isWithdrawal = and(
    eq(orderReturns.orderId, orderId),
    eq(orderReturns.kind, "withdrawal"),
    isOpenReturn,
  );
  if (status === "refunded" || (await tx.$count(orderReturns, isWithdrawal)) === 0) return;
  const isUnshipped = and(eq(orders.id, orderId), isNull(orders.shippedAt), isNull(orders.heldAt));
  if ((await tx.$count(orders, isUnshipped)) === 0) return;
  const holdReason = "The buyer has withdrawn from this order";
  await setOwnerHold(tx, orderId, { heldAt: now, holdReason });
  const note = `Put on hold: ${holdReason}`;
  await recordOrderEvent(tx, { orderId, to: status, actor: "system", note, now });
  await updateShipHold(tx, orderId);
}

/** Whether this return belongs to the order and is open. The caller holds the order's lock. */
export async function hasOpenReturn(tx: Db, orderId: string, returnId: string): Promise<boolean> {
  const isOpenOrderReturn = and(
    eq(orderReturns.id, returnId),
    eq(orderReturns.orderId, orderId),
    isOpenReturn,
  );
  return (await tx.$count(orderReturns, isOpenOrderReturn)) > 0;
}

/** Whether an exchange waits for this return, and would be settled by its arrival. The caller holds the order's lock. */
export async function isPartOfExchange(tx: Db, returnId: string): Promise<boolean> {
  const [exchange] = await tx
    .select({ id: orderExchanges.id })
    .from(orderExchanges)
    .innerJoin(orders, eq(orders.id, orderExchanges.newOrderId))
    .where(
      and(
        eq(orderExchanges.returnId, returnId),
        isNull(orderExchanges.receivedAt),
        or(ne(orders.status, "cancelled"), isNotNull(orders.cancelledAt)),
      ),
    )
    .limit(1);
  return exchange !== undefined;
}

/** Closes a return whose goods have arrived and are refunded. The caller holds the order's lock. */
export async function closeReturn(tx: Db, returnId: string, now: Date): Promise<void> {
  await tx
    .update(orderReturns)
    .set({ status: "closed", decidedAt: now })
    .where(eq(orderReturns.id, returnId));
}

/** `number` is the order's number. */
type DecisionResult =
  | { ok: true; orderId: string; number: number; kind: ReturnKind; status: ReturnStatus }
  | { ok: false; reason: string };

/**
 * Records the owner's decision on a return request. If it is approved or declined, the buyer is notified; if it is closed, only
 * the owner's text, if any, is e-mailed. Without `status` the owner only writes to the buyer, for example where to send the goods
 * of a withdrawal, which needs no approval. Null if there is no such request.
 */
export async function decideReturn(
  ctx: ShopContext,
  { returnId, ...decision }: ReturnDecision & { returnId: string },
): Promise<DecisionResult | null> {
  const result = ctx.db.transaction(async (tx) => {
    const readRequest = () => tx.select().from(orderReturns).where(eq(orderReturns.id, returnId));
    const [unlocked] = await readRequest();
    // As everywhere, orders are locked before the return, to avoid deadlocks.
    if (unlocked) {
      await lockNewOrders(tx, returnId);
      await lockOrder(tx, unlocked.orderId);
    }
    const [request] = await readRequest();
    if (!request) return null;
    const reason = await decide(ctx, tx, request, decision);
    if (reason !== null) return { ok: false as const, reason };
    const [order] = await tx
      .select({ number: orders.number })
      .from(orders)
      .where(eq(orders.id, request.orderId));
    const { orderId, kind } = request;
    return {
      ok: true as const,
      orderId,
      kind,
      number: order?.number ?? 0,
      status: decision.status ?? request.status,
    };
  });
  try {
    return await result;
  } catch (error) {
    if (error instanceof ExchangeRefused) return { ok: false, reason: error.message };
    throw error;
  }
}

type Request = typeof orderReturns.$inferSelect;

/** Applies the decision. Returns null, or why it is impossible. Idempotent. */
async function decide(
  ctx: ShopContext,
  tx: Db,
  request: Request,
  { status, answer, restock }: ReturnDecision,
): Promise<string | null> {
  const { id: returnId, orderId } = request;
  if (status === undefined) {
    if (!isOpen(request)) return "This request has been settled: write to the buyer by email instead.";
    if (request.answer === answer) return null;
    await tx.update(orderReturns).set({ answer }).where(eq(orderReturns.id, returnId));
    await enqueueReturnAnswered(tx, { orderId, returnId });
    return null;
  }
  if (request.status === status) return null;
  if (request.kind === "withdrawal" && status !== "closed") {
    return "A withdrawal is the buyer’s right: it needs no approval. Close it once it is settled.";
  }
  if (status === "closed" ? !isOpen(request) : request.status !== "requested") {
    return "This request has been decided already.";
  }
  const received = status === "closed" ? await receiveReturn(ctx, tx, returnId) : [];
  if (restock && received.length === 0) throw new ExchangeRefused(unknownUnits);
  await tx
    .update(orderReturns)
    .set({ status, answer: answer ?? request.answer, decidedAt: ctx.now() })
    .where(eq(orderReturns.id, returnId));
  if (status !== "closed") await enqueueReturnDecided(tx, { orderId, returnId });
  else if (answer && answer !== request.answer) await enqueueReturnAnswered(tx, { orderId, returnId });
  if (restock) await restockReceived(tx, orderId, { received, now: ctx.now() });
  return null;
}

const unknownUnits =
  "No exchange waits for this return, so the shop doesn’t know which units came back. Close it without `restock`, and put them back with the order’s restock call or a refund.";

/** Returns received units to stock, except those that were restocked before. The caller holds the order's lock. */
async function restockReceived(
  tx: Db,
  orderId: string,
  { received, now }: { received: readonly Units[]; now: Date },
): Promise<void> {
  const order = await lockOrder(tx, orderId);
  const restockable = order && (await restockableUnits(tx, order, "all"));
  if (!order || !restockable?.ok) return;
  const units = restockable.units.flatMap(({ productId, quantity }) => {
    const receivedCount = countUnits(received.filter((line) => line.productId === productId));
    return receivedCount === 0 ? [] : [{ productId, quantity: Math.min(quantity, receivedCount) }];
  });
  await recordRestock(tx, order, units, now);
}
