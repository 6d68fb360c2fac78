import * as v from "valibot";
import { contactReference, contactRequestSchema } from "../../domain/contact.ts";
import { type AnyApiRoute, ok, route } from "../platform/api-route.ts";
import type { Database } from "../platform/database.ts";
import { problem } from "../platform/problem.ts";
import { type AnnounceContact, sendContactMessage, updateContactMessage } from "./commands.ts";
import { findContactMessage, listContactMessages } from "./queries.ts";

const tag = "Contact, notifications, admin";
const statusSchema = v.picklist(["open", "done"], "open or done");
const pageSchema = v.object({
  status: v.optional(statusSchema),
  limit: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\d{1,3}$/, "A number from 1 to 100"),
      v.transform(Number),
      v.minValue(1, "At least 1"),
      v.maxValue(100, "At most 100"),
    ),
    "50",
  ),
  cursor: v.optional(
    v.pipe(v.string(), v.regex(/^\d{1,9}$/, "Not a cursor of this list"), v.transform(Number)),
  ),
});

export function contactApi(parts: { db: Database; now(): Date; announce: AnnounceContact }): AnyApiRoute[] {
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
      query: pageSchema,
      answers: { 200: "A list of messages and `nextCursor`; `suspicion` says why one looks automatic" },
      handle: async ({ query }) => {
        const { messages, nextCursor } = await listContactMessages(parts.db, query);
        return { status: 200, body: { success: true, data: messages, nextCursor } };
      },
    }),
    route({
      method: "PATCH",
      path: "/api/admin/messages/:id",
      tag,
      summary: "Mark a message as done or open, read or unread",
      access: "admin",
      limit: "write",
      params: v.object({ id: v.pipe(v.string(), v.uuid()) }),
      body: v.pipe(
        v.object({ status: v.optional(statusSchema), read: v.optional(v.boolean("true or false")) }),
        v.check(
          ({ status, read }) => status !== undefined || read !== undefined,
          "Send status, read or both",
        ),
      ),
      answers: { 200: "The message", 404: "There is no such message" },
      handle: async ({ params, body }) => {
        const isThere = await updateContactMessage(parts.db, params.id, body, parts.now());
        const message = isThere ? await findContactMessage(parts.db, params.id) : null;
        return message ? ok(message) : problem("not_found", "There is no such message.");
      },
    }),
  ];
}
