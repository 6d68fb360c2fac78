import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import type { ParsedEmail } from "../domain/content/emails/parsed-email.ts";
import { type EmailTextKind, isEmailTextKind } from "../domain/content/emails/texts.ts";
import type { Email, RenderedEmail, Sender } from "../domain/outbox/email.ts";
import { cartReminder } from "./cart-reminder.tsx";
import { contactReceipt, contactReply, ownerContact } from "./contact.tsx";
import { dataDeleted } from "./data-deleted.tsx";
import { itemsChanged, itemsToPay } from "./edited-items.tsx";
import { sayEmail } from "./layout/said.ts";
import type { EmailOf, Template, WordedTemplate } from "./layout/template.ts";
import { newsletterConfirm, newsletterWelcome } from "./newsletter.tsx";
import { dataDeletion, dataExport, orderLookup } from "./one-time-links.tsx";
import { orderConfirmation } from "./order-confirmation.tsx";
import {
  addressChanged,
  orderCancelled,
  orderDelivered,
  orderShipped,
  parcelCorrected,
  refundSent,
} from "./order-news.tsx";
import * as ownerIssue from "./owner/issue.tsx";
import * as ownerLowStock from "./owner/low-stock.tsx";
import * as ownerNewOrder from "./owner/new-order.tsx";
import { orderChange, textFailed } from "./owner/orders.tsx";
import * as ownerReview from "./owner/review.tsx";
import * as ownerSecurity from "./owner/security.tsx";
import { ownerSummary } from "./owner/summary.tsx";
import { paymentLink } from "./payment-link.tsx";
import { panelInvitation } from "./people.tsx";
import { ownerQuestion, questionAnswer } from "./questions.tsx";
import { refillReminder } from "./refill-reminder.tsx";
import { returnAnswered, returnDecided, returnRequested, withdrawalReceived } from "./returns.tsx";
import { reviewRequest } from "./review-request.tsx";
import { stockAlert, stockAlertConfirm } from "./stock-alerts.tsx";
import * as testEmail from "./test-email.tsx";

/** To shoppers. */
const worded: { [K in EmailTextKind]: WordedTemplate<K> } = {
  order_confirmation: orderConfirmation,
  order_shipped: orderShipped,
  order_delivered: orderDelivered,
  parcel_corrected: parcelCorrected,
  address_changed: addressChanged,
  order_called_off: orderCancelled,
  refund_sent: refundSent,
  return_requested: returnRequested,
  return_decided: returnDecided,
  return_answered: returnAnswered,
  withdrawal_received: withdrawalReceived,
  order_lookup: orderLookup,
  data_export: dataExport,
  data_deletion: dataDeletion,
  data_deleted: dataDeleted,
  contact_receipt: contactReceipt,
  contact_reply: contactReply,
  question_answer: questionAnswer,
  cart_reminder: cartReminder,
  payment_link: paymentLink,
  items_to_pay: itemsToPay,
  items_changed: itemsChanged,
  review_request: reviewRequest,
  stock_alert_confirm: stockAlertConfirm,
  stock_alert: stockAlert,
  refill_reminder: refillReminder,
  newsletter_confirm: newsletterConfirm,
  newsletter_welcome: newsletterWelcome,
};

/** To people of the shop: their words are the program's. */
type OwnKind = Exclude<Email["kind"], EmailTextKind>;
const own: { [K in OwnKind]: Template<EmailOf<K>> } = {
  panel_invitation: panelInvitation,
  test_email: testEmail,
  owner_new_order: ownerNewOrder,
  owner_order_change: orderChange,
  owner_text_failed: textFailed,
  owner_attention: ownerIssue,
  owner_low_stock: ownerLowStock,
  owner_contact: ownerContact,
  owner_review: ownerReview,
  owner_question: ownerQuestion,
  owner_summary: ownerSummary,
  owner_security: ownerSecurity,
};

/** Old inboxes lay out by the standard only what says that it is XHTML. */
const doctype =
  '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">';

/** Turns an e-mail's facts into what is sent. `text`: the words of one to a shopper; throws where they say too little. */
export async function renderEmail(
  email: Email,
  sender: Sender,
  text: ParsedEmail | null,
): Promise<RenderedEmail> {
  const { kind } = email;
  if (!isEmailTextKind(kind)) return renderOwn(kind, email, sender);
  if (text === null) throw new Error(`${kind} has no words`);
  return renderWorded(kind, email, sender, text);
}

function renderOwn<K extends OwnKind>(kind: K, email: Email, sender: Sender): RenderedEmail {
  const { subject, html, text } = own[kind];
  const its = email as EmailOf<K>;
  return parts(subject(its, sender), html(its, sender), text(its, sender));
}

function renderWorded<K extends EmailTextKind>(
  kind: K,
  email: Email,
  sender: Sender,
  words: ParsedEmail,
): RenderedEmail {
  const { facts, subject, html, text } = worded[kind];
  const its = email as EmailOf<K>;
  const said = sayEmail(kind, words, { ...facts(its, sender), brand: sender.brandName });
  return parts(subject(its, said, sender), html(its, said, sender), text(its, said, sender));
}

function parts(subject: string, html: ReactElement, text: string): RenderedEmail {
  return { subject, html: doctype + renderToStaticMarkup(html), text };
}
