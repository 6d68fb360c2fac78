import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import type { Email, RenderedEmail, Sender } from "../domain/outbox/email.ts";
import * as cartReminder from "./cart-reminder.tsx";
import * as contactOwner from "./contact-owner.tsx";
import * as contactReceipt from "./contact-receipt.tsx";
import * as contactReply from "./contact-reply.tsx";
import * as dataDeleted from "./data-deleted.tsx";
import * as dataDeletion from "./data-deletion.tsx";
import * as dataExport from "./data-export.tsx";
import * as orderCancelled from "./order-cancelled.tsx";
import * as orderConfirmation from "./order-confirmation.tsx";
import * as orderLookup from "./order-lookup.tsx";
import * as orderShipped from "./order-shipped.tsx";
import * as ownerIssue from "./owner/issue.tsx";
import * as ownerLowStock from "./owner/low-stock.tsx";
import * as ownerNewOrder from "./owner/new-order.tsx";
import * as ownerOrderChange from "./owner/order-change.tsx";
import * as ownerReview from "./owner/review.tsx";
import * as ownerTextFailed from "./owner/text-failed.tsx";
import * as parcelCorrected from "./parcel-corrected.tsx";
import * as refundSent from "./refund-sent.tsx";
import * as returnAnswered from "./return-answered.tsx";
import * as returnDecided from "./return-decided.tsx";
import * as returnRequested from "./return-requested.tsx";
import * as reviewRequest from "./review-request.tsx";
import * as testEmail from "./test-email.tsx";
import * as withdrawalReceived from "./withdrawal-received.tsx";

/** Turns an e-mail's facts into what is sent. The text part is written on its own, not scraped off the HTML. */
export async function renderEmail(email: Email, sender: Sender): Promise<RenderedEmail> {
  switch (email.kind) {
    case "order_confirmation":
      return rendered(orderConfirmation, email, sender);
    case "owner_new_order":
      return rendered(ownerNewOrder, email, sender);
    case "owner_attention":
      return rendered(ownerIssue, email, sender);
    case "owner_low_stock":
      return rendered(ownerLowStock, email, sender);
    case "owner_contact":
      return rendered(contactOwner, email, sender);
    case "contact_receipt":
      return rendered(contactReceipt, email, sender);
    case "contact_reply":
      return rendered(contactReply, email, sender);
    case "owner_review":
      return rendered(ownerReview, email, sender);
    case "owner_text_failed":
      return rendered(ownerTextFailed, email, sender);
    case "test_email":
      return rendered(testEmail, email, sender);
    case "cart_reminder":
      return rendered(cartReminder, email, sender);
    case "review_request":
      return rendered(reviewRequest, email, sender);
    case "order_shipped":
      return rendered(orderShipped, email, sender);
    case "parcel_corrected":
      return rendered(parcelCorrected, email, sender);
    case "order_called_off":
      return rendered(orderCancelled, email, sender);
    case "refund_sent":
      return rendered(refundSent, email, sender);
    case "return_requested":
      return rendered(returnRequested, email, sender);
    case "return_decided":
      return rendered(returnDecided, email, sender);
    case "return_answered":
      return rendered(returnAnswered, email, sender);
    case "withdrawal_received":
      return rendered(withdrawalReceived, email, sender);
    case "owner_order_change":
      return rendered(ownerOrderChange, email, sender);
    case "order_lookup":
      return rendered(orderLookup, email, sender);
    case "data_export":
      return rendered(dataExport, email, sender);
    case "data_deletion":
      return rendered(dataDeletion, email, sender);
    case "data_deleted":
      return rendered(dataDeleted, email, sender);
  }
}

type Template<E extends Email> = {
  subject(email: E, sender: Sender): string;
  Html(props: { sender: Sender; email: E }): ReactElement;
  text(email: E, sender: Sender): string;
};

/** Old inboxes lay out by the standard only what says that it is XHTML. */
const doctype =
  '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">';

function rendered<E extends Email>(template: Template<E>, email: E, sender: Sender): RenderedEmail {
  return {
    subject: template.subject(email, sender),
    html: doctype + renderToStaticMarkup(<template.Html sender={sender} email={email} />),
    text: template.text(email, sender),
  };
}
