import { contactReference, contactRequestSchema } from "../../domain/contact/contact.ts";
import { type AnyApiRow, route } from "../http/api-row.ts";
import { type AnnounceContact, sendContactMessage } from "./commands.ts";
import { inboxApi } from "./inbox-api.ts";
import type { InboxApiParts } from "./inbox-parts.ts";
import { replyApi } from "./reply-api.ts";
import { messagesTogetherApi } from "./together-api.ts";

export type ContactApiParts = InboxApiParts & { announce: AnnounceContact };

export function contactApi(parts: ContactApiParts): AnyApiRow[] {
  return [
    route("POST /api/contact", {
      tag: "Contact, notifications, admin",
      summary: "Send the shop a message",
      access: "anyone",
      limit: "contact",
      body: contactRequestSchema,
      answers: { 201: "The message is kept; `reference` is what both sides can talk about it by" },
      handle: async (_ctx, { body }) => {
        const { id, number } = await sendContactMessage(parts, body);
        return { status: 201, body: { success: true, data: { id, reference: contactReference(number) } } };
      },
    }),
    ...inboxApi(parts),
    ...replyApi(parts),
    ...messagesTogetherApi(parts),
  ];
}
