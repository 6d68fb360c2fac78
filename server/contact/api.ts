import { contactReference, contactRequestSchema, contactSentSchema } from "../../domain/contact/contact.ts";
import { created, dataOf, route } from "../api-row.ts";
import { sendContactMessage } from "./commands.ts";
import { inboxApi } from "./inbox-api.ts";

export const contactApi = [
  route("POST /api/contact", {
    tag: "Contact, notifications, admin",
    summary: "Send the shop a message",
    access: "anyone",
    limit: "contact",
    body: contactRequestSchema,
    response: dataOf(contactSentSchema),
    answers: { 201: "The message is kept; `reference` is what both sides can talk about it by" },
    handle: async (ctx, { body }) => {
      const { id, number } = await sendContactMessage(ctx, body);
      return created({ id, reference: contactReference(number) });
    },
  }),
  ...inboxApi,
];
