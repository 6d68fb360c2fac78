import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import type { WithdrawalStatement } from "../orders/news.ts";
import { orders } from "../orders/tables.ts";
import type { Db } from "../platform/database.ts";
import { enqueueMessages } from "./enqueue.ts";

/** Tells the buyer that the parcel is on its way. Like all here, inside the transaction that makes it true. */
export async function announceShipped(tx: Db, orderId: string): Promise<void> {
  await enqueueMessages(tx, [{ kind: "order_shipped", dedupeKey: `order_shipped:${orderId}`, orderId }]);
}

/** Tells the buyer by which number the parcel can really be followed, anew with every correction. */
export async function announceParcelCorrected(tx: Db, { orderId }: { orderId: string }): Promise<void> {
  const dedupeKey = `parcel_corrected:${randomUUID()}`;
  await enqueueMessages(tx, [{ kind: "parcel_corrected", dedupeKey, orderId }]);
}

/** Sends the confirmation again, each time it is asked for. */
export async function announceConfirmationCopy(tx: Db, { orderId }: { orderId: string }): Promise<void> {
  const dedupeKey = `order_confirmation_copy:${randomUUID()}`;
  await enqueueMessages(tx, [{ kind: "order_confirmation_copy", dedupeKey, orderId }]);
}

/** Tells the buyer that an order is cancelled and, where the buyer did it, the owner. */
export async function announceCancelled(
  tx: Db,
  order: { orderId: string; refundCents: number; by: "buyer" | "shop"; reason: string | null },
): Promise<void> {
  const { orderId, by, reason } = order;
  const data = { refundCents: String(order.refundCents) };
  await enqueueMessages(tx, [
    {
      kind: "order_called_off",
      dedupeKey: `order_called_off:${orderId}`,
      orderId,
      data: { ...data, by, ...(reason === null ? {} : { reason }) },
    },
    ...(by === "shop"
      ? []
      : [
          {
            kind: "owner_order_change",
            dedupeKey: `owner_order_change:called_off:${orderId}`,
            orderId,
            data: { ...data, change: "called_off" },
          } as const,
        ]),
  ]);
}

/** Tells the buyer that money has gone back, once per refund. */
export async function announceRefunded(
  tx: Db,
  { orderId, refundId }: { orderId: string; refundId: string },
): Promise<void> {
  await enqueueMessages(tx, [
    { kind: "refund_sent", dedupeKey: `refund_sent:${refundId}`, orderId, data: { refundId } },
  ]);
}

/** Tells both sides that a return was asked for. */
export async function announceReturnRequested(
  tx: Db,
  { orderId, returnId }: { orderId: string; returnId: string },
): Promise<void> {
  await enqueueMessages(tx, [
    { kind: "return_requested", dedupeKey: `return_requested:${returnId}`, orderId, data: { returnId } },
    {
      kind: "owner_order_change",
      dedupeKey: `owner_order_change:${returnId}`,
      orderId,
      data: { returnId, change: "return" },
    },
  ]);
}

/** Tells the buyer what was decided of a return. */
export async function announceReturnDecided(
  tx: Db,
  { orderId, returnId }: { orderId: string; returnId: string },
): Promise<void> {
  await enqueueMessages(tx, [
    { kind: "return_decided", dedupeKey: `return_decided:${returnId}`, orderId, data: { returnId } },
  ]);
}

/** Sends the buyer what the owner wrote about a request, anew with every text. */
export async function announceReturnAnswered(
  tx: Db,
  { orderId, returnId }: { orderId: string; returnId: string },
): Promise<void> {
  const dedupeKey = `return_answered:${returnId}:${randomUUID()}`;
  await enqueueMessages(tx, [{ kind: "return_answered", dedupeKey, orderId, data: { returnId } }]);
}

/**
 * Acknowledges a withdrawal where the buyer asked for it, and to the order's own address too: whoever declared it, that
 * one must know. Tells the owner.
 */
export async function announceWithdrawn(tx: Db, statement: WithdrawalStatement): Promise<void> {
  const { orderId, returnId, name, email, at, refundCents } = statement;
  const data = {
    name,
    declaredAt: at.toISOString(),
    refundCents: refundCents === null ? "" : String(refundCents),
  };
  const [order] = await tx.select({ email: orders.email }).from(orders).where(eq(orders.id, orderId));
  const addresses = new Set([email, ...(order ? [order.email] : [])]);
  await enqueueMessages(tx, [
    ...[...addresses].map((recipient, position) => ({
      kind: "withdrawal_received" as const,
      dedupeKey: `withdrawal_received:${returnId}:${position}`,
      recipient,
      orderId,
      data,
    })),
    {
      kind: "owner_order_change",
      dedupeKey: `owner_order_change:${returnId}`,
      orderId,
      data: { ...data, change: "withdrawal" },
    },
  ]);
}
