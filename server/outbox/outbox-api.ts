import * as v from "valibot";
import {
  messageChannels,
  messageKindLabels,
  messageKinds,
  messageStatuses,
} from "../../domain/outbox/outbox.ts";
import type { OwnerSettings } from "../../domain/settings/settings.ts";
import { e164 } from "../../domain/shared/phone.ts";
import { type AnyApiRow, ok, route } from "../http/api-row.ts";
import type { Database } from "../platform/database.ts";
import { uuidParams } from "../platform/id-params.ts";
import { pageLimit } from "../platform/page-limit.ts";
import { problem } from "../platform/problem.ts";
import { findOutboxMessage, isOutboxCursor, listOutbox } from "./queries.ts";
import { resendMessage } from "./resend.ts";

const tag = "Contact, notifications, admin";
const listSchema = v.object({
  status: v.optional(v.picklist(messageStatuses, `One of ${messageStatuses.join(", ")}`)),
  channel: v.optional(v.picklist(messageChannels, "email or sms")),
  kind: v.optional(v.picklist(messageKinds, `One of ${messageKinds.join(", ")}`)),
  q: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(320, "Too long"))),
  limit: pageLimit(50),
  cursor: v.optional(v.pipe(v.string(), v.check(isOutboxCursor, "Not a cursor of this list"))),
});

/** Messages > Sent: every e-mail and text, and sending one again. */
export function outboxApi(parts: { db: Database; ownerSettings(): Promise<OwnerSettings> }): AnyApiRow[] {
  const { db } = parts;
  return [
    route("GET /api/admin/outbox", {
      tag,
      summary: "Every e-mail and text that was sent or is to be sent, newest first",
      access: "admin",
      limit: "none",
      query: listSchema,
      answers: { 200: "A list of messages and `nextCursor`; `q` is an e-mail address or an order’s number" },
      handle: async (_ctx, { query }) => ({
        status: 200,
        body: { success: true, ...(await listOutbox(db, query)) },
      }),
    }),
    route("GET /api/admin/outbox/:id", {
      tag,
      summary: "An e-mail or text as it went out",
      access: "admin",
      limit: "none",
      params: uuidParams,
      answers: {
        200: "The message with `html` and `text`; `resendProblem` says why it cannot be sent again, or null",
        404: "There is no such message",
      },
      handle: async (_ctx, { params: { id } }) => {
        const message = await findOutboxMessage(db, id);
        return message ? ok(message) : noSuchMessage();
      },
    }),
    route("POST /api/admin/outbox/:id/resend", {
      tag,
      summary: "Send a message once more, with the facts as they are now",
      access: "admin",
      limit: "write",
      params: uuidParams,
      answers: {
        202: "`{id}` of the new message, which is under way",
        404: "There is no such message",
        409: "`invalid_state`: it is on its way already, or cannot be sent again; `message` says why",
      },
      async handle(_ctx, { params: { id }, log }) {
        const { phoneNumber } = (await parts.ownerSettings()).sms;
        const resent = await resendMessage(db, id, phoneNumber === null ? null : e164(phoneNumber));
        if (!resent.ok) {
          return resent.reason === "not_found" ? noSuchMessage() : problem("invalid_state", resent.message);
        }
        log({
          subject: resent.orderId === null ? `outbox:${id}` : `order:${resent.orderId}`,
          summary: `Sent again: ${messageKindLabels[resent.kind]}`,
        });
        return { status: 202, body: { success: true, data: { id: resent.id } } };
      },
    }),
  ];
}

function noSuchMessage() {
  return problem("not_found", "There is no such message.");
}
