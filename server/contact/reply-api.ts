import { randomUUID } from "node:crypto";
import { contactReference } from "../../domain/contact/contact.ts";
import { contactReplySchema } from "../../domain/contact/inbox.ts";
import { type AnyApiRow, route } from "../http/api-row.ts";
import { uuidParams } from "../platform/id-params.ts";
import { problem } from "../platform/problem.ts";
import { type InboxApiParts, noSuchMessage } from "./inbox-parts.ts";
import { readThread } from "./queries.ts";
import { replyToMessage } from "./replies.ts";

/** Answering a message. */
export function replyApi(parts: InboxApiParts): AnyApiRow[] {
  return [
    route("POST /api/admin/messages/:id/reply", {
      tag: "Contact, notifications, admin",
      summary: "Answer a message by e-mail; the same `replyId` again is the same answer",
      access: "admin",
      limit: "write",
      params: uuidParams,
      body: contactReplySchema,
      answers: {
        201: "The message with its answers; the e-mail is under way",
        200: "The same answer was sent before",
        404: "There is no such message",
        409: "`invalid_state`: another answer was sent with this `replyId`",
      },
      handle: async (_ctx, { params: { id }, body, log }) => {
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
