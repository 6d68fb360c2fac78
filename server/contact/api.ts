import { randomUUID } from "node:crypto";
import * as v from "valibot";
import { contactReference, contactRequestSchema, contactSentSchema } from "../../domain/contact/contact.ts";
import {
  bulkDeletedSchema,
  contactReplySchema,
  inboxMessageSchema,
  inboxPageSchema,
  inboxThreadSchema,
  maxBulkMessages,
} from "../../domain/contact/inbox.ts";
import { created, dataEnvelope, ok, okOrNotFound, route } from "../api-row.ts";
import { pageLimit, uuidParams } from "../platform/http/params.ts";
import { notFoundProblem, problem } from "../platform/http/problem.ts";
import {
  deleteContactMessages,
  markContactMessages,
  replyToMessage,
  sendContactMessage,
  updateContactMessage,
} from "./commands.ts";
import { findContactMessage, listContactMessages, readThread } from "./queries.ts";

const shared = { tag: "Contact, notifications, admin", access: "admin", roles: ["staff"] } as const;

const messageStatusSchema = v.picklist(["open", "done"], "open or done");
const ids = v.pipe(
  v.array(
    v.pipe(v.string("Must be text"), v.uuid("Is not a message id"), v.toLowerCase()),
    "A list of message ids",
  ),
  v.minLength(1, "Name at least one message"),
  v.maxLength(maxBulkMessages, `Name at most ${maxBulkMessages} messages`),
);
const listSchema = v.object({
  status: v.optional(messageStatusSchema),
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

/** The contact form, and the inbox: listing, reading, marking, deleting and answering messages. */
export const contactApi = [
  route("POST /api/contact", {
    tag: "Contact, notifications, admin",
    summary: "Send the shop a message",
    access: "anyone",
    limit: "contact",
    body: contactRequestSchema,
    response: dataEnvelope(contactSentSchema),
    responses: { 201: "The message was stored; `reference`: its number for further correspondence" },
    handle: async (ctx, { body }) => {
      const { id, number } = await sendContactMessage(ctx, body);
      return created({ id, reference: contactReference(number) });
    },
  }),
  route("GET /api/admin/messages", {
    ...shared,
    summary: "Messages from the contact forms, newest first",
    query: listSchema,
    response: inboxPageSchema,
    responses: {
      200: "A list of messages, `nextCursor` and `counts` `{open, unread, suspicious}`; `suspicion` says why one looks automatic",
    },
    handle: async (ctx, { query }) => ({ status: 200, body: await listContactMessages(ctx.db, query) }),
  }),
  route("GET /api/admin/messages/:id", {
    ...shared,
    summary:
      "A message with its answers, the delivery status of their e-mails, and its sender’s latest orders",
    params: uuidParams,
    response: dataEnvelope(inboxThreadSchema),
    responses: { 200: "The message with `receipt`, `replies` and `orders`", 404: "There is no such message" },
    handle: async (ctx, { params: { id } }) => okOrNotFound("message", await readThread(ctx.db, id)),
  }),
  route("PATCH /api/admin/messages/:id", {
    ...shared,
    summary: "Mark a message as done or open, read or unread",
    limit: "write",
    params: uuidParams,
    body: v.pipe(
      v.object({ status: v.optional(messageStatusSchema), read: v.optional(v.boolean("true or false")) }),
      v.check(({ status, read }) => status !== undefined || read !== undefined, "Send status, read or both"),
    ),
    response: dataEnvelope(inboxMessageSchema),
    responses: { 200: "The message", 404: "There is no such message" },
    handle: async (ctx, { params: { id }, body, log }) => {
      const before = await findContactMessage(ctx.db, id);
      if (!before || !(await updateContactMessage(ctx, { id, ...body }))) return notFoundProblem("message");
      const message = await findContactMessage(ctx.db, id);
      if (!message) return notFoundProblem("message");
      const states = [...(body.read === undefined ? [] : [body.read ? "read" : "unread"]), body.status];
      log({
        summary: `Message ${message.reference} marked as ${states.filter(Boolean).join(" and ")}`,
        before: { status: before.status, read: before.readAt !== null },
        after: { status: message.status, read: message.readAt !== null },
      });
      return ok(message);
    },
  }),
  route("DELETE /api/admin/messages/:id", {
    ...shared,
    summary: "Delete a message with its answers and the emails about it",
    limit: "write",
    params: uuidParams,
    response: dataEnvelope(v.object({ id: v.string() })),
    responses: {
      200: "Deleted",
      404: "There is no such message",
      409: "`invalid_state`: an email about it is being sent just now",
    },
    handle: async (ctx, { params: { id }, log }) => {
      const { deleted, busy } = await deleteContactMessages(ctx, { ids: [id] });
      if (busy.length > 0) {
        return problem(
          "invalid_state",
          "An email about it is being sent just now. Please try again in a minute.",
        );
      }
      const [message] = deleted;
      if (!message) return notFoundProblem("message");
      log(`Message ${contactReference(message.number)} deleted`);
      return ok({ id });
    },
  }),
  route("POST /api/admin/messages/:id/reply", {
    ...shared,
    summary: "Answer a message by email; a repeated `replyId` does not send it again",
    limit: "write",
    params: uuidParams,
    body: contactReplySchema,
    response: dataEnvelope(inboxThreadSchema),
    responses: {
      201: "The message with its answers; the e-mail is queued",
      200: "The same answer was sent before",
      404: "There is no such message",
      409: "`invalid_state`: another answer was sent with this `replyId`",
    },
    handle: async (ctx, { params: { id }, body, log }) => {
      const { replyId = randomUUID(), text, done } = body;
      const result = await replyToMessage(ctx, { replyId, messageId: id, text, done });
      if (!result.ok) {
        return result.reason === "not_found"
          ? notFoundProblem("message")
          : problem("invalid_state", "Another answer was already sent. Please reload the page.");
      }
      if (result.isNew) {
        log(`Message ${contactReference(result.number)} answered${done ? " and marked as done" : ""}`);
      }
      const data = await readThread(ctx.db, id);
      if (!data) return notFoundProblem("message");
      return result.isNew ? created(data) : ok(data);
    },
  }),
  route("PATCH /api/admin/messages", {
    ...shared,
    summary: "Mark several messages as done or open",
    limit: "write",
    body: v.object({ ids, status: messageStatusSchema }),
    response: dataEnvelope(v.object({ ids: v.array(v.string()) })),
    responses: { 200: "`{ids}` of the messages that were changed" },
    handle: async (ctx, { body, log }) => {
      const markedMessages = await markContactMessages(ctx.db, body.ids, body.status);
      log({
        summary: `${countText(markedMessages.length)} marked as ${body.status}`,
        after: { messages: joinReferences(markedMessages) },
      });
      return ok({ ids: markedMessages.map(({ id }) => id) });
    },
  }),
  route("POST /api/admin/messages/delete", {
    ...shared,
    summary: "Delete several messages with their answers and the emails about them",
    limit: "write",
    body: v.object({ ids }),
    response: dataEnvelope(bulkDeletedSchema),
    responses: {
      200: "`{deleted, busy}`: ids; busy messages are kept, as an e-mail about them is being sent. Messages deleted before are in neither",
    },
    handle: async (ctx, { body, log }) => {
      const { deleted, busy } = await deleteContactMessages(ctx, body);
      log({ summary: `${countText(deleted.length)} deleted`, before: { messages: joinReferences(deleted) } });
      return ok({
        deleted: deleted.map(({ id }) => id),
        busy: busy.map(({ id }) => id),
      });
    },
  }),
];

function countText(count: number): string {
  return count === 1 ? "1 message" : `${count} messages`;
}

function joinReferences(messages: readonly { number: number }[]): string {
  return messages.map(({ number }) => contactReference(number)).join(", ");
}
