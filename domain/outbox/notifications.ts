import * as v from "valibot";

/** What `GET /api/notifications/sms-settings` answers: where alerts go, and what the server can send with. */
export const notificationChannelsSchema = v.object({
  /** Ten digits; null: no texts. */
  phoneNumber: v.nullable(v.string()),
  /** Stored, and used for nothing else. */
  carrier: v.string(),
  /** Whether Twilio's credentials are there, and the number or service that texts come from. */
  texts: v.object({ isConfigured: v.boolean(), from: v.nullable(v.string()) }),
  /** Whether a mail server is set, and the owner's address. */
  mail: v.object({ isConfigured: v.boolean(), ownerEmail: v.nullable(v.string()) }),
});
export type NotificationChannels = v.InferOutput<typeof notificationChannelsSchema>;
