import { createHmac } from "node:crypto";
import { and, desc, eq, gt, inArray, lte, or, sql } from "drizzle-orm";
import * as v from "valibot";
import { emailSchema } from "../../domain/shared/email-address.ts";
import { uuidSchema } from "../../domain/shared/uuid.ts";
import { dataEnvelope, ok, route } from "../api-row.ts";
import { readMailReportsKeys } from "../connections/mail-reports.ts";
import type { ShopContext } from "../context.ts";
import { subscribers } from "../newsletter/tables.ts";
import { orders } from "../orders/tables.ts";
import { sendMessageJob } from "../outbox/enqueue.ts";
import { hashEmail, optOut } from "../outbox/optouts.ts";
import { markReturned } from "../outbox/settle.ts";
import { messages, optionalKinds } from "../outbox/tables.ts";
import type { Db } from "../platform/database/database.ts";
import { notFoundProblem, problem } from "../platform/http/problem.ts";
import { isSameSecret } from "../platform/http/signed-token.ts";
import { addJob, defineJob, hasNoLease } from "../platform/jobs/jobs.ts";
import { campaignRecipients } from "./tables.ts";

/** A provider's report about an e-mail that it accepted. `messageId`: the shop's own, if the provider repeats it. */
type Report = {
  kind: "bounced" | "complained";
  email: string;
  at: Date;
  messageId: string | null;
  answer: string;
};

/** Whether the database can store the date; false for an invalid one. */
const isStorable = (at: Date) => at >= new Date(0) && at < new Date("3000-01-01T00:00:00Z");
const time = v.pipe(
  v.string(),
  v.transform((text) => new Date(text)),
  v.check(isStorable),
);
const text = v.nullish(v.string(), "");
/** A text without NUL characters, which the database cannot compare. */
const address = v.pipe(emailSchema, v.excludes("\0"));

const postmarkFields = { Email: address, BouncedAt: time, Description: text, Details: text };
/**
 * Postmark's webhooks, whose `MessageID` is its own: https://postmarkapp.com/developer/webhooks/bounce-webhook and
 * https://postmarkapp.com/developer/webhooks/spam-complaint-webhook.
 */
const postmark = v.pipe(
  v.variant("RecordType", [
    v.object({
      RecordType: v.literal("Bounce"),
      Type: v.picklist(["HardBounce", "BadEmailAddress"]),
      ...postmarkFields,
    }),
    v.object({ RecordType: v.literal("SpamComplaint"), ...postmarkFields }),
  ]),
  v.transform(
    ({ RecordType, Email, BouncedAt, Details, Description }): Report => ({
      kind: RecordType === "Bounce" ? "bounced" : "complained",
      email: Email,
      at: BouncedAt,
      messageId: null,
      answer: Details || Description,
    }),
  ),
);

const mailgunFields = {
  recipient: address,
  timestamp: v.pipe(
    v.number(),
    v.transform((seconds) => new Date(seconds * 1_000)),
    v.check(isStorable),
  ),
  message: v.object({ headers: v.object({ "message-id": text }) }),
  "delivery-status": v.optional(v.object({ message: text, description: text })),
};
/**
 * Mailgun's webhooks: https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/webhook-payloads. Other reasons of
 * permanent failures ("old", "suppress-unsubscribe") do not say that the address is wrong.
 */
const mailgun = v.pipe(
  v.object({
    "event-data": v.variant("event", [
      v.object({
        event: v.literal("failed"),
        severity: v.literal("permanent"),
        reason: v.picklist(["bounce", "delayed-bounce", "suppress-bounce"]),
        ...mailgunFields,
      }),
      v.object({ event: v.literal("complained"), ...mailgunFields }),
    ]),
  }),
  v.transform(({ "event-data": data }): Report => {
    const status = data["delivery-status"];
    return {
      kind: data.event === "failed" ? "bounced" : "complained",
      email: data.recipient,
      at: data.timestamp,
      messageId: parseOutboxId(data.message.headers["message-id"]),
      answer: status?.message || status?.description || "",
    };
  }),
);
const reportSchema = v.union([postmark, mailgun]);

/** The shop's Message-IDs are a UUID before its host. */
function parseOutboxId(messageId: string): string | null {
  const [id] = messageId.replace("<", "").split("@");
  return v.is(uuidSchema, id) ? id : null;
}

const signedSchema = v.object({
  signature: v.object({
    timestamp: v.pipe(v.union([v.string(), v.number()]), v.transform(String)),
    token: v.string(),
    signature: v.string(),
  }),
});
/** Mailgun repeats a report for hours. */
const signatureLifetimeMs = 24 * 60 * 60_000;

/**
 * Mailgun's signature: https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/securing-webhooks. It does not cover
 * the report itself, so it does not replace the secret URL.
 */
function isSignedByMailgun(body: unknown, signingKey: string, now: Date): boolean {
  const parsed = v.safeParse(signedSchema, body);
  if (!parsed.success) return false;
  const { timestamp, token, signature } = parsed.output.signature;
  const expectedSignature = createHmac("sha256", signingKey)
    .update(timestamp + token)
    .digest("hex");
  return (
    Math.abs(now.getTime() - Number(timestamp) * 1_000) < signatureLifetimeMs &&
    isSameSecret(signature, expectedSignature)
  );
}

export const mailReportsApi = [
  route("POST /api/mail/reports", {
    tag: "Newsletters",
    access: "provider",
    summary:
      "Receive a report of Postmark or Mailgun that an e-mail bounced permanently or was reported as spam",
    limit: "write",
    query: v.object({ key: v.optional(v.string(), "") }),
    response: dataEnvelope(v.object({ received: v.boolean() })),
    responses: {
      200: "Received. A bounce ends the newsletter for its address, a complaint all optional e-mail; other reports change nothing",
      400: "`invalid_signature`: Mailgun’s signing key is set, and this is not signed with it or older than a day",
      404: "Not the shop’s address for it",
    },
    handle: async (ctx, { query: { key }, rawBody }) => {
      const keys = await readMailReportsKeys(ctx);
      if (keys === null || !isSameSecret(key, keys.key)) return notFoundProblem("address");
      const { output: body } = v.safeParse(v.pipe(v.string(), v.parseJson()), rawBody);
      if (keys.mailgunKey !== null && !isSignedByMailgun(body, keys.mailgunKey, ctx.now()))
        return problem("invalid_signature", "The signature does not match this request.");
      const report = v.safeParse(reportSchema, body);
      if (report.success) await handleReport(ctx, report.output);
      return ok({ received: true });
    },
  }),
];

/** Handles a report that arrived before its e-mail was recorded as sent. */
export const delayedReportJob = defineJob({
  name: "book_mail_report",
  payload: v.object({
    kind: v.picklist(["bounced", "complained"]),
    email: address,
    at: time,
    messageId: v.nullable(v.string()),
    answer: v.string(),
    /** E-mails that the report may be about: the last one sent before it, and those that were being sent at its time. */
    candidates: v.optional(v.array(uuidSchema), []),
  }),
  lane: "mail",
  priority: 9,
  maxAttempts: 5,
});

/** Allows for a difference to the provider's clock, and for reports that arrive before their e-mail is recorded as sent. */
const clockToleranceMs = 60_000;

/** Reports may arrive repeatedly and in any order; one that is older than the confirmation of a new sign-up ends no subscription. */
async function handleReport({ db, now }: ShopContext, report: Report): Promise<void> {
  const { email, kind, at } = report;
  await db.transaction(async (tx) => {
    const isNewer = and(eq(subscribers.emailHash, hashEmail(email)), gt(subscribers.confirmedAt, at));
    if ((await tx.$count(subscribers, isNewer)) === 0) {
      const endedKinds = kind === "complained" ? optionalKinds : (["newsletter"] as const);
      for (const optionalKind of endedKinds) await optOut(tx, email, optionalKind, kind);
    }
    const candidates = await markReported(tx, report);
    if (candidates.length === 0) return;
    const runAt = new Date(now().getTime() + clockToleranceMs);
    await addJob(tx, delayedReportJob, { ...report, at: at.toISOString(), candidates }, { runAt });
  });
}

/** Marks the e-mail of a delayed report. Throws while it is not recorded as sent. */
export async function handleDelayedReport(
  db: Db,
  { candidates, ...report }: v.InferOutput<typeof delayedReportJob.payload>,
): Promise<void> {
  if ((await markReported(db, report, candidates)).length > 0)
    throw new Error("The e-mail that the report is about is not recorded as sent yet");
}

/** Maximum number of e-mails that a report may be about. */
const maxCandidates = 10;

/**
 * Marks the e-mail that the report is about: the one with `messageId`, otherwise the last one sent to the address before the
 * report. If it may be about an e-mail that is still being sent, marks nothing and returns the ids of all candidates, for a
 * second call.
 */
async function markReported(
  tx: Db,
  { email, kind, at, messageId, answer }: Report,
  candidates: readonly string[] | null = null,
): Promise<string[]> {
  const before = new Date(at.getTime() + clockToleranceMs);
  const address = email.toLowerCase();
  const isToBuyer = sql`${messages.recipient} is null and ${messages.channel} = 'email' and not starts_with(${messages.kind}, 'owner_')
    and exists (select from ${orders} where ${orders.id} = ${messages.orderId} and lower(${orders.email}) = ${address})`;
  const isToPerson = sql`(lower(${messages.recipient}) = ${address} or ${messages.status} = 'queued' and ${isToBuyer})`;
  const isBeingSent = sql`${messages.status} = 'queued' and exists (select from jobs
    where name = ${sendMessageJob.name} and payload ->> 'messageId' = ${messages.id}::text and not ${hasNoLease})`;
  const isUnnamedCandidate = candidates
    ? inArray(messages.id, [...candidates])
    : and(isToPerson, or(lte(messages.sentAt, before), isBeingSent));
  const matches = await tx
    .select({ id: messages.id, status: messages.status, sentAt: messages.sentAt })
    .from(messages)
    .where(messageId === null ? isUnnamedCandidate : and(isToPerson, eq(messages.id, messageId)))
    // E-mails that are being sent have no time yet, and come first.
    .orderBy(desc(messages.sentAt))
    .limit(maxCandidates);
  const isQueued = matches.some(({ status }) => status === "queued");
  if (isQueued && (candidates === null || messageId !== null)) return matches.map(({ id }) => id);
  const message = matches.find(({ sentAt }) => sentAt !== null);
  const isNamed = messageId !== null && matches.length > 0;
  const recipient = isNamed ? null : await findRecipient(tx, email, before);
  const isLastMessage = message?.sentAt && recipient?.at && message.sentAt > recipient.at;
  if (recipient && !isLastMessage) {
    await tx
      .update(campaignRecipients)
      .set({ status: kind })
      .where(
        and(
          eq(campaignRecipients.id, recipient.id),
          inArray(campaignRecipients.status, ["sending", "sent", "unknown"]),
        ),
      );
  } else if (message && kind === "bounced") await markReturned(tx, message.id, answer);
  return [];
}

/**
 * The last newsletter sent, or being sent, to the address: the report may arrive before it is recorded as sent.
 */
async function findRecipient(tx: Db, email: string, before: Date) {
  const [row] = await tx
    .select({ id: campaignRecipients.id, at: campaignRecipients.at })
    .from(campaignRecipients)
    .where(
      and(
        eq(campaignRecipients.emailHash, hashEmail(email)),
        inArray(campaignRecipients.status, ["sending", "sent", "unknown", "bounced", "complained"]),
        lte(campaignRecipients.at, before),
      ),
    )
    .orderBy(desc(campaignRecipients.at))
    .limit(1);
  return row ?? null;
}
