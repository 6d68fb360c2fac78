import * as v from "valibot";
import { orderStatuses } from "../orders/order-status.ts";
import { messageStatuses } from "../outbox/outbox.ts";
import { changeIdSchema } from "../shared/uuid.ts";
import { type ContactSubject, contactSubjects, type Suspicion, suspicions } from "./contact.ts";

export const maxContactReplyLength = 10_000;

/** Body of `POST /api/admin/messages/{id}/reply`. */
export const contactReplySchema = v.object({
  text: v.pipe(
    v.string("Write your answer first"),
    v.trim(),
    v.minLength(1, "Write your answer first"),
    v.maxLength(maxContactReplyLength, `At most ${maxContactReplyLength} characters`),
  ),
  replyId: changeIdSchema,
  /** Whether to mark the message as done. */
  done: v.optional(v.boolean("true or false"), false),
});

/** Delivery of the owner's latest answer. `kept`: stored, because there is no mail server; `failed`: for good. */
const replyStates = ["waits", "sent", "kept", "failed"] as const;
export type ReplyState = (typeof replyStates)[number];

/** A message in the owner's inbox. Times in ISO 8601. */
export const inboxMessageSchema = v.object({
  id: v.string(),
  reference: v.string(),
  name: v.string(),
  email: v.string(),
  subject: v.picklist(Object.keys(contactSubjects) as ContactSubject[]),
  message: v.string(),
  suspicion: v.nullable(v.picklist(suspicions)),
  status: v.picklist(["open", "done"]),
  createdAt: v.string(),
  readAt: v.nullable(v.string()),
  /** When the owner last answered it from the panel. */
  answeredAt: v.nullable(v.string()),
  /** Null if it was not answered. */
  reply: v.nullable(v.picklist(replyStates)),
});
export type InboxMessage = v.InferOutput<typeof inboxMessageSchema>;

/** One e-mail to the sender with its delivery state. */
const threadMailSchema = v.object({
  id: v.string(),
  status: v.picklist(messageStatuses),
  attempts: v.number(),
  lastError: v.nullable(v.string()),
});
export type ThreadMail = v.InferOutput<typeof threadMailSchema>;

export const inboxThreadSchema = v.object({
  ...inboxMessageSchema.entries,
  /** The automatic answer; null if none was sent. */
  receipt: v.nullable(threadMailSchema),
  /** Oldest first. */
  replies: v.array(
    v.object({
      id: v.string(),
      text: v.string(),
      createdAt: v.string(),
      mail: v.nullable(threadMailSchema),
    }),
  ),
  /** The customer with the sender's address; null if there is none. */
  customer: v.nullable(
    v.object({ id: v.number(), name: v.string(), orders: v.number(), valueCents: v.number() }),
  ),
  /** Latest orders of the sender, over all merged addresses. */
  orders: v.array(
    v.object({
      id: v.string(),
      number: v.number(),
      status: v.picklist(orderStatuses),
      createdAt: v.string(),
    }),
  ),
});
export type InboxThread = v.InferOutput<typeof inboxThreadSchema>;

const inboxCountsSchema = v.object({
  /** Open messages not suspected to be automatic, and how many of them are unread. */
  open: v.number(),
  unread: v.number(),
  /** Open messages suspected to be automatic. */
  suspicious: v.number(),
});
export type InboxCounts = v.InferOutput<typeof inboxCountsSchema>;

/** Response of `GET /api/admin/messages`. */
export const inboxPageSchema = v.object({
  data: v.array(inboxMessageSchema),
  nextCursor: v.nullable(v.string()),
  counts: inboxCountsSchema,
});
export type InboxPage = v.InferOutput<typeof inboxPageSchema>;

/** Maximum number of messages marked or deleted by one call. */
export const maxBulkMessages = 100;

/** Ids; `busy` messages have an e-mail being sent at the moment and are kept. */
export const bulkDeletedSchema = v.object({ deleted: v.array(v.string()), busy: v.array(v.string()) });

/** Why a message is suspected to be automatic, for the owner. */
export const suspicionReasons: Record<Suspicion, string> = {
  honeypot: "A field that people cannot see was filled in, as bots do.",
  too_fast: "It was sent within a second of opening the form, faster than anybody types.",
};
