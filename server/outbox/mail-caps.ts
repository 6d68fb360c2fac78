import { and, gt, inArray, sql } from "drizzle-orm";
import type { Db } from "../platform/database/database.ts";
import { type MessageKind, mailboxOf, messages } from "./tables.ts";

/** `stranger`: anybody can cause it by typing anybody's address; `buyer`: whoever has an order's link. Numbers per mailbox. */
type Cap = { by: "stranger" | "buyer"; perHour?: number; perDay: number };

const onePayment = "one for each payment, refund or parcel";
const theOwner = "somebody of the panel causes each";
const askedFor = "one for each thing that its reader asked for and confirmed";
const summedUp = "ten an hour, and one summary of the others";

/**
 * Limit per mailbox of each kind of message that a stranger or buyer can cause without paying again; for other kinds the reason why
 * they cannot flood a mailbox.
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
  order_confirmation: onePayment,
  order_shipped: onePayment,
  order_delivered: onePayment,
  parcel_corrected: theOwner,
  items_changed: onePayment,
  items_to_pay: theOwner,
  replacement_sent: theOwner,
  exchange_begun: theOwner,
  refund_sent: onePayment,
  review_request: "one for each order",
  refill_reminder: "one for each order",
  order_called_off: "an order is cancelled once",
  return_requested: "one for each return, and an order has one that waits",
  withdrawal_received: "an order is withdrawn from once, and the law asks for the answer",
  return_decided: theOwner,
  return_answered: theOwner,
  order_confirmation_copy: theOwner,
  contact_reply: theOwner,
  question_answer: theOwner,
  payment_link: theOwner,
  panel_invitation: theOwner,
  test_email: theOwner,
  email_text_test: theOwner,
  newsletter: theOwner,
  test_text: theOwner,
  stock_alert: askedFor,
  newsletter_welcome: askedFor,
  data_deleted: askedFor,
  owner_contact: summedUp,
  owner_question: summedUp,
  owner_review: summedUp,
  owner_order_change: "an order allows five other addresses, one open return and one end",
  owner_summary: "one an hour for each kind",
  owner_new_order: onePayment,
  owner_order_text: onePayment,
  owner_text_failed: "one for each failed text about an order",
  owner_attention: "one for each issue, which is told once",
  owner_low_stock: "one for each product until it has enough again",
  owner_security: theOwner,
} satisfies Record<MessageKind, Cap | string>;

type CappedKind = { [K in MessageKind]: (typeof mailCaps)[K] extends Cap ? K : never }[MessageKind];
const capped = Object.entries(mailCaps).flatMap(([kind, cap]: [string, Cap | string]) =>
  typeof cap === "string" ? [] : [{ kind: kind as CappedKind, ...cap }],
);
/** Limit of all kinds that strangers cause. Those of buyers are apart: a flood must not hide a changed address. */
const allPerDay = 15;

const hourMs = 60 * 60 * 1000;

/**
 * Whether a mailbox may get one more e-mail of a kind that a stranger or buyer can cause. Until the transaction ends no other one asks
 * for the same mailbox: of two at once the second sees the first's message.
 */
export async function mayMailStranger(
  tx: Db,
  { kind, email, now }: { kind: CappedKind; email: string; now: Date },
): Promise<boolean> {
  const mailbox = mailboxOf(sql`${email}::text`);
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('strangers_mail:' || ${mailbox}, 0))`);
  const { by, perDay, perHour = Number.POSITIVE_INFINITY }: Cap = mailCaps[kind];
  const kinds = capped.filter((one) => one.by === by).map((one) => one.kind);
  const sent = await tx
    .select({ kind: messages.kind, createdAt: messages.createdAt })
    .from(messages)
    .where(
      and(
        inArray(messages.kind, kinds),
        gt(messages.createdAt, new Date(now.getTime() - 24 * hourMs)),
        sql`${mailboxOf(sql`${messages.recipient}`)} = ${mailbox}`,
      ),
    );
  const same = sent.filter((message) => message.kind === kind);
  const ofHour = same.filter(({ createdAt }) => createdAt.getTime() > now.getTime() - hourMs);
  return (by === "buyer" || sent.length < allPerDay) && same.length < perDay && ofHour.length < perHour;
}
