import { and, gt, inArray, sql } from "drizzle-orm";
import type { Db } from "../platform/database/database.ts";
import { isNotSaleEmail, type MessageKind, mailboxSql, messages } from "./tables.ts";

/**
 * Limits per mailbox. `stranger`: anyone can cause the e-mail by entering an address; `buyer`: anyone with an order's link can.
 */
type Cap = { by: "stranger" | "buyer"; perHour?: number; perDay: number };

const oncePerPayment = "one for each payment, refund or parcel";
const causedByPanel = "a person in the panel causes each";
const confirmedRequest = "one for each request that the recipient has confirmed";
const tenThenSummary = "ten an hour, and one summary of the others";

/**
 * Limit per mailbox of each kind of message that a stranger or buyer can cause without paying again; for each other kind, the
 * reason why it cannot flood a mailbox.
 */
export const mailCaps = {
  order_lookup: { by: "stranger", perDay: 10 },
  data_export: { by: "stranger", perDay: 5 },
  data_deletion: { by: "stranger", perDay: 5 },
  contact_receipt: { by: "stranger", perHour: 3, perDay: 6 },
  newsletter_confirm: { by: "stranger", perDay: 3 },
  stock_alert_confirm: { by: "stranger", perDay: 3 },
  cart_reminder: { by: "stranger", perDay: 1 },
  address_changed: { by: "buyer", perDay: 10 },
  order_confirmation: oncePerPayment,
  order_shipped: oncePerPayment,
  parcel_delayed: "one a week for each parcel",
  order_delivered: oncePerPayment,
  parcel_corrected: causedByPanel,
  items_changed: oncePerPayment,
  items_to_pay: causedByPanel,
  replacement_sent: causedByPanel,
  exchange_begun: causedByPanel,
  refund_sent: oncePerPayment,
  review_request: "one for each order",
  refill_reminder: "one for each order",
  order_called_off: "an order is cancelled once",
  return_requested: "one for each return, and an order has at most one open return",
  withdrawal_received: "an order is withdrawn from once, and the law asks for the answer",
  return_decided: causedByPanel,
  return_answered: causedByPanel,
  return_label: causedByPanel,
  order_confirmation_copy: causedByPanel,
  contact_reply: causedByPanel,
  question_answer: causedByPanel,
  payment_link: causedByPanel,
  panel_invitation: causedByPanel,
  test_email: causedByPanel,
  email_text_test: causedByPanel,
  newsletter: causedByPanel,
  test_text: causedByPanel,
  stock_alert: confirmedRequest,
  newsletter_welcome: confirmedRequest,
  data_deleted: confirmedRequest,
  owner_contact: tenThenSummary,
  owner_question: tenThenSummary,
  owner_review: tenThenSummary,
  owner_order_change: "an order allows five changes of address, one open return and one cancellation",
  owner_summary: "one an hour for each kind",
  owner_new_order: oncePerPayment,
  owner_order_text: oncePerPayment,
  owner_text_failed: "one for each failed text about an order",
  owner_attention: "one for each issue",
  owner_low_stock: "one for each product until it has enough again",
  owner_security: causedByPanel,
} satisfies Record<MessageKind, Cap | string>;

type CappedKind = { [K in MessageKind]: (typeof mailCaps)[K] extends Cap ? K : never }[MessageKind];
const cappedKinds = Object.entries(mailCaps).flatMap(([kind, cap]: [string, Cap | string]) =>
  typeof cap === "string" ? [] : [{ kind: kind as CappedKind, ...cap }],
);
/**
 * Limit of all kinds together that strangers can cause. Buyers' kinds do not count, so that a flood cannot suppress an e-mail
 * about a changed address.
 */
const allPerDay = 15;

const hourMs = 60 * 60 * 1000;

/**
 * Whether a mailbox may get one more e-mail of a kind that a stranger or buyer can cause. Locks the mailbox until the
 * transaction ends, so that of two concurrent callers the second counts the first one's message.
 */
export async function mayMailStranger(
  tx: Db,
  { kind, email, now }: { kind: CappedKind; email: string; now: Date },
): Promise<boolean> {
  const mailbox = mailboxSql(sql`${email}::text`);
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('strangers_mail:' || ${mailbox}, 0))`);
  const { by, perDay, perHour = Number.POSITIVE_INFINITY }: Cap = mailCaps[kind];
  const kinds = cappedKinds.filter((cap) => cap.by === by).map((cap) => cap.kind);
  const sentMessages = await tx
    .select({ kind: messages.kind, createdAt: messages.createdAt })
    .from(messages)
    .where(
      and(
        inArray(messages.kind, kinds),
        isNotSaleEmail(messages.kind),
        gt(messages.createdAt, new Date(now.getTime() - 24 * hourMs)),
        sql`${mailboxSql(sql`${messages.recipient}`)} = ${mailbox}`,
      ),
    );
  const ofKind = sentMessages.filter((message) => message.kind === kind);
  const ofHour = ofKind.filter(({ createdAt }) => createdAt.getTime() > now.getTime() - hourMs);
  return (
    (by === "buyer" || sentMessages.length < allPerDay) && ofKind.length < perDay && ofHour.length < perHour
  );
}
