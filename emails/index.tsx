import { renderToStaticMarkup } from "react-dom/server";
import type { Email, RenderedEmail, Sender } from "../domain/outbox/email.ts";
import * as cartReminder from "./cart-reminder.tsx";
import { contactReceipt, contactReply, ownerContact } from "./contact.tsx";
import * as dataDeleted from "./data-deleted.tsx";
import type { EmailOf, Template } from "./layout/template.ts";
import { newsletterConfirm, newsletterWelcome } from "./newsletter.tsx";
import { dataDeletion, dataExport, orderLookup } from "./one-time-links.tsx";
import * as orderConfirmation from "./order-confirmation.tsx";
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
import { paymentLink } from "./payment-link.tsx";
import { panelInvitation } from "./people.tsx";
import { ownerQuestion, questionAnswer } from "./questions.tsx";
import * as refillReminder from "./refill-reminder.tsx";
import { returnAnswered, returnDecided, returnRequested, withdrawalReceived } from "./returns.tsx";
import * as reviewRequest from "./review-request.tsx";
import { stockAlert, stockAlertConfirm } from "./stock-alerts.tsx";
import * as testEmail from "./test-email.tsx";

type Kind = Email["kind"];

const templates: { [K in Kind]: Template<EmailOf<K>> } = {
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
  review_request: reviewRequest,
  stock_alert_confirm: stockAlertConfirm,
  stock_alert: stockAlert,
  refill_reminder: refillReminder,
  newsletter_confirm: newsletterConfirm,
  newsletter_welcome: newsletterWelcome,
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
};

/** Old inboxes lay out by the standard only what says that it is XHTML. */
const doctype =
  '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">';

/** Turns an e-mail's facts into what is sent. */
export async function renderEmail(email: Email, sender: Sender): Promise<RenderedEmail> {
  return render(email.kind, email, sender);
}

function render<K extends Kind>(kind: K, email: EmailOf<K>, sender: Sender): RenderedEmail {
  const { subject, html, text } = templates[kind];
  return {
    subject: subject(email, sender),
    html: doctype + renderToStaticMarkup(html(email, sender)),
    text: text(email, sender),
  };
}
