import * as v from "valibot";
import type { NotificationChannels } from "../../domain/outbox/notifications.ts";
import { maskedPhone, phoneNumberSchema } from "../../domain/shared/phone.ts";
import type { ShopContext } from "../context.ts";
import { type AnyApiRow, ok, route } from "../http/api-row.ts";
import type { Db } from "../platform/database.ts";
import { problem } from "../platform/problem.ts";
import { writeSettings } from "../settings/commands.ts";
import { readSettings } from "../settings/queries.ts";
import { sendTestText } from "./test-text.ts";

export type SmsApiParts = {
  ctx: ShopContext;
  /** What the server can send with. */
  channels: Pick<NotificationChannels, "texts" | "mail">;
};

const tag = "Contact, notifications, admin";

/** The number that alerts go to, and trying it. */
export function smsApi(parts: SmsApiParts): AnyApiRow[] {
  const { channels } = parts;
  const { db, now } = parts.ctx;
  const answer = async (): Promise<NotificationChannels> => ({
    ...(await readSettings(db)).owner.sms,
    ...channels,
  });
  const write = async (tx: Db, sms: { phoneNumber: string | null; carrier?: string }) => {
    const before = (await readSettings(tx)).owner.sms.phoneNumber;
    const written = await writeSettings(tx, { sms }, now());
    if (!written.ok) throw new Error("the number for texts was checked and not taken");
    return before;
  };
  return [
    route("GET /api/notifications/sms-settings", {
      tag,
      summary: "The number that text alerts go to, and what the server can send with",
      access: "admin",
      limit: "none",
      answers: { 200: "`{phoneNumber, carrier, texts, mail}`; `phoneNumber` may be null" },
      handle: async () => ok(await answer()),
    }),
    route("POST /api/notifications/sms-settings", {
      tag,
      summary: "Set the number that text alerts go to",
      access: "admin",
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
      answers: { 200: "The settings as they are now" },
      async handle(_ctx, { body: { phoneNumber, carrier }, log }) {
        const sms = { phoneNumber, ...(carrier === undefined ? {} : { carrier }) };
        const before = await db.transaction((tx) => write(tx, sms));
        log(changeOf(before, phoneNumber));
        return ok(await answer());
      },
    }),
    route("DELETE /api/notifications/sms-settings", {
      tag,
      summary: "End text alerts",
      access: "admin",
      limit: "write",
      answers: { 200: "The settings as they are now" },
      async handle(_ctx, { log }) {
        const before = await db.transaction((tx) => write(tx, { phoneNumber: null }));
        log(changeOf(before, null));
        return ok(await answer());
      },
    }),
    route("POST /api/notifications/test-sms", {
      tag,
      summary: "Send a test text now",
      access: "admin",
      limit: "write",
      body: v.object({ phoneNumber: phoneNumberSchema }),
      answers: {
        200: "Accepted for delivery",
        422: "Not ten digits, or Twilio refuses the number",
        502: "`provider_unavailable`: no answer of Twilio's, or it refuses the account",
        503: "`not_configured`: no Twilio credentials",
      },
      async handle(_ctx, { body: { phoneNumber }, log }) {
        const sent = await sendTestText(parts.ctx, phoneNumber);
        log({
          subject: "settings:sms",
          summary: `Test text to the ${maskedPhone(phoneNumber)}: ${sent.ok ? "sent" : "failed"}`,
        });
        if (sent.ok) return ok({ sent: true });
        if (sent.reason === "refused") {
          return problem("validation_failed", sent.message, { fields: { phoneNumber: sent.message } });
        }
        return problem(sent.reason === "away" ? "provider_unavailable" : "not_configured", sent.message);
      },
    }),
  ];
}

function changeOf(before: string | null, after: string | null) {
  const shown = (number: string | null) => (number === null ? null : maskedPhone(number));
  return {
    subject: "settings:sms",
    summary:
      after === null
        ? "Text alerts for new orders ended"
        : `Text alerts for new orders go to the ${maskedPhone(after)}`,
    before: { phoneNumber: shown(before) },
    after: { phoneNumber: shown(after) },
  };
}
