import * as v from "valibot";
import {
  messageChannels,
  messageKindLabels,
  messageKinds,
  messageStatuses,
  outboxMessageSchema,
  outboxPageSchema,
} from "../../domain/outbox/outbox.ts";
import { accepted, dataEnvelope, ok, okOrNotFound, route } from "../api-row.ts";
import type { Feature } from "../feature.ts";
import { pageLimit, uuidParams } from "../platform/http/params.ts";
import { notFoundProblem, problem } from "../platform/http/problem.ts";
import { task } from "../platform/jobs/jobs.ts";
import { testMail } from "./compose.ts";
import { requeueStuck, sendMessageJob } from "./enqueue.ts";
import { unsubscribe } from "./optouts.ts";
import { summaryMail } from "./owner-mail.ts";
import {
  eraseMessages,
  exportMessages,
  exportOptouts,
  purgeDeletionReceipts,
  purgeOldMail,
  tidyMailFolder,
} from "./personal-data.ts";
import { findOutboxMessage, isOutboxCursor, listOutbox } from "./queries.ts";
import { resendMessage } from "./resend.ts";
import { messageSender } from "./send.ts";
import { optionalKinds } from "./tables.ts";
import { checkText, checkTextJob } from "./texts.ts";

const shared = { tag: "Contact, notifications, admin", access: "admin" } as const;
const listSchema = v.object({
  status: v.optional(v.picklist(messageStatuses, `One of ${messageStatuses.join(", ")}`)),
  channel: v.optional(v.picklist(messageChannels, "email or sms")),
  kind: v.optional(v.picklist(messageKinds, `One of ${messageKinds.join(", ")}`)),
  q: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(320, "Too long"))),
  limit: pageLimit(50),
  cursor: v.optional(v.pipe(v.string(), v.check(isOutboxCursor, "Not a cursor of this list"))),
});

/** Calls of Messages > Sent, which list and resend e-mails and texts, and the call to unsubscribe by an e-mail's link. */
const outboxApi = [
  route("GET /api/admin/outbox", {
    ...shared,
    roles: ["staff"],
    summary: "Every email and text that was sent or is to be sent, newest first",
    query: listSchema,
    response: outboxPageSchema,
    responses: { 200: "A list of messages and `nextCursor`; `q` is an email address or an order’s number" },
    handle: async ({ db }, { query }) => ({ status: 200, body: await listOutbox(db, query) }),
  }),
  route("GET /api/admin/outbox/:id", {
    ...shared,
    roles: ["staff"],
    summary: "An email or text as it went out",
    params: uuidParams,
    response: dataEnvelope(outboxMessageSchema),
    responses: {
      200: "The message with `html` and `text`; `resendProblem` says why it cannot be sent again, or null",
      404: "There is no such message",
    },
    handle: async ({ db }, { params: { id } }) => okOrNotFound("message", await findOutboxMessage(db, id)),
  }),
  route("POST /api/admin/outbox/:id/resend", {
    ...shared,
    roles: ["staff"],
    summary: "Send a message once more, with current data",
    limit: "write",
    params: uuidParams,
    response: dataEnvelope(v.object({ id: v.string() })),
    responses: {
      202: "`{id}` of the new message, which is queued",
      404: "There is no such message",
      409: "`invalid_state`: it is on its way already, or cannot be sent again; `message` says why",
    },
    handle: async (ctx, { params: { id }, log }) => {
      const result = await resendMessage(ctx, id);
      if (!result.ok) {
        return result.reason === "not_found"
          ? notFoundProblem("message")
          : problem("invalid_state", result.message);
      }
      log({
        subject: result.orderId === null ? `outbox:${id}` : `order:${result.orderId}`,
        summary: `Sent again: ${messageKindLabels[result.kind]}`,
      });
      return accepted({ id: result.id });
    },
  }),
  route("POST /api/unsubscribe", {
    tag: "Contact, notifications, admin",
    summary: "End a kind of email for the address that an unsubscribe link was sent to",
    access: "anyone",
    limit: "write",
    body: v.object({ token: v.pipe(v.string("Is required"), v.maxLength(300, "Too long")) }),
    response: dataEnvelope(v.object({ kind: v.picklist(optionalKinds) })),
    responses: {
      200: "`{kind}`: the kind of email that is no longer sent; repeating the call changes nothing",
      404: "The link is not of this shop",
    },
    handle: async ({ db, secret, now }, { body }) => {
      const kind = await unsubscribe(db, { secret, token: body.token, now: now() });
      return kind === null
        ? problem("not_found", "This link is not complete. Please use the one in the email.")
        : ok({ kind });
    },
  }),
];

/** Sends and keeps e-mails and texts. */
export const outboxFeature = {
  api: outboxApi,
  tasks: (ctx) => {
    const sendMessage = messageSender(ctx);
    return [
      task(sendMessageJob, ({ messageId }, job) => sendMessage(messageId, job)),
      task(checkTextJob, (check, job) => checkText(ctx, check, job)),
    ];
  },
  async atStart(ctx) {
    ctx.changes.watch("kept_mail", () => tidyMailFolder(ctx));
  },
  mail: { ...testMail, ...summaryMail },
  purges: [requeueStuck, purgeDeletionReceipts, purgeOldMail],
  personalData: { lists: { emails: exportMessages }, optouts: exportOptouts, erase: eraseMessages },
} satisfies Feature;
