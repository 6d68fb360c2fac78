import * as v from "valibot";
import type { OwnerAlert } from "../settings/settings.ts";
import type { Email } from "./email.ts";
import type { TextKind } from "./text-message.ts";

export type MessageKind = Email["kind"] | TextKind | "order_confirmation_copy" | "email_text_test";
export const messageChannels = ["email", "sms"] as const;
export type MessageChannel = (typeof messageChannels)[number];

/**
 * `kept`: written to the data folder, because there is no mail server. `skipped`: the owner has switched this kind off, no channel
 * can send it, or its reason no longer holds.
 */
export const messageStatuses = ["queued", "sent", "kept", "failed", "skipped"] as const;
export type MessageStatus = (typeof messageStatuses)[number];
/** The carrier's last report about a text message. */
const textDeliverySchema = v.picklist(["accepted", "delivered", "undelivered"]);
export type TextDelivery = v.InferOutput<typeof textDeliverySchema>;

export const messageKindLabels: Record<MessageKind, string> = {
  order_confirmation: "Order confirmation",
  order_confirmation_copy: "Order confirmation, sent again",
  owner_new_order: "New order, to you",
  owner_attention: "Needs attention, to you",
  owner_low_stock: "Low stock, to you",
  owner_contact: "Contact message, to you",
  owner_review: "New review, to you",
  owner_question: "Question about a product, to you",
  owner_summary: "Many messages, questions or reviews, to you",
  owner_text_failed: "Failed text, to you",
  owner_security: "Change of access or limit, to owners",
  owner_order_change: "Order changed by its buyer, to you",
  contact_receipt: "Answer to a contact form",
  contact_reply: "Your answer to a message",
  question_answer: "Your answer to a question",
  cart_reminder: "Cart reminder",
  payment_link: "Payment link",
  items_to_pay: "Link to pay for added items",
  items_changed: "Items of an order changed",
  replacement_sent: "Replacement",
  exchange_begun: "Exchange",
  review_request: "Review request",
  stock_alert_confirm: "Back-in-stock alert, to be confirmed",
  stock_alert: "Back in stock",
  refill_reminder: "Refill reminder",
  newsletter_confirm: "Newsletter sign-up, to be confirmed",
  newsletter_welcome: "Welcome to the newsletter",
  newsletter: "Newsletter",
  order_shipped: "Order shipped",
  parcel_delayed: "Parcel delayed",
  order_delivered: "Order delivered",
  parcel_corrected: "Tracking corrected",
  address_changed: "Address changed",
  // Stored under its former name.
  order_called_off: "Order cancelled",
  refund_sent: "Refund sent",
  return_requested: "Return requested",
  return_decided: "Return decided",
  return_answered: "About a return",
  return_label: "Return label",
  withdrawal_received: "Withdrawal received",
  order_lookup: "Link to a shopper’s orders",
  data_export: "Link to a shopper’s data",
  data_deletion: "Link to delete a shopper’s data",
  data_deleted: "Data deleted",
  panel_invitation: "Link into the panel",
  test_email: "Test email",
  email_text_test: "Trial of an email’s text",
  owner_order_text: "New order, text to you",
  test_text: "Test text",
};

export const messageKinds = Object.keys(messageKindLabels) as MessageKind[];

/** A row of Messages > Sent. Times in ISO 8601. */
const outboxEntrySchema = v.object({
  id: v.string(),
  kind: v.picklist(messageKinds),
  channel: v.picklist(messageChannels),
  /** Null if it is unknown until the message is sent, was erased, or the owner has no address. */
  recipient: v.nullable(v.string()),
  orderId: v.nullable(v.string()),
  orderNumber: v.nullable(v.number()),
  subject: v.nullable(v.string()),
  status: v.picklist(messageStatuses),
  delivery: v.nullable(textDeliverySchema),
  attempts: v.number(),
  lastError: v.nullable(v.string()),
  createdAt: v.string(),
  sentAt: v.nullable(v.string()),
  /** The message that this one repeats. */
  copyOf: v.nullable(v.string()),
});
export type OutboxEntry = v.InferOutput<typeof outboxEntrySchema>;

/** A message with its content as sent. */
export const outboxMessageSchema = v.object({
  ...outboxEntrySchema.entries,
  html: v.nullable(v.string()),
  text: v.nullable(v.string()),
  /** Why it cannot be sent again; null if it can. */
  resendProblem: v.nullable(v.string()),
});
export type OutboxMessage = v.InferOutput<typeof outboxMessageSchema>;

export const outboxPageSchema = v.object({
  data: v.array(outboxEntrySchema),
  nextCursor: v.nullable(v.string()),
});
export type OutboxPage = v.InferOutput<typeof outboxPageSchema>;

/** E-mails to the owner -> the setting that turns them off; `always` if they cannot be turned off. */
const ownerAlerts: Record<Extract<Email["kind"], `owner_${string}`>, OwnerAlert | "always"> = {
  owner_new_order: "order",
  owner_order_change: "order",
  owner_contact: "message",
  owner_question: "message",
  owner_summary: "message",
  owner_review: "review",
  owner_attention: "attention",
  owner_low_stock: "lowStock",
  // It replaces a text message that the owner asked for.
  owner_text_failed: "always",
  // An intruder must not be able to switch it off.
  owner_security: "always",
};

/** The setting that turns a kind of message off; null if there is none. */
export function findOwnerAlert(kind: MessageKind): OwnerAlert | null {
  const alert = (ownerAlerts as Partial<Record<MessageKind, OwnerAlert | "always">>)[kind];
  return alert === undefined || alert === "always" ? null : alert;
}
