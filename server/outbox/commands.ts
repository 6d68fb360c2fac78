import type { KeptOrder } from "../../domain/privacy/erasure.ts";
import type { Lookup } from "../orders/lookup.ts";
import type { Db } from "../platform/database.ts";
import { enqueueMessages } from "./enqueue.ts";

/**
 * Tells the buyer and the owner of a paid order, once; the owner by text too where `textTo` is a number (+1…). Call it
 * in the transaction that books the payment.
 */
export async function announceOrderPaid(
  tx: Db,
  orderId: string,
  textTo: string | null = null,
): Promise<void> {
  await enqueueMessages(tx, [
    { kind: "order_confirmation", dedupeKey: `order_confirmation:${orderId}`, orderId },
    { kind: "owner_new_order", dedupeKey: `owner_new_order:${orderId}`, orderId },
    ...(textTo === null
      ? []
      : [
          {
            kind: "owner_order_text",
            dedupeKey: `owner_order_text:${orderId}`,
            orderId,
            recipient: textTo,
          } as const,
        ]),
  ]);
}

/** Tells the owner by e-mail of an order whose text did not arrive, once per text. */
export async function announceTextFailed(
  tx: Db,
  { id, orderId }: { id: string; orderId: string | null },
  reason: string,
): Promise<void> {
  if (orderId === null) return;
  await enqueueMessages(tx, [
    { kind: "owner_text_failed", dedupeKey: `owner_text_failed:${id}`, orderId, data: { reason } },
  ]);
}

/** Tells the owner of a review that is new or was changed: once a day at most for each. */
export async function announceReview(tx: Db, review: { id: number; at: Date }): Promise<void> {
  const day = review.at.toISOString().slice(0, 10);
  await enqueueMessages(tx, [
    {
      kind: "owner_review",
      dedupeKey: `owner_review:${review.id}:${day}`,
      data: { reviewId: String(review.id) },
    },
  ]);
}

/** Sends what the owner answered to a contact message. */
export async function announceContactReply(
  tx: Db,
  reply: { replyId: string; messageId: string; email: string },
): Promise<void> {
  const { replyId, messageId, email } = reply;
  await enqueueMessages(tx, [
    {
      kind: "contact_reply",
      dedupeKey: contactReplyKey(replyId),
      recipient: email,
      data: { messageId, replyId },
    },
  ]);
}

export const contactReplyKey = (replyId: string) => `contact_reply:${replyId}`;

/** Tells the owner about an issue, once per kind and subject. */
export async function enqueueIssue(
  tx: Db,
  issue: { kind: string; subject: string; orderId: string | null; message: string; url?: string | null },
): Promise<void> {
  await enqueueMessages(tx, [
    {
      kind: "owner_attention",
      dedupeKey: `owner_attention:${issue.kind}:${issue.subject}`,
      orderId: issue.orderId,
      data: { message: issue.message, ...(issue.url ? { url: issue.url } : {}) },
    },
  ]);
}

/** Sends a link that proves its reader's address. */
export async function announceLookup(tx: Db, lookup: Lookup): Promise<void> {
  await enqueueMessages(tx, [
    {
      kind: lookupKinds[lookup.purpose],
      dedupeKey: `order_lookup:${lookup.lookupId}`,
      recipient: lookup.email,
      data: { token: lookup.token, expiresAt: lookup.expiresAt.toISOString() },
    },
  ]);
}

const lookupKinds = { orders: "order_lookup", export: "data_export", deletion: "data_deletion" } as const;

/** Tells a person how far the deletion of their data is; `kept` is what still has to wait. */
export async function announceDeletion(
  tx: Db,
  deletion: { requestId: number; email: string; kept: readonly KeptOrder[] },
): Promise<void> {
  const { requestId, email, kept } = deletion;
  const state = kept.length > 0 ? "begun" : "finished";
  await enqueueMessages(tx, [
    {
      kind: "data_deleted",
      dedupeKey: `data_deleted:${requestId}:${state}`,
      recipient: email,
      data: { kept: JSON.stringify(kept) },
    },
  ]);
}

/** Tells the owner of a contact message and, where `isAnswered`, its sender that it has arrived. */
export async function announceContactMessage(
  tx: Db,
  { messageId, email, isAnswered }: { messageId: string; email: string; isAnswered: boolean },
): Promise<void> {
  const data = { messageId };
  await enqueueMessages(tx, [
    { kind: "owner_contact", dedupeKey: `owner_contact:${messageId}`, data },
    ...(isAnswered
      ? [
          {
            kind: "contact_receipt",
            dedupeKey: `contact_receipt:${messageId}`,
            recipient: email,
            data,
          } as const,
        ]
      : []),
  ]);
}

/** Sends a cart to the shopper who asked for it, once per `occasion`. `restore` is the secret in its link. */
export async function announceCartReminder(
  tx: Db,
  reminder: { reminderId: string; email: string; occasion: string; restore: string },
): Promise<void> {
  await enqueueMessages(tx, [
    {
      kind: "cart_reminder",
      dedupeKey: `cart_reminder:${reminder.reminderId}:${reminder.occasion}`,
      recipient: reminder.email,
      data: { reminderId: reminder.reminderId, restore: reminder.restore },
    },
  ]);
}
