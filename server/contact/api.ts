import { randomUUID } from "node:crypto";
import * as v from "valibot";
import { contactReference, contactRequestSchema } from "../../domain/contact.ts";
import { contactReplySchema, type DeletedTogether, messagesTogetherMax } from "../../domain/inbox.ts";
import { type AnyApiRoute, ok, route } from "../platform/api-route.ts";
import type { Database } from "../platform/database.ts";
import { pageLimit } from "../platform/page-limit.ts";
import { problem } from "../platform/problem.ts";
import {
  type AnnounceContact,
  deleteContactMessages,
  type ForgetMail,
  markContactMessages,
  sendContactMessage,
  updateContactMessage,
} from "./commands.ts";
import { findContactMessage, listContactMessages, readThread } from "./queries.ts";
import { type AnnounceReply, replyToMessage } from "./replies.ts";

export type ContactApiParts = {
  db: Database;
  now(): Date;
  announce: AnnounceContact;
  announceReply: AnnounceReply;
  /** Takes out of the outbox what was sent about a message. */
  forgetMail: ForgetMail;
};

const tag = "Contact, notifications, admin";
const statusSchema = v.picklist(["open", "done"], "open or done");
const params = v.object({ id: v.pipe(v.string(), v.uuid()) });
const listSchema = v.object({
  status: v.optional(statusSchema),
  suspicious: v.optional(
    v.pipe(
      v.picklist(["true", "false"], "true or false"),
      v.transform((text) => text === "true"),
    ),
  ),
  q: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(200, "At most 200 characters"))),
  limit: pageLimit(50),
  cursor: v.optional(
    v.pipe(v.string(), v.regex(/^\d{1,9}$/, "Not a cursor of this list"), v.transform(Number)),
  ),
});

const ids = v.pipe(
  v.array(
    v.pipe(v.string("Must be text"), v.uuid("Is no message id"), v.toLowerCase()),
    "A list of message ids",
  ),
  v.minLength(1, "Name at least one message"),
  v.maxLength(messagesTogetherMax, `Name at most ${messagesTogetherMax} messages`),
);

export function contactApi(parts: ContactApiParts): AnyApiRoute[] {
  return [
    route({
      method: "POST",
      path: "/api/contact",
      tag,
      summary: "Send the shop a message",
      access: "anyone",
      limit: "contact",
      body: contactRequestSchema,
      answers: { 201: "The message is kept; `reference` is what both sides can talk about it by" },
      handle: async ({ body }) => {
        const { id, number } = await sendContactMessage(parts, body);
        return { status: 201, body: { success: true, data: { id, reference: contactReference(number) } } };
      },
    }),
    route({
      method: "GET",
      path: "/api/admin/messages",
      tag,
      summary: "Messages from the contact forms, newest first",
      access: "admin",
      limit: "none",
      query: listSchema,
      answers: {
        200: "A list of messages, `nextCursor` and `counts` `{open, unread, suspicious}`; `suspicion` says why one looks automatic",
      },
      handle: async ({ query }) => ({
        status: 200,
        body: { success: true, ...(await listContactMessages(parts.db, query)) },
      }),
    }),
    route({
      method: "GET",
      path: "/api/admin/messages/:id",
      tag,
      summary: "A message with its answers, how far their e-mails got, and its sender’s latest orders",
      access: "admin",
      limit: "none",
      params,
      answers: { 200: "The message with `receipt`, `replies` and `orders`", 404: "There is no such message" },
      handle: async ({ params: { id } }) => {
        const thread = await readThread(parts.db, id);
        return thread ? ok(thread) : noSuchMessage();
      },
    }),
    route({
      method: "PATCH",
      path: "/api/admin/messages/:id",
      tag,
      summary: "Mark a message as done or open, read or unread",
      access: "admin",
      limit: "write",
      params,
      body: v.pipe(
        v.object({ status: v.optional(statusSchema), read: v.optional(v.boolean("true or false")) }),
        v.check(
          ({ status, read }) => status !== undefined || read !== undefined,
          "Send status, read or both",
        ),
      ),
      answers: { 200: "The message", 404: "There is no such message" },
      handle: async ({ params: { id }, body, log }) => {
        const before = await findContactMessage(parts.db, id);
        if (!before || !(await updateContactMessage(parts.db, id, body, parts.now()))) return noSuchMessage();
        const message = await findContactMessage(parts.db, id);
        if (!message) return noSuchMessage();
        const states = [...(body.read === undefined ? [] : [body.read ? "read" : "unread"]), body.status];
        log({
          subject: `message:${id}`,
          summary: `Message ${message.reference} marked as ${states.filter(Boolean).join(" and ")}`,
          before: { status: before.status, read: before.readAt !== null },
          after: { status: message.status, read: message.readAt !== null },
        });
        return ok(message);
      },
    }),
    route({
      method: "DELETE",
      path: "/api/admin/messages/:id",
      tag,
      summary: "Delete a message with its answers and the e-mails about it",
      access: "admin",
      limit: "write",
      params,
      answers: {
        200: "It is gone",
        404: "There is no such message",
        409: "`invalid_state`: an e-mail about it is being sent just now",
      },
      handle: async ({ params: { id }, log }) => {
        const { deleted, busy } = await deleteContactMessages(parts.db, [id], parts.forgetMail);
        if (busy.length > 0) {
          return problem(
            "invalid_state",
            "An e-mail about it is being sent just now. Please try again in a minute.",
          );
        }
        const [message] = deleted;
        if (!message) return noSuchMessage();
        log({ subject: `message:${id}`, summary: `Message ${contactReference(message.number)} deleted` });
        return ok({ id });
      },
    }),
    route({
      method: "PATCH",
      path: "/api/admin/messages",
      tag,
      summary: "Mark several messages as done or open",
      access: "admin",
      limit: "write",
      body: v.object({ ids, status: statusSchema }),
      answers: { 200: "`{ids}` of those that were not yet" },
      handle: async ({ body, log }) => {
        const marked = await markContactMessages(parts.db, body.ids, body.status);
        log({
          summary: `${countText(marked.length)} marked as ${body.status}`,
          after: { messages: referencesOf(marked) },
        });
        return ok({ ids: marked.map(({ id }) => id) });
      },
    }),
    route({
      method: "POST",
      path: "/api/admin/messages/delete",
      tag,
      summary: "Delete several messages with their answers and the e-mails about them",
      access: "admin",
      limit: "write",
      body: v.object({ ids }),
      answers: {
        200: "`{deleted, busy}`: ids; of the busy ones an e-mail is being sent just now, they stay. What was gone is in neither",
      },
      handle: async ({ body, log }) => {
        const { deleted, busy } = await deleteContactMessages(parts.db, body.ids, parts.forgetMail);
        log({ summary: `${countText(deleted.length)} deleted`, before: { messages: referencesOf(deleted) } });
        return ok({
          deleted: deleted.map(({ id }) => id),
          busy: busy.map(({ id }) => id),
        } satisfies DeletedTogether);
      },
    }),
    route({
      method: "POST",
      path: "/api/admin/messages/:id/reply",
      tag,
      summary: "Answer a message by e-mail; the same `replyId` again is the same answer",
      access: "admin",
      limit: "write",
      params,
      body: contactReplySchema,
      answers: {
        201: "The message with its answers; the e-mail is under way",
        200: "The same answer was sent before",
        404: "There is no such message",
        409: "`invalid_state`: another answer was sent with this `replyId`",
      },
      handle: async ({ params: { id }, body, log }) => {
        const { replyId = randomUUID(), text, done } = body;
        const replied = await replyToMessage(
          { db: parts.db, now: parts.now, announce: parts.announceReply },
          { replyId, messageId: id, text, done },
        );
        if (!replied.ok) {
          return replied.reason === "not_found"
            ? noSuchMessage()
            : problem("invalid_state", "Another answer was already sent. Please reload the page.");
        }
        if (replied.isNew) {
          log({
            subject: `message:${id}`,
            summary: `Message ${contactReference(replied.number)} answered${done ? " and marked as done" : ""}`,
          });
        }
        const data = await readThread(parts.db, id);
        return data ? { status: replied.isNew ? 201 : 200, body: { success: true, data } } : noSuchMessage();
      },
    }),
  ];
}

function countText(count: number): string {
  return count === 1 ? "1 message" : `${count} messages`;
}

function referencesOf(messages: readonly { number: number }[]): string {
  return messages.map(({ number }) => contactReference(number)).join(", ");
}

function noSuchMessage() {
  return problem("not_found", "There is no such message.");
}
