import * as v from "valibot";
import { type NotificationChannels, notificationChannelsSchema } from "../../domain/outbox/notifications.ts";
import { maskedPhone, phoneNumberSchema } from "../../domain/shared/phone.ts";
import { dataEnvelope, ok, route } from "../api-row.ts";
import type { ShopContext } from "../context.ts";
import { sendTestText } from "../outbox/texts.ts";
import type { LoggedChange } from "../platform/http/api-response.ts";
import { problem } from "../platform/http/problem.ts";
import { writeSettings } from "./commands.ts";
import { readSettings } from "./queries.ts";

const shared = { tag: "Contact, notifications, admin", access: "admin" } as const;
const response = dataEnvelope(notificationChannelsSchema);

/** The phone number for alerts, and a test text. */
export const smsApi = [
  route("GET /api/notifications/sms-settings", {
    ...shared,
    summary: "The number that text alerts go to, and whether the server can send texts",
    response,
    responses: { 200: "`{phoneNumber, carrier, texts, mail}`; `phoneNumber` may be null" },
    handle: async (ctx) => ok(await readChannels(ctx)),
  }),
  route("POST /api/notifications/sms-settings", {
    ...shared,
    summary: "Set the number that text alerts go to",
    limit: "write",
    body: v.object({
      phoneNumber: phoneNumberSchema,
      carrier: v.optional(
        v.pipe(
          v.string("Must be text"),
          v.trim(),
          v.minLength(1, "Must not be empty"),
          v.maxLength(40, "Too long"),
        ),
      ),
    }),
    response,
    responses: { 200: "The settings as they are now" },
    handle: async (ctx, { body: { phoneNumber, carrier }, log }) => {
      log(await setNumber(ctx, { phoneNumber, ...(carrier === undefined ? {} : { carrier }) }));
      return ok(await readChannels(ctx));
    },
  }),
  route("DELETE /api/notifications/sms-settings", {
    ...shared,
    summary: "Stop text alerts",
    limit: "write",
    response,
    responses: { 200: "The settings as they are now" },
    handle: async (ctx, { log }) => {
      log(await setNumber(ctx, { phoneNumber: null }));
      return ok(await readChannels(ctx));
    },
  }),
  route("POST /api/notifications/test-sms", {
    ...shared,
    summary: "Send a test text now",
    limit: "text",
    body: v.object({ phoneNumber: phoneNumberSchema }),
    response: dataEnvelope(v.object({ sent: v.literal(true) })),
    responses: {
      200: "Accepted for delivery",
      422: "Not ten digits, or Twilio refuses the number",
      502: "`provider_unavailable`: Twilio does not answer, or refuses the account",
      503: "`not_configured`: no Twilio credentials",
    },
    handle: async (ctx, { body: { phoneNumber }, log }) => {
      const testResult = await sendTestText(ctx, phoneNumber);
      log({
        subject: "settings:sms",
        summary: `Test text to the ${maskedPhone(phoneNumber)}: ${testResult.ok ? "sent" : "failed"}`,
      });
      if (testResult.ok) return ok({ sent: true as const });
      if (testResult.reason === "refused") {
        return problem("validation_failed", testResult.message, {
          fields: { phoneNumber: testResult.message },
        });
      }
      return problem(
        testResult.reason === "unreachable" ? "provider_unavailable" : "not_configured",
        testResult.message,
      );
    },
  }),
];

async function readChannels({ db, config: { mail, twilio } }: ShopContext): Promise<NotificationChannels> {
  return {
    ...(await readSettings(db)).owner.sms,
    texts: { isConfigured: twilio !== null, from: twilio?.from ?? null },
    mail: { isConfigured: mail.smtpUrl !== null, ownerEmail: mail.ownerEmail },
  };
}

/** Returns the entry for the activity log. */
async function setNumber(
  { db, now }: ShopContext,
  sms: { phoneNumber: string | null; carrier?: string },
): Promise<LoggedChange> {
  return db.transaction(async (tx) => {
    const before = (await readSettings(tx)).owner.sms.phoneNumber;
    const result = await writeSettings(tx, { sms }, now());
    if (!result.ok) throw new Error("the settings rejected a phone number that had passed the check");
    return loggedChange(before, sms.phoneNumber);
  });
}

function loggedChange(before: string | null, after: string | null): LoggedChange {
  const mask = (number: string | null) => (number === null ? null : maskedPhone(number));
  return {
    subject: "settings:sms",
    summary:
      after === null
        ? "Text alerts for new orders ended"
        : `Text alerts for new orders go to the ${maskedPhone(after)}`,
    before: { phoneNumber: mask(before) },
    after: { phoneNumber: mask(after) },
  };
}
