import * as v from "valibot";
import type { OrderStatus } from "../orders/order-status.ts";
import type { MessageStatus } from "../outbox/outbox.ts";
import { changeIdSchema } from "../shared/uuid.ts";
import type { ContactSubject, Suspicion } from "./contact.ts";

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

/** A message as the owner's inbox shows it. Times in ISO 8601. */
export type InboxMessage = {
  id: string;
  reference: string;
  name: string;
  email: string;
  subject: ContactSubject;
  message: string;
  suspicion: Suspicion | null;
  status: "open" | "done";
  createdAt: string;
  readAt: string | null;
  /** When the owner last answered it from the panel. */
  answeredAt: string | null;
};

/** One e-mail to the sender, and how far it got. */
export type ThreadMail = { id: string; status: MessageStatus; lastError: string | null };

/** The same with all that was answered to it. */
export type InboxThread = InboxMessage & {
  /** The automatic answer; null where none was sent. */
  receipt: ThreadMail | null;
  /** Oldest first. */
  replies: { id: string; text: string; createdAt: string; mail: ThreadMail | null }[];
  /** The latest orders of its sender's address. */
  orders: { id: string; number: number; status: OrderStatus; createdAt: string }[];
};

export type InboxCounts = {
  /** Open ones that do not look automatic; `unread` of them. */
  open: number;
  unread: number;
  /** Open ones that look automatic. */
  suspicious: number;
};

/** Answer of `GET /api/admin/messages`. */
export type InboxPage = { data: InboxMessage[]; nextCursor: string | null; counts: InboxCounts };

/** Messages marked or deleted by one call. */
export const messagesTogetherMax = 100;

/** Answer of `POST /api/admin/messages/delete`, by id. Of the busy ones an e-mail is being sent just now: they stay. */
export type DeletedTogether = { deleted: string[]; busy: string[] };

/** Why a message looks automatic, as the owner reads it. */
export const suspicionReasons: Record<Suspicion, string> = {
  honeypot: "A field that people cannot see was filled in, as robots do.",
  too_fast: "It was sent within a second of opening the form, faster than anybody types.",
};
