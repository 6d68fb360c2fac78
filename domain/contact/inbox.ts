import * as v from "valibot";
import { orderStatuses } from "../orders/order-status.ts";
import { messageStatuses } from "../outbox/outbox.ts";
import { changeIdSchema } from "../shared/uuid.ts";
import { type ContactSubject, contactSubjects, type Suspicion, suspicions } from "./contact.ts";

/** Longest answer of the owner's. */
export const contactReplyMax = 10_000;

/** Body of `POST /api/admin/messages/{id}/reply`. */
export const contactReplySchema = v.object({
  text: v.pipe(
    v.string("Write your answer first"),
    v.trim(),
    v.minLength(1, "Write your answer first"),
    v.maxLength(contactReplyMax, `At most ${contactReplyMax} characters`),
  ),
  replyId: changeIdSchema,
  /** Whether the message is dealt with by it. */
  done: v.optional(v.boolean("true or false"), false),
});

/** How far the latest answer of the owner's got: `waits` to leave, `sent`, `kept` without a mail server, or `failed` for good. */
export const replyStates = ["waits", "sent", "kept", "failed"] as const;
export type ReplyState = (typeof replyStates)[number];

/** A message as the owner's inbox shows it. Times in ISO 8601. */
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
  /** Null: it was not answered. */
  reply: v.nullable(v.picklist(replyStates)),
});
export type InboxMessage = v.InferOutput<typeof inboxMessageSchema>;

/** One e-mail to the sender, and how far it got. */
const threadMailSchema = v.object({
  id: v.string(),
  status: v.picklist(messageStatuses),
  attempts: v.number(),
  lastError: v.nullable(v.string()),
});
export type ThreadMail = v.InferOutput<typeof threadMailSchema>;

/** The same with all that was answered to it. */
export const inboxThreadSchema = v.object({
  ...inboxMessageSchema.entries,
  /** The automatic answer; null where none was sent. */
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
  /** Whom its sender's address belongs to; null: it has bought nothing. */
  customer: v.nullable(
    v.object({ id: v.number(), name: v.string(), orders: v.number(), valueCents: v.number() }),
  ),
  /** The latest orders of its sender, of all addresses that were merged. */
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
  /** Open ones that do not look automatic; `unread` of them. */
  open: v.number(),
  unread: v.number(),
  /** Open ones that look automatic. */
  suspicious: v.number(),
});
export type InboxCounts = v.InferOutput<typeof inboxCountsSchema>;

/** Answer of `GET /api/admin/messages`. */
export const inboxPageSchema = v.object({
  data: v.array(inboxMessageSchema),
  nextCursor: v.nullable(v.string()),
  counts: inboxCountsSchema,
});
export type InboxPage = v.InferOutput<typeof inboxPageSchema>;

/** Messages marked or deleted by one call. */
export const bulkMessagesMax = 100;

/** Answer of `POST /api/admin/messages/delete`, by id. Of the busy ones an e-mail is being sent just now: they stay. */
export const bulkDeletedSchema = v.object({ deleted: v.array(v.string()), busy: v.array(v.string()) });

/** Why a message looks automatic, as the owner reads it. */
export const suspicionReasons: Record<Suspicion, string> = {
  honeypot: "A field that people cannot see was filled in, as robots do.",
  too_fast: "It was sent within a second of opening the form, faster than anybody types.",
};
