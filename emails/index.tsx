import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import type { ParsedEmail } from "../domain/content/emails/parsed-email.ts";
import { type EmailTextKind, isEmailTextKind } from "../domain/content/emails/texts.ts";
import type { Email, RenderedEmail, Sender } from "../domain/outbox/email.ts";
import { cartReminder } from "./cart-reminder.tsx";
import { contactReceipt, contactReply, ownerContact } from "./contact.tsx";
import { dataDeleted } from "./data-deleted.tsx";
import { itemsChanged, itemsToPay } from "./edited-items.tsx";
import { fillTexts } from "./layout/email-texts.ts";
import type { EditableTemplate, EmailOf, Template } from "./layout/template.ts";
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
} from "./order-updates.tsx";
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

const toShoppers: { [K in EmailTextKind]: EditableTemplate<K> } = {
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

/** To the owner and people of the panel; the program has their texts. */
type PanelKind = Exclude<Email["kind"], EmailTextKind>;
const toPanel: { [K in PanelKind]: Template<EmailOf<K>> } = {
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

/** Older mail programs lay out e-mails in quirks mode without it. */
const doctype =
  '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">';

/** Renders an e-mail from typed facts. `texts` are those of an e-mail to a shopper; throws if a required one is empty. */
export async function renderEmail(
  email: Email,
  sender: Sender,
  texts: ParsedEmail | null,
): Promise<RenderedEmail> {
  const { kind } = email;
  if (!isEmailTextKind(kind)) return renderToPanel(kind, email, sender);
  if (texts === null) throw new Error(`${kind} has no texts`);
  return renderToShopper(kind, email, sender, texts);
}

function renderToPanel<K extends PanelKind>(kind: K, email: Email, sender: Sender): RenderedEmail {
  const { subject, html, text } = toPanel[kind];
  const typed = email as EmailOf<K>;
  return parts(subject(typed, sender), html(typed, sender), text(typed, sender));
}

function renderToShopper<K extends EmailTextKind>(
  kind: K,
  email: Email,
  sender: Sender,
  parsed: ParsedEmail,
): RenderedEmail {
  const { facts, subject, html, text } = toShoppers[kind];
  const typed = email as EmailOf<K>;
  const texts = fillTexts(kind, parsed, { ...facts(typed, sender), brand: sender.brandName });
  return parts(subject(typed, texts, sender), html(typed, texts, sender), text(typed, texts, sender));
}

function parts(subject: string, html: ReactElement, text: string): RenderedEmail {
  return { subject, html: doctype + renderToStaticMarkup(html), text };
}
