import * as v from "valibot";
import { contactReference } from "../../domain/contact/contact.ts";
import { bulkDeletedSchema, bulkMessagesMax } from "../../domain/contact/inbox.ts";
import { dataOf, ok, route } from "../api-row.ts";
import { deleteContactMessages, markContactMessages } from "./commands.ts";
import { messageStatusSchema } from "./inbox-api.ts";

const tag = "Contact, notifications, admin";
const ids = v.pipe(
  v.array(
    v.pipe(v.string("Must be text"), v.uuid("Is no message id"), v.toLowerCase()),
    "A list of message ids",
  ),
  v.minLength(1, "Name at least one message"),
  v.maxLength(bulkMessagesMax, `Name at most ${bulkMessagesMax} messages`),
);

/** Actions on several messages of the inbox. */
export const bulkMessagesApi = [
  route("PATCH /api/admin/messages", {
    tag,
    summary: "Mark several messages as done or open",
    access: "admin",
    roles: ["staff"],
    limit: "write",
    body: v.object({ ids, status: messageStatusSchema }),
    response: dataOf(v.object({ ids: v.array(v.string()) })),
    answers: { 200: "`{ids}` of those that were not yet" },
    handle: async (ctx, { body, log }) => {
      const marked = await markContactMessages(ctx.db, body.ids, body.status);
      log({
        summary: `${countText(marked.length)} marked as ${body.status}`,
        after: { messages: referencesOf(marked) },
      });
      return ok({ ids: marked.map(({ id }) => id) });
    },
  }),
  route("POST /api/admin/messages/delete", {
    tag,
    summary: "Delete several messages with their answers and the emails about them",
    access: "admin",
    roles: ["staff"],
    limit: "write",
    body: v.object({ ids }),
    response: dataOf(bulkDeletedSchema),
    answers: {
      200: "`{deleted, busy}`: ids; of the busy ones an email is being sent just now, they stay. What was gone is in neither",
    },
    handle: async (ctx, { body, log }) => {
      const { deleted, busy } = await deleteContactMessages(ctx, body);
      log({ summary: `${countText(deleted.length)} deleted`, before: { messages: referencesOf(deleted) } });
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

function referencesOf(messages: readonly { number: number }[]): string {
  return messages.map(({ number }) => contactReference(number)).join(", ");
}
