import { and, eq, gt, ne, sql } from "drizzle-orm";
import * as v from "valibot";
import { isGoingBack } from "../../domain/orders/order-return.ts";
import { uuidSchema } from "../../domain/shared/uuid.ts";
import { shippedKey } from "../order-desk/change-mail.ts";
import { toBuyer } from "../orders/mail.ts";
import type { Mail } from "../outbox/compose.ts";
import { enqueueMessages } from "../outbox/enqueue.ts";
import { messages } from "../outbox/tables.ts";
import type { Db } from "../platform/database/database.ts";
import { returnProblem } from "./parcel.ts";
import { labels } from "./tables.ts";

const labelData = v.object({ labelId: uuidSchema });

/** Sends the buyer the label of a return, once. Call it in the transaction that records the purchase. */
export async function enqueueReturnLabel(
  tx: Db,
  { orderId, labelId }: { orderId: string; labelId: string },
): Promise<void> {
  const dedupeKey = `return_label:${labelId}`;
  await enqueueMessages(tx, [{ kind: "return_label", dedupeKey, orderId, data: { labelId } }]);
}

const minuteMs = 60_000;
/** A problem that ends within this time is not e-mailed. Unsent e-mails alert the operator after 15 minutes. */
const delayedAfterMs = 10 * minuteMs;
/** Time in which another problem of the same parcel is not e-mailed. */
const delayedAgainAfterMs = 7 * 24 * 60 * minuteMs;

/**
 * Notifies the buyer of a problem with a parcel on its way. Call it in the transaction that stores the problem in the label, whose
 * lock makes the second of two simultaneous callers find the first one's message.
 */
export async function enqueueParcelDelayed(
  tx: Db,
  { orderId, labelId, now }: { orderId: string; labelId: string; now: Date },
): Promise<void> {
  const isEarlierMessage = and(
    eq(messages.orderId, orderId),
    eq(messages.kind, "parcel_delayed"),
    eq(sql`${messages.data} ->> 'labelId'`, labelId),
    ne(messages.status, "skipped"),
    gt(messages.createdAt, new Date(now.getTime() - delayedAgainAfterMs)),
  );
  if ((await tx.$count(messages, isEarlierMessage)) > 0) return;
  const dedupeKey = `parcel_delayed:${labelId}:${now.toISOString()}`;
  const message = { kind: "parcel_delayed", dedupeKey, orderId, data: { labelId } } as const;
  await enqueueMessages(tx, [message], new Date(now.getTime() + delayedAfterMs));
}

export const labelMail = {
  parcel_delayed: toBuyer(async ({ db }, order, message) => {
    const { labelId } = v.parse(labelData, message.data);
    const shipment = order.shipments.find(({ id }) => id === labelId);
    const isOver = order.cancelledAt !== null || order.status === "refunded" || isGoingBack(order);
    // The state is null once the parcel has arrived, or if it has another tracking number than the label.
    if (shipment?.tracking?.state !== "exception" || isOver) return "unneeded";
    const isUnannounced = and(eq(messages.dedupeKey, shippedKey(labelId)), eq(messages.status, "queued"));
    // Thrown to be retried.
    if ((await db.$count(messages, isUnannounced)) > 0)
      throw new Error("the e-mail that the parcel was shipped has not been sent yet");
    return { kind: "parcel_delayed", shipment };
  }),
  return_label: toBuyer(async ({ db }, order, message) => {
    const { labelId } = v.parse(labelData, message.data);
    const [label] = await db.select().from(labels).where(eq(labels.id, labelId));
    // The label was voided, or its return settled, before the e-mail was sent.
    if (label?.state !== "bought" || label.returnId === null) return "unneeded";
    return returnProblem(order, label.returnId) === null
      ? { kind: "return_label", carrier: label.carrier }
      : "unneeded";
  }),
} satisfies Mail;
