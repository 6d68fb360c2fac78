/** What `GET /api/notifications/sms-settings` answers: where alerts go, and what the server can send with. */
export type NotificationChannels = {
  /** Ten digits; null: no texts. */
  phoneNumber: string | null;
  /** Kept for the record alone. */
  carrier: string;
  /** Whether Twilio's credentials are there, and the number or service that texts come from. */
  texts: { isConfigured: boolean; from: string | null };
  /** Whether a mail server is set, and the owner's address. */
  mail: { isConfigured: boolean; ownerEmail: string | null };
};
