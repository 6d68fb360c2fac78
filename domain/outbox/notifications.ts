import * as v from "valibot";

/** Response of `GET /api/notifications/sms-settings`: recipients of alerts, and the channels that are set up. */
export const notificationChannelsSchema = v.object({
  /** Ten digits; null if there are no text messages. */
  phoneNumber: v.nullable(v.string()),
  /** Still stored, but no longer used. */
  carrier: v.string(),
  /** Whether Twilio's credentials are set, and the sending number or service. */
  texts: v.object({ isConfigured: v.boolean(), from: v.nullable(v.string()) }),
  /** Whether a mail server is configured, and the owner's address. */
  mail: v.object({ isConfigured: v.boolean(), ownerEmail: v.nullable(v.string()) }),
});
export type NotificationChannels = v.InferOutput<typeof notificationChannelsSchema>;
