import { randomUUID } from "node:crypto";
import { and, eq, inArray } from "drizzle-orm";
import { isOpen, type ReturnDecision } from "../../domain/order-return.ts";
import type { Db } from "../platform/database.ts";
import { type ActionResult, lockForAction, type OrderActionParts, refused } from "./action-parts.ts";
import { lockOrder } from "./lifecycle.ts";
import { orderReturns } from "./tables.ts";

/** Writes down that a buyer wants to send an order back, and tells both sides. The same request again changes nothing. */
export async function requestReturn(
  parts: OrderActionParts,
  { orderId, reason }: { orderId: string; reason: string },
): Promise<ActionResult> {
  return parts.db.transaction(async (tx) => {
    const found = await lockForAction(tx, parts, orderId);
    if (!found) return refused("There is no such order.");
    const { order, may } = found;
    const open = order.returns.find(isOpen);
    if (open?.kind === "return" && open.reason === reason) return { ok: true };
    if (open) return refused("A return of this order has been asked for already.");
    if (may.returnUntil === null) {
      return refused(
        order.fulfilment === null
          ? "This order has not been shipped yet."
          : "This order can’t be returned any more: the time for it is over, or it has been paid back.",
      );
    }
    const returnId = await writeReturn(tx, { orderId, kind: "return", reason, requestedAt: parts.now() });
    await parts.news.returnRequested(tx, { orderId, returnId });
    return { ok: true };
  });
}

/** Answers the return's id. The caller holds the order's lock. */
export async function writeReturn(
  tx: Db,
  entry: Pick<typeof orderReturns.$inferInsert, "orderId" | "kind" | "status" | "reason" | "requestedAt">,
): Promise<string> {
  const id = randomUUID();
  await tx.insert(orderReturns).values({ id, ...entry });
  return id;
}

/** A withdrawal takes the place of a return that was asked for before. The caller holds the order's lock. */
export async function closeOpenReturns(tx: Db, orderId: string, now: Date): Promise<void> {
  await tx
    .update(orderReturns)
    .set({ status: "closed", decidedAt: now, answer: "Replaced by the withdrawal from the contract." })
    .where(and(eq(orderReturns.orderId, orderId), inArray(orderReturns.status, ["requested", "approved"])));
}

/**
 * Books what the owner decided of a request and tells the buyer: requested -> approved or declined, either of the first
 * two -> closed once nothing is left to do. Null: there is no such request.
 */
export async function decideReturn(
  parts: OrderActionParts,
  { returnId, status, answer }: ReturnDecision & { returnId: string },
): Promise<ActionResult | null> {
  return parts.db.transaction(async (tx) => {
    const read = () => tx.select().from(orderReturns).where(eq(orderReturns.id, returnId));
    const [known] = await read();
    // The order first, as everywhere: two that lock the other way round would wait for each other.
    if (known) await lockOrder(tx, known.orderId);
    const [request] = await read();
    if (!request) return null;
    if (request.status === status) return { ok: true };
    if (request.kind === "withdrawal" && status !== "closed") {
      return refused("A withdrawal is the buyer’s right: it needs no approval. Close it once it is settled.");
    }
    if (status === "closed" ? !isOpen(request) : request.status !== "requested") {
      return refused("This request has been decided already.");
    }
    await tx
      .update(orderReturns)
      .set({ status, answer: answer ?? request.answer, decidedAt: parts.now() })
      .where(eq(orderReturns.id, returnId));
    if (status !== "closed") await parts.news.returnDecided(tx, { orderId: request.orderId, returnId });
    return { ok: true };
  });
}
